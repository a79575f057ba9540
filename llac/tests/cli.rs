//! The program `llac`: its doors, exit status and streams.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

const TRACE: &str = "# call-trace 1\n# program: x\n# processors: 1\n# experiment: f\n# formula: f[0] + f[1]*N\n# variables: N\n\
    experiment processor P N time_s\nf 0 1 1 0.000005\nf 0 1 2 0.000007\nf 0 1 4 0.000011\nf 0 1 8 0.000019\n# end rows=4\n";

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("llac-cli-{}-{name}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("x.call.0.dat"), TRACE).unwrap();
        Folder(folder)
    }

    fn llac(&self, arguments: &[&str], input: &str) -> Output {
        let mut child = Command::new(env!("CARGO_BIN_EXE_llac"))
            .current_dir(&self.0)
            .env("COLUMNS", "80")
            .env("CALL_MACHINES", self.0.join("machines"))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // It may have ended without reading.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        child.wait_with_output().unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn commands_scripts_and_standard_input_do_the_same() {
    let folder = Folder::new("doors");
    let commands = "load x.call.*.dat\npredict f N=100\n";
    fs::write(folder.0.join("x.llac"), commands).unwrap();
    let by_command = folder.llac(&["-e", "load x.call.*.dat", "-e", "predict f N=100"], "");
    let by_script = folder.llac(&["x.llac"], "");
    let by_input = folder.llac(&[], commands);
    assert!(by_command.status.success(), "{}", text(&by_command.stderr));
    assert!(text(&by_command.stdout).contains("203 µs"), "{}", text(&by_command.stdout));
    assert_eq!(by_command.stdout, by_script.stdout);
    assert_eq!(by_command.stdout, by_input.stdout);
    assert!(
        text(&by_input.stderr).starts_with("warning: N = 100 extrapolates"),
        "{}",
        text(&by_input.stderr)
    );
}

#[test]
fn an_error_names_the_line_and_ends_with_status_2() {
    let folder = Folder::new("errors");
    fs::write(folder.0.join("x.llac"), "load x.call.0.dat\n\nfit g\npredict f N=1\n").unwrap();
    let output = folder.llac(&["x.llac"], "");
    assert_eq!(output.status.code(), Some(2));
    let message = text(&output.stderr);
    assert!(message.starts_with("x.llac:3: error: there is no experiment `g`"), "{message}");
    assert!(!text(&output.stdout).contains("f(N=1)"), "what follows an error is not run");
    for (name, contents, expected) in [
        ("cut.dat", TRACE[..40].to_owned(), "cut"),
        ("foreign.dat", "hello\n".to_owned(), "no rows follow the header line"),
        ("empty.dat", String::new(), "empty"),
        ("newer.dat", TRACE.replace("call-trace 1", "call-trace 2"), "2"),
    ] {
        fs::write(folder.0.join(name), contents).unwrap();
        let output = folder.llac(&["-e", &format!("load {name}")], "");
        assert_eq!(output.status.code(), Some(2), "{name}");
        let message = text(&output.stderr);
        assert!(message.contains(name) && message.contains(expected), "{name}: {message}");
    }
    assert_eq!(folder.llac(&["nowhere.llac"], "").status.code(), Some(2));
}

#[test]
fn plots_are_written_whole_or_not_at_all() {
    let folder = Folder::new("plots");
    let output = folder.llac(&["-e", "load x.call.0.dat", "-e", "plot f f.svg"], "");
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(fs::read_to_string(folder.0.join("f.svg")).unwrap().trim_end().ends_with("</svg>"));
    let output = folder.llac(&["-e", "load x.call.0.dat", "-e", "plot f N nowhere/f.svg"], "");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("cannot write nowhere/f.svg"), "{}", text(&output.stderr));
}

