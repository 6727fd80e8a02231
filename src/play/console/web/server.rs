//! The server: what comes in is checked before anything is done. Each connection has a thread and little time.

use std::io::{self, Read as _, Write as _};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use super::{Action, Web, locked};
use crate::play::explain::{BOARD_SCRIPT, BOARD_STYLE, PIECES, filled};
use crate::util::system;

/// The longest body of a request. No game that people play is longer, as PGN.
const MOST_BYTES: usize = 1 << 20;
/// The longest head of a request.
const MOST_HEAD: usize = 1 << 16;
/// The bytes that are still read and forgotten when a request is refused before its end: who closes with bytes
/// unread takes the answer back.
const MOST_FORGOTTEN: usize = 1 << 23;
/// More connections at once are closed unheard.
const MOST_CONNECTIONS: usize = 256;
/// The time in which a request has to come whole, and an answer has to be taken.
const PATIENCE: Duration = Duration::from_secs(10);

/// With every answer. The page has its script and style in it, and asks nobody but this server.
const HEADERS: &str = "\
Content-Security-Policy: default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; \
connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r
Cache-Control: no-store\r
Referrer-Policy: no-referrer\r
X-Content-Type-Options: nosniff\r
Cross-Origin-Resource-Policy: same-origin\r
";

const PAGE: &str = include_str!("web.html");
const STYLE: &str = include_str!("web.css");
const SCRIPT: &str = include_str!("web.js");

/// The code and the words of a status.
type Status = (u16, &'static str);

const OK: Status = (200, "OK");
const BAD_REQUEST: Status = (400, "Bad Request");
const FORBIDDEN: Status = (403, "Forbidden");
const NOT_FOUND: Status = (404, "Not Found");
const METHOD_NOT_ALLOWED: Status = (405, "Method Not Allowed");
const REQUEST_TIMEOUT: Status = (408, "Request Timeout");
const CONFLICT: Status = (409, "Conflict");
const LENGTH_REQUIRED: Status = (411, "Length Required");
const PAYLOAD_TOO_LARGE: Status = (413, "Payload Too Large");
const HEAD_TOO_LARGE: Status = (431, "Request Header Fields Too Large");

/// The status of a refusal, and what is wrong with the request, in words.
type Refusal = (Status, String);

/// A request that came whole.
struct Request {
    method: String,
    /// The path, and behind a question mark what else is asked.
    target: String,
    host: Option<Vec<u8>>,
    origin: Option<Vec<u8>>,
    body: Vec<u8>,
    /// True if another request may follow on this connection.
    goes_on: bool,
}

struct Answer {
    status: Status,
    /// The type of the body.
    kind: &'static str,
    /// One more header, with its line end, or nothing.
    header: &'static str,
    body: Vec<u8>,
}

/// The guard of the page: who is let in, and to what.
struct Door {
    web: Arc<Mutex<Web>>,
    /// What the browser calls this server: by number and by name.
    hosts: [String; 2],
    /// `/` and a number that nobody can guess, and `/`.
    prefix: String,
}

/// Starts the server's thread, and says where the page is.
///
/// # Errors
/// There is no free port, or the system gives no thread.
pub(super) fn start(web: Arc<Mutex<Web>>) -> io::Result<String> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let port = listener.local_addr()?.port();
    let token = [(); 2].map(|()| format!("{:016x}", system::random())).concat();
    let door = Door {
        web,
        hosts: ["127.0.0.1", "localhost"].map(|host| format!("{host}:{port}")),
        prefix: format!("/{token}/"),
    };
    let address = format!("http://{}{}", door.hosts[0], door.prefix);
    thread::Builder::new().name("server".to_owned()).spawn(move || serve(&listener, &Arc::new(door)))?;
    Ok(address)
}

/// Accepts connections for ever.
fn serve(listener: &TcpListener, door: &Arc<Door>) {
    let connections = Arc::new(AtomicUsize::new(0));
    loop {
        let stream = match listener.accept() {
            Ok((stream, _)) => stream,
            Err(error) => {
                // There may be too many connections for the moment.
                log::warn!("a connection was not accepted: {error}");
                thread::sleep(Duration::from_millis(100));
                continue;
            }
        };
        if connections.load(Ordering::Relaxed) >= MOST_CONNECTIONS {
            continue;
        }
        connections.fetch_add(1, Ordering::Relaxed);
        let door = Arc::clone(door);
        let open = Open(Arc::clone(&connections));
        let talk = move || {
            let _open = open;
            if let Err(error) = (Connection { stream, unread: Vec::new() }).serve(&door) {
                log::debug!("a connection ended: {error}");
            }
        };
        if let Err(error) = thread::Builder::new().name("connection".to_owned()).spawn(talk) {
            log::warn!("a connection gets no thread: {error}");
        }
    }
}

