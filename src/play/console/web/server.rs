//! The server: every request is checked first.

use std::convert::Infallible;
use std::future::poll_fn;
use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use hyper::body::{Body as _, Incoming};
use hyper::header::{HeaderName, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode, header};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::time::timeout;

use super::{Action, Web, locked};
use crate::play::explain::{BOARD_SCRIPT, BOARD_STYLE, PIECES, TREE_SCRIPT, filled};
use crate::util::system;

/// The largest request: longer than the PGN of any game.
const MOST_BYTES: usize = 1 << 20;
/// The longest wait for the headers or the body of a request.
const PATIENCE: Duration = Duration::from_secs(10);

/// The headers of every answer. The page contains its script and style, and asks only this server.
const HEADERS: [(HeaderName, &str); 5] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    (header::CACHE_CONTROL, "no-store"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
];

const PAGE: &str = include_str!("web.html");
const STYLE: &str = include_str!("web.css");
const SCRIPT: &str = include_str!("web.js");

/// Returns the page, complete with its style, script and pieces.
fn page() -> String {
    let parts = [
        ("BOARD_STYLE", BOARD_STYLE),
        ("STYLE", STYLE),
        ("PIECES", PIECES),
        ("BOARD_SCRIPT", BOARD_SCRIPT),
        ("TREE_SCRIPT", TREE_SCRIPT),
        ("SCRIPT", SCRIPT),
    ];
    filled(PAGE, &parts.map(|(name, text)| (name, text.to_owned())))
}

/// The access control of the server.
struct Door {
    web: Arc<Mutex<Web>>,
    /// The names of this server in the browser: by number and by name.
    hosts: [String; 2],
    /// `/`, an unguessable number, and `/`.
    prefix: String,
}

type Answer = Response<String>;
/// The fault of a request, in words.
type Refusal = (StatusCode, String);

/// Starts the server's thread, and says where the page is.
///
/// # Errors
/// There is no free port, or the system gives no thread.
pub(super) fn start(web: Arc<Mutex<Web>>) -> io::Result<String> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    listener.set_nonblocking(true)?;
    let port = listener.local_addr()?.port();
    let token = [(); 2]
        .map(|()| format!("{:016x}", system::random()))
        .concat();
    let door = Door {
        web,
        hosts: ["127.0.0.1", "localhost"].map(|host| format!("{host}:{port}")),
        prefix: format!("/{token}/"),
    };
    let address = format!("http://{}{}", door.hosts[0], door.prefix);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let serve = move || {
        let Err(error) = runtime.block_on(serve(listener, Arc::new(door)));
        log::error!("the server is gone: {error}");
    };
    thread::Builder::new()
        .name("server".to_owned())
        .spawn(serve)?;
    Ok(address)
}

async fn serve(listener: TcpListener, door: Arc<Door>) -> io::Result<Infallible> {
    let listener = tokio::net::TcpListener::from_std(listener)?;
    loop {
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            Err(error) => {
                // There may be too many connections for the moment.
                log::warn!("a connection was not accepted: {error}");
                tokio::time::sleep(Duration::from_millis(100)).await;
                continue;
            }
        };
        let door = Arc::clone(&door);
        tokio::spawn(async move {
            let service = service_fn(move |request| answer(Arc::clone(&door), request));
            let connection = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(PATIENCE)
                // Who has asked and says no more still wants the answer.
                .half_close(true)
                .serve_connection(TokioIo::new(stream), service);
            if let Err(error) = connection.await {
                log::debug!("a connection ended: {error}");
            }
        });
    }
}

async fn answer(door: Arc<Door>, request: Request<Incoming>) -> Result<Answer, Infallible> {
    let mut answer = match door.answer(request).await {
        Ok(answer) => answer,
        Err((status, text)) => {
            let mut answer = plain("text/plain; charset=utf-8", text);
            *answer.status_mut() = status;
            answer
        }
    };
    let headers = HEADERS.map(|(name, value)| (name, HeaderValue::from_static(value)));
    answer.headers_mut().extend(headers);
    Ok(answer)
}

/// Reads the body of a request; `None` if it is too long or breaks off.
async fn read(mut body: Incoming) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    while let Some(frame) = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await {
        if let Ok(data) = frame.ok()?.into_data() {
            bytes.extend_from_slice(&data);
        }
        if bytes.len() > MOST_BYTES {
            return None;
        }
    }
    Some(bytes)
}

