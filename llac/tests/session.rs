//! The command language: every command, its errors with place and cure, and the transcript of a whole session.

use std::fmt::Write;

use crate::transcript::transcript;
use llac::{MemoryWorkspace, Session};

/// A trace of the paper's f with planted constants, on one number of processors.
fn trace(processors: u32, noise: f64) -> String {
    let mut rows = String::new();
    let mut count = 0;
    let p = f64::from(processors);
    for exponent in 10..18 {
        let n = f64::from(1 << exponent);
        for processor in 0..processors {
            let time = 2e-6 + 5e-6 * p.ln() + 3e-9 * (n / p) * (n / p).ln() + 8e-9 * n * (p - 1.0) / p;
            let wobble = 1.0 + noise * f64::from((exponent * 7 + processor * 3) % 5) / 5.0;
            writeln!(rows, "f {processor} {processors} {n} {:.9}", time * wobble).unwrap();
            count += 1;
        }
    }
    format!(
        "# call-trace 1\n# program: fft\n# source: fft.c\n# command: ./fft\n# date: 2026-11-21T09:30:00Z\n# host: node7\n\
         # system: Linux 6.1.0 x86_64\n# cpu: a processor\n# cores: 64\n# compiler: gcc 12.2.0\n# flags: -O2\n# kind: PUB\n\
         # transport: embedded\n# processors: {processors}\n# clock: CLOCK_MONOTONIC\n# clock_resolution_ns: 1\n# empty_pair_ns: 46\n\
         # experiment: f\n# formula: f[0] + f[1]*log(P) + f[2]*(N/P)*log(N/P) + f[3]*N*(P - 1)/P\n# variables: N\n# lines: 105-109\n\
         experiment processor P N time_s\n{rows}# end rows={count}\n"
    )
}

fn session() -> Session {
    let files: Vec<(String, String)> = [1, 2, 4, 8]
        .iter()
        .enumerate()
        .map(|(number, processors)| (format!("fft.call.{number}.dat"), trace(*processors, 0.0)))
        .chain([
            ("noisy.dat".to_owned(), trace(16, 0.1)),
            ("cut.dat".to_owned(), trace(2, 0.0)[..60].to_owned()),
            ("foreign.dat".to_owned(), "time,size\n1,2\n".to_owned()),
            ("other.dat".to_owned(), trace(2, 0.0).replace("f[0] + f[1]*log(P)", "f[0]")),
        ])
        .collect();
    Session::new(Box::new(MemoryWorkspace::with(files)))
}

#[test]
fn a_whole_session() {
    let lines = [
        "help",
        "load fft.call.*.dat",
        "experiments",
        "show",
        "show f 3",
        "fit f",
        "aleph f",
        "aleph f[2]",
        "predict f N=2097152 P=32",
        "predict f N=65536,131072 P=1:32:2",
        "compare f",
        "compare f noisy.dat",
        "plot f N picture.svg",
        "set",
        "set weights absolute",
        "help fit",
        "# a comment",
        "quit",
    ];
    insta::assert_snapshot!(transcript(&mut session(), &lines));
}

#[test]
fn mistakes_are_told_with_place_and_cure() {
    let lines = [
        "fits f",
        "xyzzy",
        "fit f",
        "load",
        "load nothing.dat",
        "load cut.dat",
        "load foreign.dat",
        "load fft.call.0.dat 'unclosed",
        "load fft.call.1.dat",
        "load fft.call.1.dat",
        "load other.dat",
        "fit g",
        "fit",
        "aleph f[9]",
        "aleph f[x]",
        "predict f",
        "predict f N=4096",
        "predict f N=4096 P=two",
        "predict f N=4096 Q=2",
        "predict f N=4096 N=4 P=2",
        "predict f N 4096",
        "predict f N=1:8:1 P=2",
        "compare f nothing.dat",
        "plot f M",
        "plot f N f.png",
        "set eror 5",
        "set error five",
        "set error",
        "show f many",
        "experiments now",
        "help ft",
    ];
    insta::assert_snapshot!(transcript(&mut session(), &lines));
}

#[test]
fn an_error_leaves_the_session_as_it_was() {
    let mut session = session();
    session.run("load fft.call.0.dat").unwrap();
    assert!(session.run("load fft.call.1.dat cut.dat").is_err());
    let shown = session.run("show").unwrap().to_plain_text();
    assert!(shown.contains("fft.call.0.dat") && !shown.contains("fft.call.1.dat"), "{shown}");
}

#[test]
fn all_stands_for_all_experiments() {
    let mut session = session();
    session.run("load fft.call.*.dat").unwrap();
    for command in ["fit", "judge"] {
        let all = session.run(&format!("{command} all")).map(|shown| shown.to_plain_text());
        assert_eq!(all, session.run(command).map(|shown| shown.to_plain_text()), "{command}");
        assert!(all.is_ok_and(|shown| shown.contains("f[0]")), "{command}");
    }
}

