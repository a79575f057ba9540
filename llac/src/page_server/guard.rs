//! Who may use the page: the browser tab that was given its address, and nothing else that reaches this port. Another page that the browser
//! shows, also one whose name was pointed to this computer (DNS rebinding), does not know the token, has another `Origin`, and sends
//! another `Host`.

use std::fmt::Write;
use std::io;

use super::request::RequestHead;

/// Random bytes of the token.
const TOKEN_BYTES: usize = 32;

/// Answers of HTTP to what is refused.
pub const FORBIDDEN: u16 = 403;
pub const NOT_FOUND: u16 = 404;
pub const METHOD_NOT_ALLOWED: u16 = 405;

/// What a request has to bring along.
pub struct RequestGuard {
    host: String,
    token: String,
}

impl RequestGuard {
    /// For a server at a port of this computer, with a token of its own.
    pub fn new(port: u16) -> io::Result<RequestGuard> {
        let mut bytes = [0; TOKEN_BYTES];
        getrandom::fill(&mut bytes).map_err(io::Error::other)?;
        let mut token = String::new();
        bytes.iter().for_each(|byte| _ = write!(token, "{byte:02x}"));
        Ok(RequestGuard { host: format!("127.0.0.1:{port}"), token })
    }

    /// Where the page is.
    pub fn address(&self) -> String {
        format!("http://{}/{}/", self.host, self.token)
    }

    /// What a request asks for, behind the token, or the answer of HTTP to one that is refused.
    pub fn admit<'h>(&self, head: &'h RequestHead) -> Result<&'h str, u16> {
        if head.values("Host") != [self.host.as_str()] {
            return Err(FORBIDDEN);
        }
        let own = format!("http://{}", self.host);
        let is_own = match &head.values("Origin")[..] {
            [] => head.method == "GET",
            [origin] => *origin == own,
            _ => false,
        };
        // Browsers that tell who asks: the page itself, or the user who typed the address.
        let is_asked_here =
            head.values("Sec-Fetch-Site").iter().all(|site| ["same-origin", "none"].contains(site));
        if !is_own || !is_asked_here {
            return Err(FORBIDDEN);
        }
        let (token, path) =
            head.url.strip_prefix('/').and_then(|url| url.split_once('/')).ok_or(NOT_FOUND)?;
        if !is_same(token.as_bytes(), self.token.as_bytes()) {
            return Err(NOT_FOUND);
        }
        match head.method.as_str() {
            "GET" | "POST" => Ok(path),
            _ => Err(METHOD_NOT_ALLOWED),
        }
    }
}

/// Compares in a time that does not tell where the two differ.
fn is_same(one: &[u8], other: &[u8]) -> bool {
    let differences = one.iter().zip(other).fold(0, |sum, (one, other)| sum | (one ^ other));
    one.len() == other.len() && std::hint::black_box(differences) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn admitted(
        guard: &RequestGuard,
        method: &str,
        url: &str,
        headers: &[(&str, &str)],
    ) -> Result<String, u16> {
        let headers: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        let head =
            RequestHead::read(&mut format!("{method} {url} HTTP/1.1\r\n{headers}\r\n").as_bytes())?.unwrap();
        guard.admit(&head).map(str::to_owned)
    }

    #[test]
    fn only_the_page_itself_is_admitted() {
        let guard = RequestGuard::new(8123).unwrap();
        let (host, origin) = (("Host", "127.0.0.1:8123"), ("Origin", "http://127.0.0.1:8123"));
        let url = format!("/{}/do", guard.token);
        let get = |url: &str, pairs: &[(&str, &str)]| admitted(&guard, "GET", url, pairs);
        let post = |pairs: &[(&str, &str)]| admitted(&guard, "POST", &url, pairs);
        assert_eq!((get(&url, &[host]), post(&[host, origin])), (Ok("do".to_owned()), Ok("do".to_owned())));
        assert_eq!(get(&url, &[host, ("Sec-Fetch-Site", "none")]), Ok("do".to_owned()));
        for wrong in [
            vec![],
            vec![("Host", "localhost:8123")],
            vec![("Host", "127.0.0.1:8124")],
            vec![("Host", "evil.example:8123")],
            vec![host, ("Host", "evil.example")],
            vec![host, ("Origin", "http://evil.example")],
            vec![host, ("Origin", "null")],
            vec![host, ("Origin", "http://127.0.0.1:9")],
            vec![host, origin, ("Origin", "http://evil.example")],
            vec![host, ("Sec-Fetch-Site", "cross-site")],
            vec![host, ("Sec-Fetch-Site", "same-site")],
        ] {
            assert_eq!(get(&url, &wrong), Err(FORBIDDEN), "{wrong:?}");
        }
        assert_eq!(post(&[host]), Err(FORBIDDEN), "what changes something says where it comes from");
        let half = format!("/{}/do", &guard.token[..32]);
        let longer = format!("/{}0/do", guard.token);
        let other = RequestGuard::new(8123).unwrap().token;
        for url in ["/", "//do", "/do", "/0/do", &half, &longer, &format!("/{other}/do"), &url[..65]] {
            assert_eq!(get(url, &[host]), Err(NOT_FOUND), "{url}");
        }
        assert_eq!(admitted(&guard, "OPTIONS", &url, &[host, origin]), Err(METHOD_NOT_ALLOWED));
    }
}