#[test]
fn machines_are_those_of_the_folder_and_of_files() {
    let folder = Folder::new("machines");
    let machine = "schema_version = 1\nname = \"mine\"\n[provenance]\nkind = \"measured\"\ndate = \"2026\"\n\
        [[bsp]]\nprocessors = 1\nrate_flop_per_s = 1e9\ng_s_per_byte = 0\nlatency_s = 0\n";
    let listed = || text(&folder.llac(&["machine", "list"], "").stdout);
    assert!(!listed().contains("mine"), "{}", listed());
    fs::create_dir(folder.0.join("machines")).unwrap();
    fs::write(folder.0.join("machines/a.toml"), machine).unwrap();
    fs::write(folder.0.join("machines/notes.txt"), "no machine").unwrap();
    fs::write(folder.0.join("fast.toml"), machine.replace("1e9", "4e9")).unwrap();
    assert!(listed().contains("  mine                a.toml "), "{}", listed());
    assert!(listed().contains("  files are in /"), "{}", listed());
    let by_file = folder.llac(&["machine", "show", "fast.toml"], "");
    assert!(text(&by_file.stdout).contains("4000000000"), "{}", text(&by_file.stdout));
    // 203 µs here, a quarter of that there; the file behind `on` is no table of times, `f[0]=s` no formula.
    let words = [
        "-e",
        "machine use mine",
        "predict",
        "x.call.0.dat",
        "f",
        "N=100",
        "on",
        "fast.toml",
        "scale",
        "f[0]=s",
    ];
    let carried = folder.llac(&words, "");
    assert!(text(&carried.stdout).contains("f(P=1, N=100) on mine = 50.75 µs"), "{}", text(&carried.stderr));
}

#[test]
fn what_cannot_be_read_hides_no_other_machine() {
    let folder = Folder::new("unreadable");
    let nowhere = folder.llac(&["machine", "list"], "");
    let told = text(&nowhere.stderr);
    assert!(told.starts_with("warning: the folder of machines cannot be read: $CALL_MACHINES,"), "{told}");
    let machines = folder.0.join("machines");
    fs::create_dir_all(machines.join("x.toml")).unwrap();
    let machine = "schema_version = 1\nname = \"mine\"\n[provenance]\nkind = \"measured\"\ndate = \"2026\"\n";
    fs::write(machines.join("good.toml"), machine).unwrap();
    fs::write(machines.join("zz.toml"), b"name = \"\xff\"").unwrap();
    let shown = folder.llac(&["machine", "show", "mine"], "");
    assert!(text(&shown.stdout).starts_with("mine"), "{}", text(&shown.stderr));
    let told = text(&folder.llac(&["machine", "list"], "").stderr);
    assert!(told.contains("x.toml:") && told.contains("zz.toml:"), "{told}");
    let broken = folder.llac(&["machine", "show", "zz"], "");
    assert_eq!(broken.status.code(), Some(2));
    assert!(text(&broken.stderr).contains("machines/zz.toml: "), "{}", text(&broken.stderr));
}

#[test]
fn programs_stand_among_the_files_of_a_command() {
    let folder = Folder::new("programs");
    fs::write(folder.0.join("two.obsp"), "program twice(N) { compute f; compute f }\n").unwrap();
    let named = folder.llac(&["predict", "x.call.*.dat", "two.obsp", "twice", "N=4", "P=2"], "");
    let unnamed = folder.llac(&["predict", "x.call.*.dat", "two.obsp", "N=4", "P=2"], "");
    assert!(text(&named.stdout).contains("twice(N=4, P=2) = 22 µs"), "{}", text(&named.stdout));
    assert_eq!(named.stdout, unnamed.stdout);
    let listed = folder.llac(&["program", "two.obsp"], "");
    assert!(text(&listed.stdout).contains("twice"), "{}", text(&listed.stderr));
    fs::write(folder.0.join("bad.obsp"), "program {").unwrap();
    let bad = folder.llac(&["predict", "bad.obsp", "N=4"], "");
    assert_eq!(bad.status.code(), Some(2));
    assert!(text(&bad.stderr).contains("bad.obsp:1: "), "{}", text(&bad.stderr));
}

/// The lines `N,P,seconds` of 1 ms + 0.2 µs N / P.
fn timings() -> String {
    let points = [1, 2, 4].into_iter().flat_map(|p| [1000, 2000, 4000, 8000].map(|n| (n, p)));
    let rows = points.map(|(n, p)| format!("{n},{p},{:.9}\n", 1e-3 + 2e-7 * f64::from(n) / f64::from(p)));
    "N,P,seconds\n".to_owned() + &rows.collect::<String>()
}

