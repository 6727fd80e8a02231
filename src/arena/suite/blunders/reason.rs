//! The reason of a bad move, in words: losses along its refutation, and gains missed along the
//! better line. Every word rests on the two lines and the exchange at a line's end; losses or gains
//! common to both are no reason.

use shakmaty::san::SanPlus;
use shakmaty::{CastlingSide, Chess, Move, Position as _, Role, Square};

use super::case::Case;
use super::judge::{Finding, Valued};
use crate::arena::referee::Referee;
use crate::arena::suite::Loss;
use crate::util::display::{counted, joined};

/// Half-moves of a line, enough for a hanging piece to be taken.
const AT_ONCE: usize = 3;
/// The most moves to a mate told as such; before a farther one, pieces changing hands are told.
const FAR_MATE: i32 = 10;
/// The greatest loss explained by pieces, in multiples of their worth.
const TIMES: i32 = 3;

impl Case {
    /// See [`Finding::reason`].
    pub fn reason(&self, finding: &Finding) -> Option<String> {
        finding.reason(Referee::at(&self.fen).ok()?.position())
    }
}

impl Finding {
    /// The reason of a bad move in this position: `loses the knight on d5`, `misses mate in 2`.
    /// `None` if nothing was lost, or the lines do not show a reason.
    pub fn reason(&self, position: &Chess) -> Option<String> {
        let Finding::Judged { played, best } = self else {
            return None;
        };
        let loss = Loss::new(best.score, played.score).centipawns;
        if loss == 0 {
            return None;
        }
        let trades = [played, best].map(|valued| Trade::along(position, &valued.line));
        if trades[0].ends_in_stalemate {
            let who = if trades[0].length == 1 {
                "stalemates"
            } else {
                "allows stalemate"
            };
            return Some(who.to_owned());
        }
        let mate = |valued: &Valued| valued.score.mate_moves().unwrap_or(0);
        let missed = (mate(best) > 0).then(|| format!("misses mate in {}", mate(best)));
        let allowed = (mate(played) < 0).then(|| format!("allows mate in {}", -mate(played)));
        let mates: Vec<String> = missed.into_iter().chain(allowed).collect();
        let nearest = [mate(best), -mate(played)]
            .into_iter()
            .filter(|&moves| moves > 0)
            .min();
        if nearest.is_some_and(|moves| moves <= FAR_MATE) {
            return Some(joined(&mates));
        }
        let scores = [played, best].map(|valued| valued.score.0);
        let [played, best] = trades;
        if nearest.is_none() && played.balance() >= 0 && best.balance() <= played.balance() {
            return (played.length >= AT_ONCE).then(|| "loses no material at once".to_owned());
        }
        // A line may end before all is taken back: the values have to show at least half of what it
        // says.
        let [fall, rise] =
            scores.map(|score| 2 * (i64::from(score) - 100 * i64::from(ahead(position))));
        let is_fallen = fall <= 100 * i64::from(played.balance());
        let is_risen = rise >= 100 * i64::from(best.balance());
        let difference = 100 * i64::from(best.balance() - played.balance());
        // What both lines have is no reason.
        let lost = if is_fallen && !played.second.has_of(&best.second) {
            played.lost()
        } else {
            Vec::new()
        };
        let missed = if is_risen && !best.first.has_of(&played.first) {
            best.missed()
        } else {
            Vec::new()
        };
        let words = [lost, missed].concat();
        if nearest.is_some() {
            // What changes hands is why the mate will come.
            return Some(joined(if words.is_empty() { &mates } else { &words }));
        }
        let loss = i64::from(loss);
        let is_all = loss <= i64::from(TIMES) * difference && 2 * loss >= difference;
        (is_all && !words.is_empty()).then(|| joined(&words))
    }
}

/// Pieces changing hands along a line.
#[derive(Default)]
struct Trade {
    first: Side,
    second: Side,
    /// Half-moves of the line itself.
    length: usize,
    ends_in_stalemate: bool,
}

