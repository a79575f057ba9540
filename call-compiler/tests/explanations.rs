//! Every code of a message has an explanation, whose first block of C gives the message and whose last one does not.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that meets None has failed")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use call_compiler::{Outcome, TranslationRequest, explanations, macro_names, render, translate};
use call_grammar::{Diagnostic, Severity};

/// What stands around a block that is a part of a function.
const BEFORE: &str = "\
struct grid { int rows, columns; };
void work(int amount);
int example(int n, int N, int M, int steps, double x, double *a, const struct grid *grid);
int example(int n, int N, int M, int steps, double x, double *a, const struct grid *grid)
{
";
const AFTER: &str = "    return n + N + M + steps + (int)x + (int)a[0] + grid->rows;
}
";

/// A block is a file of its own if something else than a directive stands at its left margin.
fn program(block: &str) -> String {
    if block.lines().any(|line| !line.starts_with([' ', '#']) && !line.is_empty()) {
        block.to_owned()
    } else {
        format!("{BEFORE}{block}{AFTER}")
    }
}

/// The blocks between "```c" and "```".
fn blocks(markdown: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut open: Option<String> = None;
    for line in markdown.lines() {
        match &mut open {
            None if line.starts_with("```") => {
                assert_eq!(line, "```c", "blocks of explanations are C");
                open = Some(String::new());
            }
            Some(_) if line == "```" => blocks.extend(open.take()),
            Some(block) => {
                block.push_str(line);
                block.push('\n');
            }
            None => {}
        }
    }
    assert!(open.is_none(), "a block is not closed");
    blocks
}

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("call-explanations-{}-{name}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }

    fn cc(&self, flags: &[&str]) -> Vec<u8> {
        let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("../call-runtime/include");
        let output = Command::new("cc")
            .current_dir(&self.0)
            .args(flags)
            .arg("-I")
            .arg(include)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}: cc {flags:?}:\n{told}", self.0.display());
        output.stdout
    }

    /// The messages about a program, and their text as people see it. A cure has to compile.
    fn messages(&self, text: &str, is_cure: bool) -> (Vec<Diagnostic>, String) {
        fs::write(self.0.join("x.c"), text).unwrap();
        let preprocessed = self.cc(&["-E", "x.c"]);
        let macros = || macro_names(&self.cc(&["-E", "-dM", "x.c"]));
        let request = TranslationRequest {
            macros: &macros,
            ..TranslationRequest::new("x.c", text.as_bytes(), &preprocessed)
        };
        let Outcome { sources, result } = translate(&request);
        let diagnostics = match result {
            Ok(translation) => {
                fs::write(self.0.join("x.call.c"), &translation.c).unwrap();
                fs::write(self.0.join("x.call.h"), &translation.header).unwrap();
                let strict = ["-Wall", "-Wextra", "-Werror", "-Wno-unused", "-Wno-unknown-pragmas"];
                if is_cure {
                    self.cc(&[&strict[..], &["-c", "x.call.c"]].concat());
                }
                translation.warnings
            }
            Err(diagnostics) => diagnostics,
        };
        let shown = |colour| -> String {
            diagnostics.iter().map(|diagnostic| render(diagnostic, &sources, colour)).collect()
        };
        // Escape sequences of terminals as people can read them.
        let shown = format!("{}\n==== coloured\n{}", shown(false), shown(true).replace('\u{1b}', "␛"));
        (diagnostics, shown)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A folder that stays behind does no harm.
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn the_first_block_gives_the_message_and_the_last_one_does_not() {
    let mut wrong = Vec::new();
    for (code, markdown) in explanations() {
        let folder = Folder::new(code);
        let blocks = blocks(markdown);
        assert!(blocks.len() >= 2, "{code}: an explanation has an example and a cure");
        let (messages, shown) = folder.messages(&program(&blocks[0]), false);
        insta::assert_snapshot!(format!("explained_{code}"), shown);
        let belongs = |message: &Diagnostic| message.code == *code;
        if !messages.iter().any(|message| message.code == *code) || !messages.iter().all(belongs) {
            wrong.push(format!("{code}: the first block gives other messages:\n{shown}"));
        }
        let (messages, shown) = folder.messages(&program(&blocks[blocks.len() - 1]), true);
        if messages.iter().any(|message| message.code == *code || message.severity == Severity::Error) {
            wrong.push(format!("{code}: the last block gives messages:\n{shown}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The codes are read from the functions that give them, so that a new one cannot be forgotten.
fn codes_of(path: &str) -> BTreeSet<String> {
    let source = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap();
    let start = source.find("fn code(&self)").unwrap();
    let body = &source[start..];
    let body = &body[..body.find("\n    }\n").unwrap()];
    let codes: BTreeSet<String> = body.split('"').skip(1).step_by(2).map(str::to_owned).collect();
    assert!(codes.len() > 10, "{path}: {codes:?}");
    codes
}

#[test]
fn every_code_is_explained() {
    let mut codes = codes_of("../grammar/src/error.rs");
    codes.extend(codes_of("src/error.rs"));
    let explained: Vec<String> = explanations().iter().map(|(code, _)| (*code).to_owned()).collect();
    assert_eq!(
        explained,
        codes.into_iter().collect::<Vec<_>>(),
        "explanations, sorted, and codes of messages"
    );
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("explanations");
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let files: BTreeSet<String> = names.map(|name| name.trim_end_matches(".md").to_owned()).collect();
    assert_eq!(explained, files.into_iter().collect::<Vec<_>>(), "explanations and their files");
}

#[test]
fn explanations_are_short_and_fit_a_terminal() {
    let mut titles = BTreeMap::new();
    for (code, markdown) in explanations() {
        let title = markdown.lines().next().unwrap().strip_prefix("# ").unwrap_or_default();
        assert!(!title.is_empty() && title.len() <= 70 && !title.ends_with('.'), "{code}: {title}");
        assert!(markdown.lines().count() <= 70, "{code} is long");
        assert!(markdown.lines().all(|line| line.chars().count() <= 140), "{code} has a long line");
        assert!(titles.insert(title, code).is_none(), "{code}: two explanations have this title");
    }
}