/// One of the connections that are open.
struct Open(Arc<AtomicUsize>);

impl Drop for Open {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A connection of a browser, or of whoever else has found the port.
struct Connection {
    stream: TcpStream,
    /// Bytes that came and belong to no request yet.
    unread: Vec<u8>,
}

impl Connection {
    fn serve(mut self, door: &Door) -> io::Result<()> {
        self.stream.set_write_timeout(Some(PATIENCE))?;
        loop {
            match self.request() {
                Ok(Some(request)) => {
                    let goes_on = request.goes_on;
                    let answer = door.answer(&request).unwrap_or_else(refusal);
                    self.send(&answer, goes_on)?;
                    if !goes_on {
                        return Ok(());
                    }
                }
                Ok(None) => return Ok(()),
                Err(refused) => {
                    self.send(&refusal(refused), false)?;
                    return self.forget();
                }
            }
        }
    }

    /// Reads a request; `None` if the connection ends before one.
    fn request(&mut self) -> Result<Option<Request>, Refusal> {
        let deadline = Instant::now() + PATIENCE;
        let (mut request, length) = loop {
            if let Some(head) = self.head()? {
                break head;
            }
            if self.unread.len() > MOST_HEAD {
                return refuse(HEAD_TOO_LARGE, "This is too long.");
            }
            let is_idle = self.unread.is_empty();
            match self.read(deadline) {
                Ok(true) => {}
                Err(_) if is_idle => return Ok(None),
                Ok(false) => return Ok(None),
                Err(refused) => return Err(refused),
            }
        };
        while self.unread.len() < length {
            if !self.read(deadline)? {
                return Ok(None);
            }
        }
        request.body = self.unread.drain(..length).collect();
        Ok(Some(request))
    }

    /// Takes the head of a request from what came, and says how long its body is; `None` if more has to come.
    fn head(&mut self) -> Result<Option<(Request, usize)>, Refusal> {
        let mut headers = [httparse::EMPTY_HEADER; 64];
        let mut parsed = httparse::Request::new(&mut headers);
        let head = match parsed.parse(&self.unread) {
            Ok(httparse::Status::Complete(head)) => head,
            Ok(httparse::Status::Partial) => return Ok(None),
            Err(httparse::Error::TooManyHeaders) => return refuse(HEAD_TOO_LARGE, "This is too long."),
            Err(error) => return refuse(BAD_REQUEST, &format!("This is no request: {error}.")),
        };
        let find = |name: &str| {
            let header = parsed.headers.iter().find(|header| header.name.eq_ignore_ascii_case(name));
            header.map(|header| header.value.to_vec())
        };
        if find("Transfer-Encoding").is_some() {
            return refuse(LENGTH_REQUIRED, "It has to say how long it is.");
        }
        let length = match find("Content-Length") {
            None => 0,
            Some(digits) if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) => {
                return refuse(BAD_REQUEST, "Its length is no number.");
            }
            // More digits than a number has are more bytes than anybody may send.
            Some(digits) => String::from_utf8_lossy(&digits).parse().unwrap_or(usize::MAX),
        };
        if length > MOST_BYTES {
            return refuse(PAYLOAD_TOO_LARGE, "This is too long.");
        }
        let closes = find("Connection").is_some_and(|value| value.eq_ignore_ascii_case(b"close"));
        let request = Request {
            method: parsed.method.unwrap_or_default().to_owned(),
            target: parsed.path.unwrap_or_default().to_owned(),
            host: find("Host"),
            origin: find("Origin"),
            body: Vec::new(),
            goes_on: parsed.version == Some(1) && !closes,
        };
        self.unread.drain(..head);
        Ok(Some((request, length)))
    }

    /// Reads some bytes; false if no more will come.
    fn read(&mut self, deadline: Instant) -> Result<bool, Refusal> {
        let mut bytes = [0; 1 << 13];
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return refuse(REQUEST_TIMEOUT, "This takes too long.");
            }
            let read = self.stream.set_read_timeout(Some(left)).and_then(|()| self.stream.read(&mut bytes));
            match read {
                Ok(count) => {
                    self.unread.extend_from_slice(&bytes[..count]);
                    return Ok(count > 0);
                }
                Err(error) => match error.kind() {
                    io::ErrorKind::Interrupted | io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => {}
                    _ => return Ok(false),
                },
            }
        }
    }

    fn send(&mut self, answer: &Answer, goes_on: bool) -> io::Result<()> {
        let Answer { status: (code, words), kind, header, body } = answer;
        let length = body.len();
        let close = if goes_on { "" } else { "Connection: close\r\n" };
        let head = format!(
            "HTTP/1.1 {code} {words}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n{HEADERS}{header}{close}\r\n"
        );
        self.stream.write_all(&[head.as_bytes(), body].concat())
    }

    /// Reads on for a while without looking, so that a refusal arrives.
    fn forget(mut self) -> io::Result<()> {
        self.stream.shutdown(Shutdown::Write)?;
        self.stream.set_read_timeout(Some(Duration::from_secs(1)))?;
        let mut bytes = [0; 1 << 13];
        let mut forgotten = 0;
        while forgotten < MOST_FORGOTTEN {
            match self.stream.read(&mut bytes)? {
                0 => break,
                count => forgotten += count,
            }
        }
        Ok(())
    }
}

