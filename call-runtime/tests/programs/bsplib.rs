//! Conformance of BSPlib: each program of tests/programs/bsplib shows one behaviour, and its first comment says how it ends.

use std::fs;

use super::available;
use crate::support::behaviours;
use crate::support::{ALL, Flavour, ON_THIS_COMPUTER, Run, compile, empty_directory, nanoseconds, root};

fn check_all(flavour: Flavour, processors: &[usize], processors_when_wrong: &[usize]) {
    // Under SMPI a processor that exits ends the simulation before anything can be told to the others, and sections end MPI.
    // Processes of MPI are no copies of processor 0.
    let is_left_out = |name: &str| {
        let sections = ["init_and_leave", "begins_again", "begins_again_with_init", "sections_in_a_function"];
        let copies = ["globals_are_known", "some_begin_again", "init_exits_inside", "init_exits_behind"];
        flavour == Flavour::Smpi && sections.contains(&name)
            || flavour.is_over_mpi() && copies.contains(&name)
    };
    behaviours::check_all(flavour, "bsplib", processors, processors_when_wrong, is_left_out);
}

/// Beyond 8 processors barriers go in rounds.
#[test]
fn behaviours_on_this_computer() {
    check_all(Flavour::Plain, &[1, 2, 9], &[1, 2, 9]);
}

#[test]
fn behaviours_under_sanitizers() {
    check_all(Flavour::Sanitized, &[4], &[2]);
}

#[test]
fn behaviours_over_mpi() {
    check_all(Flavour::Mpi, &[4], &[2]);
}

#[test]
fn behaviours_over_mpich() {
    check_all(Flavour::Mpich, &[1], &[2]);
}

#[test]
fn behaviours_over_simulated_mpi() {
    check_all(Flavour::Smpi, &[16], &[]);
}

#[test]
fn storms_of_puts_gets_and_messages() {
    for flavour in available(&ALL) {
        for processors in [1, 3, 9] {
            let supersteps = if flavour == Flavour::Plain { 60 } else { 12 };
            let run = Run::of(flavour, "bsplib_storm").on(processors).with(supersteps).with(processors);
            assert_eq!(run.succeed().stdout, "ok\n", "{run:?}");
        }
    }
}

/// A processor that is a superstep ahead sends already; who gets that does not wait for it at the end of the superstep before.
#[test]
fn what_comes_from_the_next_superstep_holds_nobody_up() {
    if Flavour::Smpi.is_available() {
        let run = Run::of(Flavour::Smpi, "bsplib_ahead").on(16);
        let run = run.launched_by(&["--cfg=smpi/simulate-computation:no"]);
        assert_eq!(run.succeed().stdout, "ok\n", "{run:?}");
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
                if processor == 0 || flavour.is_over_mpi() {
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

/// What `main` does is done once, and a file that it reads is read once, whoever ends meanwhile. The processors of a section are gone
/// when the next one begins: what they have measured is reported then.
#[test]
fn main_goes_on_around_forked_sections() {
    for flavour in available(&ON_THIS_COMPUTER) {
        for processors in [1, 3] {
            let run = Run::of(flavour, "bsplib_init")
                .counting()
                .on(processors)
                .prepared_by("seq 1 3000 > lines && exec < lines");
            let sum: usize = (4..=3000).sum();
            assert_eq!(run.succeed().stdout, format!("before 1 inside 2 inside 3 behind {sum}\n"), "{run:?}");
            let rows = |name: &str| -> Vec<(String, usize, usize, u64)> {
                let number = |text: &String| text.parse().expect("a number");
                let row = |row: &Vec<String>| {
                    (row[0].clone(), number(&row[1]), number(&row[2]), nanoseconds(&row[3]))
                };
                run.trace(name).rows.iter().map(row).collect()
            };
            let mut found = rows("bsplib_init.call.0.dat");
            if processors > 1 {
                found.extend(rows("bsplib_init.call.1.dat"));
            }
            found.sort();
            let mut expected = vec![("before".to_owned(), 0, 1, 5)];
            for processor in 0..processors {
                for time_ns in [100, 200] {
                    expected.push(("inside".to_owned(), processor, processors, time_ns + processor as u64));
                }
            }
            assert_eq!(found, expected, "{run:?}");
            assert_eq!(run.trace_names().len(), if processors > 1 { 2 } else { 1 }, "{run:?}");
        }
    }
}

#[test]
fn processors_that_wait_apart_in_the_runtime() {
    for flavour in available(&ALL) {
        for (case, told) in [("sync", " in sync"), ("report", " in the report (")] {
            let run = Run::of(flavour, "bsplib_apart").on(2).with(case);
            let outcome = run.fail(2, "each waits for the other for ever");
            assert!(outcome.stderr.contains(told), "{outcome:?}");
        }
    }
}

/// Nobody takes what is said on the standard error for a second: the others, which have ended, must not let the one that says it be killed.
#[test]
fn who_tells_the_reason_comes_to_an_end() {
    const UNHEARD: &str =
        "{ head -c 65536 /dev/zero >&2; exec \"$0\" \"$@\"; } 2>&1 >&3 | { sleep 1; tr -d '\\0' >&2; }";
    for flavour in ON_THIS_COMPUTER {
        let run = Run::of(flavour, "bsplib_apart").on(2).with("report");
        let said = run.launched_by(&["sh", "-c", &format!("exec 3>&1; {UNHEARD}")]).succeed().stderr;
        assert!(said.contains("each waits for the other for ever"), "{flavour:?}: {said}");
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
        // In C++ what a pointer points at is found in another way.
        let calls = "#include <bsp.h>\nvoid ask(int *, unsigned *);\nvoid ask(int *left, unsigned *messages)\n\
                     { size_t bytes; bsp_qsize(messages, &bytes); bsp_qsize(left, NULL); bsp_get_tag(&bytes, NULL); }\n";
        for source in [
            "#include <bsp.h>\n#include <bsp.h>\n#include <bsp_level1.h>\n",
            "#include <pub.h>\n#include <pub.h>\n",
            calls,
        ] {
            let path = directory.join("header.c");
            fs::write(&path, source.to_owned() + "int nothing;\n").expect("a source file can be written");
            let dialects = ["-UCLL_BSP_MODERN", "-DCLL_BSP_MODERN"];
            for dialect in &dialects[..if source == calls { 1 } else { 2 }] {
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
