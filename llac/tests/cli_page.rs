//! The server of the page of statements.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};

use super::cli::{Folder, TRACE, text};

/// Sends bytes to a port and reads what comes back.
fn sent(port: u16, request: &str) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    // The connection may be closed before all was read.
    let _ = stream.read_to_end(&mut answer);
    text(&answer)
}

#[test]
fn the_page_of_statements_is_for_its_user_alone() {
    let folder = Folder::new("edit");
    let counts = r#"{"quality":"at-most","terms":[{"basis":"1","growth":{},"statements":[{"line":2,"text":"a;"},{"file":"y into z.csv","line":1}]},{"basis":"N","growth":{"N":[1.0,0]},"statements":[{"line":3,"text":"b;"}]}]}"#;
    let header = format!("# variables: N\n# source_counts: {counts}\n# lines: 1-4\n");
    let trace =
        TRACE.replace("# variables: N\n", &header).replace("# program: x\n", "# program: x\n# source: x.c\n");
    fs::write(folder.0.join("x.call.0.dat"), trace).unwrap();
    fs::write(folder.0.join("x.c"), "#pragma cll f f[0] + f[1]*N\na;\nb;\n#pragma cll end f\n").unwrap();
    let mut llac = Command::new(env!("CARGO_BIN_EXE_llac"))
        .current_dir(&folder.0)
        .args(["-e", "load x.call.0.dat", "-e", "upsilon f edit", "-e", "history"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut told = String::new();
    BufReader::new(llac.stderr.as_mut().unwrap()).read_line(&mut told).unwrap();
    let (_, address) = told.split_once("http://127.0.0.1:").unwrap();
    let (port, token) = address.split_once('/').unwrap();
    let (token, port) = (token.split_once('/').unwrap().0, port.parse::<u16>().unwrap());

    let (host, origin) =
        (format!("Host: 127.0.0.1:{port}\r\n"), format!("Origin: http://127.0.0.1:{port}\r\n"));
    let get = |path: &str, headers: &str| sent(port, &format!("GET {path} HTTP/1.1\r\n{headers}\r\n"));
    let json = "Content-Type: application/json\r\n";
    let post = |headers: &str, body: &str| {
        sent(
            port,
            &format!("POST /{token}/do HTTP/1.1\r\n{headers}Content-Length: {}\r\n\r\n{body}", body.len()),
        )
    };
    let own = format!("{host}{origin}{json}");
    let status = |answer: &str| answer.split(' ').nth(1).unwrap_or_default().to_owned();

    let page = get(&format!("/{token}/"), &host);
    assert!(page.contains("default-src 'none'") && !page.contains("Access-Control"), "{page}");
    for (name, answer, expected) in [
        ("the page", page, "200"),
        ("no token", get("/", &host), "404"),
        ("another token", get(&format!("/{}/", "0".repeat(64)), &host), "404"),
        ("a file beside", get(&format!("/{token}/x.c"), &host), "404"),
        ("a file above", get(&format!("/{token}/../../etc/passwd"), &host), "404"),
        ("another host", get(&format!("/{token}/"), &format!("Host: evil.example:{port}\r\n")), "403"),
        (
            "another origin",
            get(&format!("/{token}/"), &format!("{host}Origin: http://evil.example\r\n")),
            "403",
        ),
        ("asking without origin", post(&format!("{host}{json}"), "{}"), "403"),
        ("asking from elsewhere", post(&format!("{host}Origin: http://evil.example\r\n{json}"), "{}"), "403"),
        ("a form", post(&format!("{host}{origin}Content-Type: text/plain\r\n"), "{}"), "415"),
        ("no JSON", post(&own, "{"), "400"),
        ("too much", post(&own, &"x".repeat(300_000)), "413"),
        ("asking by GET", get(&format!("/{token}/do"), &host), "405"),
        (
            "what would fill the memory",
            sent(port, &format!("POST /{token}/do HTTP/1.1\r\n{own}Content-Length: 999999999999999\r\n\r\n")),
            "413",
        ),
    ] {
        assert_eq!(status(&answer), expected, "{name}: {answer}");
    }
    // Data decide: counts are bounds.
    let shown = post(&own, r#"{"do":"page"}"#);
    assert!(shown.contains("it is so often at most") && shown.contains("\"atMost\":true"), "{shown}");
    // Another file cannot be named, and names of files are no commands.
    let saved = post(&own, r#"{"do":"save","file":"other.llac","path":"/tmp/other"}"#);
    assert!(saved.contains("x.c.f.llac"), "{saved}");
    assert!(post(&own, r#"{"do":"move","lines":["y into z.csv:1"],"to":1}"#).contains("no command can have"));
    assert!(post(&own, r#"{"do":"move","lines":["99"],"to":1}"#).contains("no statement in line 99"));
    assert!(post(&own, r#"{"do":"move","lines":["2"],"to":7}"#).contains("no such constant"));
    assert!(
        post(&own, r#"{"do":"move","lines":["2"],"to":1}"#).contains("\"clauses\":\"upsilon f[1] = +1-2\"")
    );
    let mut files: Vec<String> =
        fs::read_dir(&folder.0).unwrap().map(|its| its.unwrap().file_name().into_string().unwrap()).collect();
    files.sort();
    assert_eq!(files, ["x.c", "x.c.f.llac", "x.call.0.dat"]);
    assert_eq!(status(&post(&own, r#"{"do":"end"}"#)), "200");
    let output = llac.wait_with_output().unwrap();
    let shown = text(&output.stdout);
    assert!(output.status.success() && TcpStream::connect(("127.0.0.1", port)).is_err());
    // The session knows the change as a command.
    assert_eq!(shown.matches("upsilon f[1] = 2-3").count(), 2, "{shown}");
    assert!(!shown.contains("edit"), "{shown}");
}
