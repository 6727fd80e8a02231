//! The board in the browser, without a browser: what the page asks for, and what others might.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use kashan::play::explain::HTML_MARK;
use serde_json::{Value, json};

use crate::common::dialogue::PATIENCE;
use crate::common::programs::has_all;
use crate::common::running::Running;

/// The program with its server. Its game is kept in a folder of its own.
struct Served {
    running: Running,
    host: String,
    path: String,
    output: BufReader<std::process::ChildStdout>,
}

impl Served {
    fn start(folder: &Path, arguments: &[&str]) -> Served {
        let mut child = Command::new(env!("CARGO_BIN_EXE_kashan"))
            .args([
                "play",
                "--web",
                "--no-open",
                "--option",
                "OwnBook=0",
                "--option",
                "Hash=16",
            ])
            .args(arguments)
            .env("XDG_DATA_HOME", folder)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("it starts");
        let mut output = BufReader::new(child.stdout.take().expect("it is piped"));
        let mut line = String::new();
        output.read_line(&mut line).expect("it prints");
        let address = line
            .trim()
            .strip_prefix("Kashan plays at http://")
            .expect("an address");
        let (host, path) = address.split_once('/').expect("with a path");
        assert!(host.starts_with("127.0.0.1:"), "{host}");
        Served {
            running: Running(child),
            host: host.to_owned(),
            path: format!("/{path}"),
            output,
        }
    }

    /// Sends bytes, and gives back all that comes until the server closes the connection.
    fn send(&self, bytes: &[u8]) -> Vec<u8> {
        let mut stream = TcpStream::connect(&self.host).expect("it listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a time");
        // It may close before it has read everything.
        let _ = stream.write_all(bytes);
        let _ = stream.shutdown(Shutdown::Write);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        answer
    }

    /// The status, and the body after the empty line.
    fn ask(&self, method: &str, path: &str, headers: &str, body: &str) -> (u16, Vec<u8>) {
        let length = body.len();
        let headers = format!("{headers}Connection: close\r\nContent-Length: {length}\r\n");
        let answer =
            self.send(format!("{method} {path} HTTP/1.1\r\n{headers}\r\n{body}").as_bytes());
        let head = answer
            .windows(4)
            .position(|four| four == b"\r\n\r\n")
            .expect("an answer with a head");
        let status = std::str::from_utf8(&answer[9..12])
            .expect("digits")
            .parse()
            .expect("a status");
        (status, answer[head + 4..].to_vec())
    }

    fn get(&self, path: &str) -> (u16, Vec<u8>) {
        self.ask(
            "GET",
            &format!("{}{path}", self.path),
            &format!("Host: {}\r\n", self.host),
            "",
        )
    }

    /// A page that there has to be.
    fn text(&self, path: &str) -> String {
        let (status, body) = self.get(path);
        assert_eq!(status, 200, "{path}");
        String::from_utf8(body).expect("text")
    }

    fn act(&self, action: &Value) -> (u16, Value) {
        let headers = format!("Host: {0}\r\nOrigin: http://{0}\r\n", self.host);
        let (status, body) = self.ask(
            "POST",
            &format!("{}do", self.path),
            &headers,
            &action.to_string(),
        );
        let value = serde_json::from_slice(&body);
        (
            status,
            value.unwrap_or_else(|_| json!(String::from_utf8_lossy(&body))),
        )
    }

    /// Does something that has to go well, and gives back the game.
    fn done(&self, action: Value) -> Value {
        let (status, state) = self.act(&action);
        assert_eq!(status, 200, "{action}: {state}");
        state["game"].clone()
    }

    fn play(&self, text: &str) -> Value {
        let ply = self.game()["moves"].as_array().expect("moves").len();
        self.done(json!({"do": "move", "text": text, "ply": ply}))
    }

    fn state(&self, known: &Value) -> Value {
        serde_json::from_str(&self.text(&format!("state?game={known}"))).expect("JSON")
    }

    fn game(&self) -> Value {
        self.state(&json!(0))["game"].clone()
    }

