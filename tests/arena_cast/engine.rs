//! The cast: a small engine that speaks both protocols, strictly, and misbehaves as its role wants.
//!
//! It plays a move chosen by the position alone, at once. Whatever is sent to it that does not
//! belong there ends it with status 9 and a message, so every game is also a test of what the arena
//! sends.

use std::io::{BufRead, Write, stdin, stdout};
use std::path::Path;
use std::process::exit;
use std::thread::sleep;
use std::time::Duration;

use shakmaty::{
    CastlingMode, Chess, Color, EnPassantMode, Move, Position, Setup, fen::Fen, san::San,
    uci::UciMove, zobrist::Zobrist64,
};

/// The own move at which roles that begin well begin to misbehave. With `now-` before its name a
/// role does not wait.
const TURNING_POINT: usize = 3;

/// Plays the role. By a file, the mark, one of the roles knows that it was started before.
pub fn run(role: &str, protocol: &str, mark: Option<&str>) -> ! {
    match role {
        "dead" => die(3, "cannot find my book"),
        "once" if mark.is_some_and(|mark| Path::new(mark).exists()) => die(4, "only once"),
        "once" => std::fs::write(mark.expect("a mark"), "").expect("a place for the mark"),
        "mute" => hang(),
        "ends-at-uci" => match stdin().lock().lines().next() {
            Some(Ok(line)) if line == "uci" => die(3, "what?"),
            _ => hang(),
        },
        _ => {}
    }
    let (role, turning_point) = role
        .strip_prefix("now-")
        .map_or((role, TURNING_POINT), |role| (role, 1));
    let mut engine = Engine {
        role: role.to_owned(),
        turning_point,
        ..Engine::default()
    };
    match protocol {
        "uci" => engine.uci(),
        _ => engine.xboard(),
    }
    if role == "deaf" {
        hang();
    }
    exit(0)
}

fn die(status: i32, why: &str) -> ! {
    eprintln!("{why}");
    exit(status)
}

/// A breach of the protocol by the arena.
fn breach(what: &str) -> ! {
    die(9, &format!("BREACH: {what}"))
}

fn hang() -> ! {
    loop {
        sleep(Duration::from_secs(3600));
    }
}

fn say(line: &str) {
    let mut out = stdout().lock();
    writeln!(out, "{line}")
        .and_then(|()| out.flush())
        .unwrap_or_else(|_| exit(0));
}

/// Moves that look random, and are the same for the same position and number.
fn choose(game: &Chess) -> Move {
    let mut moves = game.legal_moves();
    moves.sort_by_key(|mv| mv.to_uci(CastlingMode::Standard).to_string());
    let Zobrist64(key) = game.zobrist_hash(EnPassantMode::Legal);
    let mixed = (key ^ u64::from(game.fullmoves().get())).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 33;
    moves[mixed as usize % moves.len()]
}

/// Knights out and home again.
fn shuffle(game: &Chess) -> Move {
    let texts = game.turn().fold_wb(["g1f3", "f3g1"], ["g8f6", "f6g8"]);
    let read = |text: &str| text.parse::<UciMove>().ok()?.to_move(game).ok();
    texts
        .into_iter()
        .find_map(read)
        .unwrap_or_else(|| choose(game))
}

fn coordinates(mv: &Move) -> String {
    mv.to_uci(CastlingMode::Standard).to_string()
}

#[derive(Default)]
struct Engine {
    role: String,
    turning_point: usize,
    /// UCI: the moves that the search was restricted to.
    search_moves: Vec<String>,
    game: Chess,
    own_moves: usize,
    games: usize,
}

impl Engine {
    fn is(&self, role: &str) -> bool {
        self.role == role
    }

    fn new_game(&mut self) {
        self.game = Chess::default();
        self.own_moves = 0;
        self.games += 1;
    }

    /// Returns true from the own move on at which the role begins to misbehave.
    fn has_turned(&self) -> bool {
        self.own_moves + 1 >= self.turning_point
    }

