//! How the points are taken that the text of an evaluation leaves open: options, because no weight
//! says it.

use crate::choice;
use crate::options;

choice! {
    /// When a piece is threatened, and when it is defended.
    ThreatStatus {
        /// It is threatened if anything attacks it, and defended if own pieces but no enemies touch
        /// it.
        Attacked = "attacked",
        /// It is threatened if it is attacked and not defended, and defended if it is not attacked;
        /// both at once is neither.
        Undefended = "undefended",
        /// More attackers than defenders threaten it, more defenders than attackers defend it.
        Net = "net",
    }
}

choice! {
    /// Which squares are the centre.
    ThreatCentre {
        /// c3 to f6.
        Sixteen = "sixteen",
        /// d4, e4, d5 and e5.
        Four = "four",
    }
}

choice! {
    /// How the rows count that a pawn has advanced.
    ThreatRows {
        /// They are added to its worth.
        After = "after",
        /// They are part of what it is worth before status and centre change it.
        Inside = "inside",
    }
}

choice! {
    /// Which pieces count for the power of one.
    PowerChain {
        /// Those that attack and defend it.
        Direct = "direct",
        /// Those of its whole chain too: who attacks and defends these, and so on. Defenders count
        /// for it, attackers against it.
        Chain = "chain",
        /// As chain, but own pieces count for it and enemies against it, whatever they do.
        Signed = "signed",
    }
}

options! {
    /// Options of evaluations.
    pub struct Interpretations {
        /// Evaluation threats: a piece is threatened if anything attacks it (attacked), if it is
        /// attacked and not defended (undefended), or if it has more attackers than defenders
        /// (net).
        threat_status: combo(ThreatStatus::Attacked) = "ThreatStatus",
        /// Evaluation threats: the centre is c3 to f6 (sixteen), or d4, e4, d5 and e5 (four).
        threat_centre: combo(ThreatCentre::Sixteen) = "ThreatCentre",
        /// Evaluation threats: the rows that a pawn has advanced are added to its worth (after), or
        /// threats and centre change them too (inside).
        threat_rows: combo(ThreatRows::After) = "ThreatRows",
        /// Evaluation power: only who attacks and defends a piece counts (direct), or its whole
        /// chain of attackers and defenders (chain), or the chain with own pieces for it and
        /// enemies against it (signed).
        power_chain: combo(PowerChain::Direct) = "PowerChain",
    }
}
