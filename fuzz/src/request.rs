//! Any bytes as what comes to the port of the page of statements: nobody who does not know its token is admitted, no body is longer than
//! it may be.

#[allow(dead_code, reason = "the program uses more of it")]
#[path = "../../llac/src/page_server/guard.rs"]
mod guard;
#[allow(dead_code, reason = "the program uses more of it")]
#[path = "../../llac/src/page_server/request.rs"]
mod head;

// As guard.rs names it.
use self::head as request;
use guard::RequestGuard;
use request::RequestHead;

/// As much as the page may send.
const MOST_BYTES: usize = 1000;

pub fn run(mut bytes: &[u8]) {
    let Ok(guard) = RequestGuard::new(80) else { return };
    let Ok(Some(head)) = RequestHead::read(&mut bytes) else { return };
    assert!(guard.admit(&head).is_err(), "admitted without its token: {head:?}");
    if let Ok(body) = head.body(&mut bytes, MOST_BYTES) {
        assert!(body.len() <= MOST_BYTES);
    }
}
