//! Endgame tables that the test makes itself: king and queen or rook against the bare king, worked out
//! backwards from the mates, and written in the Syzygy format without any compression.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use shakmaty::{Bitboard, Role, Square, attacks};

/// Positions of three different men without pawns that no turning of the board makes equal, as the format
/// numbers them.
const POSITIONS: usize = 31_332;

/// The king, its piece, and the bare king.
type Squares = [Square; 3];

/// What is known of the endgame of a piece, by the number of the position.
pub struct Endgame {
    piece: Role,
    /// Half-moves to the mate with the strong side to move; `None`: no position, or no win.
    won_in: Vec<Option<u8>>,
    /// The same with the bare king to move.
    lost_in: Vec<Option<u8>>,
}

/// The tables of these endgames, in a folder of their own.
pub fn folder(endgames: &[&Endgame]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for endgame in endgames {
        endgame.write(folder.path());
    }
    folder
}

pub fn queen() -> &'static Endgame {
    static QUEEN: OnceLock<Endgame> = OnceLock::new();
    QUEEN.get_or_init(|| Endgame::solve(Role::Queen))
}

pub fn rook() -> &'static Endgame {
    static ROOK: OnceLock<Endgame> = OnceLock::new();
    ROOK.get_or_init(|| Endgame::solve(Role::Rook))
}

impl Endgame {
    /// Works it out: positions are lost if every move leads to one that is won, from the mates on.
    fn solve(piece: Role) -> Endgame {
        let positions = all_positions();
        let strong_moves: Vec<Vec<usize>> = positions
            .iter()
            .map(|squares| squares.map_or(Vec::new(), |at| strong_moves(piece, at)))
            .collect();
        let bare_moves: Vec<Option<Vec<usize>>> =
            positions.iter().map(|squares| squares.and_then(|at| bare_moves(piece, at))).collect();
        let mut endgame = Endgame { piece, won_in: vec![None; POSITIONS], lost_in: vec![None; POSITIONS] };
        for plies in (0..).step_by(2) {
            let mut news = false;
            for (index, moves) in bare_moves.iter().enumerate() {
                let won = |&after: &usize| endgame.won_in[after].is_some();
                if endgame.lost_in[index].is_none() && moves.as_ref().is_some_and(|all| all.iter().all(won)) {
                    endgame.lost_in[index] = Some(plies);
                    news = true;
                }
            }
            for (index, moves) in strong_moves.iter().enumerate() {
                let wins = |&after: &usize| endgame.lost_in[after] == Some(plies);
                if endgame.won_in[index].is_none() && moves.iter().any(wins) {
                    endgame.won_in[index] = Some(plies + 1);
                }
            }
            if !news {
                return endgame;
            }
        }
        unreachable!("there are not that many positions")
    }

    /// The longest way to the mate, in half-moves, with the strong side to move.
    pub fn longest(&self) -> Option<u8> {
        self.won_in.iter().copied().flatten().max()
    }

    /// Half-moves to the mate from these squares of king, piece and bare king, with the strong side to move.
    pub fn won_in(&self, squares: Squares) -> Option<u8> {
        self.won_in[number(squares)]
    }

    fn name(&self) -> String {
        format!("K{}vK", self.piece.upper_char())
    }

    /// `KQvK.rtbw` and `KQvK.rtbz`.
    pub fn write(&self, folder: &Path) {
        // Loss 0, draw 2, win 4.
        let result = |known: &Option<u8>, decided| known.map_or(2, |_| decided);
        self.write_results(folder, &|won| result(won, 4), &|lost| result(lost, 0));
        // Only for the strong side to move, in moves: the way of the bare king is found by a move of its own.
        let distances = self.won_in.iter().map(|plies| plies.map_or(0, |plies| plies / 2)).collect();
        let file = self.file([0xd7, 0x66, 0x0c, 0xa5], &[distances]);
        fs::write(folder.join(self.name() + ".rtbz"), file).expect("a table");
    }