    /// The version of the game, once it has stayed the same for a while.
    fn settled(&self) -> Value {
        let mut version = Value::Null;
        let is_same = |state: &Value| {
            thread::sleep(Duration::from_millis(100));
            std::mem::replace(&mut version, state["game"]["version"].clone())
                == state["game"]["version"]
        };
        self.wait_for(is_same)["game"]["version"].clone()
    }

    fn wait_for(&self, mut what: impl FnMut(&Value) -> bool) -> Value {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let state = self.state(&json!(0));
            if what(&state) {
                return state;
            }
            assert!(Instant::now() < deadline, "{state}");
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// The program ends by itself; what it said last.
    fn end(mut self) -> String {
        assert_eq!(self.act(&json!({"do": "quit"})).0, 200);
        let mut said = String::new();
        self.output.read_to_string(&mut said).expect("text");
        assert!(self.running.0.wait().expect("it ends").success());
        said
    }
}

fn both() -> Value {
    json!({"do": "new", "side": "both", "level": "1s", "preset": "strong", "strength": null})
}

fn sans(game: &Value) -> Vec<&str> {
    game["moves"]
        .as_array()
        .expect("moves")
        .iter()
        .map(|mv| mv["san"].as_str().expect("text"))
        .collect()
}

#[test]
fn only_the_page_gets_an_answer() {
    let folder = tempfile::tempdir().unwrap();
    let served = Served::start(folder.path(), &[]);
    let (host, path) = (&served.host, &served.path);
    let port = host.split_once(':').unwrap().1;
    let ours = format!("Host: {host}\r\n");
    let status = |method: &str, path: &str, headers: &str| served.ask(method, path, headers, "").0;
    assert_eq!(status("GET", path, &ours), 200);
    assert_eq!(
        status("GET", path, &format!("Host: localhost:{port}\r\n")),
        200
    );
    assert_eq!(
        status(
            "GET",
            path,
            &format!("{ours}Origin: http://localhost:{port}\r\n")
        ),
        200
    );
    let token = path.trim_matches('/');
    assert!(token.len() == 32, "{token}");
    let others = [
        format!("/{}/", &token[1..]),
        format!("/{}/state", "0".repeat(32)),
    ];
    for wrong in ["/", "/state", &others[0], &others[1]] {
        assert_eq!(status("GET", wrong, &ours), 403, "{wrong}");
    }
    for foreign in [
        "",
        "Host: evil.example\r\n",
        "Host: 127.0.0.1\r\n",
        "Host: 127.0.0.1:1\r\n",
    ] {
        assert_eq!(status("GET", path, foreign), 403, "{foreign}");
    }
    for origin in [
        "null",
        "http://evil.example",
        "http://127.0.0.1:1",
        &format!("https://{host}"),
    ] {
        let headers = format!("{ours}Origin: {origin}\r\n");
        assert_eq!(status("GET", path, &headers), 403, "{origin}");
        assert_eq!(
            status("POST", &format!("{path}do"), &headers),
            403,
            "{origin}"
        );
    }
    assert_eq!(status("GET", &format!("{path}nowhere"), &ours), 404);
    assert_eq!(status("DELETE", &format!("{path}state"), &ours), 405);
    // The head of the arrows is on the page itself.
    let page = served.text("").replace("url(#head)", "");
    assert!(page.len() < 300_000, "{} bytes", page.len());
    for outside in [
        "http:",
        "https:",
        "src=",
        "url(",
        "@import",
        "<link rel=\"style",
    ] {
        assert!(!page.contains(outside), "{outside}");
    }
}

#[test]
fn a_look_back_says_what_was_wrong_and_is_kept_as_pgn() {
    let folder = tempfile::tempdir().unwrap();
    let served = Served::start(folder.path(), &[]);
    served.done(both());
    assert_eq!(served.get("review.pgn").0, 404);
    for text in ["e4", "e5", "Qh5", "Nc6", "Bc4", "Nf6", "Qxf7"] {
        served.play(text);
    }
    served.done(json!({"do": "review"}));
    let state = served.wait_for(|state| state["game"]["review"].is_object());
    let review = &state["game"]["review"];
    assert_eq!(review["judge"], "Kashan's own alpha-beta");
    let worst = review["moves"]
        .as_array()
        .unwrap()
        .iter()
        .find(|mv| mv["ply"] == 5)
        .expect("the mistake");
    assert_eq!(
        (&worst["sign"], &review["turning"]),
        (&json!("??"), &json!(5))
    );
    let text = worst["text"].as_str().unwrap();
    has_all(text, &["3... Nf6?? allows mate in 1;", "Better was 3..."]);
    // The better line can be played through: each move has its squares and the position behind it.
    let better = &worst["better"][0];
    let fen = better["fen"].as_str().unwrap();
    assert!(
        fen.contains(" w ") && better["uci"].as_str().unwrap().len() == 4,
        "{better}"
    );
    assert_eq!(state["game"]["moves"][5]["sign"], "??");
    let [white, black] = [0, 1].map(|side| review["accuracy"][side].as_f64().unwrap());
    assert!(white > black && black > 0.0, "{white} {black}");
    // A worse game says no more than the moves that it has in common with the one reviewed.
    let game = served.done(json!({"do": "analyse", "ply": 4}));
    assert_eq!((&game["analysis"], &game["at"]), (&json!(true), &json!(4)));
    let game = served.done(json!({"do": "move", "text": "Nc3", "ply": 4}));
    assert_eq!(sans(&game), ["e4", "e5", "Qh5", "Nc6", "Nc3"]);
    assert_eq!(game["varies"], json!(true));
    let told = game["review"]["moves"].as_array().unwrap();
    assert!(
        told.iter().all(|mv| mv["ply"].as_u64() < Some(4)),
        "{told:?}"
    );
    let game = served.done(json!({"do": "leave"}));
    assert_eq!(
        (sans(&game).len(), &game["ending"]),
        (7, &json!("White mates: 1-0"))
    );
    // The graph is of the whole game now.
    assert!(
        state["game"]["moves"]
            .as_array()
            .unwrap()
            .iter()
            .all(|mv| !mv["value"].is_null()),
        "{state}"
    );
    let pgn = served.text("review.pgn");
    assert!(
        state["game"]["comments"] == true && pgn.contains("Nf6 $4 {"),
        "{pgn}"
    );
    // It was a look back at another game.
    let game = served.done(both());
    assert!(
        game["review"].is_null() && served.get("review.pgn").0 == 404,
        "{game}"
    );
}

#[test]
fn a_look_back_that_is_stopped_keeps_what_was_judged() {
    let folder = tempfile::tempdir().unwrap();
    let served = Served::start(folder.path(), &[]);
    served.done(both());
    // Long enough that it is not over before the stop.
    let mut moves = String::new();
    for [white, black] in [[3, 6], [4, 5]] {
        for file in "abcdefgh".chars() {
            moves += &format!("{file}{white} {file}{black} ");
        }
    }
    served.done(json!({"do": "load", "pgn": moves + "*"}));
    served.done(json!({"do": "review"}));
    served.wait_for(|state| state["live"]["judged"].as_u64() > Some(0));
    served.done(json!({"do": "now"}));
    let state = served.wait_for(|state| state["game"]["review"].is_object());
    let review = &state["game"]["review"];
    let missing = review["missing"].as_u64().unwrap();
    assert!((1..32).contains(&missing), "{review}");
    has_all(
        review["text"].as_str().unwrap(),
        &["not judged: it was stopped"],
    );
    assert!(review["accuracy"][0].is_number(), "{review}");
}

#[test]
fn what_makes_no_sense_is_refused_and_the_server_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let served = Served::start(folder.path(), &[]);
    let (host, path) = (&served.host, &served.path);
    let more = r#"{"do":"load","pgn":"*","more":1}"#;
    for body in [
        "",
        "{",
        "[]",
        r#"{"do":"fly"}"#,
        r#"{"do":"move"}"#,
        more,
        "\u{0}",
    ] {
        let headers = format!("Host: {host}\r\n");
        assert_eq!(
            served.ask("POST", &format!("{path}do"), &headers, body).0,
            400,
            "{body}"
        );
    }
    let move_of = |text: &str, ply: u64| {
        served
            .act(&json!({"do": "move", "text": text, "ply": ply}))
            .0
    };
    // The last is of another position.
    assert_eq!(
        [move_of("e5", 0), move_of("<script>", 0), move_of("e4", 7)],
        [409; 3]
    );
    for (key, value) in [
        ("side", "north"),
        ("level", "never"),
        ("preset", "best"),
        ("strength", "zero"),
    ] {
        let mut action = both();
        action[key] = json!(value);
        assert_eq!(served.act(&action).0, 409, "{key}");
    }
    let long = "x".repeat(1 << 20);
    assert_eq!(served.act(&json!({"do": "load", "pgn": long})).0, 413);
    // An analysis goes on where a text cannot be read.
    served.done(json!({"do": "analyse", "ply": 0}));
    for (text, why) in [
        ("1. e4 e5 2. Kxe8", "The game cannot be read"),
        ("8/8/8/8/8/8/8/8 w - - 0 1", "illegal position"),
    ] {
        let (status, said) = served.act(&json!({"do": "load", "pgn": text}));
        assert_eq!(status, 409, "{said}");
        assert!(said.as_str().expect("a text").contains(why), "{said}");
        assert_eq!(served.game()["analysis"], true);
    }
    served.done(json!({"do": "leave"}));
    for ply in ["0", "99999999999999999999", "-1"] {
        assert_eq!(served.get(&format!("explain/{ply}")).0, 404, "{ply}");
    }
    let head = format!("POST {path}do HTTP/1.1\r\nHost: {host}\r\n");
    let flood = format!(
        "GET {path} HTTP/1.1\r\n{}",
        format!("X: {long}\r\n").repeat(4)
    );
    for bytes in [
        "\r\n\r\n\r\n".to_owned(),
        "GET\r\n\r\n".to_owned(),
        "GET foo HTTP/1.1\r\n\r\n".to_owned(),
        "CONNECT x:1 HTTP/1.1\r\nHost: x:1\r\n\r\n".to_owned(),
        "OPTIONS * HTTP/1.1\r\n\r\n".to_owned(),
        format!("{head}Content-Length: 99999999999999999999\r\n\r\n"),
        format!("{head}Content-Length: 9000000000000000000\r\n\r\n{{"),
        format!("{head}Content-Length: -1\r\n\r\n"),
        format!("{head}Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFF\r\n"),
        flood,
    ] {
        let answer = served.send(bytes.as_bytes());
        assert!(
            !answer.starts_with(b"HTTP/1.1 200"),
            "{}",
            String::from_utf8_lossy(&answer)
        );
    }
    // Who says nothing, or begins and does not end, is in nobody's way.
    let _idle = [(); 50].map(|()| {
        let mut stream = TcpStream::connect(host).unwrap();
        stream.write_all(head.as_bytes()).unwrap();
        stream
    });
    assert_eq!(served.play("e4")["moves"][0]["san"], "e4");
}