    fn think(&self) -> Move {
        if let Some(first) = self.search_moves.first().filter(|_| !self.is("stubborn")) {
            let mv = first
                .parse::<UciMove>()
                .ok()
                .and_then(|mv| mv.to_move(&self.game).ok());
            return mv.unwrap_or_else(|| breach("search moves that are not legal"));
        }
        match self.role.as_str() {
            "plays-on" if self.own_moves == 3 => choose(&self.game),
            "shuffle" | "claim-draw" | "offer-draw" | "plays-on" => shuffle(&self.game),
            _ => choose(&self.game),
        }
    }

    /// The deeds of roles that do not depend on the protocol. `announce` is what a move begins
    /// with.
    fn misbehave(&self, announce: &str) {
        if self.is("slow") {
            sleep(Duration::from_millis(400));
        }
        match self.role.as_str() {
            _ if !self.has_turned() => {}
            "hang" => {
                eprintln!("the net is down");
                hang()
            }
            "crash" => die(3, "no more memory"),
            "flood" => loop {
                say("nothing, said many times");
            },
            "endless-line" => loop {
                print!("{}", "and so on ".repeat(1000));
            },
            "talker" => loop {
                say("info depth 5 score cp 10 nodes 7 pv e2e4");
                sleep(Duration::from_millis(1));
            },
            "half-line" => {
                print!("{announce} {}", coordinates(&self.think()));
                let _ = stdout().flush();
                hang()
            }
            _ => {}
        }
    }

