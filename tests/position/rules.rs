//! Three libraries of the rules have to agree, and what `Position` and `Line` add has to agree with
//! a plain record of the game.
//!
//! The games are random but seeded: every run looks at the same positions.

use std::collections::HashMap;

use arrayvec::ArrayVec;
use chess::{ChessMove, MoveGen};
use cozy_chess::util::parse_uci_move;
use kashan::rules::position::{Line, Position, is_insufficient_material, moves, notation};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use shakmaty::{
    Bitboard, CastlingMode, Chess, EnPassantMode, FromSetup, Position as _, Setup, fen::Epd,
    fen::Fen, san::SanPlus, uci::UciMove,
};

/// Games begin at each of these in turn: openings, endings that repeat, pawn races with much en
/// passant and promotion, pawns that may not take en passant because their king stands behind.
const STARTS: [&str; 7] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
    "8/1P3k1p/8/2pP4/1p5r/8/P1P3K1/R7 w - - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "8/2p1p3/8/K2P2r1/1R3p1k/8/4P1P1/8 w - - 0 1",
    "5nk1/8/8/8/8/8/8/1K1B1b2 w - - 90 150",
];

type MoveSet = ArrayVec<(u8, u8, u8), 256>;

fn sorted(moves: impl Iterator<Item = (u8, u8, u8)>) -> MoveSet {
    let mut set: MoveSet = moves.collect();
    set.sort_unstable();
    set
}

/// Promotion pieces as letters' places: 0 none, 1 knight to 4 queen (0 is never a pawn's
/// promotion).
fn ours(mv: ChessMove) -> (u8, u8, u8) {
    let promotion = mv.get_promotion().map_or(0, |piece| piece.to_index() as u8);
    (mv.get_source().to_int(), mv.get_dest().to_int(), promotion)
}

fn shakmatys(mv: shakmaty::Move) -> (u8, u8, u8) {
    let UciMove::Normal {
        from,
        to,
        promotion,
    } = mv.to_uci(CastlingMode::Standard)
    else {
        panic!("{mv:?}")
    };
    (
        u32::from(from) as u8,
        u32::from(to) as u8,
        promotion.map_or(0, |role| role as u8 - 1),
    )
}

fn cozys(board: &cozy_chess::Board) -> MoveSet {
    let mut list = MoveSet::new();
    board.generate_moves(|piece_moves| {
        for mv in piece_moves {
            let castles = board.colors(board.side_to_move()).has(mv.to);
            let to = match (castles, mv.to.file() > mv.from.file()) {
                (false, _) => mv.to,
                (true, true) => cozy_chess::Square::new(cozy_chess::File::G, mv.from.rank()),
                (true, false) => cozy_chess::Square::new(cozy_chess::File::C, mv.from.rank()),
            };
            list.push((
                mv.from as u8,
                to as u8,
                mv.promotion.map_or(0, |piece| piece as u8),
            ));
        }
        false
    });
    list.sort_unstable();
    list
}

/// One game in all three libraries, with its record.
struct Game {
    position: Position,
    shakmaty: Chess,
    cozy: cozy_chess::Board,
    line: Line,
    /// Half-moves before the root of `line`.
    root: usize,
    /// EPD of every position, the start first.
    record: Vec<String>,
}

impl Game {
    fn new(fen: &str) -> Self {
        let position = Position::from_fen(fen).expect("a legal start");
        let theirs: Fen = fen.parse().expect("a FEN");
        let mut game = Game {
            shakmaty: theirs
                .into_position(CastlingMode::Standard)
                .expect("a legal start"),
            cozy: fen.parse().expect("a legal start"),
            line: Line::new(&position),
            root: 0,
            record: Vec::new(),
            position,
        };
        game.record.push(game.epd());
        game
    }

    fn epd(&self) -> String {
        Epd::from_position(&self.shakmaty, EnPassantMode::Legal).to_string()
    }

    fn play(&mut self, mv: ChessMove) {
        let text = moves::coordinate(mv);
        let san = self.position.san(mv);
        let marked = san.trim_end_matches(['+', '#']).to_owned() + "!?";
        for spelling in [&text, &san, &marked] {
            let fen = self.position.to_fen();
            assert_eq!(
                self.position.parse_move(spelling),
                Ok(mv),
                "{spelling} on {fen}"
            );
        }
        let uci: UciMove = text.parse().expect("coordinate text");
        let theirs = uci.to_move(&self.shakmaty).expect("legal for all");
        assert_eq!(
            moves::is_capture(self.position.board(), mv),
            theirs.is_capture(),
            "{text}"
        );
        assert_eq!(
            moves::is_en_passant(self.position.board(), mv),
            theirs.is_en_passant(),
            "{text}"
        );
        assert_eq!(
            moves::is_irreversible(self.position.board(), mv),
            theirs.is_zeroing(),
            "{text}"
        );
        assert_eq!(
            san,
            SanPlus::from_move_and_play_unchecked(&mut self.shakmaty, theirs).to_string()
        );
        self.cozy
            .play(parse_uci_move(&self.cozy, &text).expect("coordinate text"));
        self.position.play(mv).expect("legal");
        self.line.make(mv);
        self.record.push(self.epd());
    }