#[test]
fn two_pages_see_one_game_to_its_end_and_what_is_taken_back_or_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let served = Served::start(folder.path(), &[]);
    let start = served.done(both());
    assert_eq!(start["legal"][0].as_array().unwrap().len(), 20);
    // The search thread gets ready for a new game, which pages are told of, too.
    let known = served.settled();
    assert_eq!(
        served.state(&known)["game"],
        Value::Null,
        "the other page knows it"
    );
    for text in ["f2f3", "e5", "g4"] {
        served.play(text);
    }
    let over = served.play("Qh4#");
    assert_eq!(over["ending"], "Black mates: 0-1");
    assert_eq!(
        (&over["checks"][4], &over["legal"]),
        (&json!("e1"), &json!([[]]))
    );
    let seen = served.state(&known);
    assert_eq!(seen["game"], over, "and so is what the other page sees");
    assert_eq!(sans(&seen["game"]), ["f3", "e5", "g4", "Qh4#"]);
    let pgn = served.text("game.pgn");
    assert!(
        pgn.contains("1. f3 e5 2. g4 Qh4#") && pgn.ends_with("0-1\n\n"),
        "{pgn}"
    );
    let back = served.done(json!({"do": "undo"}));
    assert_eq!((sans(&back).len(), &back["ending"]), (3, &Value::Null));
    let loaded = served.done(json!({"do": "load", "pgn": pgn}));
    assert_eq!(sans(&loaded).len(), 4);
    // A game that was loaded is saved as it came, until it goes on, also one against Kashan.
    let club = "[Event \"Club\"]\n[White \"Hans\"]\n[Black \"Kashan 0.2.0\"]\n\n1. f3 {!} e5 *\n\n";
    let others = "[Event \"Wijk\"]\n[White \"Anna\"]\n[Black \"Bea\"]\n\n1. f3 e5 *\n\n";
    for pgn in [club, others] {
        served.done(json!({"do": "load", "pgn": pgn}));
        assert_eq!(served.text("game.pgn"), pgn);
    }
    served.play("g4");
    assert!(!served.text("game.pgn").starts_with("[Event \"Wijk"));
    served.settled();
    let aside = std::fs::read_dir(folder.path().join("kashan")).unwrap();
    let aside = aside.map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap());
    assert!(
        aside.into_iter().any(|games| games.contains(others)),
        "as it was it is put aside"
    );
    // A name that begins like ours, a comment that speaks to the terminal, and tags of another
    // program.
    let other = "[White \"Kashanov\"]\n[WhiteElo \"900\"]\n[TimeControl \"5\"]\n\n1. e4 {\u{1b}[2J} e5 1-0\n\n";
    let game = served.done(json!({"do": "load", "pgn": other}));
    assert_eq!(
        [&game["strength"], &game["level"]],
        ["max", "1 second a move"]
    );
    assert_eq!(game["ending"], "1-0");
    assert!(!served.text("game.pgn").contains('\x1b'));
    // What cannot be set changes nothing.
    let mut refused = both();
    (refused["preset"], refused["strength"]) = (json!("nope"), json!("900"));
    assert_eq!(served.act(&refused).0, 409);
    assert_eq!(served.game()["strength"], "max");
    // A pawn becomes what is chosen.
    let pgn = "[SetUp \"1\"]\n[FEN \"7k/P7/8/8/8/8/8/K7 w - - 0 1\"]\n\n*\n";
    let game = served.done(json!({"do": "load", "pgn": pgn}));
    assert_eq!(game["kashan"], "Black");
    let is_promotion = |mv: &&Value| mv.as_str().unwrap().starts_with("a7a8");
    assert_eq!(
        game["legal"][0]
            .as_array()
            .unwrap()
            .iter()
            .filter(is_promotion)
            .count(),
        4
    );
    assert_eq!(served.play("a7a8n")["moves"][0]["san"], "a8=N");
}

