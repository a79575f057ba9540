//! The pages of `docs/` are tests: what they show is what happens. All blocks of a page run in order, in one empty folder.
//!
//! - A block "```c NAME", or of `cpp`, `fortran` or `python`, is written to the file NAME, for the commands that follow.
//! - Other blocks "```c" are translated and compiled, without a warning. A block in which nothing but directives stands at the left
//!   margin is part of a function and is put into one, between [`BEFORE`] and [`AFTER`].
//! - A block "```console" holds commands behind `$ ` and what they print, on both streams. Each has to succeed. A line `...` stands
//!   for any lines, `[..]` for anything in a line. In a block "```console numbers" numbers and their units may differ, columns may be
//!   wider, and a table may have more rows of the same form and more columns at its end.
//! - A block "```csv NAME", "```obsp NAME", "```sh NAME" or "```toml NAME" is written to the file NAME.
//! - A block "```llac" holds commands of llac behind `llac> ` and what they show at 80 columns, with the same wildcards. All such
//!   blocks of a page are one session. With CALL_UPDATE_PAGES set, what happens is written into the page.
//!
//! There are no others, so nothing in these pages is only said.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that meets None has failed")]

use std::fs;
use std::io;
use std::path::PathBuf;

use call_tests::{Workshop, repository};
use llac::{Page, Session, Workspace};

/// What stands around a block that is part of a function.
const BEFORE: &str = "\
struct grid { int rows, columns; };
void work(int amount);
int is_done(int amount);
void example(int n, int N, int M, int steps, double x, double *a, const struct grid *grid);
void example(int n, int N, int M, int steps, double x, double *a, const struct grid *grid)
{
";
const AFTER: &str = "    (void)n, (void)N, (void)M, (void)steps, (void)x, (void)a, (void)grid;
}
";

struct Block<'a> {
    /// Words behind the fence.
    language: &'a str,
    name: &'a str,
    text: String,
    line: usize,
}

fn blocks(page: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    for (index, line) in page.lines().enumerate() {
        match &mut open {
            None => {
                if let Some(info) = line.strip_prefix("```") {
                    let (language, name) = info.split_once(' ').unwrap_or((info, ""));
                    open = Some(Block { language, name, text: String::new(), line: index + 1 });
                }
            }
            Some(_) if line == "```" => blocks.extend(open.take()),
            Some(block) => {
                block.text.push_str(line);
                block.text.push('\n');
            }
        }
    }
    assert!(open.is_none(), "a block is not closed");
    blocks
}

/// Runs a page in a folder.
fn run(workshop: &Workshop, path: &str) {
    let page = fs::read_to_string(repository().join(path)).unwrap();
    let mut updated = page.clone();
    let blocks = blocks(&page);
    assert!(!blocks.is_empty());
    let mut session = Session::new(Box::new(Folder(workshop.path().to_owned())));
    for (index, block) in blocks.iter().enumerate() {
        let place = format!("{path}:{}", block.line);
        match block.language {
            "c" if block.name.is_empty() => compile(workshop, &block.text, &place),
            "c" | "cpp" | "fortran" | "python" => {
                let mut later = blocks[index..].iter().filter(|later| later.language == "console");
                assert!(
                    later.any(|later| later.text.contains(block.name)),
                    "{place}: no command uses the file"
                );
                if let Some((folder, _)) = block.name.rsplit_once('/') {
                    fs::create_dir_all(workshop.path().join(folder)).unwrap();
                }
                workshop.write(block.name, &block.text);
            }
            "console" => console(workshop, &block.text, block.name == "numbers", &place),
            "csv" | "obsp" | "sh" | "toml" => workshop.write(block.name, &block.text),
            "llac" => {
                let happened = commands_of_llac(&mut session, &block.text, block.name == "numbers", &place);
                updated = updated.replacen(&block.text, &happened, 1);
            }
            other => panic!("{place}: a block in `{other}` is not run"),
        }
    }
    if updated != page {
        fs::write(repository().join(path), updated).unwrap();
    }
}

fn compile(workshop: &Workshop, block: &str, place: &str) {
    let is_whole = block.lines().any(|line| !line.is_empty() && !line.starts_with([' ', '#']));
    let text = if is_whole { block.to_owned() } else { format!("{BEFORE}{block}{AFTER}") };
    workshop.write("block.c", text);
    let needs_mpi = block.contains("MPI");
    if needs_mpi && !call_tests::Transport::Mpi.is_available() {
        return;
    }
    let (compiler, flags) = match (needs_mpi, block.contains("omp ")) {
        (true, _) => ("mpicc", ""),
        (_, true) => ("cc", "-fopenmp"),
        _ => ("cc", ""),
    };
    let strict = "-Wall -Wextra -Wpedantic -Werror";
    // Translated, translated and switched off, and as it stands.
    let told = shown(
        workshop,
        &format!(
            "CC={compiler} call -q --deny-warnings block.c -- {flags} && \
             {compiler} $(call cflags {flags} -O1 {strict}) -c block.call.c -o block.o && \
             {compiler} $(call cflags {flags} -O1 {strict}) -DCLL_DISABLE -c block.call.c -o block.o && \
             {compiler} $(call cflags {flags} -O1 {strict}) -Wno-unknown-pragmas -c block.c -o block.o"
        ),
    );
    assert_eq!(told.as_deref(), Ok(""), "{place}");
    workshop.shell("rm block.*");
}