#[test]
fn words_are_what_their_form_says_whatever_files_there_are() {
    let folder = Folder::new("forms");
    fs::create_dir(folder.0.join("fft")).unwrap();
    for (name, text) in [("t.csv", &timings()), ("timings", &timings()), ("fit", &"help quit\n".to_owned())] {
        fs::write(folder.0.join(name), text).unwrap();
    }
    let shown = |words: &[&str]| {
        let output = folder.llac(words, "");
        assert!(output.status.success(), "{words:?}: {}", text(&output.stderr));
        text(&output.stdout)
    };
    // 1 ms + 0.4 ms.
    let told = shown(&["predict", "t.csv", "fft[0]+fft[1]*N/P", "t", "N=8000", "P=4"]);
    assert!(told.contains("t(N=8000, P=4) = 1.4 ms"), "{told}");
    // Files `fft` and `fit` are neither programs nor scripts here.
    fs::write(folder.0.join("x.csv"), timings().replace("N,P", "kernel,N,P").replace('\n', "\nfft,"))
        .unwrap();
    let table = fs::read_to_string(folder.0.join("x.csv")).unwrap();
    fs::write(folder.0.join("x.csv"), table.trim_end_matches("fft,")).unwrap();
    let told = shown(&["predict", "x.csv", "fft[0]+fft[1]*N/P", "fft", "N=8000", "P=4"]);
    assert!(told.contains("fft(N=8000, P=4) = 1.4 ms"), "{told}");
    let formula = "a[0]+a[1]*N/P";
    let fitted = shown(&["fit", "t.csv", formula, "--format", "csv"]);
    assert!(fitted.contains("\nt[0],0.00"), "{fitted}");
    for words in [
        ["fit", "--format=csv", "--data", "timings", formula],
        ["fit", formula, "--format=csv", "--", "timings"],
        ["--format", "csv", "fit", formula, "./timings"],
    ] {
        assert_eq!(shown(&words), fitted.replace("\nt[", "\ntimings["), "{words:?}");
    }
    for words in [&["./fit"][..], &["run", "fit"]] {
        assert!(shown(words).starts_with("quit\n"), "{words:?}");
    }
}

#[test]
fn the_place_of_an_error_is_in_what_was_typed() {
    let folder = Folder::new("places");
    fs::write(folder.0.join("t.csv"), timings()).unwrap();
    fs::write(folder.0.join("timings"), timings()).unwrap();
    for (words, expected) in [
        (
            &["fit", "nofile.csv"][..],
            "llac: error: cannot read nofile.csv: no such file\n  | llac fit nofile.csv\n  |          ^^^^^^^^^^\n",
        ),
        (
            &["fit", "t.csv", "a[0] + a[1]*M"],
            "llac: error: `t` has no variable `M`\n  | llac fit t.csv \"a[0] + a[1]*M\"\n  |                             ^\nhelp: it has P, N\n",
        ),
        (
            &["fit", "t.csv", "--data", "none"],
            "llac: error: cannot read none: no such file\n  | llac fit t.csv --data none\n  |                       ^^^^\n",
        ),
        (
            &["fit", "timings"],
            "  | llac fit timings\n  |          ^^^^^^^\nhelp: load samples first, for example `llac fit timings.csv`; a file that \
             ends otherwise stands behind `--data`\n",
        ),
        // It needs no samples.
        (
            &["advise", "allocation", "runs=4"],
            "llac: error: no variable has values to choose from\n  | llac advise allocation runs=4\n  |                              ^\n\
             help: for example `p0=1..4 p1=1..5`\n",
        ),
        (
            &["fitt", "t.csv"],
            "llac: error: there is neither a command nor a script `fitt`\nhelp: did you mean `llac fit`?\n",
        ),
        (&["t.csv"], "llac: error: t.csv is no script, but has samples\n"),
        (&["nowhere.llac"], "llac: error: cannot read nowhere.llac: no such file\n"),
        (&["-e", "load t.csv", "-e", "fit", "-e", "fit q"], "-e 2: error: experiment `t` has no formula\n"),
        (&["-e", "load t.csv\nfit q"], "-e 1, line 2: error: there is no experiment `q`\n  | fit q\n"),
    ] {
        let output = folder.llac(words, "");
        let told = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{words:?}: {told}");
        assert!(told.contains(expected), "{words:?}: {told}");
    }
    fs::write(folder.0.join("x.llac"), "load t.csv\nformula t = a[0] + a[1]*(N +\n  2*(P + M))\n").unwrap();
    let told = text(&folder.llac(&["x.llac"], "").stderr);
    assert!(
        told.contains("x.llac:3: error: `t` has no variable `M`\n  |   2*(P + M))\n  |          ^\n"),
        "{told}"
    );
}

