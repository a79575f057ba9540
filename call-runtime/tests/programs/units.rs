//! Programs of several files, and kinds that do not go together.

use std::process::Command;

use super::available;
use crate::support::{self, ALL, ON_THIS_COMPUTER, Run, WITH_MPI, root};

#[test]
fn several_files_are_one_program() {
    for flavour in available(&ALL) {
        let run = Run::of_files(flavour, &["units", "units_other"]).counting();
        let outcome = run.fail(
            2,
            "call: report: units.c has no experiment `neither`, nor has any file that is linked with it\n",
        );
        assert!(outcome.stdout.starts_with("main\n"), "{outcome:?}");
        assert_eq!(
            run.trace_names(),
            ["units.call.0.dat", "units.call.1.dat", "units_other.call.0.dat"],
            "{outcome:?}"
        );
        let all = run.trace("units_other.call.0.dat");
        assert_eq!(all.value("source"), Some("units_other.c"));
        assert_eq!(all.value("kind"), Some("sequential"));
        assert_eq!(all.values("experiment"), ["here", "both", "other"]);
        assert_eq!(all.values("formula"), ["here[0]*N", "both[0]*N*x"]);
        assert_eq!(all.values("variables"), ["N", "N x", ""]);
        assert_eq!(
            all.values("lines"),
            ["units.c:10-12", r"units.c:20-29 my\sdir/shared:1.h:5-9 20-29", "units.c:3-4 10-12"]
        );
        assert_eq!(all.columns, ["experiment", "processor", "P", "N", "x", "time_s"]);
        let here = ["here", "0", "1", "7", "nan", "0.000000001"];
        let both = ["both", "0", "1", "9007199254740992", "0.25", "0.000000002"];
        let other = ["other", "0", "1", "nan", "nan", "0.000000008"];
        assert_eq!(all.rows, [here, both, ["both", "0", "1", "1.5", "-3", "0.000000012"], other]);

        let only_both = run.trace("units.call.0.dat");
        assert_eq!(only_both.value("source"), Some("units.c"));
        assert_eq!(only_both.values("lines"), [r"20-29 my\sdir/shared:1.h:5-9 units_other.c:20-29"]);
        assert_eq!(only_both.rows, [both]);
        let rest = run.trace("units.call.1.dat");
        assert_eq!(rest.values("experiment"), ["here", "other"]);
        assert_eq!(rest.rows, [["here", "0", "1", "7", "0.000000001"]]);
    }
}

#[test]
fn files_that_contradict_each_other_do_not_start() {
    let cure = "write the same in both files, or give one of them another name";
    let cases = [
        (
            "units_formula",
            format!("experiment both has the formula `both[0]*N*x` in units_other.c, but `both[0]*x` in units_formula.c: {cure}"),
        ),
        (
            "units_variables",
            format!("experiment both has the variables `N`, `x` in units.c, but the variables `N` in units_variables.c: {cure}"),
        ),
        (
            "units_kind",
            "units_other.c is of the kind sequential, but units_kind.c of the kind PUB: the files of a program must have the same \
             `parallel` directive, or none"
                .to_owned(),
        ),
    ];
    for flavour in available(&ALL) {
        for (third, message) in &cases {
            let run = Run::of_files(flavour, &["units", "units_other", third]).counting();
            let outcome = run.fail(2, &format!("call: {message}\n"));
            assert!(!outcome.stdout.starts_with("main") && run.trace_names().is_empty(), "{outcome:?}");
        }
    }
}

#[test]
fn a_file_without_a_directive_is_of_the_kind_of_the_others() {
    for flavour in available(&ALL) {
        let alone = Run::of(flavour, "unsaid");
        alone.succeed();
        assert_eq!(alone.trace("unsaid.call.0.dat").value("kind"), Some("sequential"));
        let run = Run::of_files(flavour, &["unsaid", "units_kind"]);
        run.fail(2, "call: report: no BSP machine is in use");
    }
}

#[test]
fn kinds_that_the_runtime_does_not_have() {
    for flavour in ON_THIS_COMPUTER {
        let message = "call: mpi_kind.c is of the kind MPI, but the program was linked with the runtime for one computer: compile it with \
                       mpicc and link with `call libs --mpi`\n";
        let outcome = Run::of(flavour, "mpi_kind").fail(2, message);
        assert_eq!(outcome.stdout, "");
    }
    for flavour in available(&WITH_MPI) {
        assert_eq!(Run::of(flavour, "mpi_kind").succeed().stdout, "main\n");
    }
    for flavour in available(&ALL) {
        for call in ["none", "use"] {
            Run::of(flavour, "bsplib_kind").with(call).succeed();
        }
        for call in ["sync", "report"] {
            let run = Run::of(flavour, "bsplib_kind").with(call);
            let message = format!(
                "call: {call}: no BSP machine is in use: the call must stand between bsp_begin and bsp_end"
            );
            run.fail(2, &message);
        }
    }
}

#[test]
fn headers_compile_in_every_language() {
    let directory = support::empty_directory();
    let source = root().join("tests/programs/header.c");
    let cases = [
        ("cc", "-std=c99", "-x", "c"),
        ("cc", "-std=c11", "-x", "c"),
        ("cc", "-std=c17", "-x", "c"),
        ("cc", "-std=gnu17", "-x", "c"),
        ("c++", "-std=c++17", "-x", "c++"),
    ];
    for (compiler, standard, language_option, language) in cases {
        for switch in ["-UCLL_DISABLE", "-DCLL_DISABLE"] {
            support::compile(
                Command::new(compiler)
                    .args([standard, switch, language_option, language, "-c"])
                    .args(support::WARNINGS)
                    .arg("-I")
                    .arg(root().join("include"))
                    .arg(&source)
                    .arg("-o")
                    .arg(directory.join("header.o")),
            );
        }
    }
    // As users compile: both files at once, here with other settings than in the other tests.
    let executable = directory.join("header");
    let mut traces = Vec::new();
    for switch in ["-UCLL_DISABLE", "-DCLL_DISABLE"] {
        support::compile(
            Command::new(support::c_compiler())
                .args(["-std=gnu11", "-O0", switch, "-DCLL_FLAGS=-O2,-march=native"])
                .args(support::WARNINGS)
                .arg("-I")
                .arg(root().join("include"))
                .arg(&source)
                .arg(root().join(call_runtime::EMBEDDED_SOURCE))
                .args(["-lm", "-pthread", "-o"])
                .arg(&executable),
        );
        let output = Command::new(&executable)
            .current_dir(&directory)
            .env("CALL_PROCESSORS", "2")
            .output()
            .expect("the program can be started");
        assert!(output.status.success(), "{output:?}");
        traces.push(std::fs::read_to_string(directory.join("header.call.0.dat")).ok());
        let _ = std::fs::remove_file(directory.join("header.call.0.dat"));
    }
    let trace = support::Trace::read(traces[0].as_ref().expect("the program writes a trace"));
    assert_eq!(trace.value("flags"), Some("-O2,-march=native"));
    assert_eq!(trace.rows.len(), 4);
    assert_eq!(traces[1], None, "a disabled program writes no trace");
    std::fs::remove_dir_all(&directory).expect("the directory can be removed");
}
