//! Experiments by hand: the macros of call.h and call.hpp and the module of Fortran compile in every language, measure, and vanish with
//! CLL_DISABLE.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::support::{Flavour, Trace, WARNINGS, compile, empty_directory, root, runtime_object};

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
    let runtime = runtime_object(Flavour::Plain);
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

/// Runs a program with the counting clock.
fn run(executable: &Path, directory: &Path) -> Output {
    Command::new(executable)
        .current_dir(directory)
        .env("CALL_CLOCK", "counting")
        .output()
        .expect("it can be started")
}

/// The trace of a program that is run once, and its rows.
fn measured(executable: &Path, directory: &Path, trace: &str) -> (Trace, Vec<String>) {
    let output = run(executable, directory);
    assert!(output.status.success(), "{output:?}");
    let path = directory.join(trace);
    let trace = Trace::read(&std::fs::read_to_string(&path).expect("there is a trace"));
    std::fs::remove_file(&path).expect("it can be removed");
    let rows = trace.rows.iter().map(|row| row.join(" ")).collect();
    (trace, rows)
}

#[test]
fn scopes_of_cpp() {
    let directory = empty_directory();
    let (runtime, executable) = (runtime_object(Flavour::Plain), directory.join("scopes"));
    let source = root().join("tests/programs/scopes.cpp");
    for standard in ["-std=c++11", "-std=c++14", "-std=c++20"] {
        let strict = [standard, "-Wold-style-cast", "-x", "c++"];
        compile(&mut object(&directory, &strict, &source));
        compile(
            Command::new("c++")
                .args([&directory.join("by_hand.o"), &runtime])
                .args(["-lm", "-pthread", "-o"])
                .arg(&executable),
        );
        let (trace, rows) = measured(&executable, &directory, "scopes.call.0.dat");
        let none = " nan nan nan nan nan nan nan nan nan ";
        let expected = [
            "outer 0 1 1 nan nan nan nan nan nan nan nan 0.000001007".to_owned(),
            format!("inner 0 1{none}0.000000007"),
            "outer 0 1 3 nan nan nan nan nan nan nan nan 0.000003000".to_owned(),
            // Of the loop: in order, then twice by an exception, which has no rows but that of the destructor.
            "outer 0 1 1 nan nan nan nan nan nan nan nan 0.000000018".to_owned(),
            "thrown 0 1 1 nan nan nan nan nan nan nan nan 0.000000013".to_owned(),
            format!("inner 0 1{none}0.000000013"),
            "cleaned 0 1 nan 1 2 3 4.5 5.5 6 7 8 0.000000005".to_owned(),
            "outer 0 1 2 nan nan nan nan nan nan nan nan 0.000000116".to_owned(),
            "cleaned 0 1 nan 1 2 3 4.5 5.5 6 7 8 0.000000005".to_owned(),
            "outer 0 1 3 nan nan nan nan nan nan nan nan 0.000000116".to_owned(),
            "cleaned 0 1 nan 1 2 3 4.5 5.5 6 7 8 0.000000005".to_owned(),
        ];
        assert_eq!(rows, expected, "{standard}");
        assert_eq!(trace.value("abandoned"), Some("4"), "{standard}");

        compile(object(&directory, &strict, &source).arg("-DCLL_DISABLE"));
        compile(Command::new("c++").arg(directory.join("by_hand.o")).arg("-o").arg(&executable));
        let output = run(&executable, &directory);
        assert!(output.status.success() && !directory.join("scopes.call.0.dat").exists(), "{output:?}");
    }
    let right = std::fs::read_to_string(&source).expect("it is there");
    for (wrong, message) in [
        ("CLL_SCOPE(thrown);", "thrown: values are missing"),
        ("CLL_SCOPE(thrown, n, n);", "thrown: as many values as variables"),
    ] {
        let source = directory.join("wrong.cpp");
        std::fs::write(&source, right.replace("CLL_SCOPE(thrown, n);", wrong)).expect("it can be written");
        let output = object(&directory, &["-x", "c++"], &source).output().expect("the compiler is there");
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && told.contains(message), "{wrong}: {told}");
    }
    std::fs::remove_dir_all(&directory).expect("the directory can be removed");
}