    /// Only the results, and as if the fifty-move rule saved every bare king.
    pub fn write_cursed(&self, folder: &Path) {
        let result = |known: &Option<u8>, decided| known.map_or(2, |_| decided);
        self.write_results(folder, &|won| result(won, 3), &|lost| result(lost, 1));
    }

    fn write_results(
        &self,
        folder: &Path,
        won: &dyn Fn(&Option<u8>) -> u8,
        lost: &dyn Fn(&Option<u8>) -> u8,
    ) {
        let sides = [self.won_in.iter().map(won).collect(), self.lost_in.iter().map(lost).collect()];
        let file = self.file([0x71, 0xe8, 0x23, 0x5d], &sides);
        fs::write(folder.join(self.name() + ".rtbw"), file).expect("a table");
    }

    /// A table of values for one side to move, or for both.
    fn file(&self, magic: [u8; 4], sides: &[Vec<u8>]) -> Vec<u8> {
        let sides: Vec<Blocks> = sides.iter().map(|values| Blocks::new(values)).collect();
        let mut file = magic.to_vec();
        // Both sides have values of their own, and the men come in the same order: king, piece, bare king.
        file.extend([1, 0]);
        let men = [6, self.piece as u8, 8 | 6];
        file.extend(men.map(|man| man << 4 | man));
        file.push(0);
        sides.iter().for_each(|side| side.header(&mut file));
        sides.iter().for_each(|side| side.sparse_index(&mut file));
        sides.iter().for_each(|side| side.lengths(&mut file));
        for side in &sides {
            file.resize(file.len().next_multiple_of(64), 0);
            file.extend(&side.data);
        }
        // The place of a checksum.
        file.extend([0; 16]);
        file
    }
}

/// Values in blocks, a byte each: every value is a symbol of eight bits that stands for itself.
struct Blocks {
    data: Vec<u8>,
}

const BLOCK: usize = 1024;
const SPAN: usize = 512;

impl Blocks {
    fn new(values: &[u8]) -> Blocks {
        let mut data = values.to_vec();
        data.resize(data.len().next_multiple_of(BLOCK), 0);
        Blocks { data }
    }

    fn header(&self, file: &mut Vec<u8>) {
        file.extend([0, BLOCK.ilog2() as u8, SPAN.ilog2() as u8, 0]);
        file.extend((self.data.len() as u32 / BLOCK as u32).to_le_bytes());
        // The longest symbol, the shortest, and the first of that length.
        file.extend([8, 8, 0, 0]);
        file.extend(256u16.to_le_bytes());
        for value in 0..=255 {
            // No right half: it is not a pair of symbols but a value.
            file.extend([value, 0xf0, 0xff]);
        }
    }

    /// For the value in the middle of each span its block and its place there.
    fn sparse_index(&self, file: &mut Vec<u8>) {
        for start in (0..POSITIONS).step_by(SPAN) {
            let middle = start + SPAN / 2;
            file.extend(((middle / BLOCK) as u32).to_le_bytes());
            file.extend(((middle % BLOCK) as u16).to_le_bytes());
        }
    }

    /// The number of values of each block, less one.
    fn lengths(&self, file: &mut Vec<u8>) {
        for _ in 0..self.data.len() / BLOCK {
            file.extend((BLOCK as u16 - 1).to_le_bytes());
        }
    }
}

/// One position of each number, kings apart and no two men on one square.
fn all_positions() -> Vec<Option<Squares>> {
    let mut positions = vec![None; POSITIONS];
    for king in Square::ALL.into_iter().filter(|square| lies_in_triangle(*square)) {
        for piece in Square::ALL {
            for bare in Square::ALL {
                let apart = !(attacks::king_attacks(king) | Bitboard::from(king)).contains(bare);
                if apart && piece != king && piece != bare {
                    positions[number([king, piece, bare])] = Some([king, piece, bare]);
                }
            }
        }
    }
    positions
}