/// What a command prints on both streams, without blanks at the ends of lines; an error if it fails.
fn shown(workshop: &Workshop, command: &str) -> Result<String, String> {
    let output = workshop
        .command("sh")
        .env("PROJECT", repository())
        // The package as if it were installed.
        .env("PYTHONPATH", repository().join("python"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .args(["-c", &format!("{{ {command}\n}} 2>&1")])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let text: String = text.lines().map(|line| format!("{}\n", line.trim_end())).collect();
    if output.status.success() { Ok(text) } else { Err(format!("{text}ended with {}", output.status)) }
}

fn console(workshop: &Workshop, block: &str, any_numbers: bool, place: &str) {
    assert!(block.starts_with("$ "), "{place}: a console block begins with a command");
    for part in format!("\n{block}").split("\n$ ").skip(1) {
        let mut lines = part.lines().peekable();
        let mut command = lines.next().unwrap().to_owned();
        while command.ends_with('\\') {
            command = format!("{}\n{}", command, lines.next().unwrap().trim_start_matches("> "));
        }
        let expected = lines.collect::<Vec<_>>().join("\n");
        let found = shown(workshop, &command).unwrap_or_else(|error| panic!("{place}: $ {command}\n{error}"));
        check(&expected, &found, any_numbers, &format!("{place}: $ {command}"));
    }
}

/// Whether what the page says is what happens.
fn check(expected: &str, found: &str, any_numbers: bool, place: &str) {
    let form = |text: &str| if any_numbers { without_numbers(text) } else { text.to_owned() };
    // Blank lines between one command and the next are for the eye.
    let (said, happened) = (form(expected.trim_end()), form(found.trim_end()));
    assert!(
        lines_match(&said.lines().collect::<Vec<_>>(), &happened.lines().collect::<Vec<_>>()),
        "{place}\n---- the page says\n{expected}\n---- what happens\n{found}\n"
    );
}

/// The files of a session in a folder.
struct Folder(PathBuf);

impl Workspace for Folder {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        fs::read(self.0.join(path))
    }

    fn write(&self, path: &str, contents: &[u8]) -> io::Result<()> {
        fs::write(self.0.join(path), contents)
    }

    fn folder(&self, path: &str) -> io::Result<Option<Vec<String>>> {
        let Ok(all) = fs::read_dir(self.0.join(path)) else { return Ok(None) };
        let name =
            |entry: io::Result<fs::DirEntry>| Ok(format!("{path}/{}", entry?.file_name().to_string_lossy()));
        let mut names = all.map(name).collect::<io::Result<Vec<String>>>()?;
        names.sort();
        Ok(Some(names))
    }

    fn matching(&self, pattern: &str) -> io::Result<Vec<String>> {
        let all = fs::read_dir(&self.0)?.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
        let mut names = all.collect::<io::Result<Vec<String>>>()?;
        let (start, end) = pattern.split_once('*').unwrap_or((pattern, ""));
        names.retain(|name| {
            name == pattern || (pattern.contains('*') && name.starts_with(start) && name.ends_with(end))
        });
        names.sort();
        Ok(names)
    }
}

/// Runs the commands of a block and returns the block as it should be.
fn commands_of_llac(session: &mut Session, block: &str, any_numbers: bool, place: &str) -> String {
    let updates = std::env::var_os("CALL_UPDATE_PAGES").is_some();
    let mut happened = String::new();
    assert!(block.starts_with("llac> "), "{place}: a block of llac begins with a command");
    for part in format!("\n{block}").split("\nllac> ").skip(1) {
        let (command, expected) = part.split_once('\n').unwrap_or((part, ""));
        let found = match session.run(command) {
            Ok(outcome) => outcome.render(&Page::plain(Page::NARROW)),
            Err(error) => error.render(command),
        };
        let found: String = found.lines().map(|line| format!("{}\n", line.trim_end())).collect();
        if updates {
            happened.push_str(&format!("llac> {command}\n{found}"));
        } else {
            check(expected, &found, any_numbers, &format!("{place}: llac> {command}"));
        }
    }
    if updates { happened } else { block.to_owned() }
}

/// The form of a text: each number with its unit is `#`, blanks and rules are one character, lines of the same form are one.
fn without_numbers(text: &str) -> String {
    let is_number = |word: &str| {
        let word = word.trim_matches(['(', ')', '[', ']', ',', ':', '-', '±']);
        word == "∞" || word.starts_with(|first: char| first.is_ascii_digit())
    };
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines() {
        let mut words: Vec<&str> = Vec::new();
        for word in line.split_whitespace() {
            let word = if word.starts_with('─') { "─" } else { word };
            let is_unit = matches!(word, "s" | "ms" | "µs" | "ns" | "ps") && words.last() == Some(&"#");
            if !is_unit {
                words.push(if is_number(word) { "#" } else { word });
            }
        }
        let form = words.join(" ");
        if lines.last() != Some(&form) {
            lines.push(form);
        }
    }
    lines.join("\n")
}

/// `...` stands for any number of lines.
fn lines_match(expected: &[&str], found: &[&str]) -> bool {
    match expected.split_first() {
        None => found.is_empty(),
        Some((&"...", rest)) => (0..=found.len()).any(|skipped| lines_match(rest, &found[skipped..])),
        Some((line, rest)) => found
            .split_first()
            .is_some_and(|(first, others)| is_same_line(line, first) && lines_match(rest, others)),
    }
}

/// A row of a table, which is all `#` and names, may go on.
fn is_same_line(expected: &str, found: &str) -> bool {
    let goes_on = |rest: &str| rest.starts_with(' ') && expected.ends_with(['#', '─']);
    line_matches(expected, found) || found.strip_prefix(expected).is_some_and(goes_on)
}

/// `[..]` stands for anything.
fn line_matches(expected: &str, found: &str) -> bool {
    match expected.split_once("[..]") {
        None => expected == found,
        Some((start, rest)) => found.strip_prefix(start).is_some_and(|found| {
            found
                .char_indices()
                .map(|(at, _)| at)
                .chain([found.len()])
                .any(|at| line_matches(rest, &found[at..]))
        }),
    }
}

#[test]
fn wildcards() {
    assert!(lines_match(&["a", "...", "b [..] c"], &["a", "x", "y", "b 1 2 c"]));
    assert!(lines_match(&["...", "[..]"], &["a"]));
    assert!(!lines_match(&["a", "..."], &["b"]));
    assert!(!lines_match(&["a [..]"], &["a"]));
    assert!(!lines_match(&["a"], &["a", "b"]));
    let form = without_numbers("  f[0]  -1.5e-3  3 ms  [100, 800]\n  f[0]  2  1.2 µs  (800, ∞)\n ─── ──\n");
    assert_eq!(form, "f[0] # # # #\n─ ─");
}

#[test]
fn directives() {
    run(&Workshop::new(), "docs/directives.md");
}

#[test]
fn llac() {
    run(&Workshop::new(), "docs/llac.md");
}

#[test]
fn check_of_constants() {
    run(&Workshop::new(), "docs/check.md");
}

#[test]
fn history_of_constants() {
    run(&Workshop::new(), "docs/history.md");
}

#[test]
fn larger() {
    run(&Workshop::new(), "docs/larger.md");
}

#[test]
fn machines() {
    run(&Workshop::new(), "docs/machines.md");
}

#[test]
fn probe() {
    run(&Workshop::new(), "docs/probe.md");
}

#[test]
fn programs() {
    run(&Workshop::new(), "docs/programs.md");
}

#[test]
fn by_hand() {
    run(&Workshop::new(), "docs/by-hand.md");
}

#[test]
fn bsp() {
    run(&Workshop::new(), "docs/bsp.md");
}

#[test]
fn one_minute() {
    run(&Workshop::new(), "docs/one-minute.md");
}

#[test]
fn ten_minutes() {
    let workshop = Workshop::new();
    run(&workshop, "docs/ten-minutes.md");
    workshop.bring("examples/nbody/nbody.llac");
    workshop.bring("examples/nbody/nbody.obsp");
    let shown = workshop.shell("llac nbody.llac");
    assert!(shown.contains("move(n=4000) = "), "{shown}");
    assert!(shown.contains("nbody(n=4000, steps=20, P=1) = "), "{shown}");
}

#[test]
fn profile() {
    run(&Workshop::new(), "docs/profile.md");
}

#[test]
fn profile_stories() {
    run(&Workshop::new(), "docs/profile-stories.md");
}

#[test]
fn replay() {
    run(&Workshop::new(), "docs/replay.md");
}

#[test]
fn waiting() {
    run(&Workshop::new(), "docs/waiting.md");
}
