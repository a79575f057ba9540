//! What a browser sends: the head of a request of HTTP/1.1, and a body whose length it tells. Bounds and a deadline hold for both, as anybody
//! on this computer can send something.

use std::io::{self, Read};

/// Longer heads are none of a browser's.
const LONGEST_HEAD: usize = 16 << 10;
/// More lines of headers likewise.
const MOST_HEADERS: usize = 64;

/// Answers of HTTP to what cannot be read.
pub const BAD_REQUEST: u16 = 400;
pub const LENGTH_REQUIRED: u16 = 411;
pub const TOO_LARGE: u16 = 413;

/// The head of a request.
#[derive(Debug)]
pub struct RequestHead {
    pub method: String,
    pub url: String,
    headers: Vec<(String, String)>,
    /// What came with it of the body.
    rest: Vec<u8>,
}

impl RequestHead {
    /// Reads the head of a request, or tells the answer of HTTP to what is none; `None` if the connection ends before.
    pub fn read(stream: &mut impl Read) -> Result<Option<RequestHead>, u16> {
        let mut bytes = Vec::new();
        let mut piece = [0; 4096];
        loop {
            let count = read(stream, &mut piece).map_err(|_| BAD_REQUEST)?;
            if count == 0 {
                return Ok(None);
            }
            bytes.extend_from_slice(&piece[..count]);
            if let Some(head) = parsed(&bytes)? {
                return Ok(Some(head));
            }
            if bytes.len() > LONGEST_HEAD {
                return Err(TOO_LARGE);
            }
        }
    }

    /// The values of a header, in whatever case its name is written.
    pub fn values(&self, name: &str) -> Vec<&str> {
        let named = self.headers.iter().filter(|(known, _)| known.eq_ignore_ascii_case(name));
        named.map(|(_, value)| value.as_str()).collect()
    }

    /// Reads the body, which says how long it is and is no longer than that.
    pub fn body(mut self, stream: &mut impl Read, most: usize) -> Result<Vec<u8>, u16> {
        let length = match &self.values("Content-Length")[..] {
            [length] => length.parse::<u64>().map_err(|_| BAD_REQUEST)?,
            _ => return Err(LENGTH_REQUIRED),
        };
        let length = usize::try_from(length).ok().filter(|length| *length <= most).ok_or(TOO_LARGE)?;
        let mut piece = [0; 4096];
        while self.rest.len() < length {
            let count = read(stream, &mut piece).map_err(|_| BAD_REQUEST)?;
            if count == 0 {
                return Err(BAD_REQUEST);
            }
            self.rest.extend_from_slice(&piece[..count]);
        }
        self.rest.truncate(length);
        Ok(self.rest)
    }
}

fn read(stream: &mut impl Read, piece: &mut [u8]) -> io::Result<usize> {
    loop {
        match stream.read(piece) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            other => return other,
        }
    }
}

fn parsed(bytes: &[u8]) -> Result<Option<RequestHead>, u16> {
    let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
    let mut request = httparse::Request::new(&mut headers);
    let status = request.parse(bytes).map_err(|_| BAD_REQUEST)?;
    let (httparse::Status::Complete(end), Some(method), Some(url)) = (status, request.method, request.path)
    else {
        return Ok(None);
    };
    let header =
        |its: &httparse::Header| Some((its.name.to_owned(), String::from_utf8(its.value.to_vec()).ok()?));
    let headers = request.headers.iter().map(header).collect::<Option<Vec<_>>>().ok_or(BAD_REQUEST)?;
    let rest = bytes[end..].to_vec();
    Ok(Some(RequestHead { method: method.to_owned(), url: url.to_owned(), headers, rest }))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives a byte at a time.
    struct Slow<'a>(&'a [u8]);

    impl Read for Slow<'_> {
        fn read(&mut self, piece: &mut [u8]) -> io::Result<usize> {
            let Some((first, rest)) = self.0.split_first() else { return Ok(0) };
            (piece[0], self.0) = (*first, rest);
            Ok(1)
        }
    }

    fn body(text: &str) -> Result<String, u16> {
        let mut stream = Slow(text.as_bytes());
        let head = RequestHead::read(&mut stream)?.ok_or(0u16)?;
        head.body(&mut stream, 5).map(|body| String::from_utf8(body).unwrap())
    }

    #[test]
    fn requests_of_all_sizes() {
        let post = |headers: &str, text: &str| body(&format!("POST /a HTTP/1.1\r\n{headers}\r\n\r\n{text}"));
        assert_eq!(post("content-length: 3", "abcdef"), Ok("abc".to_owned()));
        assert_eq!(post("Content-Length: 3", "ab"), Err(BAD_REQUEST));
        assert_eq!(post("Content-Length: 6", "abcdef"), Err(TOO_LARGE));
        assert_eq!(post("Content-Length: 18446744073709551615", ""), Err(TOO_LARGE));
        assert_eq!(post("Content-Length: -1", ""), Err(BAD_REQUEST));
        assert_eq!(post("Content-Length: 1\r\nContent-Length: 2", "ab"), Err(LENGTH_REQUIRED));
        assert_eq!(post("Transfer-Encoding: chunked", "1\r\na\r\n0\r\n\r\n"), Err(LENGTH_REQUIRED));
        assert_eq!(post("X: \u{e9}", ""), Err(LENGTH_REQUIRED));
        assert_eq!(body("GET / HTTP/1.1\r\nHost"), Err(0));
        assert_eq!(body("\u{7}\r\n\r\n"), Err(BAD_REQUEST));
        assert_eq!(post(&format!("X: {}", "y".repeat(99_999)), ""), Err(TOO_LARGE));
        assert_eq!(post(&"X: y\r\n".repeat(99), ""), Err(BAD_REQUEST));
    }
}
