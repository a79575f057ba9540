//! What the words behind the program mean, wherever they stand.

use std::fs;

use super::cli::{Folder, text};

#[test]
fn programs_stand_among_the_files_of_a_command() {
    let folder = Folder::new("programs");
    fs::write(folder.0.join("two.obsp"), "program twice(N) { compute f; compute f }\n").unwrap();
    let named = folder.llac(&["predict", "x.call.*.dat", "two.obsp", "twice", "N=4", "P=2"], "");
    let unnamed = folder.llac(&["predict", "x.call.*.dat", "two.obsp", "N=4", "P=2"], "");
    assert!(text(&named.stdout).contains("twice(N=4, P=2) = 22 µs"), "{}", text(&named.stdout));
    assert_eq!(named.stdout, unnamed.stdout);
    let listed = folder.llac(&["program", "two.obsp"], "");
    assert!(text(&listed.stdout).contains("twice"), "{}", text(&listed.stderr));
    fs::write(folder.0.join("bad.obsp"), "program {").unwrap();
    let bad = folder.llac(&["predict", "bad.obsp", "N=4"], "");
    assert_eq!(bad.status.code(), Some(2));
    assert!(text(&bad.stderr).contains("bad.obsp:1: "), "{}", text(&bad.stderr));
}

/// The lines `N,P,seconds` of 1 ms + 0.2 µs N / P.
fn timings() -> String {
    let points = [1, 2, 4].into_iter().flat_map(|p| [1000, 2000, 4000, 8000].map(|n| (n, p)));
    let rows = points.map(|(n, p)| format!("{n},{p},{:.9}\n", 1e-3 + 2e-7 * f64::from(n) / f64::from(p)));
    "N,P,seconds\n".to_owned() + &rows.collect::<String>()
}

#[test]
fn words_are_what_their_form_says_whatever_files_there_are() {
    let folder = Folder::new("forms");
    fs::create_dir(folder.0.join("fft")).unwrap();
    for (name, text) in [("t.csv", &timings()), ("timings", &timings()), ("fit", &"help quit\n".to_owned())] {
        fs::write(folder.0.join(name), text).unwrap();
    }
    let shown = |words: &[&str]| {
        let output = folder.llac(words, "");
        assert!(output.status.success(), "{words:?}: {}", text(&output.stderr));
        text(&output.stdout)
    };
    // 1 ms + 0.4 ms.
    let told = shown(&["predict", "t.csv", "fft[0]+fft[1]*N/P", "t", "N=8000", "P=4"]);
    assert!(told.contains("t(N=8000, P=4) = 1.4 ms"), "{told}");
    // Files `fft` and `fit` are neither programs nor scripts here.
    fs::write(folder.0.join("x.csv"), timings().replace("N,P", "kernel,N,P").replace('\n', "\nfft,"))
        .unwrap();
    let table = fs::read_to_string(folder.0.join("x.csv")).unwrap();
    fs::write(folder.0.join("x.csv"), table.trim_end_matches("fft,")).unwrap();
    let told = shown(&["predict", "x.csv", "fft[0]+fft[1]*N/P", "fft", "N=8000", "P=4"]);
    assert!(told.contains("fft(N=8000, P=4) = 1.4 ms"), "{told}");
    let formula = "a[0]+a[1]*N/P";
    let fitted = shown(&["fit", "t.csv", formula, "--format", "csv"]);
    assert!(fitted.contains("\nt[0],0.00"), "{fitted}");
    for words in [
        ["fit", "--format=csv", "--data", "timings", formula],
        ["fit", formula, "--format=csv", "--", "timings"],
        ["--format", "csv", "fit", formula, "./timings"],
    ] {
        assert_eq!(shown(&words), fitted.replace("\nt[", "\ntimings["), "{words:?}");
    }
    for words in [&["./fit"][..], &["run", "fit"]] {
        assert!(shown(words).starts_with("quit\n"), "{words:?}");
    }
}