    /// The word said instead of a legal move.
    fn word_instead(&self) -> Option<&'static str> {
        match self.role.as_str() {
            _ if !self.has_turned() => None,
            "illegal" => Some("e1e8"),
            "nonsense" => Some("castles"),
            "no-move" => Some("0000"),
            _ => None,
        }
    }

    fn chatter(&self) {
        if self.is("garbage") {
            let mut out = stdout().lock();
            let noise =
                b"\xff\xfe\x00 \x1b[2J\r\n\nbestmov e2e4\nmov e2e4\n1 2\ninfo depth\ninfo score cp\n\n";
            let _ = out.write_all(noise).and_then(|()| out.flush());
        }
    }

    fn told(&mut self, text: &str) {
        let mv = text
            .parse::<UciMove>()
            .ok()
            .and_then(|mv| mv.to_move(&self.game).ok());
        let mv = mv.unwrap_or_else(|| breach(&format!("told {text}, which is not legal here")));
        self.game.play_unchecked(mv);
    }

    fn setup(&mut self, fen: &str) {
        let fen: Fen = fen
            .parse()
            .unwrap_or_else(|_| breach(&format!("FEN {fen}")));
        self.game = fen
            .into_position(CastlingMode::Standard)
            .unwrap_or_else(|_| breach("illegal position"));
    }

    // --- UCI

    fn uci(&mut self) {
        let mut greeted = false;
        for line in stdin().lock().lines().map_while(Result::ok) {
            let words: Vec<&str> = line.split_whitespace().collect();
            if !greeted && words != ["uci"] && words != ["quit"] {
                breach(&format!("\"{line}\" before uci"));
            }
            match words.as_slice() {
                ["uci"] => {
                    say(
                        "id name Cast UCI\noption name Ponder type check default false\n\
                         option name Hash type spin default 16 min 1 max 128\n\
                         option name Clear Hash type button\nuciok",
                    );
                    greeted = true;
                }
                ["isready"] if self.is("unready") => say("what is isready?"),
                ["isready"] => say("readyok"),
                ["setoption", "name", "Hash", "value", "64"]
                | ["setoption", "name", "Clear", "Hash"] => {}
                ["ucinewgame"] => self.new_game(),
                ["position", "startpos", rest @ ..] => {
                    self.game = Chess::default();
                    self.moves(rest);
                }
                ["position", "fen", rest @ ..] if rest.len() >= 6 => {
                    self.setup(&rest[..6].join(" "));
                    self.moves(&rest[6..]);
                }
                ["go", "ponder", ..] => breach("go ponder"),
                ["go", limits @ ..] if limits.len() >= 2 => {
                    let moves = limits
                        .iter()
                        .skip_while(|word| **word != "searchmoves")
                        .skip(1);
                    self.search_moves = moves.map(|mv| (*mv).to_owned()).collect();
                    self.best_move();
                }
                // Who stopped by itself has nothing more to say.
                ["stop"] => {}
                ["quit"] => return,
                _ => breach(&format!("\"{line}\"")),
            }
        }
    }

    fn moves(&mut self, words: &[&str]) {
        match words {
            [] => {}
            ["moves", moves @ ..] => moves.iter().for_each(|mv| self.told(mv)),
            _ => breach("moves without the word"),
        }
    }

    fn best_move(&mut self) {
        self.misbehave("bestmove");
        if let Some(word) = self.word_instead() {
            return say(&format!("bestmove {word}"));
        }
        if self.game.is_game_over() {
            breach("go in a game that is over");
        }
        self.chatter();
        let mv = self.think();
        self.own_moves += 1;
        let score = 10 * self.own_moves;
        say(&format!(
            "info depth 5 score cp {score} nodes 1234 pv {}",
            coordinates(&mv)
        ));
        say("info depth 6 score cp 9999 upperbound");
        say(&format!("bestmove {}", coordinates(&mv)));
    }

    // --- xboard

    fn xboard(&mut self) {
        let san = self.is("san");
        let old = self.is("version-1");
        let setboard = !self.is("edit");
        let mut forced = true;
        // What it plays, and whose clock was told.
        let mut clocks_told = false;
        let mut lines = stdin().lock().lines().map_while(Result::ok);
        while let Some(line) = lines.next() {
            let words: Vec<&str> = line.split_whitespace().collect();
            match words.as_slice() {
                ["xboard" | "hard" | "easy" | "post"] | ["accepted" | "rejected", ..] => {}
                ["protover", "2"] if old => {}
                ["protover", "2"] => {
                    say(
                        "feature done=0\nfeature ping=1 reuse=1 sigint=0 colors=0 nps=1 memory=1 name=1 \
                         myname=\"Cast xboard\"",
                    );
                    match self.role.as_str() {
                        "no-reuse" => say("feature reuse=0"),
                        "other-game" => say("feature variants=\"suicide,losers\""),
                        _ => {}
                    }
                    let (setboard, san) = (u8::from(setboard), u8::from(san));
                    say(&format!(
                        "feature usermove=1 setboard={setboard} san={san} unheard-of=7"
                    ));
                    say("feature option=\"Style -check 0\" option=\"Level of noise -spin 1 0 9\"");
                    say("feature done=1");
                }
                ["option", "Style=1"] | ["option", "Level", "of", "noise=3"] | ["memory", "64"] => {
                }
                ["new"] => {
                    if self.is("no-reuse") && self.games > 0 {
                        breach("a second game without reuse");
                    }
                    self.new_game();
                    forced = false;
                    if self.is("late") && self.games > 1 {
                        say("move a2a3\n1-0 {White mates}\nresign");
                    }
                }
                ["force"] => forced = true,
                ["level", moves, base, increment]
                    if moves.parse::<u32>().is_ok()
                        && !base.contains('.')
                        && increment.parse::<f64>().is_ok() => {}
                ["st", time] if time.parse::<u32>().is_ok() => {}
                ["sd" | "nps", number] if number.parse::<u32>().is_ok() => {}
                ["name", ..] if !old => {}
                ["setboard", ..] if setboard => self.setup(&line["setboard ".len()..]),
                // White's move that only puts Black on move.
                ["edit"] if forced => self.edit(&mut lines),
                ["white" | "black"] if old => {}
                ["time", time] if time.parse::<u32>().is_ok_and(|time| time > 0) => {
                    clocks_told = true
                }
                ["otim", time] if time.parse::<u32>().is_ok_and(|time| time > 0) => {}
                ["ping", token] if !old => say(&format!("pong {token}")),
                // What it says of the game's end comes when the game is over for everybody else.
                ["result", result, ..] if old => say(&format!("{result} {{as I said}}")),
                ["result", ..] if self.is("late") => say("move h7h6"),
                ["result", ..] => {}
                ["draw"] if self.is("agreeable") => say("offer draw"),
                ["draw"] => {}
                ["quit"] => return,
                ["go"] if forced && clocks_told => {
                    forced = false;
                    self.answer(san);
                }
                ["usermove", text] if !old => self.opponent_moved(text, san, forced),
                [text] if old => self.opponent_moved(text, san, forced),
                _ => breach(&format!("\"{line}\"")),
            }
        }
    }

    fn opponent_moved(&mut self, text: &str, san: bool, forced: bool) {
        if self.is("disputes") && self.has_turned() {
            return say(&format!("Illegal move: {text}"));
        }
        if san {
            let mv = text
                .parse::<San>()
                .ok()
                .and_then(|san| san.to_move(&self.game).ok());
            let mv = mv.unwrap_or_else(|| breach(&format!("told {text}, which is no SAN here")));
            self.game.play_unchecked(mv);
        } else {
            self.told(text);
        }
        if self.is("resigns-waiting") && self.has_turned() {
            say("resign");
        }
        if !forced && !self.game.is_game_over() {
            self.answer(san);
        }
    }

    fn answer(&mut self, san: bool) {
        self.misbehave("move");
        if let Some(word) = self.word_instead() {
            return say(&format!("move {word}"));
        }
        let color = self.game.turn();
        match self.role.as_str() {
            _ if !self.has_turned() => {}
            "resigns" => return say("resign"),
            "admits" => return say(color.fold_wb("0-1 {White resigns}", "1-0 {Black resigns}")),
            "boasts" => return say(color.fold_wb("1-0 {White mates}", "0-1 {Black mates}")),
            "false-draw" => return say("1/2-1/2 {Draw by repetition}"),
            "offers" | "agreeable" => say("offer draw"),
            "offer-draw" | "plays-on" if self.own_moves == 3 => say("offer draw"),
            "claim-draw" if self.own_moves == 3 => return say("1/2-1/2 {Draw by repetition}"),
            _ => {}
        }
        self.chatter();
        let mv = self.think();
        self.own_moves += 1;
        say(&format!(
            "5 {} 1 1234 {}",
            10 * self.own_moves,
            coordinates(&mv)
        ));
        let text = if san {
            San::from_move(&self.game, mv).to_string()
        } else {
            coordinates(&mv)
        };
        self.game.play_unchecked(mv);
        say(&format!("move {text}"));
        if self.is("crash-waiting") && self.own_moves >= self.turning_point {
            die(3, "no more memory");
        }
    }

    fn edit(&mut self, lines: &mut impl Iterator<Item = String>) {
        let mut setup = Setup::empty();
        setup.turn = self.game.turn();
        let mut color = Color::White;
        for line in lines {
            match line.trim() {
                "#" => setup.board = shakmaty::Board::empty(),
                "c" => color = !color,
                "." => break,
                piece if piece.is_ascii() && piece.len() == 3 => {
                    let role = shakmaty::Role::from_char(piece.as_bytes()[0] as char);
                    let square = piece[1..].parse::<shakmaty::Square>();
                    let (Some(role), Ok(square)) = (role, square) else {
                        breach(&format!("edit {piece}"))
                    };
                    setup
                        .board
                        .set_piece_at(square, shakmaty::Piece { color, role });
                }
                other => breach(&format!("edit {other}")),
            }
        }
        self.game = shakmaty::FromSetup::from_setup(setup, CastlingMode::Standard)
            .unwrap_or_else(|_| breach("an illegal position"));
    }
}
