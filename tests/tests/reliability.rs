//! The page on reliability names tests that there are, and the script for random inputs all targets.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Each cell of the page that names tests names some that there are.
#[test]
fn the_tests_of_the_page_exist() {
    let page = fs::read_to_string(root().join("docs/reliability.md")).unwrap();
    let mut promises = 0;
    for row in page.lines().filter(|line| line.starts_with("| **")) {
        let tests = row.trim_end_matches('|').rsplit('|').next().unwrap();
        let words: Vec<&str> = tests.split('`').skip(1).step_by(2).collect();
        let (mut names, mut files) = (Vec::new(), 0);
        for word in words {
            match word.strip_suffix(".rs") {
                None => names.push(word),
                Some(_) => {
                    let text = fs::read_to_string(root().join(word)).unwrap_or_default();
                    for name in names.drain(..).filter(|name| *name != "translator") {
                        assert!(text.contains(&format!("fn {name}(")), "{word} has no test `{name}`");
                        files += 1;
                    }
                }
            }
        }
        assert!(files > 0, "no test holds {row}");
        promises += 1;
    }
    assert!(promises > 10, "{promises} promises");
}

#[test]
fn the_script_runs_each_target() {
    let script = fs::read_to_string(root().join("scripts/fuzz.sh")).unwrap();
    let (_, names) = script.lines().find_map(|line| line.split_once("|| set -- formula")).unwrap();
    let mut run: Vec<&str> = names.split_whitespace().chain(["formula"]).collect();
    run.sort_unstable();
    let entries = fs::read_dir(root().join("fuzz/src/bin")).unwrap();
    let mut there: Vec<String> = entries
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    there.sort_unstable();
    assert_eq!(run, there);
}
