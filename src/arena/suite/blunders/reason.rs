//! The reason of a bad move, in words: mates missed or allowed, or pieces that the move costs.
//! Every word rests on the two lines and the exchange at a line's end.

use shakmaty::san::SanPlus;
use shakmaty::{Chess, Move, Position as _, Role, Square};

use super::case::Case;
use super::judge::{Finding, Valued};
use crate::arena::referee::Referee;
use crate::arena::suite::Loss;
use crate::util::display::{counted, joined};

/// The greatest loss explained by pieces, in multiples of their worth.
const TIMES: i32 = 3;

impl Case {
    /// See [`Finding::reason`].
    pub fn reason(&self, finding: &Finding) -> Option<String> {
        finding.reason(Referee::at(&self.fen).ok()?.position())
    }
}

impl Finding {
    /// The reason of a bad move in this position: `costs a rook for a pawn`, `misses mate in 2`.
    /// `None` if nothing was lost, or the lines do not show a reason.
    pub fn reason(&self, position: &Chess) -> Option<String> {
        let Finding::Judged { played, best } = self else {
            return None;
        };
        let loss = Loss::new(best.score, played.score).centipawns;
        if loss == 0 {
            return None;
        }
        let mates = mates(played, best);
        if !mates.is_empty() {
            return Some(joined(&mates));
        }
        let end = end_of(position, &played.line);
        if end.is_stalemate() {
            return Some("allows stalemate".to_owned());
        }
        let lead = lead_of(position, &end);
        let better = lead_of(position, &end_of(position, &best.line));
        let mut cost = [0; 4];
        let mut pawns = 0;
        for (kind, (_, worth)) in KINDS.iter().enumerate() {
            cost[kind] = better[kind] - lead[kind];
            pawns += cost[kind] * worth;
        }
        // A line may end before all is taken back: the values have to show about what it says.
        let is_all = loss <= 100 * TIMES * pawns && 2 * loss >= 100 * pawns;
        (pawns > 0 && is_all).then(|| cost_in_words(cost))
    }
}

/// `misses mate in 2`, `allows mate in 3`
fn mates(played: &Valued, best: &Valued) -> Vec<String> {
    let mut mates = Vec::new();
    if let Some(moves @ 1..) = best.score.mate_moves() {
        mates.push(format!("misses mate in {moves}"));
    }
    if let Some(moves @ ..0) = played.score.mate_moves() {
        mates.push(format!("allows mate in {}", -moves));
    }
    mates
}

/// Kinds of pieces: name, and worth in pawns.
const KINDS: [(&str, i32); 4] = [("queen", 9), ("rook", 5), ("minor piece", 3), ("pawn", 1)];

/// `costs a rook for a pawn`: the kinds with a loss, and those with a gain.
fn cost_in_words(cost: [i32; 4]) -> String {
    let mut lost = Vec::new();
    let mut gained = Vec::new();
    for (count, (name, _)) in cost.into_iter().zip(KINDS) {
        let pieces = if count > 0 { &mut lost } else { &mut gained };
        match count.abs() {
            0 => {}
            1 => pieces.push(format!("a {name}")),
            count => pieces.push(counted(count, name)),
        }
    }
    let lost = joined(&lost);
    if gained.is_empty() {
        return format!("costs {lost}");
    }
    format!("costs {lost} for {}", joined(&gained))
}

/// The position at the end of a line, and of an exchange that is under way there.
fn end_of(start: &Chess, line: &[String]) -> Chess {
    let mut position = start.clone();
    let mut last = None;
    for san in line {
        let Ok(SanPlus { san, .. }) = san.parse() else {
            break;
        };
        let Ok(mv) = san.to_move(&position) else {
            break;
        };
        position.play_unchecked(mv);
        last = Some(mv);
    }
    if let Some(last) = last
        && last.is_capture()
    {
        let (_, exchange) = exchange(&position, last.to());
        for mv in exchange {
            position.play_unchecked(mv);
        }
    }
    position
}

/// The pieces of each of [`KINDS`] that the side to move at `start` has more than the other at
/// `end`.
fn lead_of(start: &Chess, end: &Chess) -> [i32; 4] {
    let board = end.board();
    let minors = board.knights() | board.bishops();
    let own = board.by_color(start.turn());
    [board.queens(), board.rooks(), minors, board.pawns()]
        .map(|kind| (kind & own).count() as i32 - (kind & !own).count() as i32)
}

/// The worth of a piece in pawns.
fn worth(role: Role) -> i32 {
    match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 9,
        // It is never taken, and takes last.
        Role::King => 100,
    }
}