fn plain(kind: &'static str, body: impl Into<String>) -> Answer {
    with_header(Response::new(body.into()), header::CONTENT_TYPE, kind)
}

fn with_header(mut answer: Answer, name: HeaderName, value: &'static str) -> Answer {
    answer
        .headers_mut()
        .insert(name, HeaderValue::from_static(value));
    answer
}

fn refuse<T>(status: StatusCode, text: &str) -> Result<T, Refusal> {
    Err((status, text.to_owned()))
}

impl Door {
    async fn answer(&self, request: Request<Incoming>) -> Result<Answer, Refusal> {
        let path = self.check(&request)?.to_owned();
        match (request.method(), path.as_str()) {
            (&Method::GET, "") => Ok(plain("text/html; charset=utf-8", page())),
            (&Method::GET, "state") => {
                let known = request.uri().query().unwrap_or_default();
                let known = known.strip_prefix("game=").unwrap_or_default();
                Ok(self.state(known.parse().unwrap_or(0)))
            }
            (&Method::GET, "game.pgn" | "review.pgn") => {
                let Some(pgn) = locked(&self.web).pgn(path == "review.pgn") else {
                    return refuse(
                        StatusCode::NOT_FOUND,
                        "Nobody has looked back at this game.",
                    );
                };
                let answer = plain("application/x-chess-pgn; charset=utf-8", pgn);
                let file = "attachment; filename=\"kashan.pgn\"";
                Ok(with_header(answer, header::CONTENT_DISPOSITION, file))
            }
            (&Method::GET, path) if let Some(index) = path.strip_prefix("explain/") => {
                let page = index
                    .parse()
                    .ok()
                    .and_then(|index| locked(&self.web).page(index));
                let Some(page) = page else {
                    return refuse(StatusCode::NOT_FOUND, "There is no search of this move.");
                };
                Ok(plain("text/html; charset=utf-8", page))
            }
            (&Method::POST, "do") => {
                let body = match timeout(PATIENCE, read(request.into_body())).await {
                    Err(_) => return refuse(StatusCode::REQUEST_TIMEOUT, "This takes too long."),
                    Ok(None) => {
                        return refuse(StatusCode::PAYLOAD_TOO_LARGE, "This is too long.");
                    }
                    Ok(Some(body)) => body,
                };
                let action: Action = match serde_json::from_slice(&body) {
                    Ok(action) => action,
                    Err(error) => {
                        return refuse(
                            StatusCode::BAD_REQUEST,
                            &format!("This is no action: {error}."),
                        );
                    }
                };
                if let Err(text) = locked(&self.web).act(action) {
                    return refuse(StatusCode::CONFLICT, &text);
                }
                Ok(self.state(0))
            }
            (_, "" | "state" | "game.pgn" | "review.pgn" | "do") => {
                refuse(StatusCode::METHOD_NOT_ALLOWED, "This cannot be done here.")
            }
            _ => refuse(StatusCode::NOT_FOUND, "There is no such page."),
        }
    }

    /// Returns the state for a page with this version of the game.
    fn state(&self, known: u64) -> Answer {
        let state = locked(&self.web).state(known);
        plain("application/json", state.to_string())
    }

    /// Returns the path of the page's request, without its prefix.
    ///
    /// A foreign page can make the user's browser ask this server, too: under another name of the
    /// machine (in the header `Host`), or in the name of another page (in `Origin`).
    fn check<'r>(&self, request: &'r Request<Incoming>) -> Result<&'r str, Refusal> {
        let headers = request.headers();
        let is_host = |host: &HeaderValue| self.hosts.iter().any(|ours| host == ours);
        let is_origin = |origin: &HeaderValue| {
            let hosts = &self.hosts;
            hosts.iter().any(|ours| *origin == format!("http://{ours}"))
        };
        if !headers.get(header::HOST).is_some_and(is_host)
            || !headers.get(header::ORIGIN).is_none_or(is_origin)
        {
            return refuse(
                StatusCode::FORBIDDEN,
                "Only Kashan's own page may ask this.",
            );
        }
        match request.uri().path().strip_prefix(self.prefix.as_str()) {
            Some(path) => Ok(path),
            None => refuse(
                StatusCode::FORBIDDEN,
                "This is not the address that Kashan printed.",
            ),
        }
    }
}