#[test]
fn kashan_answers_and_the_search_is_seen_and_explained() {
    let folder = tempfile::tempdir().unwrap();
    let served = Served::start(folder.path(), &[]);
    served
        .done(json!({"do": "new", "side": "white", "level": "3600s", "preset": "strong", "strength": null}));
    served.play("e4");
    // While a better branch is being made sure of there may be none with K = 0.
    let state = served.wait_for(|state| {
        let genetic = &state["live"]["search"]["genetic"];
        genetic["generation"].as_u64() > Some(20) && genetic["branches"][0]["k"] == 0
    });
    assert_eq!(state["live"]["thinks"], true);
    let search = &state["live"]["search"];
    let considered = search["considered"].as_array().unwrap();
    let shares = considered.iter().map(|mv| mv["share"].as_f64().unwrap());
    assert!((1..20).contains(&considered.len()) && shares.min_by(f64::total_cmp) >= Some(1.0));
    assert_eq!(considered[0]["uci"], search["best"]);
    let chance = search["chance"].as_f64().unwrap();
    assert!((30.0..70.0).contains(&chance), "{chance}");
    let genetic = &search["genetic"];
    let tree = genetic["tree"].as_array().unwrap();
    assert!((10..=40).contains(&tree.len()), "{}", tree.len());
    assert_eq!((&tree[0][0], &tree[0][5]), (&json!(-1), &json!(true)));
    let operators = ["initial", "growth", "crossover", "mutation"];
    for (place, node) in tree.iter().enumerate() {
        assert!(node[0].as_i64().unwrap() < place as i64, "{node}");
        assert!(operators.contains(&node[3].as_str().unwrap()), "{node}");
    }
    let change = &search["changes"][0];
    assert_eq!(
        (&change[1], change[2].is_string()),
        (&json!(1), true),
        "{change}"
    );
    assert!(
        genetic["mutations"].as_u64() > Some(0) && genetic["growths"].as_u64() > Some(0),
        "{genetic}"
    );
    let fitness = &genetic["branches"][0]["fitness"];
    assert_eq!(
        fitness.as_u64(),
        genetic["height"].as_u64().map(|height| height + 1)
    );
    assert_eq!(
        served.act(&json!({"do": "move", "text": "e5", "ply": 1})).0,
        200
    );
    assert_eq!(sans(&served.game()), ["e4"], "it is not the user's turn");
    served.done(json!({"do": "now"}));
    let state = served.wait_for(|state| state["game"]["moves"][1]["page"] == true);
    let played = state["game"]["moves"][1]["san"].as_str().unwrap();
    let (status, page) = served.get("explain/1");
    let text = String::from_utf8(page).expect("text");
    let is_explained = text.contains(HTML_MARK) && text.contains(&format!("Black plays {played} "));
    assert!(status == 200 && is_explained, "{status}: {}", &text[..9000]);
    assert_eq!(served.get("explain/0").0, 404, "the user's own");
    assert_eq!(
        sans(&served.done(json!({"do": "undo"}))),
        Vec::<&str>::new()
    );
}