    /// Everything there is to compare about the position on the board.
    fn check(&self) {
        let position = &self.position;
        let fen = position.to_fen();
        let board = position.board();

        // Board, clocks and text.
        assert_eq!(
            fen,
            Fen::from_position(&self.shakmaty, EnPassantMode::Legal).to_string()
        );
        let cozy = self.cozy.to_string();
        // cozy-chess keeps other en-passant squares than we do, and stops counting half-moves at
        // 100.
        let comparable = |fen: &str| {
            let fields: Vec<String> = fen.split(' ').map(String::from).collect();
            let halfmoves: u32 = fields[4].parse().expect("a number");
            (
                [0, 1, 2, 5].map(|index| fields[index].clone()),
                halfmoves.min(100),
            )
        };
        assert_eq!(comparable(&fen), comparable(&cozy));
        let checkers = board.checkers().0;
        assert_eq!(Bitboard(checkers), self.shakmaty.checkers(), "{fen}");
        assert_eq!(checkers, self.cozy.checkers().0, "{fen}");

        // Moves.
        let legal = sorted(position.legal_moves().into_iter().map(ours));
        assert_eq!(
            legal,
            sorted(self.shakmaty.legal_moves().into_iter().map(shakmatys)),
            "{fen}"
        );
        assert_eq!(legal, cozys(&self.cozy), "{fen}");
        let tactical = sorted(moves::captures_and_promotions(board).into_iter().map(ours));
        let expected = self
            .shakmaty
            .legal_moves()
            .into_iter()
            .filter(|mv| mv.is_capture() || mv.is_promotion());
        assert_eq!(tactical, sorted(expected.map(shakmatys)), "{fen}");
        let mut generator = MoveGen::new_legal(board);
        assert_eq!(
            moves::is_quiet(board, &mut generator),
            tactical.is_empty(),
            "{fen}"
        );
        assert_eq!(
            sorted(generator.map(ours)),
            legal,
            "is_quiet leaves the generator as it was: {fen}"
        );

        // Material, keys and repetitions.
        let dead = is_insufficient_material(board);
        assert_eq!(dead, self.shakmaty.is_insufficient_material(), "{fen}");
        assert_eq!(
            position.polyglot_key(),
            notation::polyglot_key(&self.shakmaty),
            "{fen}"
        );
        let (now, before) = self.record.split_last().expect("the start is always there");
        // Before these the fifty-move rule has ended the game.
        let recent = before.len().saturating_sub(100);
        let times = 1 + before[recent..].iter().filter(|epd| *epd == now).count();
        assert_eq!(position.repetitions(), times, "{fen}");

        // The line that a search would walk.
        assert_eq!(
            (self.line.board(), self.line.key()),
            (board, position.key()),
            "{fen}"
        );
        assert_eq!(
            self.line.halfmove_clock(),
            position.halfmove_clock(),
            "{fen}"
        );
        let ply = self.record.len() - 1 - self.root;
        assert_eq!(self.line.ply(), ply);
        let since_root = self.root.clamp(recent, before.len());
        let since_root = before[since_root..]
            .iter()
            .filter(|epd| *epd == now)
            .count();
        let before_root = times - 1 - since_root;
        let repeated = since_root >= 1 || before_root >= 2;
        let fifty = position.halfmove_clock() >= 100;
        assert_eq!(
            self.line.is_draw(),
            repeated || fifty || dead,
            "{fen}, {ply} from the root"
        );
        use kashan::rules::position::Outcome::*;
        match position.outcome() {
            Some(Checkmate { winner }) => {
                assert!(
                    self.shakmaty.is_checkmate() && winner != position.side_to_move(),
                    "{fen}"
                );
            }
            Some(Stalemate) => assert!(self.shakmaty.is_stalemate(), "{fen}"),
            Some(draw) => {
                let is_so = match draw {
                    Repetition => times >= 3,
                    FiftyMoves => fifty,
                    _ => dead,
                };
                assert!(
                    is_so && self.line.is_draw() && !legal.is_empty(),
                    "{draw:?}: {fen}"
                );
            }
            None => assert!(times < 3 && !fifty && !dead && !legal.is_empty(), "{fen}"),
        }
    }
}

