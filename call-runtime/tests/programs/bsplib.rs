//! Conformance of BSPlib: each program of tests/programs/bsplib shows one behaviour, and its first comment says how it ends.

use std::fs;

use crate::available;
use crate::support::{ALL, Flavour, Run, compile, empty_directory, nanoseconds, root};

/// What the first line of a program says.
struct Behaviour {
    name: String,
    /// `None`: it prints `ok`.
    message: Option<String>,
    least_processors: usize,
}

/// `/* ok: ...` or `/* fails with "MESSAGE": ...`; before the colon there may be ` from N processors`.
fn behaviour(name: &str, text: &str) -> Option<Behaviour> {
    let comment = text.strip_prefix("/* ")?;
    let (message, rest) = match comment.strip_prefix("fails with \"") {
        Some(quoted) => {
            let (message, rest) = quoted.split_once('"')?;
            (Some(message.to_owned()), rest)
        }
        None => (None, comment.strip_prefix("ok")?),
    };
    let least_processors = match rest.split_once(':')?.0.strip_prefix(" from ") {
        Some(number) => number.strip_suffix(" processors")?.parse().ok()?,
        None => 1,
    };
    Some(Behaviour { name: name.to_owned(), message, least_processors })
}

fn behaviours() -> Vec<Behaviour> {
    let directory = root().join("tests/programs/bsplib");
    let mut found: Vec<Behaviour> = fs::read_dir(directory)
        .expect("the directory of programs can be read")
        .map(|entry| entry.expect("a directory entry can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .map(|path| {
            let name = path.file_stem().expect("a program has a name").to_string_lossy().into_owned();
            let text = fs::read_to_string(&path).expect("a program can be read");
            behaviour(&name, &text)
                .unwrap_or_else(|| panic!("{name}: the first line does not say how it ends"))
        })
        .collect();
    found.sort_by(|left, right| left.name.cmp(&right.name));
    assert!(found.len() > 70, "only {} programs", found.len());
    found
}

fn check(flavour: Flavour, behaviour: &Behaviour, processors: usize) {
    let run = Run::of(flavour, &format!("bsplib/{}", behaviour.name)).on(processors);
    match &behaviour.message {
        None => assert_eq!(run.succeed().stdout, "ok\n", "{run:?}"),
        Some(message) => {
            run.fail(2, message);
        }
    }
}

/// Programs that go wrong are started over MPI with two processors only: a start takes long.
fn check_all(flavour: Flavour, processors: &[usize], processors_when_wrong: &[usize]) {
    if !flavour.is_available() {
        return;
    }
    for behaviour in behaviours() {
        // Under SMPI a processor that exits ends the simulation before anything can be told to the others.
        if flavour == Flavour::Smpi && behaviour.name == "init_and_leave" {
            continue;
        }
        let counts = if behaviour.message.is_some() { processors_when_wrong } else { processors };
        for &count in counts.iter().filter(|&&count| count >= behaviour.least_processors) {
            check(flavour, &behaviour, count);
        }
    }
}

/// Beyond 8 processors barriers go in rounds.
#[test]
fn behaviours_on_this_computer() {
    check_all(Flavour::Plain, &[1, 2, 4, 9], &[1, 2, 4, 9]);
}

#[test]
fn behaviours_under_sanitizers() {
    check_all(Flavour::Sanitized, &[1, 2, 4], &[1, 2]);
}

#[test]
fn behaviours_over_mpi() {
    check_all(Flavour::Mpi, &[1, 2, 4], &[2]);
}

#[test]
fn behaviours_over_simulated_mpi() {
    check_all(Flavour::Smpi, &[2, 16], &[]);
}

#[test]
fn storms_of_puts_gets_and_messages() {
    for flavour in available(&ALL) {
        for processors in [1, 2, 3, 9] {
            let supersteps = if flavour == Flavour::Plain { 60 } else { 12 };
            let run = Run::of(flavour, "bsplib_storm").on(processors).with(supersteps).with(processors);
            assert_eq!(run.succeed().stdout, "ok\n", "{run:?}");
        }
    }
}

#[test]
fn rows_of_a_bsplib_program() {
    for flavour in available(&ALL) {
        for processors in [1, 3] {
            let run = Run::of(flavour, "bsplib_rows").counting().on(processors);
            run.succeed();
            let trace = run.trace("bsplib_rows.call.0.dat");
            assert_eq!(trace.value("kind"), Some("BSPlib"));
            assert_eq!(trace.value("processors"), Some(processors.to_string().as_str()));
            let mut expected = Vec::new();
            for processor in 0..processors {
                // Before bsp_begin processor 0 alone is there, or all are that MPI has started.
                if processor == 0 || matches!(flavour, Flavour::Mpi | Flavour::Smpi) {
                    expected.push(("before", processor, 1, 5));
                }
                expected.push(("inside", processor, processors, 1000 + processor as u64));
            }
            let rows: Vec<_> = trace
                .rows
                .iter()
                .map(|row| {
                    let number = |at: usize| row[at].parse::<usize>().expect("a number");
                    (row[0].as_str(), number(1), number(2), nanoseconds(&row[3]))
                })
                .collect();
            assert_eq!(rows, expected, "{run:?}");
        }
    }
}

#[test]
fn processors_that_wait_apart_in_the_runtime() {
    for flavour in available(&ALL) {
        for case in ["sync", "report"] {
            let run = Run::of(flavour, "bsplib_apart").on(2).with(case);
            let outcome = run.fail(2, "each waits for the other for ever");
            assert!(outcome.stderr.contains(&format!(" in {case}")), "{outcome:?}");
        }
    }
}

#[test]
fn a_program_brings_its_own_bsplib() {
    for flavour in available(&ALL) {
        assert_eq!(Run::of(flavour, "own_bsplib").succeed().stdout, "own 1\n");
    }
}

#[test]
fn memory_and_collectives_of_pub() {
    for flavour in available(&ALL) {
        for processors in [1, 2, 4, 9] {
            let run = Run::of(flavour, "pub_whole").on(processors);
            assert_eq!(run.succeed().stdout, "ok\n", "{run:?}");
        }
    }
}

#[test]
fn bsp_headers_compile_in_every_language() {
    let directory = empty_directory();
    let languages = [("cc", "-std=c99", "c"), ("cc", "-std=c17", "c"), ("c++", "-std=c++17", "c++")];
    for (compiler, standard, language) in languages {
        for source in ["#include <bsp.h>\n#include <bsp.h>\n", "#include <pub.h>\n#include <pub.h>\n"] {
            let path = directory.join("header.c");
            fs::write(&path, source.to_owned() + "int nothing;\n").expect("a source file can be written");
            for dialect in ["-UCLL_BSP_MODERN", "-DCLL_BSP_MODERN"] {
                compile(
                    std::process::Command::new(compiler)
                        .args([standard, dialect, "-x", language, "-c"])
                        .args(crate::support::WARNINGS)
                        .arg("-I")
                        .arg(root().join("include"))
                        .arg(&path)
                        .arg("-o")
                        .arg(directory.join("header.o")),
                );
            }
        }
    }
    fs::remove_dir_all(&directory).expect("the directory can be removed");
}