/// Compiles a Fortran program with the module.
fn fortran(directory: &Path, source: &Path, more: &[&str], runtime: Option<&Path>) -> PathBuf {
    let executable = directory.join("fortran");
    let module = root().join(call_runtime::FORTRAN_MODULE);
    let strict =
        ["-std=f2008", "-O1", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-Wno-unused-dummy-argument"];
    let mut command = Command::new("gfortran");
    command.current_dir(directory).args(strict).args(more).arg(module).arg(source);
    compile(command.args(runtime).args(["-lm", "-pthread", "-o"]).arg(&executable));
    executable
}

/// Whether there is gfortran, which has to be there where MPI has.
fn has_fortran() -> bool {
    let found = Command::new("gfortran").arg("--version").output().is_ok();
    if !found {
        assert!(std::env::var_os("CALL_TEST_REQUIRE_MPI").is_none(), "gfortran is missing");
        eprintln!("skipped: gfortran");
    }
    found
}

#[test]
fn measurements_in_fortran() {
    if !has_fortran() {
        return;
    }
    let directory = empty_directory();
    let runtime = runtime_object(Flavour::Plain);
    let source = root().join("tests/programs/fortran.F90");
    let executable = fortran(&directory, &source, &["-DCLL_FLAGS=-O1,-g"], Some(&runtime));
    let (trace, rows) = measured(&executable, &directory, "fortran.call.0.dat");
    let none = "nan nan nan nan nan nan nan nan";
    let mut expected = Vec::new();
    for (n, x) in [(1, "0.1"), (2, "0.2"), (3, "0.30000000000000004")] {
        expected.push(format!("outer 0 1 {n} {x} {none} nan 0.00000{n}007"));
        expected.push(format!("inner 0 1 nan nan {none} {n}000000000 0.000000007"));
        expected.push(format!("inner 0 1 nan nan {none} {n}000000000 0.000000000"));
    }
    expected.push(format!("inner 0 1 nan nan {none} -1 0.000000007"));
    expected.push(format!("inner 0 1 nan nan {none} -1 0.000000000"));
    expected.push("eight 0 1 nan nan -1 2 3 4 0.5 0.1 7 9007199254740992 nan 0.000000000".to_owned());
    assert_eq!(rows, expected);
    assert_eq!(trace.values("experiment"), ["outer", "eight", "inner"]);
    assert_eq!(trace.values("formula"), ["outer[0] + outer[1]*n*x", "inner[0]"]);
    let lines = trace.values("lines");
    assert!(lines[0].ends_with("fortran.F90:21-21") && lines[1..] == ["22-22", "35-35 39-39"], "{lines:?}");
    assert_eq!((trace.value("program"), trace.value("source")), (Some("fortran"), Some("fortran.F90")));
    assert_eq!(trace.value("flags"), Some("-O1,-g"));
    assert!(
        trace.value("compiler").is_some_and(|told| told.starts_with("GCC version ")),
        "{:?}",
        trace.header
    );

    // Disabled it needs no runtime.
    let executable = fortran(&directory, &source, &["-DCLL_DISABLE"], None);
    let output = run(&executable, &directory);
    assert!(output.status.success() && !directory.join("fortran.call.0.dat").exists(), "{output:?}");
    std::fs::remove_dir_all(&directory).expect("the directory can be removed");
}

#[test]
fn wrong_uses_in_fortran() {
    if !has_fortran() {
        return;
    }
    let directory = empty_directory();
    let runtime = runtime_object(Flavour::Plain);
    let program = "call cll_program('wrong', CLL_SEQUENTIAL)\n";
    let declared = format!("{program}call e%declare('e', 'e[0]*n', 'n')\n");
    let cases = [
        ("call cll_report()\n".to_owned(), "cll_report is called before cll_program was"),
        ("call e%declare('e', '', 'n')\n".to_owned(), "declare of e is called before cll_program was"),
        (
            format!("{program}call e%begin(1)\n"),
            "a measurement begins of an experiment that was not declared",
        ),
        (format!("{declared}call e%begin()\n"), "begin e: as many values as variables"),
        (format!("{declared}call e%begin(1, 2)\n"), "begin e: as many values as variables"),
        (format!("{declared}call e%begin('1')\n"), "begin e: a value is neither an integer nor a real"),
        (format!("{declared}call e%end()\n"), "no measurement of experiment e"),
        (format!("{declared}call f%declare('e', 'e[0]*n', 'm')\n"), "declared again with the variables `m`"),
        (
            format!("{declared}call f%declare('e', 'e[0]', 'n')\n"),
            "has the formula `e[0]*n` in unknown, but `e[0]`",
        ),
        (format!("{program}call e%declare('a b', '', '')\n"), "`a b` is no name of an experiment"),
        (format!("{program}call e%declare('e', '', 'n n')\n"), "it has two variables `n`"),
        (format!("{program}call e%declare('e', '', 'n 2m')\n"), "`2m` is no name of a variable"),
        (format!("{program}call e%declare('e', '', 'a b c d e f g h i')\n"), "more than 8 variables"),
        (
            format!("{program}call cll_program('other', CLL_OPENMP)\n"),
            "of the kind sequential, but unknown of the kind OpenMP",
        ),
        (
            "call cll_program('wrong', CLL_MPI)\n".to_owned(),
            "unknown is of the kind MPI, but the program was linked",
        ),
        ("call cll_program(' ', CLL_SEQUENTIAL)\n".to_owned(), "the program has no name"),
    ];
    let source = directory.join("wrong.f90");
    // One program for all, as compiling takes long.
    let mut text = "program wrong\nuse cll\ntype(cll_experiment) :: e, f\ncharacter(len=8) :: which\n\
        call get_command_argument(1, which)\nselect case (which)\n"
        .to_owned();
    for (number, (statements, _)) in cases.iter().enumerate() {
        text += &format!("case ('{number}')\n{statements}");
    }
    std::fs::write(&source, text + "end select\nend program\n").expect("it can be written");
    let executable = fortran(&directory, &source, &[], Some(&runtime));
    for (number, (statements, message)) in cases.iter().enumerate() {
        let output = Command::new(&executable)
            .current_dir(&directory)
            .arg(number.to_string())
            .output()
            .expect("it can be started");
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && told.contains(message), "{statements}: {output:?}");
    }
    std::fs::remove_dir_all(&directory).expect("the directory can be removed");
}
