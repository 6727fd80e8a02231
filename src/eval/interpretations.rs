//! Readings of points left open by the text of an evaluation: options, because no weight expresses
//! them.

use crate::choice;
use crate::options;

choice! {
    /// The conditions for a threatened and for a defended piece.
    ThreatStatus {
        /// Threatened: attacked at all. Defended: touched by own pieces and no enemies.
        Attacked = "attacked",
        /// Threatened: attacked and not defended. Defended: defended and not attacked. Both at once
        /// is neither.
        Undefended = "undefended",
        /// Threatened: more attackers than defenders. Defended: more defenders than attackers.
        Net = "net",
    }
}

choice! {
    /// The squares of the centre.
    ThreatCentre {
        /// c3 to f6.
        Sixteen = "sixteen",
        /// d4, e4, d5 and e5.
        Four = "four",
    }
}

choice! {
    /// The order of adding a pawn's advanced rows and changing its worth.
    ThreatRows {
        /// They are added to its worth.
        After = "after",
        /// Rows are added before status and centre change the worth.
        Inside = "inside",
    }
}

choice! {
    /// The pieces counted for the power of one.
    PowerChain {
        /// Its direct attackers and defenders.
        Direct = "direct",
        /// Its whole chain: also the attackers and defenders of these, and so on. Defenders count
        /// for a piece, attackers against.
        Chain = "chain",
        /// Like chain, but own pieces always count for a piece and enemies against.
        Signed = "signed",
    }
}

options! {
    /// Options of evaluations.
    pub struct Interpretations {
        /// Evaluation threats: a piece is threatened if attacked at all (attacked), if attacked and
        /// not defended (undefended), or if attacked more often than defended (net).
        threat_status: combo(ThreatStatus::Attacked) = "ThreatStatus",
        /// Evaluation threats: the centre is c3 to f6 (sixteen), or d4, e4, d5 and e5 (four).
        threat_centre: combo(ThreatCentre::Sixteen) = "ThreatCentre",
        /// Evaluation threats: the rows of an advanced pawn are added to its worth (after), or
        /// threats and centre change them too (inside).
        threat_rows: combo(ThreatRows::After) = "ThreatRows",
        /// Evaluation power: direct attackers and defenders of a piece count (direct), or its whole
        /// chain of attackers and defenders (chain), or the chain with own pieces for and enemies
        /// against the piece (signed).
        power_chain: combo(PowerChain::Direct) = "PowerChain",
    }
}