#[test]
fn show_names_the_library_of_mpi() {
    let over_mpi =
        trace(2, 0.0).replace("# transport: embedded\n", "# transport: MPI\n# mpi: MPICH Version: 4.0.2\n");
    let files = vec![("mpi.dat".to_owned(), over_mpi), ("here.dat".to_owned(), trace(1, 0.0))];
    let mut session = Session::new(Box::new(MemoryWorkspace::with(files)));
    session.run("load mpi.dat here.dat").unwrap();
    let shown = session.run("show").unwrap().to_plain_text();
    assert_eq!(shown.matches("  MPI       MPICH Version: 4.0.2\n").count(), 1, "{shown}");
    assert_eq!(shown.matches("  MPI ").count(), 1, "{shown}");
}

#[test]
fn show_counts_supersteps() {
    let names = "# superstep machine depth place start_s computing_s waiting_s communicating_s recording_s \
        out_bytes in_bytes out_messages in_messages partners\n";
    let places = ["in step < main\n", "in step < run < main\n"];
    let section = |processor: usize| {
        let place =
            format!("# place 1: bsp_sync a.c:7 in main\n# place 2: bsp_sync a.c:9 {}", places[processor]);
        let superstep = "# 1 0-1.0 0 1 0 0 0 0 0 0 0 0 0 -\n".repeat(2 - processor);
        format!("# supersteps of processor {processor}, clock common\n{place}{names}{superstep}")
    };
    let sections = format!("{}{}# end", section(0), section(1));
    let files = vec![("a.dat".to_owned(), trace(2, 0.0).replace("# end", &sections))];
    let mut session = Session::new(Box::new(MemoryWorkspace::with(files)));
    session.run("load a.dat").unwrap();
    let shown = session.run("show").unwrap().to_plain_text();
    assert!(shown.contains("  supersteps: 2 on 2 processors, 3 places\n"), "{shown}");
}

#[test]
fn completion_knows_the_names() {
    let mut session = session();
    session.run("load fft.call.0.dat").unwrap();
    for (line, start, words, files) in [
        ("", 0, Session::commands().collect(), false),
        ("p", 0, vec!["program", "predict", "profile", "page", "plot"], false),
        ("load ", 5, vec![], true),
        ("fit ", 4, vec!["f"], false),
        ("aleph f[", 6, vec!["f[0]", "f[1]", "f[2]", "f[3]"], false),
        ("predict f ", 10, vec!["P=", "N="], false),
        ("predict f N", 10, vec!["N="], false),
        ("plot f N", 7, vec!["N"], false),
        ("plot re", 5, vec!["residuals", "replay"], false),
        ("fit f where ", 12, vec!["N", "P", "processor", "run", "time"], false),
        ("fit f wh", 6, vec!["where"], false),
        ("fit f into ", 11, vec![], true),
        ("data ", 5, vec!["data"], false),
        ("let x = N/P", 8, vec![], false),
        ("set w", 4, vec!["weights"], false),
        ("set weights ", 12, vec!["automatic", "relative", "absolute", "repetitions"], false),
        ("help al", 5, vec!["aleph"], false),
        ("quit ", 5, vec![], false),
        ("load 'x", 7, vec![], false),
    ] {
        let found = session.complete(line);
        assert_eq!(
            (found.start, found.words.iter().map(String::as_str).collect::<Vec<_>>(), found.files),
            (start, words, files),
            "{line:?}"
        );
    }
}

mod properties {
    use proptest::prelude::*;

    /// Words that stand in commands, and others.
    fn word() -> impl Strategy<Value = String> {
        let known = [
            "f",
            "g",
            "f[2]",
            "N",
            "P",
            "time",
            "N=8",
            "P=1:8:2",
            "N=",
            "where",
            "into",
            "and",
            "or",
            "not",
            "(",
            ")",
            "<=",
            "=",
            "<",
            "1",
            "-1",
            "1e999",
            "0",
            "x.csv",
            "x.tex",
            "x.json",
            "x.txt",
            "x.svg",
            "fft.call.0.dat",
            "*.dat",
            "as",
            "all",
            "a[0] + a[1]*N",
            "N*",
            "'",
            "\"",
            "\\",
            "#",
            "weights",
            "absolute",
            "error",
            "3-9",
            "data",
            "other.f",
        ];
        prop_oneof![8 => prop::sample::select(known.to_vec()).prop_map(str::to_owned), 1 => "\\PC{0,12}"]
    }

    fn line() -> impl Strategy<Value = String> {
        let commands: Vec<&str> = llac::Session::commands().collect();
        (prop::sample::select(commands), prop::collection::vec(word(), 0..7))
            .prop_map(|(command, words)| format!("{command} {}", words.join(" ")))
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]
        #[test]
        fn no_lines_make_the_session_panic(lines in prop::collection::vec(line(), 1..12)) {
            let mut session = super::session();
            session.run("load fft.call.0.dat fft.call.1.dat").unwrap();
            for line in lines {
                session.complete(&line);
                match session.run(&line) {
                    Ok(outcome) => drop(llac::json::outcome(&outcome)),
                    Err(error) => prop_assert!(!error.render(&line).is_empty()),
                }
            }
        }
    }
}