#[test]
fn an_analysis_moves_both_sides_searches_on_and_gives_the_game_back() {
    let folder = tempfile::tempdir().unwrap();
    let served = Served::start(folder.path(), &[]);
    served.done(both());
    for text in ["e4", "e5", "Nf3"] {
        served.play(text);
    }
    let kept = folder.path().join("kashan/game.pgn");
    let before = std::fs::read_to_string(&kept).unwrap();
    let game = served.done(json!({"do": "analyse", "ply": 1}));
    assert_eq!(
        game["legal"].as_array().unwrap().len(),
        4,
        "of every position"
    );
    let is_of = |state: &Value, ply: usize| {
        let search = &state["live"]["search"];
        search["fen"] == state["game"]["fens"][ply] && search["depth"].as_u64() > Some(2)
    };
    served.wait_for(|state| is_of(state, 1));
    served.done(json!({"do": "look", "ply": 3}));
    served.wait_for(|state| is_of(state, 3));
    // Games have draws and resignations, analyses have none.
    for command in ["undo", "hint", "go", "draw", "resign"] {
        assert_eq!(served.act(&json!({"do": command})).0, 409, "{command}");
    }
    let game = served.done(json!({"do": "move", "text": "c5", "ply": 1}));
    assert_eq!((sans(&game), &game["at"]), (vec!["e4", "c5"], &json!(2)));
    served.wait_for(|state| is_of(state, 2));
    assert_eq!(
        std::fs::read_to_string(&kept).unwrap(),
        before,
        "nothing is kept of it"
    );
    // Several lines, each with another first move; in the game it searches one again.
    assert_eq!(served.done(json!({"do": "lines", "lines": 3}))["lines"], 3);
    let state = served.wait_for(|state| {
        is_of(state, 2) && state["live"]["search"]["others"].as_array().map(Vec::len) == Some(2)
    });
    let search = &state["live"]["search"];
    let first_move = |line: &Value| line.as_str().unwrap().split(' ').next().map(str::to_owned);
    let first_moves: BTreeSet<_> = [
        &search["line"],
        &search["others"][0][1],
        &search["others"][1][1],
    ]
    .into_iter()
    .map(first_move)
    .collect();
    assert_eq!(first_moves.len(), 3, "{search}");
    assert_eq!(served.done(json!({"do": "lines", "lines": 0}))["lines"], 1);
    let game = served.done(json!({"do": "analyse", "ply": 9}));
    assert_eq!(
        (sans(&game), &game["varies"]),
        (vec!["e4", "e5", "Nf3"], &json!(false))
    );
    let game = served.done(json!({"do": "leave"}));
    assert_eq!((&game["analysis"], sans(&game).len()), (&json!(false), 3));
    // From any position a game against Kashan can be played.
    let game = served.done(json!({"do": "from", "ply": 2}));
    assert_eq!(
        (sans(&game), &game["kashan"]),
        (vec!["e4", "e5"], &json!("Black"))
    );
    assert!(
        std::fs::read_to_string(&kept)
            .unwrap()
            .contains("1. e4 e5 *")
    );
}