fn refusal((status, text): Refusal) -> Answer {
    Answer { status, ..plain("text/plain; charset=utf-8", text) }
}

fn plain(kind: &'static str, body: impl Into<Vec<u8>>) -> Answer {
    Answer { status: OK, kind, header: "", body: body.into() }
}

fn refuse<T>(status: Status, text: &str) -> Result<T, Refusal> {
    Err((status, text.to_owned()))
}

/// The page, with all that it needs.
fn page() -> String {
    let parts = [
        ("BOARD_STYLE", BOARD_STYLE),
        ("STYLE", STYLE),
        ("PIECES", PIECES),
        ("BOARD_SCRIPT", BOARD_SCRIPT),
        ("SCRIPT", SCRIPT),
    ];
    filled(PAGE, &parts.map(|(name, text)| (name, text.to_owned())))
}

impl Door {
    fn answer(&self, request: &Request) -> Result<Answer, Refusal> {
        let (path, query) = request.target.split_once('?').unwrap_or((&request.target, ""));
        let path = self.check(request, path)?;
        let number = |text: &str| text.parse::<u64>().ok();
        match (request.method.as_str(), path) {
            ("GET", "") => Ok(plain("text/html; charset=utf-8", page())),
            ("GET", "state") => Ok(self.state(query.strip_prefix("game=").and_then(number).unwrap_or(0))),
            ("GET", "game.pgn" | "review.pgn") => {
                let Some(pgn) = locked(&self.web).pgn(path == "review.pgn") else {
                    return refuse(NOT_FOUND, "Nobody has looked back at this game.");
                };
                let header = "Content-Disposition: attachment; filename=\"kashan.pgn\"\r\n";
                Ok(Answer { header, ..plain("application/x-chess-pgn; charset=utf-8", pgn) })
            }
            ("GET", path) if let Some(index) = path.strip_prefix("explain/") => {
                let page = number(index).and_then(|index| locked(&self.web).page(index as usize));
                let Some(page) = page else {
                    return refuse(NOT_FOUND, "There is no search of this move.");
                };
                let header = "Content-Encoding: gzip\r\n";
                Ok(Answer { header, ..plain("text/html; charset=utf-8", page) })
            }
            ("POST", "do") => {
                let action: Action = serde_json::from_slice(&request.body)
                    .map_err(|error| (BAD_REQUEST, format!("This is no action: {error}.")))?;
                locked(&self.web).act(action).map_err(|text| (CONFLICT, text))?;
                Ok(self.state(0))
            }
            (_, "" | "state" | "game.pgn" | "review.pgn" | "do") => {
                refuse(METHOD_NOT_ALLOWED, "This cannot be done here.")
            }
            _ => refuse(NOT_FOUND, "There is no such page."),
        }
    }

    /// The state of the game, for a page that knows this version of it.
    fn state(&self, known: u64) -> Answer {
        plain("application/json", locked(&self.web).state(known).to_string())
    }

    /// The path of a request that comes from the page, without what stands before it.
    ///
    /// A page of somebody else can make the user's browser ask this server, too: under another name of the
    /// machine, which the header `Host` says, or in the name of another page, which `Origin` says.
    fn check<'r>(&self, request: &Request, path: &'r str) -> Result<&'r str, Refusal> {
        let is_ours = |host: &[u8]| self.hosts.iter().any(|ours| ours.as_bytes() == host);
        let is_our_host = request.host.as_deref().is_some_and(is_ours);
        let origin = request.origin.as_deref();
        let is_our_origin = origin.is_none_or(|origin| origin.strip_prefix(b"http://").is_some_and(is_ours));
        if !is_our_host || !is_our_origin {
            return refuse(FORBIDDEN, "Only Kashan's own page may ask this.");
        }
        let path = path.strip_prefix(self.prefix.as_str());
        path.ok_or_else(|| (FORBIDDEN, "This is not the address that Kashan printed.".to_owned()))
    }
}