/// Wherever a trace stands among the words, it is loaded; and a comparison names it as well.
#[test]
fn traces_stand_anywhere() {
    let folder = Folder::new("traces");
    let section = |processor: usize, computing: u32| {
        format!(
            "# supersteps of processor {processor}, clock common\n# place 1: bsp_sync a.c:9 in main\n# superstep machine depth place \
             start_s computing_s waiting_s communicating_s recording_s out_bytes in_bytes out_messages in_messages partners experiments \
             inner_waiting_s\n# 1 0-1.0 0 1 0 {computing} {} 0 0 0 0 0 0 - - 0\n",
            4 - computing
        )
    };
    let trace = format!(
        "# call-trace 1\n# program: a\n# processors: 2\n# experiment: E\n# formula: E[0]\n# variables:\nexperiment processor P time_s\n\
         E 0 2 1\n{}{}# end rows=1\n",
        section(0, 4),
        section(1, 1)
    );
    for name in ["A.dat", "B.dat"] {
        fs::write(folder.0.join(name), &trace).unwrap();
    }
    let shown = |words: &[&str]| {
        let output = folder.llac(words, "");
        assert!(output.status.success(), "{words:?}: {}", text(&output.stderr));
        text(&output.stdout)
    };
    assert!(shown(&["profile", "by", "wait/absolute", "A.dat"]).starts_with("A.dat: 2 processors"));
    assert!(shown(&["profile", "compare", "A.dat", "B.dat"]).contains("B.dat"));
    // CSV has the table that the result is about.
    let csv = shown(&["--format", "csv", "waits", "A.dat"]);
    assert_eq!(
        csv,
        "number,site,call_stack,kind,waits,waiting_s\n1,bsp_sync a.c:9,main,wait at barrier,1,3\n"
    );
    assert!(
        shown(&["--format", "csv", "profile", "A.dat"]).starts_with("node,kind,synchronisations,time_s,")
    );
}

#[test]
fn options_stand_anywhere() {
    let folder = Folder::new("options");
    let words =
        ["--format", "text", "-e", "load x.call.0.dat", "fit", "-e", "where N > 1", "--format", "csv", "f"];
    let shown = text(&folder.llac(&words, "").stdout);
    assert!(shown.starts_with("constant,"), "{shown}");
    let all = text(&folder.llac(&["fit", "x.call.0.dat"], "").stdout);
    assert!(all.contains("4 points"), "{all}");
    let part = text(&folder.llac(&["-e", "load x.call.0.dat", "fit", "-e", "where N > 1"], "").stdout);
    assert!(part.contains("3 points"), "{part}");
}