/// The gain, in pawns, of the side to move from captures on a square, each side with its cheapest
/// piece and as long as worthwhile; and the moves.
fn exchange(position: &Chess, square: Square) -> (i32, Vec<Move>) {
    let promotes = |mv: &Move| mv.promotion().map_or(0, |role| worth(role) - 1);
    let takes = position
        .legal_moves()
        .into_iter()
        .filter(|mv| mv.is_capture() && mv.to() == square);
    let Some(mv) = takes.min_by_key(|mv| (worth(mv.role()), -promotes(mv))) else {
        return (0, Vec::new());
    };
    let mut after = position.clone();
    after.play_unchecked(mv);
    let (answer, line) = exchange(&after, square);
    match mv.capture().map_or(0, worth) + promotes(&mv) - answer {
        gain @ 1.. => (gain, [vec![mv], line].concat()),
        _ => (0, Vec::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::suite::tests::valued;
    use crate::rules::score::Score;

    /// The reason for a line of this value, where another would have been better.
    fn reason(fen: &str, played: (&str, i32), best: (&str, i32)) -> Option<String> {
        let [played, best] = [played, best].map(|(line, score)| valued(line, score));
        Finding::Judged { played, best }.reason(Referee::at(fen).expect("a position").position())
    }

    #[test]
    fn mates_are_missed_and_allowed_with_their_distance() {
        let fen = "6k1/5ppp/8/8/8/8/5PPP/3RR1K1 w - - 0 1";
        let mate = Score::mate_in(3).0;
        let mated = Score::mated_in(6).0;
        let of = |played, best| reason(fen, ("h3", played), ("Rd8+", best));
        assert_eq!(of(900, mate).as_deref(), Some("misses mate in 2"));
        assert_eq!(of(mated, 30).as_deref(), Some("allows mate in 3"));
        assert_eq!(
            of(mated, mate).as_deref(),
            Some("misses mate in 2 and allows mate in 3")
        );
        assert_eq!(of(mate, mate), None, "nothing is lost");
    }

    #[test]
    fn what_a_move_costs_is_said_by_the_lines() {
        let open = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";
        let knights = "r3k3/8/5n2/3n4/8/2N5/8/N3K3 w q - 0 1";
        let queen = "4k3/8/2p5/3p4/8/8/8/3QK3 w - - 0 1";
        let pawn = "4k3/8/2p5/3p4/8/8/8/3QK3 b - - 0 1";
        let fork = "4k3/8/8/8/1n6/8/8/R3K3 b - - 0 1";
        let [wandering, taking] = [
            ("Ke7 Ra4 Nd3+ Kd2 Nc5 Ra5 Nd3 Kxd3", -500),
            ("Nc2+ Kd2 Nxa1", 300),
        ];
        let passed = "8/8/8/8/8/p7/k7/2B1K3 w - - 0 1";
        let promoting = "8/P7/8/8/8/8/5k2/7K w - - 0 1";
        for (fen, played, best, expected) in [
            (
                open,
                ("Nxe5 Nxe5 d4 Ng6", -180),
                ("Bb5 a6", 40),
                "costs a minor piece for a pawn",
            ),
            (
                open,
                ("Ng5 Qxg5", -260),
                ("Bb5 a6", 40),
                "costs a minor piece",
            ),
            // The line of one move is the beginning of an exchange.
            (
                queen,
                ("Qxd5", -200),
                ("Qd4", 700),
                "costs a queen for a pawn",
            ),
            (pawn, ("d4 Qxd4", -800), ("Ke7 Kd2", -700), "costs a pawn"),
            // One of two knights is exchanged, whichever that is.
            (
                knights,
                ("Nxd5 Nxd5 Kd2 Rxa1", -800),
                ("Nc2 Nf4", -500),
                "costs a minor piece",
            ),
            (fork, wandering, taking, "costs a rook and a minor piece"),
            (
                passed,
                ("Bh6 Kb1 Kd2 a2 Ke3 a1=Q", -900),
                ("Bxa3 Kxa3", 0),
                "costs a queen for a minor piece",
            ),
            (
                promoting,
                ("Kh2 Kf3 Kh3 Kf4", 0),
                ("a8=Q Kg3", 900),
                "costs a queen for a pawn",
            ),
            (
                "7k/5Q2/8/8/8/8/8/K7 w - - 0 1",
                ("Qg6", 0),
                ("Qf2 Kg7", 900),
                "allows stalemate",
            ),
        ] {
            assert_eq!(
                reason(fen, played, best).as_deref(),
                Some(expected),
                "{played:?}"
            );
        }
        // A pawn is not why ten pawns are lost, and a knight not lost where the value says that it
        // is not.
        assert_eq!(
            reason(open, ("Rg1 Nf6 Nc3 Nxe4 d3 a6", -960), ("Bb5 a6", 40)),
            None
        );
        assert_eq!(reason(open, ("Ng5 Qxg5", -20), ("Bb5 a6", 40)), None);
        let black = "r1bqkbnr/pppp1ppp/2n5/4N3/4P3/8/PPPP1PPP/RNBQKB1R b KQkq - 0 3";
        let unclear = reason(
            black,
            ("Nf6 Nxc6 dxc6 e5 Bg4 exf6", -97),
            ("Nxe5 d4 Ng6 Bd3", 141),
        );
        assert_eq!(unclear, None, "the knight on e5 falls with either move");
        // The queens are exchanged with either move, and the rook is lost.
        let queens = "r3k3/ppp2pp1/8/3q4/8/8/PPP2PP1/3QK2R w K - 0 1";
        assert_eq!(
            reason(queens, ("O-O Qxd1 Rxd1", -36), ("Qxd5", 900)).as_deref(),
            Some("costs a queen")
        );
        let rook = "4k3/pp6/8/8/8/8/p1n2PPP/R3K3 w - - 0 1";
        assert_eq!(
            reason(rook, ("Kd2 Nxa1 Kc3", -430), ("Kd1 Nxa1 Kc1", -330)),
            None
        );
        let race = "8/1P4k1/8/8/3p4/8/2K3p1/8 w - - 0 1";
        assert_eq!(
            reason(race, ("b8=N g1=Q Nc6", -600), ("b8=Q g1=Q Qe5+", 0)).as_deref(),
            Some("costs a queen for a minor piece")
        );
    }
}