#[test]
fn three_libraries_agree_on_random_games() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(2017);
    let mut epd_of_key: HashMap<u64, String> = HashMap::new();
    let mut key_of_epd: HashMap<String, u64> = HashMap::new();
    let mut seen = [0; 5];
    for number in 0..2_000 {
        let mut game = Game::new(STARTS[number % STARTS.len()]);
        let mut last_two: [Option<ChessMove>; 2] = [None, None];
        for _ in 0..random.random_range(20..120) {
            game.check();
            let key = game.position.key();
            let epd = game.epd();
            assert_eq!(
                *epd_of_key.entry(key).or_insert_with(|| epd.clone()),
                epd,
                "one key"
            );
            assert_eq!(*key_of_epd.entry(epd).or_insert(key), key, "one position");
            let legal = game.position.legal_moves();
            if legal.is_empty() {
                break;
            }
            seen[0] += 1;
            seen[1] += usize::from(game.position.repetitions() >= 3);
            seen[2] += usize::from(game.position.halfmove_clock() >= 100);
            // Often back where the piece came from: only so do positions repeat.
            let back = last_two[0]
                .map(|mv| ChessMove::new(mv.get_dest(), mv.get_source(), None))
                .filter(|mv| legal.contains(mv) && random.random_ratio(2, 5));
            // En passant whenever it is there, because it is there so rarely.
            let en_passant = legal
                .iter()
                .copied()
                .find(|&mv| moves::is_en_passant(game.position.board(), mv));
            let mv = en_passant
                .or(back)
                .unwrap_or_else(|| legal[random.random_range(0..legal.len())]);
            seen[3] += usize::from(moves::is_en_passant(game.position.board(), mv));
            seen[4] += usize::from(mv.get_promotion().is_some());
            last_two = [last_two[1], Some(mv)];
            game.play(mv);
            if random.random_ratio(1, 12) {
                game.line = Line::new(&game.position);
                game.root = game.record.len() - 1;
            }
        }
        // What a FEN cannot lose: everything but the history.
        let again = Position::from_fen(&game.position.to_fen()).expect("our own FEN");
        assert_eq!(again.key(), game.position.key());
        assert_eq!(again.to_fen(), game.position.to_fen());
        // Down to the root and up again.
        let (top, ply) = (*game.line.board(), game.line.ply());
        if ply > 0 {
            game.line.unmake();
            assert_eq!(game.line.ply(), ply - 1);
        }
        assert_eq!(*game.line.board_at(game.line.ply()), *game.line.board());
        game.line.truncate(0);
        assert_eq!(game.line.ply(), 0);
        assert!(ply > 0 || top == *game.line.board());
    }
    // The games are worth something only if the rare things happened.
    let [positions, threefold, fifty, en_passant, promotions] = seen;
    let rarest = threefold.min(fifty).min(promotions);
    assert!(
        positions > 100_000 && rarest > 500 && en_passant > 100,
        "{seen:?}"
    );
}

#[test]
fn sparse_material_is_judged_as_shakmaty_does() {
    use shakmaty::{Color, Role};
    let mut random = Xoshiro256PlusPlus::seed_from_u64(8);
    let roles = [
        Role::Knight,
        Role::Bishop,
        Role::Bishop,
        Role::Rook,
        Role::Queen,
        Role::Pawn,
    ];
    let (mut judged, mut dead) = (0, 0);
    while judged < 20_000 {
        let mut setup = Setup::empty();
        let mut place = |color: Color, role: Role| {
            let square = shakmaty::Square::new(random.random_range(0..64));
            if setup.board.piece_at(square).is_none() {
                setup
                    .board
                    .set_piece_at(square, shakmaty::Piece { color, role });
            }
        };
        place(Color::White, Role::King);
        place(Color::Black, Role::King);
        let mut picks = Xoshiro256PlusPlus::seed_from_u64(judged + dead * 31);
        for _ in 0..picks.random_range(0..5) {
            let among = if picks.random_ratio(5, 6) { 0..3 } else { 3..6 };
            let role = roles[picks.random_range(among)];
            place(Color::from_white(picks.random()), role);
        }
        judged += 1;
        let Ok(theirs) = Chess::from_setup(setup, CastlingMode::Standard) else {
            continue;
        };
        let position = Position::from_shakmaty(&theirs).expect("legal");
        let ours = is_insufficient_material(position.board());
        assert_eq!(
            ours,
            theirs.is_insufficient_material(),
            "{}",
            position.to_fen()
        );
        dead += u64::from(ours);
    }
    assert!(dead > 1_000, "{dead}");
}

#[test]
fn null_moves_pass_the_turn_and_cut_repetition() {
    let root = Position::from_fen("4k1n1/8/8/8/8/8/8/4K1N1 w - - 10 30").expect("legal");
    let mut line = Line::new(&root);
    assert!(line.make_null());
    assert_eq!((line.ply(), line.halfmove_clock()), (1, 11));
    let other = Position::from_fen("4k1n1/8/8/8/8/8/8/4K1N1 b - - 11 30").expect("legal");
    assert_eq!(line.key(), other.key());
    assert!(line.make_null());
    assert_eq!(line.key(), root.key());
    assert!(!line.is_draw(), "not by two passes");
    line.unmake();
    line.unmake();
    assert_eq!(line.key(), root.key());
    let check = Position::from_fen("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1").expect("legal");
    let mut line = Line::new(&check);
    assert!(!line.make_null() && line.ply() == 0, "no passing in check");
}