/// A side's gains along the line.
#[derive(Default)]
struct Side {
    taken: Vec<Taken>,
    promoted: Vec<Role>,
}

/// A taken piece, and its square after the first move of the line.
#[derive(PartialEq)]
struct Taken {
    role: Role,
    square: Square,
}

impl Trade {
    /// The trade along a line, with the rest of an exchange under way at its end.
    fn along(start: &Chess, line: &[String]) -> Trade {
        let mut position = start.clone();
        let mut moves = Vec::new();
        for san in line {
            let san = san.parse::<SanPlus>().ok();
            let Some(mv) = san.and_then(|san| san.san.to_move(&position).ok()) else {
                break;
            };
            position.play_unchecked(mv);
            moves.push(mv);
        }
        let mut trade = Trade {
            length: moves.len(),
            ends_in_stalemate: position.is_stalemate(),
            ..Trade::default()
        };
        if let Some(last) = moves.last().filter(|mv| mv.is_capture()) {
            moves.extend(exchange(&position, last.to()).1);
        }
        // Where the piece on each square stood after the first move.
        let mut origins = Square::ALL;
        let mut promoted: Vec<(Square, Role, bool)> = Vec::new();
        for (index, &mv) in moves.iter().enumerate() {
            let is_first = index % 2 == 0;
            let (from, to) = match mv {
                Move::Castle { king, rook } => {
                    let side = CastlingSide::from_king_side(king < rook);
                    (rook, Square::from_coords(side.rook_to_file(), rook.rank()))
                }
                _ => (mv.from().unwrap_or(mv.to()), mv.to()),
            };
            if let Some(role) = mv.capture() {
                let square = if mv.is_en_passant() {
                    Square::from_coords(to.file(), from.rank())
                } else {
                    to
                };
                let was_pawn = promoted.iter().position(|&(at, _, _)| at == square);
                let role = was_pawn.map_or(role, |place| {
                    promoted.remove(place);
                    Role::Pawn
                });
                let side = if is_first {
                    &mut trade.first
                } else {
                    &mut trade.second
                };
                side.taken.push(Taken {
                    role,
                    square: origins[usize::from(square)],
                });
            }
            origins[usize::from(to)] = if index == 0 {
                to
            } else {
                origins[usize::from(from)]
            };
            promoted
                .iter_mut()
                .filter(|(at, _, _)| *at == from)
                .for_each(|(at, _, _)| *at = to);
            promoted.extend(mv.promotion().map(|role| (to, role, is_first)));
        }
        for (_, role, is_first) in promoted {
            let side = if is_first {
                &mut trade.first
            } else {
                &mut trade.second
            };
            side.promoted.push(role);
        }
        trade
    }

    /// The balance in pawns, for the first mover.
    fn balance(&self) -> i32 {
        self.first.pawns() - self.second.pawns()
    }

    /// `loses the rook on a1 for a knight`, if more is lost than won.
    fn lost(&self) -> Vec<String> {
        let pieces = self.second.more_than(&self.first, true);
        let loses = (!pieces.is_empty()).then(|| {
            format!(
                "loses {}{}",
                joined(&pieces),
                self.first.price(&self.second)
            )
        });
        let allows = self
            .second
            .new_pieces()
            .map(|piece| format!("allows {piece}"));
        if self.balance() < 0 {
            loses.into_iter().chain(allows).collect()
        } else {
            Vec::new()
        }
    }

    /// `misses winning the rook on a8 for a knight`, if more is won than lost.
    fn missed(&self) -> Vec<String> {
        let pieces = self
            .first
            .more_than(&self.second, true)
            .into_iter()
            .chain(self.first.new_pieces());
        let pieces: Vec<String> = pieces.collect();
        let misses = format!(
            "misses winning {}{}",
            joined(&pieces),
            self.second.price(&self.first)
        );
        if self.balance() > 0 {
            vec![misses]
        } else {
            Vec::new()
        }
    }
}

