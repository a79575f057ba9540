//! The codes of errors, notes and warnings that the manual lists are those of the sources.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use call_tests::repository;

/// The rows of the manual's table, and the files of each whose methods `code` give the codes.
const ROWS: &[(&str, &[&str])] = &[
    ("files", &["crates/exchange/src/error.rs"]),
    (
        "traces",
        &["crates/trace/src/error.rs", "crates/trace/src/merge_error.rs", "crates/trace/src/response.rs"],
    ),
    ("formulas", &["grammar/src/error.rs"]),
    ("fits", &["crates/model/src/error.rs", "crates/fit/src/error.rs"]),
    ("model files", &["crates/model/src/model_file/mod.rs"]),
    ("machines", &["crates/machine/src/error.rs", "crates/machine/src/carried_model.rs"]),
    (
        "recorded runs",
        &[
            "crates/bsp/src/recording/error.rs",
            "crates/bsp/src/replay/error.rs",
            "crates/bsp/src/obsp/evaluate.rs",
        ],
    ),
    ("profiles", &["crates/profile/src/oxford/error.rs"]),
    ("waits", &["crates/waiting/src/network/error.rs", "crates/waiting/src/prepared.rs"]),
    ("archives of OTF2", &["crates/otf2/src/error.rs"]),
    ("models of waits", &["crates/waitmodel/src/error.rs"]),
    ("pictures and tables", &["crates/report/src/error.rs"]),
];

#[test]
fn the_manual_lists_the_codes_of_errors() {
    let mut expected: Vec<(&str, BTreeSet<String>)> = ROWS
        .iter()
        .map(|(row, files)| (*row, files.iter().flat_map(|file| of_methods(&source(file))).collect()))
        .collect();
    let own = source("llac/src/error/code.rs");
    let own =
        own.lines().filter(|line| line.starts_with("pub const")).filter_map(|line| line.split('"').nth(1));
    let own = own.map(str::to_owned).collect();
    expected.push(("commands", own));
    check(expected);
}

#[test]
fn the_manual_lists_the_codes_of_notes_and_warnings() {
    let mut others = BTreeSet::new();
    for file in sources(&repository().join("llac/src")) {
        let text = std::fs::read_to_string(&file).unwrap();
        for call in text.split("Message::new(").skip(1) {
            // Others take the code of an error, or of the warning of a model.
            let literal = call.trim_start().strip_prefix('"').and_then(|rest| rest.split('"').next());
            let is_of_error =
                ["code::", "error.code()", "warning.code()"].iter().any(|it| call.starts_with(it));
            assert!(literal.is_some() || is_of_error, "{}: Message::new({call:.40}", file.display());
            others.extend(literal.map(str::to_owned));
        }
    }
    check(vec![("a model", of_methods(&source("crates/model/src/warning.rs"))), ("all else", others)]);
}

/// The rows of the manual have these codes.
fn check(expected: Vec<(&str, BTreeSet<String>)>) {
    let manual = source("docs/llac.md");
    for (row, codes) in expected {
        let line = manual.lines().find(|line| line.starts_with(&format!("| {row} |"))).unwrap_or_default();
        let listed: BTreeSet<String> = line.split('`').skip(1).step_by(2).map(str::to_owned).collect();
        let words: Vec<String> = codes.iter().map(|code| format!("`{code}`")).collect();
        assert_eq!(listed, codes, "docs/llac.md should have\n| {row} | {} |", words.join(", "));
    }
}

/// The Rust files of a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files = entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] });
    files.filter(|path| path.extension().is_some_and(|ending| ending == "rs")).collect()
}

fn source(file: &str) -> String {
    std::fs::read_to_string(repository().join(file)).unwrap()
}

/// The texts in the bodies of methods `code`.
fn of_methods(source: &str) -> BTreeSet<String> {
    let bodies = source.split("fn code(&self)").skip(1).map(|rest| rest.split("\n    }\n").next().unwrap());
    let codes: BTreeSet<String> =
        bodies.flat_map(|body| body.split('"').skip(1).step_by(2)).map(str::to_owned).collect();
    assert!(!codes.is_empty());
    codes
}