#[test]
fn a_position_can_be_pasted_as_fen_and_players_have_their_names() {
    let folder = tempfile::tempdir().unwrap();
    let served = Served::start(folder.path(), &[]);
    let fen = "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1";
    let game = served.done(json!({"do": "load", "pgn": format!(" {fen}\n")}));
    assert_eq!(
        (&game["fens"][0], &game["kashan"]),
        (&json!(fen), &json!("Black"))
    );
    assert_eq!(game["players"], Value::Null);
    let pgn = "[White \"Anna\"]\n[Black \"Bea\"]\n\n1. f3 e5 *\n";
    let game = served.done(json!({"do": "load", "pgn": pgn}));
    assert_eq!(game["players"], json!(["Anna", "Bea"]));
    // What the page says names no command of the console.
    let over = served.done(json!({"do": "load", "pgn": "1. f3 e5 2. g4 Qh4# 0-1"}));
    let said = over["said"].to_string();
    assert!(!said.contains("Type") && said.contains("over"), "{said}");
}

#[test]
fn kashan_has_the_first_move_and_its_strength_and_level_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let dark = ["--color", "black", "--strength", "800", "--tc", "0.1s"];
    let served = Served::start(folder.path(), &dark);
    let has_moved = |state: &Value| {
        state["game"]["moves"]
            .as_array()
            .is_some_and(|moves| moves.len() == 1)
    };
    let state = served.wait_for(has_moved);
    let draw = state["live"]["search"]["draw"]
        .as_array()
        .expect("what it drew among");
    let percent: f64 = draw
        .iter()
        .filter_map(|drawn| drawn["percent"].as_f64())
        .sum();
    assert!(draw.len() > 1 && (percent - 100.0).abs() < 10.0, "{draw:?}");
    assert!(
        draw.iter()
            .any(|drawn| drawn["san"] == state["game"]["moves"][0]["san"]),
        "{state}"
    );
    assert!(served.end().contains("The game is kept"));
    let resumed = |arguments: &[&str]| {
        let game = Served::start(folder.path(), arguments).game();
        ["kashan", "strength", "level"].map(|key| game[key].as_str().unwrap_or_default().to_owned())
    };
    assert_eq!(
        resumed(&["--resume"]),
        ["White", "800", "0.1 seconds a move"]
    );
    let said = ["--resume", "--strength", "max", "--tc", "2s"];
    assert_eq!(resumed(&said), ["White", "max", "2 seconds a move"]);
    // A rating of another program's is none of ours.
    let kept = folder.path().join("kashan/game.pgn");
    let text = std::fs::read_to_string(&kept).unwrap();
    std::fs::write(&kept, text.replace("\"800\"", "\"3500\"")).unwrap();
    assert_eq!(resumed(&["--resume"])[1], "max");
    let mated = [
        "--fen",
        "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1",
        "--color",
        "white",
    ];
    let game = Served::start(folder.path(), &mated).game();
    assert!(
        game["said"][0]
            .as_str()
            .is_some_and(|said| said.starts_with("White mates")),
        "{game}"
    );
}

#[test]
fn the_game_is_kept_and_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let served = Served::start(folder.path(), &[]);
    served.done(both());
    served.play("d4");
    served.play("d5");
    assert!(served.end().contains("The game is kept"));
    let kept = std::fs::read_to_string(folder.path().join("kashan/game.pgn")).unwrap();
    assert!(kept.contains("1. d4 d5 *"), "{kept}");
    let fresh = Served::start(folder.path(), &[]);
    assert_eq!(fresh.game()["resumable"], true);
    assert_eq!(sans(&fresh.done(json!({"do": "resume"}))), ["d4", "d5"]);
    let served = Served::start(folder.path(), &["--resume"]);
    assert_eq!(sans(&served.game()), ["d4", "d5"]);
    let game = served.play("c4");
    assert_eq!((sans(&game).len(), &game["kashan"]), (3, &Value::Null));
}