impl Side {
    fn pawns(&self) -> i32 {
        let taken: i32 = self.taken.iter().map(|piece| worth(piece.role)).sum();
        taken
            + self
                .promoted
                .iter()
                .map(|&role| worth(role) - 1)
                .sum::<i32>()
    }

    /// Returns true if the same side of the other line shares a taken piece or a promotion.
    fn has_of(&self, other: &Side) -> bool {
        self.taken.iter().any(|piece| other.taken.contains(piece))
            || self
                .promoted
                .iter()
                .any(|role| other.promoted.contains(role))
    }

    /// The taken pieces without a like taken by the other side, the dearest first; with their
    /// squares if wanted and certain.
    fn more_than(&self, other: &Side, with_squares: bool) -> Vec<String> {
        let words = [Role::Queen, Role::Rook, Role::Knight, Role::Pawn]
            .into_iter()
            .filter_map(|like| {
                let is_like = |piece: &&Taken| worth(piece.role) == worth(like);
                let exchanged = other.taken.iter().filter(is_like).count();
                let taken: Vec<&Taken> = self.taken.iter().filter(is_like).collect();
                let Taken { role, square } = taken.first()?;
                let name = if taken.iter().all(|piece| piece.role == *role) {
                    name(*role)
                } else {
                    "piece"
                };
                match taken.len().saturating_sub(exchanged) {
                    0 => None,
                    1 if with_squares && exchanged == 0 => Some(format!("the {name} on {square}")),
                    1 => Some(format!("a {name}")),
                    count => Some(counted(count, name)),
                }
            });
        words.collect()
    }

    fn new_pieces(&self) -> impl Iterator<Item = String> {
        self.promoted
            .iter()
            .map(|&role| format!("a new {}", name(role)))
    }

    /// ` for a knight`: the other side's price, if any.
    fn price(&self, other: &Side) -> String {
        let pieces: Vec<String> = self
            .more_than(other, false)
            .into_iter()
            .chain(self.new_pieces())
            .collect();
        if pieces.is_empty() {
            String::new()
        } else {
            format!(" for {}", joined(&pieces))
        }
    }
}

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

/// The material lead of the side to move, in pawns.
fn ahead(position: &Chess) -> i32 {
    let pieces = position
        .board()
        .iter()
        .filter(|(_, piece)| piece.role != Role::King);
    pieces
        .map(|(_, one)| {
            if one.color == position.turn() {
                worth(one.role)
            } else {
                -worth(one.role)
            }
        })
        .sum()
}

