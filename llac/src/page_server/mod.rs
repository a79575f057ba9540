//! The page that `upsilon f edit` opens, for this computer alone: three files, and a door for what the page asks. Each connection has a
//! thread, as browsers open some before they need them, and one request.

mod guard;
mod request;

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::time::{Duration, Instant};

use llac::PageAnswers;
use serde_json::Value;

use crate::door::tell;
use crate::interrupt;
use guard::{METHOD_NOT_ALLOWED, NOT_FOUND, RequestGuard};
use request::{BAD_REQUEST, RequestHead};

/// `page/` makes script and style sheet: `npm run build`.
const FILES: [(&str, &str, &str); 3] = [
    ("", "text/html; charset=utf-8", include_str!("editor.html")),
    ("editor.js", "text/javascript; charset=utf-8", include_str!("editor.js")),
    ("editor.css", "text/css; charset=utf-8", include_str!("editor.css")),
];

/// What the page asks is posted here.
const DOOR: &str = "do";

/// All that the browser may do with the page; nobody else may show or read it, and no cache keeps it.
const HEADERS: &str = "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'none'\r\nX-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\nReferrer-Policy: no-referrer\r\n\
    Cross-Origin-Resource-Policy: same-origin\r\nCross-Origin-Opener-Policy: same-origin\r\nCache-Control: no-store\r\nConnection: close\r\n";

/// The page asks for no more at once.
const MOST_BYTES: usize = 256 << 10;

const WRONG_TYPE: u16 = 415;

/// New connections and an interrupt are seen after this time at most.
const PATIENCE: Duration = Duration::from_millis(10);

/// A request is whole after this time, and its answer taken.
const DEADLINE: Duration = Duration::from_secs(10);

/// More connections at once are not of one page.
const MOST_CONNECTIONS: usize = 64;

/// What the page asks, and where its answer goes.
type PageQuestion = (Value, Sender<Value>);

/// Serves the page until it ends or the user interrupts.
///
/// # Errors
/// If no port can be had.
pub fn serve(answers: &mut PageAnswers) -> io::Result<()> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    listener.set_nonblocking(true)?;
    let guard = Arc::new(RequestGuard::new(listener.local_addr()?.port())?);
    tell(&format!("open {} in a browser; its button Done ends it, or Ctrl-C here\n", guard.address()));
    let interrupts = interrupt::count();
    let (sender, questions) = channel::<PageQuestion>();
    while interrupt::count() == interrupts {
        // Each connection has a clone of it.
        while Arc::strong_count(&guard) <= MOST_CONNECTIONS
            && let Ok((stream, _)) = listener.accept()
        {
            let (guard, sender) = (Arc::clone(&guard), sender.clone());
            std::thread::spawn(move || drop(connection(stream, &guard, &sender)));
        }
        let Ok((question, reply)) = questions.recv_timeout(PATIENCE) else { continue };
        let answer = answers(&question);
        let is_end = answer["ended"] == true;
        // A browser that is gone is no reason to stop.
        let _ = reply.send(answer);
        if is_end {
            wait_for(&guard);
            break;
        }
    }
    Ok(())
}

/// Gives the connections some time to write their answers.
fn wait_for(guard: &Arc<RequestGuard>) {
    let end = Instant::now() + Duration::from_secs(1);
    while Arc::strong_count(guard) > 1 && Instant::now() < end {
        std::thread::sleep(PATIENCE);
    }
}

/// A stream that ends at a deadline.
struct Timed {
    stream: TcpStream,
    end: Instant,
}

/// So much of what is refused is taken off the line.
const MOST_DRAINED: u64 = 1 << 20;

impl Timed {
    /// Ends the answer and passes over what still comes: who is cut off while sending may not get to read why.
    fn drain(&mut self) -> io::Result<()> {
        self.stream.shutdown(Shutdown::Write)?;
        self.end = self.end.min(Instant::now() + Duration::from_secs(1));
        io::copy(&mut self.take(MOST_DRAINED), &mut io::sink()).map(drop)
    }
}

impl Read for Timed {
    fn read(&mut self, piece: &mut [u8]) -> io::Result<usize> {
        let left = self.end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        self.stream.set_read_timeout(Some(left))?;
        self.stream.read(piece)
    }
}

/// Reads a request and answers it.
fn connection(stream: TcpStream, guard: &RequestGuard, questions: &Sender<PageQuestion>) -> io::Result<()> {
    stream.set_nonblocking(false)?;
    stream.set_write_timeout(Some(DEADLINE))?;
    let mut timed = Timed { stream, end: Instant::now() + DEADLINE };
    let answer = match RequestHead::read(&mut timed) {
        Ok(None) => return Ok(()),
        Ok(Some(head)) => answered(guard, head, &mut timed, questions),
        Err(status) => Err(status),
    };
    let (status, kind, text) = match answer {
        Ok((kind, text)) => (200, kind, text),
        Err(status) => (status, "text/plain", "refused\n".to_owned()),
    };
    let words = if status == 200 { "OK" } else { "Refused" };
    let head = format!(
        "HTTP/1.1 {status} {words}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n{HEADERS}\r\n",
        text.len()
    );
    timed.stream.write_all((head + &text).as_bytes())?;
    if status != 200 {
        timed.drain()?;
    }
    Ok(())
}

/// Type and text of the answer, or the answer of HTTP to what is refused.
fn answered(
    guard: &RequestGuard,
    head: RequestHead,
    stream: &mut Timed,
    questions: &Sender<PageQuestion>,
) -> Result<(&'static str, String), u16> {
    let path = guard.admit(&head)?;
    let is_get = head.method == "GET";
    if path != DOOR {
        let (_, kind, text) = FILES.iter().find(|(name, ..)| *name == path).ok_or(NOT_FOUND)?;
        return if is_get { Ok((kind, (*text).to_owned())) } else { Err(METHOD_NOT_ALLOWED) };
    }
    if is_get {
        return Err(METHOD_NOT_ALLOWED);
    }
    if head.values("Content-Type") != ["application/json"] {
        return Err(WRONG_TYPE);
    }
    let question = serde_json::from_slice(&head.body(stream, MOST_BYTES)?).map_err(|_| BAD_REQUEST)?;
    let (reply, answer) = channel();
    // When the page has ended, nobody is there.
    questions.send((question, reply)).map_err(|_| NOT_FOUND)?;
    Ok(("application/json", answer.recv().map_err(|_| NOT_FOUND)?.to_string()))
}