fn coordinates(square: Square) -> (usize, usize) {
    (square.file() as usize, square.rank() as usize)
}

/// The triangle a1, d1, d4, from which turning and mirroring make the whole board.
fn lies_in_triangle(square: Square) -> bool {
    let (file, rank) = coordinates(square);
    rank <= file && file < 4
}

/// The squares below the diagonal of the `size` first files and ranks, counted from b1 on along the ranks.
fn below_diagonal(square: Square, size: usize) -> usize {
    let (file, rank) = coordinates(square);
    (0..rank).map(|rank| size - 1 - rank).sum::<usize>() + file - rank - 1
}

/// The number of a position in the format: the board is turned so that the first man stands in the triangle,
/// and the first man off the long diagonal below it. Each man has a square fewer than the one before.
fn number(mut squares: Squares) -> usize {
    let (file, rank) = coordinates(squares[0]);
    if file > 3 {
        squares = squares.map(Square::flip_horizontal);
    }
    if rank > 3 {
        squares = squares.map(Square::flip_vertical);
    }
    let is_off = |square: Square| square.file() as usize != square.rank() as usize;
    if squares.into_iter().find(|&square| is_off(square)).is_some_and(|square| {
        let (file, rank) = coordinates(square);
        rank > file
    }) {
        squares = squares.map(Square::flip_diagonal);
    }
    let [one, two, three] = squares;
    let at = |square: Square| square as usize;
    let two_less = usize::from(two > one);
    let three_less = usize::from(three > one) + usize::from(three > two);
    let rank = |square: Square| square.rank() as usize;
    if is_off(one) {
        return (below_diagonal(one, 4) * 63 + at(two) - two_less) * 62 + at(three) - three_less;
    }
    let base = 6 * 63 * 62;
    if is_off(two) {
        return base + (rank(one) * 28 + below_diagonal(two, 8)) * 62 + at(three) - three_less;
    }
    let base = base + 4 * 28 * 62;
    if is_off(three) {
        return base + (rank(one) * 7 + rank(two) - two_less) * 28 + below_diagonal(three, 8);
    }
    base + 4 * 7 * 28 + (rank(one) * 7 + rank(two) - two_less) * 6 + rank(three) - three_less
}

/// What the piece attacks.
fn attacked(piece: Role, at: Square, occupied: Bitboard) -> Bitboard {
    match piece {
        Role::Queen => attacks::queen_attacks(at, occupied),
        Role::Rook => attacks::rook_attacks(at, occupied),
        _ => unreachable!("only queen and rook mate alone"),
    }
}

/// Where the strong side's moves lead; nowhere if the bare king is in check, for then it is not its turn.
fn strong_moves(piece: Role, [king, at, bare]: Squares) -> Vec<usize> {
    let occupied = Bitboard::from(king) | Bitboard::from(at) | Bitboard::from(bare);
    let reached = attacked(piece, at, occupied);
    if reached.contains(bare) {
        return Vec::new();
    }
    let near_bare = attacks::king_attacks(bare);
    let of_king = attacks::king_attacks(king) & !near_bare & !Bitboard::from(at);
    let of_piece = reached & !Bitboard::from(king);
    let king_moves = of_king.into_iter().map(|to| number([to, at, bare]));
    king_moves.chain(of_piece.into_iter().map(|to| number([king, to, bare]))).collect()
}

/// Where the bare king's moves lead; `None` if it is stalemated or can take the piece: a draw.
fn bare_moves(piece: Role, [king, at, bare]: Squares) -> Option<Vec<usize>> {
    let without_bare = Bitboard::from(king) | Bitboard::from(at);
    let covered = attacked(piece, at, without_bare) | attacks::king_attacks(king);
    let moves = attacks::king_attacks(bare) & !covered;
    let in_check = attacked(piece, at, without_bare).contains(bare);
    if moves.contains(at) || moves.is_empty() && !in_check {
        return None;
    }
    Some(moves.into_iter().map(|to| number([king, at, to])).collect())
}