fn name(role: Role) -> &'static str {
    match role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
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
    use crate::arena::referee::Referee;
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
        let (mate, mated) = (Score::mate_in(3).0, Score::mated_in(6).0);
        let of = |played, best| reason(fen, ("h3", played), ("Rd8+", best));
        assert_eq!(of(900, mate).as_deref(), Some("misses mate in 2"));
        assert_eq!(of(mated, 30).as_deref(), Some("allows mate in 3"));
        assert_eq!(
            of(mated, mate).as_deref(),
            Some("misses mate in 2 and allows mate in 3")
        );
        assert_eq!(of(mate, mate), None, "nothing is lost");
        // Mates that nobody sees are not told where a piece is the reason.
        let far = Score::mate_in(55).0;
        assert_eq!(of(900, far).as_deref(), Some("misses mate in 28"));
        assert_eq!(
            of(-far, mate).as_deref(),
            Some("misses mate in 2 and allows mate in 28")
        );
        let rook = "r6k/8/8/8/8/8/5PPP/R5K1 w - - 0 1";
        let missed = reason(rook, ("h3 Rxa1+ Kh2", -500), ("Rxa8+ Kg7", far));
        assert_eq!(
            missed.as_deref(),
            Some("loses the rook on a1 and misses winning the rook on a8")
        );
    }

    #[test]
    fn what_is_lost_or_not_won_is_said_by_the_lines() {
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
        let rook = "8/8/8/8/8/1k6/p7/1R2K3 b - - 0 1";
        for (fen, played, best, expected) in [
            (
                open,
                ("Nxe5 Nxe5 d4 Ng6", -180),
                ("Bb5 a6", 40),
                "loses the knight on e5 for a pawn",
            ),
            (
                open,
                ("Ng5 Qxg5", -260),
                ("Bb5 a6", 40),
                "loses the knight on g5",
            ),
            (
                open,
                ("Rg1 Nf6 Nc3 Bc5", -90),
                ("Bb5 a6", 40),
                "loses no material at once",
            ),
            // The line of one move is the beginning of an exchange.
            (
                queen,
                ("Qxd5", -200),
                ("Qd4", 700),
                "loses the queen on d5 for a pawn",
            ),
            (
                pawn,
                ("d4 Qxd4", -800),
                ("Ke7 Kd2", -700),
                "loses the pawn on d4",
            ),
            // One of two knights is exchanged, whichever that is.
            (
                knights,
                ("Nxd5 Nxd5 Kd2 Rxa1", -800),
                ("Nc2 Nf4", -500),
                "loses a knight",
            ),
            // It is taken where it has gone since.
            (
                fork,
                wandering,
                taking,
                "loses the knight on b4 and misses winning the rook on a1",
            ),
            (
                passed,
                ("Bh6 Kb1 Kd2 a2 Ke3 a1=Q", -900),
                ("Bxa3 Kxa3", 0),
                "allows a new queen",
            ),
            (
                promoting,
                ("Kh2 Kf3 Kh3 Kf4", 0),
                ("a8=Q Kg3", 900),
                "misses winning a new queen",
            ),
            (
                rook,
                ("Kc3 Kd1", 200),
                ("axb1=N Kd1", 900),
                "misses winning the rook on b1 and a new knight",
            ),
            (
                "7k/5Q2/8/8/8/8/8/K7 w - - 0 1",
                ("Qg6", 0),
                ("Qf2 Kg7", 900),
                "stalemates",
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
        assert_eq!(reason(open, ("Ng5 Qxg5", -110), ("Bb5 a6", 40)), None);
        let black = "r1bqkbnr/pppp1ppp/2n5/4N3/4P3/8/PPPP1PPP/RNBQKB1R b KQkq - 0 3";
        let unclear = reason(
            black,
            ("Nf6 Nxc6 dxc6 e5 Bg4 exf6", -97),
            ("Nxe5 d4 Ng6 Bd3", 141),
        );
        assert_eq!(unclear, None, "the knight on e5 falls with either move");
        // The knight is won, the rook lost, the queens are exchanged with either move.
        let knight = "2r1k3/6pp/8/p3n3/8/6B1/5PPP/4R1K1 w - - 0 1";
        assert_eq!(
            reason(knight, ("Bxe5 Kd7 Bc3", 250), ("Rxe5+ Kd7 Rxa5", 350)),
            None
        );
        let queens = "r3k3/ppp2pp1/8/3q4/8/8/PPP2PP1/3QK2R w K - 0 1";
        assert_eq!(reason(queens, ("O-O Qxd1 Rxd1", -36), ("Qxd5", 900)), None);
        let rook = "4k3/pp6/8/8/8/8/p1n2PPP/R3K3 w - - 0 1";
        assert_eq!(
            reason(rook, ("Kd2 Nxa1 Kc3", -430), ("Kd1 Nxa1 Kc1", -330)),
            None
        );
        assert_eq!(
            reason(open, ("Rg1", -90), ("Bb5 a6", 40)),
            None,
            "too short to tell"
        );
        let race = "8/1P4k1/8/8/3p4/8/2K3p1/8 w - - 0 1";
        assert_eq!(
            reason(race, ("b8=N g1=Q Nc6", -600), ("b8=Q g1=Q Qe5+", 0)),
            None,
            "both promote"
        );
    }
}
