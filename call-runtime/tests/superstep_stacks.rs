//! Call stacks of supersteps.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::superstep_sections::sections;
use crate::support;
use crate::support::{Flavour, ON_THIS_COMPUTER, Run, root};

/// A program without a directive writes what its supersteps were when it ends; one with directives reports as they say.
#[test]
fn profiles_need_no_directive() {
    for flavour in ON_THIS_COMPUTER {
        let profiled =
            |value: &str| Run::of(flavour, "profiled_bsplib").on(3).variable("CALL_PROFILE", value);
        let run = profiled("1");
        run.succeed();
        // The program has no other name than that of its file; each section has a trace.
        for number in 0..2 {
            let text = run.trace_text(&format!("{flavour:?}-profiled_bsplib.call.{number}.dat"));
            assert!(text.contains("\n# kind: BSPlib\n") && text.ends_with("# end rows=0\n"), "{text}");
            let sections = sections(&text);
            assert_eq!(sections.len(), 3);
            for section in sections {
                let places: Vec<String> = section.rows.iter().map(|row| section.place(row)).collect();
                assert!(places[0].starts_with("bsp_sync profiled_bsplib.c:7 in "), "{places:?}");
                assert_eq!((places.len(), &places[0]), (3, &places[1]));
                assert!(places[2].starts_with("report profiled_bsplib.c:16 in main"), "{places:?}");
            }
        }
        for silent in ["0", ""] {
            assert_eq!(profiled(silent).succeed().stderr, "");
        }
        let directives = Run::of(flavour, "bsplib_rows").on(2).variable("CALL_PROFILE", "1");
        assert_eq!(directives.succeed().stderr.matches("wrote ").count(), 1);
        assert!(directives.trace_text("bsplib_rows.call.0.dat").contains("# supersteps of processor"));
        profiled("on").fail(2, "call: CALL_PROFILE is `on`: it is 1 to record supersteps or 0 not to, or leave the variable unset");
    }
}

/// Forked processors stand above the stack of processor 0, and have its callers all the same.
#[test]
fn call_stacks_of_forked_processors_are_those_of_processor_0() {
    for flavour in ON_THIS_COMPUTER {
        let run = Run::of(flavour, "profiled_init").on(3).variable("CALL_PROFILE", "1");
        run.succeed();
        for number in 0..2 {
            let text = run.trace_text(&format!("{flavour:?}-profiled_init.call.{number}.dat"));
            let sections = sections(&text);
            assert_eq!(sections.len(), 3);
            for section in sections {
                let places: Vec<String> = section.rows.iter().map(|row| section.place(row)).collect();
                let step = "bsp_sync profiled_init.c:15 in step < spmd < solve < main";
                assert_eq!(places, [step, step, "report profiled_init.c:24 in spmd < solve < main"]);
            }
        }
    }
}

/// Compiles a program, and the runtime if that is no object yet.
fn compiled(name: &str, compiler: &str, flags: &[&str], runtime: &Path) -> PathBuf {
    let executable = support::empty_directory().join("program");
    support::compile(
        Command::new(compiler)
            .args(flags)
            .args(support::WARNINGS)
            .arg("-I")
            .arg(root().join("include"))
            .arg(root().join(format!("tests/programs/{name}.c")))
            .arg(runtime)
            .args(["-lm", "-pthread", "-o"])
            .arg(&executable),
    );
    executable
}

/// A stack that is known by where its addresses stand is the one that a walk finds, whatever compilers do with frames.
#[test]
fn known_stacks_are_those_that_are_there() {
    let own = support::c_compiler();
    let (plain, sanitized) =
        (support::runtime_object(Flavour::Plain), support::runtime_object(Flavour::Sanitized));
    let mut cases = vec![(&own[..], vec!["-O0"], plain.clone()), (&own, vec!["-O2"], plain.clone())];
    cases.push((&own, vec!["-O2", "-fno-omit-frame-pointer"], plain));
    cases.push((&own, vec!["-O1", "-fsanitize=address,undefined"], sanitized));
    if support::answers("clang") {
        cases.push(("clang", vec!["-O1"], root().join(call_runtime::EMBEDDED_SOURCE)));
    }
    for (compiler, mut flags, runtime) in cases {
        flags.extend(["-std=gnu17", "-fno-optimize-sibling-calls"]);
        let executable = compiled("known_stacks", compiler, &flags, &runtime);
        let directory = executable.with_file_name("");
        let output = Command::new(&executable).current_dir(&directory).env("CALL_PROFILE", "1").output();
        let output = output.expect("the program can be started");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let trace = std::fs::read_to_string(directory.join("program.call.0.dat"))
            .or_else(|_| std::fs::read_to_string(directory.join("known_stacks.call.0.dat")));
        let trace = trace.expect("there is a trace");
        let section = sections(&trace).remove(0);
        let stacks: HashMap<&str, String> = section
            .places
            .iter()
            .map(|(number, text)| {
                let functions = text.split(" in ").nth(1).expect("places have stacks").split(" < ");
                (number.as_str(), functions.filter(|name| name.len() == 1).collect())
            })
            .collect();
        let told = String::from_utf8_lossy(&output.stdout);
        assert_eq!(told.lines().count(), 20_000);
        for (row, expected) in section.rows.iter().zip(told.lines()) {
            assert_eq!(stacks[row[3].as_str()], expected, "{compiler} {flags:?}, superstep {}", row[0]);
        }
        // A directory that is left over harms nobody.
        let _ = std::fs::remove_dir_all(directory);
    }
}

#[test]
fn a_stripped_program_still_has_its_positions() {
    let flags = ["-std=c99", "-O2", "-s"];
    let runtime = support::runtime_object(Flavour::Plain);
    let executable = compiled("supersteps_pub", &support::c_compiler(), &flags, &runtime);
    let directory = executable.with_file_name("");
    let output = Command::new(&executable).current_dir(&directory).env("CALL_PROCESSORS", "2").output();
    assert!(output.expect("the program can be started").status.success());
    let trace =
        std::fs::read_to_string(directory.join("supersteps_pub.call.0.dat")).expect("there is a trace");
    for section in sections(&trace) {
        for (_, place) in &section.places {
            let words: Vec<&str> = place.split(' ').collect();
            assert!(words[1] == "?" || words[1].contains("supersteps_pub.c:"), "{place}");
            assert!(words[3..].iter().all(|word| !word.starts_with("libc")), "{place}");
            assert!(
                words.iter().any(|word| word.starts_with("program+0x")) || place.ends_with("in main"),
                "{place}"
            );
        }
    }
    // A directory that is left over harms nobody.
    let _ = std::fs::remove_dir_all(directory);
}

#[test]
fn what_ends_supersteps_stands_anywhere() {
    let source = root().join("tests/programs/supersteps_callers.c");
    let directory = support::empty_directory();
    let cases = [("cc", "-std=c99", "c"), ("cc", "-std=gnu17", "c"), ("c++", "-std=c++17", "c++")];
    for (compiler, standard, language) in cases {
        for switch in ["-UCLL_DISABLE", "-DCLL_DISABLE"] {
            let object = directory.join("callers.o");
            support::compile(
                Command::new(compiler)
                    .args([standard, switch, "-x", language, "-c"])
                    .args(support::WARNINGS)
                    .arg("-I")
                    .arg(root().join("include"))
                    .arg(&source)
                    .arg("-o")
                    .arg(object),
            );
        }
    }
    let _ = std::fs::remove_dir_all(directory);
    Run::of(Flavour::Sanitized, "supersteps_callers").variable("CALL_SUPERSTEPS", "1").succeed();
}