#[test]
fn help_knows_all_commands_and_fits_80_columns() {
    let folder = Folder::new("help");
    for command in llac::Session::commands().chain(["completions", ""]) {
        let output = folder.llac(&["help", command][..if command.is_empty() { 1 } else { 2 }], "");
        let told = text(&output.stdout);
        assert!(
            output.status.success() && told.contains(&format!("Usage: llac {command}")),
            "{command}: {told}"
        );
        let by_option = folder.llac(&[command, "--help"][usize::from(command.is_empty())..], "");
        assert_eq!(told, text(&by_option.stdout));
        assert!(told.lines().all(|line| line.chars().count() <= 80), "{told}");
    }
    let told = text(&folder.llac(&["help"], "").stdout);
    assert!(told.contains("\n  isoefficiency  find sizes") && told.contains("Exit status: 0"), "{told}");
    let told = text(&folder.llac(&["help", "set", "weights"], "").stdout);
    assert!(
        told.contains("set weights automatic | relative") && told.contains("default: automatic"),
        "{told}"
    );
    assert!(text(&folder.llac(&["help", "set", "wheights"], "").stderr).contains("did you mean `weights`?"));
}
#[test]
fn csv_never_mixes_tables_of_different_columns() {
    let folder = Folder::new("csv");
    let csv = |command: &str| folder.llac(&["--format", "csv", "-e", "load *.dat", "-e", command], "");
    let fit = text(&csv("fit f").stdout);
    let keys: Vec<&str> = fit.lines().filter(|line| line.starts_with("constant,")).collect();
    assert_eq!((keys.len(), fit.contains("r_squared")), (1, false), "{fit}");
    let judge = csv("judge f");
    assert_eq!((judge.status.code(), judge.stdout.as_slice()), (Some(2), &b""[..]));
    let told = text(&judge.stderr);
    assert!(told.contains("the result has 3") && told.contains("`into FILE.errors.csv`"), "{told}");
    assert!(csv("judge f into j.errors.csv").status.success());
    let errors = fs::read_to_string(folder.0.join("j.errors.csv")).unwrap();
    assert!(errors.starts_with("errors,rms_percent,SMAPE_percent\n"), "{errors}");
    assert!(csv("fit f into f.quality.csv").status.success());
    let quality = fs::read_to_string(folder.0.join("f.quality.csv")).unwrap();
    assert!(
        quality.starts_with("samples,points,r_squared,rms_percent,worst_percent,SMAPE_percent\n4,4,"),
        "{quality}"
    );
}

#[test]
fn nobody_has_to_read_errors_and_warnings() {
    let folder = Folder::new("unread");
    let status = |arguments: &[&str]| {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = Command::new(env!("CARGO_BIN_EXE_llac"));
        let command =
            command.current_dir(&folder.0).args(arguments).stdin(Stdio::null()).stdout(Stdio::null());
        command.stderr(writer).status().unwrap().code()
    };
    assert_eq!(status(&["-e", "nonsense"]), Some(2));
    assert_eq!(status(&["predict", "nothing.csv", "f"]), Some(2));
    assert_eq!(status(&["predict", "x.call.0.dat", "f", "N=1e6"]), Some(0), "with a warning");
}

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
    let counts = r#"{"quality":"exact","terms":[{"basis":"1","growth":{},"statements":[{"line":2,"text":"a;"},{"file":"y into z.csv","line":1}]},{"basis":"N","growth":{"N":[1.0,0]},"statements":[{"line":3,"text":"b;"}]}]}"#;
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

/// Eight programs that add twenty entries each at once, and one that is killed while it adds.
#[test]
fn many_programs_add_to_an_archive_at_once() {
    let folder = Folder::new("archive");
    let script = |entries: usize| "archive add f into h machine=ci\n".repeat(entries);
    fs::write(folder.0.join("add.llac"), format!("load x.call.0.dat\n{}", script(20))).unwrap();
    fs::write(folder.0.join("many.llac"), format!("load x.call.0.dat\n{}", script(2000))).unwrap();
    let start = |name: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_llac"));
        command
            .current_dir(&folder.0)
            .arg(name)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command.spawn().unwrap()
    };
    let entries = || {
        let listed = folder.llac(&["--format", "csv", "archive", "list", "in", "h"], "");
        assert!(listed.status.success(), "{}", text(&listed.stderr));
        (text(&listed.stdout).lines().count() - 1, text(&listed.stderr))
    };
    let mut writers: Vec<_> = (0..8).map(|_| start("add.llac")).collect();
    assert!(writers.iter_mut().all(|writer| writer.wait().unwrap().success()));
    assert_eq!(entries(), (160, String::new()));

    let mut killed = start("many.llac");
    while fs::read_dir(folder.0.join("h")).unwrap().count() < 325 {
        assert!(killed.try_wait().unwrap().is_none(), "it was to be killed");
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    killed.kill().unwrap();
    killed.wait().unwrap();
    let (count, told) = entries();
    assert!(
        count > 160 && told.lines().all(|line| line.starts_with("warning") || line.starts_with("  ")),
        "{told}"
    );
    assert!(told.matches("without").count() <= 1, "{told}");
}