#[test]
fn the_place_of_an_error_is_in_what_was_typed() {
    let folder = Folder::new("places");
    fs::write(folder.0.join("t.csv"), timings()).unwrap();
    fs::write(folder.0.join("timings"), timings()).unwrap();
    for (words, expected) in [
        (
            &["fit", "nofile.csv"][..],
            "llac: error: cannot read nofile.csv: no such file\n  | llac fit nofile.csv\n  |          ^^^^^^^^^^\n",
        ),
        (
            &["fit", "t.csv", "a[0] + a[1]*M"],
            "llac: error: `t` has no variable `M`\n  | llac fit t.csv \"a[0] + a[1]*M\"\n  |                             ^\nhelp: it has P, N\n",
        ),
        (
            &["fit", "t.csv", "--data", "none"],
            "llac: error: cannot read none: no such file\n  | llac fit t.csv --data none\n  |                       ^^^^\n",
        ),
        (
            &["fit", "timings"],
            "  | llac fit timings\n  |          ^^^^^^^\nhelp: load samples first, for example `llac fit timings.csv`; a file that \
             ends otherwise stands behind `--data`\n",
        ),
        // It needs no samples.
        (
            &["advise", "allocation", "runs=4"],
            "llac: error: no variable has values to choose from\n  | llac advise allocation runs=4\n  |                              ^\n\
             help: for example `p0=1..4 p1=1..5`\n",
        ),
        (
            &["fitt", "t.csv"],
            "llac: error: there is neither a command nor a script `fitt`\nhelp: did you mean `llac fit`?\n",
        ),
        (&["t.csv"], "llac: error: t.csv is no script, but has samples\n"),
        (&["nowhere.llac"], "llac: error: cannot read nowhere.llac: no such file\n"),
        (&["-e", "load t.csv", "-e", "fit", "-e", "fit q"], "-e 2: error: experiment `t` has no formula\n"),
        (&["-e", "load t.csv\nfit q"], "-e 1, line 2: error: there is no experiment `q`\n  | fit q\n"),
    ] {
        let output = folder.llac(words, "");
        let told = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{words:?}: {told}");
        assert!(told.contains(expected), "{words:?}: {told}");
    }
    fs::write(folder.0.join("x.llac"), "load t.csv\nformula t = a[0] + a[1]*(N +\n  2*(P + M))\n").unwrap();
    let told = text(&folder.llac(&["x.llac"], "").stderr);
    assert!(
        told.contains("x.llac:3: error: `t` has no variable `M`\n  |   2*(P + M))\n  |          ^\n"),
        "{told}"
    );
}

/// Wherever a trace stands among the words, it is loaded; and a comparison names it as well.
#[test]
fn traces_stand_anywhere() {
    let folder = Folder::new("traces");
    let section = |processor: usize, computing: u32| {
        format!(
            "# supersteps of processor {processor}, clock common\n# place 1: bsp_sync a.c:9 in main\n# superstep machine depth place \
             start_s computing_s waiting_s communicating_s recording_s out_bytes in_bytes out_messages in_messages partners experiments \
             inner_waiting_s\n# 1 0-1.0 0 1 0 {computing} {} 0 0 0 0 0 0 - - 0\n",
            4 - computing
        )
    };
    let trace = format!(
        "# call-trace 1\n# program: a\n# processors: 2\n# experiment: E\n# formula: E[0]\n# variables:\nexperiment processor P time_s\n\
         E 0 2 1\n{}{}# end rows=1\n",
        section(0, 4),
        section(1, 1)
    );
    for name in ["A.dat", "B.dat"] {
        fs::write(folder.0.join(name), &trace).unwrap();
    }
    let shown = |words: &[&str]| {
        let output = folder.llac(words, "");
        assert!(output.status.success(), "{words:?}: {}", text(&output.stderr));
        text(&output.stdout)
    };
    assert!(shown(&["profile", "by", "wait/absolute", "A.dat"]).starts_with("A.dat: 2 processors"));
    assert!(shown(&["profile", "compare", "A.dat", "B.dat"]).contains("B.dat"));
    // CSV has the table that the result is about.
    let csv = shown(&["--format", "csv", "waits", "A.dat"]);
    assert_eq!(
        csv,
        "number,site,call_stack,kind,waits,waiting_s\n1,bsp_sync a.c:9,main,wait at barrier,1,3\n"
    );
    assert!(
        shown(&["--format", "csv", "profile", "A.dat"]).starts_with("node,kind,synchronisations,time_s,")
    );
}

#[test]
fn options_stand_anywhere() {
    let folder = Folder::new("options");
    let words =
        ["--format", "text", "-e", "load x.call.0.dat", "fit", "-e", "where N > 1", "--format", "csv", "f"];
    let shown = text(&folder.llac(&words, "").stdout);
    assert!(shown.starts_with("constant,"), "{shown}");
    let all = text(&folder.llac(&["fit", "x.call.0.dat"], "").stdout);
    assert!(all.contains("4 points"), "{all}");
    let part = text(&folder.llac(&["-e", "load x.call.0.dat", "fit", "-e", "where N > 1"], "").stdout);
    assert!(part.contains("3 points"), "{part}");
}
