//! The macros of call.h for experiments by hand: they compile in every language, measure, and vanish with CLL_DISABLE.
#![allow(clippy::print_stderr, reason = "a test that is skipped has to say so")]

#[allow(dead_code, reason = "shared with the tests of other programs")]
mod support;

use std::path::Path;
use std::process::Command;

use support::{Trace, WARNINGS, c_compiler, compile, empty_directory, root};

/// Compiles tests/programs/by_hand.c alone.
fn object(directory: &Path, language: &[&str], source: &Path) -> Command {
    let mut command = Command::new(if language.contains(&"c++") { "c++" } else { "cc" });
    command
        .args(language)
        .args(WARNINGS)
        .args(["-Wshadow", "-Wmissing-field-initializers", "-c", "-I"])
        .arg(root().join("include"))
        .arg(source);
    command.arg("-o").arg(directory.join("by_hand.o"));
    command
}

const LANGUAGES: [&[&str]; 5] = [
    &["-std=c11", "-x", "c"],
    &["-std=c17", "-x", "c"],
    &["-std=gnu17", "-x", "c"],
    &["-std=c++11", "-Wold-style-cast", "-x", "c++"],
    &["-std=c++17", "-Wold-style-cast", "-x", "c++"],
];

#[test]
fn measurements_by_hand() {
    let directory = empty_directory();
    let source = root().join("tests/programs/by_hand.c");
    let runtime = directory.join("runtime.o");
    compile(
        Command::new(c_compiler())
            .args(["-O1", "-c", "-I"])
            .arg(root().join("include"))
            .arg(root().join(call_runtime::EMBEDDED_SOURCE))
            .arg("-o")
            .arg(&runtime),
    );
    let run = |runtime: Option<&Path>| {
        let executable = directory.join("by_hand");
        compile(
            Command::new("c++")
                .arg(directory.join("by_hand.o"))
                .args(runtime)
                .args(["-lm", "-pthread", "-o"])
                .arg(&executable),
        );
        let output = Command::new(&executable).current_dir(&directory).output().expect("it can be started");
        assert!(output.status.success(), "{output:?}");
    };
    for language in LANGUAGES {
        compile(&mut object(&directory, language, &source));
        run(Some(&runtime));
        let path = directory.join("by_hand.call.0.dat");
        let trace = Trace::read(&std::fs::read_to_string(&path).expect("there is a trace"));
        std::fs::remove_file(&path).expect("it can be removed");
        assert_eq!(trace.value("program"), Some("by_hand"));
        assert_eq!(trace.values("experiment"), ["none", "one", "eight", "unsaid", "left"]);
        assert_eq!(
            trace.values("formula"),
            ["none[0]", "one[1]*n + one[0]", "eight[0]*a*b*c*d*e*f*g*h", "left[0]"]
        );
        assert_eq!(trace.values("lines"), ["7-7", "8-8", "9-9", "10-10", "11-11"]);
        let rows = [
            "none 0 1 nan nan nan nan nan nan nan nan nan",
            "one 0 1 6 nan nan nan nan nan nan nan nan",
            "eight 0 1 nan 1 2 3 4.5 5.5 6 7 8",
            "unsaid 0 1 -1.5 nan nan nan nan nan nan nan nan",
            "left 0 1 1 nan nan nan nan nan nan nan nan",
        ];
        let found: Vec<String> = trace.rows.iter().map(|row| row[..row.len() - 1].join(" ")).collect();
        assert_eq!(found, rows, "{language:?}");
        // Disabled it needs no runtime.
        compile(object(&directory, language, &source).arg("-DCLL_DISABLE"));
        run(None);
        assert!(!path.exists());
    }
    std::fs::remove_dir_all(&directory).expect("the directory can be removed");
}

#[test]
fn wrong_numbers_of_values_do_not_compile() {
    let directory = empty_directory();
    let right = std::fs::read_to_string(root().join("tests/programs/by_hand.c")).expect("it is there");
    let source = directory.join("wrong.c");
    let cases = [
        ("CLL_BEGIN(one, n);", "CLL_BEGIN(one);", "one: values are missing"),
        ("CLL_BEGIN(one, n);", "CLL_BEGIN(one, n, n);", "one: as many values as variables"),
        ("CLL_BEGIN(none);", "CLL_BEGIN(none, n);", "none: as many values as variables"),
    ];
    for (text, wrong, message) in cases {
        std::fs::write(&source, right.replace(text, wrong)).expect("it can be written");
        for language in LANGUAGES {
            let output = object(&directory, language, &source).output().expect("the compiler is there");
            let told = String::from_utf8_lossy(&output.stderr);
            assert!(!output.status.success() && told.contains(message), "{wrong}: {told}");
        }
    }
    std::fs::remove_dir_all(&directory).expect("the directory can be removed");
}
