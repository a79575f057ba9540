//! Sections of supersteps and what they are read as, and every reason to refuse one.

use call_trace::{
    BspMachine, CallSite, Completeness, ContiguousProcessors, Dataset, SourcePosition, SuperstepEnd, read,
};

/// What stands in front of the sections; two rows.
const FRONT: &str = "# call-trace 1\n# program: p\n# processors: 2\n# experiment: f\n# variables:\nexperiment processor P time_s\n\
    f 0 2 0.5\nf 1 2 0.5\n";
const NAMES: &str = "# superstep machine depth place start_s computing_s waiting_s communicating_s recording_s out_bytes in_bytes out_messages \
    in_messages partners\n";
const END: &str = "# end rows=2\n";

/// The section of processor 0, up to its rows, which start in line 13.
const HEAD: &str = "# supersteps of processor 0, clock common\n# place 1: bsp_sync my\\sprogram:c.c:88 in solve < fft < main\n\
    # place 3: bsp_oblsync ? in a\\\\b\n# place 4: report ?\n";

fn file(sections: &str) -> String {
    format!("{FRONT}{sections}{END}")
}

fn check(sections: &str, expected: &str) {
    let message = read(file(sections).as_bytes()).expect_err("the section is wrong").to_string();
    assert_eq!(message, expected, "{sections}");
}

/// A wrong line in the place of the first superstep.
fn row(row: &str) {
    check(
        &format!("{HEAD}{NAMES}{row}\n"),
        &format!("line 14: expected a superstep with its 14 columns, found `{row}`"),
    );
}

#[test]
fn a_section_is_read() {
    let other = format!("# supersteps of processor 1, clock own\n{NAMES}");
    let text = file(&format!(
        "{HEAD}{NAMES}# 1 0-1.0 0 1 0.000000001 1.5 0.25 2 0.125 10 20 3 4 1\n# 2 0-0.12 2 3 2 0 0 0 0 0 0 0 0 -\n\
         # 18446744073709551615 0-9.0 0 4 2 0 0 0 0 0 0 0 0 1-3,5,7-9 a column of later times\n{other}"
    ));
    let trace = read(text.as_bytes()).unwrap();
    assert_eq!(trace.experiments[0].samples.len(), 2);
    let [first, second] = trace.supersteps.as_slice() else { panic!("two sections") };
    assert_eq!((first.processor, first.has_common_clock), (0, true));
    assert_eq!((second.processor, second.has_common_clock), (1, false));
    assert!(second.places.is_empty() && second.supersteps.is_empty());
    let stack = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<String>>();
    let position = SourcePosition { file: "my program:c.c".to_owned(), line: 88 };
    let places = [
        ("bsp_sync", Some(position), stack(&["solve", "fft", "main"])),
        ("bsp_oblsync", None, stack(&["a\\b"])),
        ("report", None, stack(&[])),
    ];
    let places =
        places.map(|(call, position, call_stack)| CallSite { call: call.to_owned(), position, call_stack });
    assert_eq!(first.places, places);
    let one = &first.supersteps[0];
    assert_eq!((one.number, one.machine.to_string(), one.depth, one.place), (1, "0-1.0".to_owned(), 0, 0));
    assert_eq!((one.start_s, one.computing_s, one.waiting_s, one.communicating_s), (1e-9, 1.5, 0.25, 2.0));
    assert!((one.recording_s - 0.125).abs() < 1e-12);
    assert_eq!((one.out_bytes, one.in_bytes, one.out_messages, one.in_messages), (10, 20, 3, 4));
    assert_eq!(one.partners, [ContiguousProcessors { first: 1, last: 1 }]);
    let two = &first.supersteps[1];
    let alone = BspMachine { processors: ContiguousProcessors { first: 0, last: 0 }, number: 12 };
    assert_eq!((two.number, two.machine, two.depth, two.place), (2, alone, 2, 1));
    assert!(two.partners.is_empty());
    let three = &first.supersteps[2];
    assert_eq!((three.number, three.place), (u64::MAX, 2));
    let ranges = [(1, 3), (5, 5), (7, 9)].map(|(first, last)| ContiguousProcessors { first, last });
    assert_eq!(three.partners, ranges);

    let mut dataset = Dataset::new();
    let supersteps = trace.supersteps.clone();
    dataset.add("a.dat", trace).unwrap();
    assert_eq!(*dataset.runs[0].supersteps, supersteps);
}

#[test]
fn a_trace_needs_no_supersteps() {
    assert!(read(file("").as_bytes()).unwrap().supersteps.is_empty());
}

#[test]
fn heads_of_sections() {
    for wrong in [
        "x, clock common",
        "0",
        "0, clock",
        "0, clock fast",
        "-1, clock own",
        ", clock own",
        "4294967296, clock own",
    ] {
        check(
            &format!("# supersteps of processor {wrong}\n{NAMES}"),
            &format!(
                "line 9: expected `# supersteps of processor NUMBER, clock common` or `clock own`, found `# supersteps of \
                 processor {wrong}`"
            ),
        );
    }
    check(
        &format!("{HEAD}{NAMES}# supersteps of processor 0, clock own\n{NAMES}"),
        "line 14: processor 0 has two sections of supersteps",
    );
    check("# superstep of\n", "line 9: expected a row or `# end rows=...`, found `# superstep of`");
}

#[test]
fn places() {
    let wrong = [
        "1 bsp_sync a.c:3 in main",
        "1: bsp_sync",
        "1: bsp_sync a.c in main",
        "1: bsp_sync a.c:x in main",
        "1: bsp_sync a.c:3 main",
        "1: bsp_sync a.c:3 in",
        "1: bsp_sync a.c:3 in f in main",
        "1: bsp_sync a.c:3 in f <",
        "x: bsp_sync a.c:3 in main",
        ": bsp_sync a.c:3 in main",
    ];
    for wrong in wrong {
        check(
            &format!("# supersteps of processor 0, clock own\n# place {wrong}\n{NAMES}"),
            &format!(
                "line 10: expected `# place NUMBER: CALL FILE:LINE in FUNCTION < ...`, found `# place {wrong}`"
            ),
        );
    }
    check(
        &format!("{HEAD}# place 3: bsp_sync ? in main\n{NAMES}"),
        "line 13: expected `# place NUMBER: CALL FILE:LINE in FUNCTION < ...`, found `# place 3: bsp_sync ? in main`",
    );
}

#[test]
fn names_of_columns() {
    for wrong in ["# superstep machine", "# superstepmachine", "f 0 2 0.5"] {
        check(
            &format!("{HEAD}{wrong}\n"),
            &format!(
                "line 13: expected the column names `# superstep machine depth place ... partners`, found `{wrong}`"
            ),
        );
    }
    let longer = NAMES.replace("partners\n", "partners2\n");
    let message = read(file(&format!("{HEAD}{longer}")).as_bytes()).unwrap_err().to_string();
    assert!(message.starts_with("line 13: expected the column names"), "{message}");
    let more = NAMES.replace("partners\n", "partners misses\n");
    let trace =
        read(file(&format!("{HEAD}{more}# 1 0-1.0 0 1 0 0 0 0 0 0 0 0 0 - 17\n")).as_bytes()).unwrap();
    assert_eq!(trace.supersteps[0].supersteps.len(), 1);
}

#[test]
fn supersteps() {
    row("# 1x 0-1.0 0 1 0 0 0 0 0 0 0 0 0 -");
    row("# 1 0-1 0 1 0 0 0 0 0 0 0 0 0 -");
    row("# 1 01.0 0 1 0 0 0 0 0 0 0 0 0 -");
    row("# 1 1-0.0 0 1 0 0 0 0 0 0 0 0 0 -");
    row("# 1 1-2.0 0 1 0 0 0 0 0 0 0 0 0 -"); // a machine without this processor
    row("# 1 0-1.0 +1 1 0 0 0 0 0 0 0 0 0 -");
    row("# 1 0-1.0 0 2 0 0 0 0 0 0 0 0 0 -"); // no such place
    row("# 1 0-1.0 0 1 -1 0 0 0 0 0 0 0 0 -");
    row("# 1 0-1.0 0 1 0 nan 0 0 0 0 0 0 0 -");
    row("# 1 0-1.0 0 1 0 1e308 0 0 0 0 0 0 0 -"); // two of them are infinite
    row("# 1 0-1.0 0 1 0 0 x 0 0 0 0 0 0 -");
    row("# 1 0-1.0 0 1 0 0 0 inf 0 0 0 0 0 -");
    row("# 1 0-1.0 0 1 0 0 0 0 0 1.5 0 0 0 -");
    row("# 1 0-1.0 0 1 0 0 0 0 0 0 0 0 18446744073709551616 -");
    row("# 1 0-1.0 0 1 0 0 0 0 0 0 0 0 0");
    row("# 1 0-1.0 0 1 0 0 0 0 0 0 0 0 0 2"); // outside of the machine
    row("# 1 0-9.0 0 1 0 0 0 0 0 0 0 0 0 3,2");
    row("# 1 0-9.0 0 1 0 0 0 0 0 0 0 0 0 3-2");
    row("# 1 0-9.0 0 1 0 0 0 0 0 0 0 0 0 1,");
}

/// What traces have had since the runtime records it.
#[test]
fn times_inside_experiments() {
    let longer = NAMES.replace("partners\n", "partners experiments inner_waiting_s\n");
    let section = |rows: &str| file(&format!("{HEAD}{longer}{rows}"));
    let front = "0-1.0 0 1 0 3 0 0 0 0 0 0 0 -";
    let text =
        section(&format!("# 1 {front} fft=2.5,B=1 0\n# 2 {front} - 0.25\n# 3 {front} C=0.5,fft=3 0 later\n"));
    let trace = read(text.as_bytes()).unwrap();
    let its = &trace.supersteps[0];
    assert_eq!(its.experiments, Some(vec!["fft".to_owned(), "B".to_owned(), "C".to_owned()]));
    let told: Vec<Vec<(usize, f64)>> = its
        .supersteps
        .iter()
        .map(|step| step.experiments.iter().map(|time| (time.experiment, time.inside_s)).collect())
        .collect();
    assert_eq!(told, [vec![(0, 2.5), (1, 1.0)], vec![], vec![(0, 3.0), (2, 0.5)]]);
    assert_eq!(its.supersteps[1].inner_waiting_s, Some(0.25));
    for wrong in
        ["", "fft 0", "=1 0", "fft=-1 0", "fft=nan 0", "fft=1, 0", "fft=1,B=1,fft=1 0", "fft=1", "- x"]
    {
        let row = format!("# 1 {front} {wrong}");
        let message = read(section(&format!("{row}\n")).as_bytes()).unwrap_err().to_string();
        assert_eq!(message, format!("line 14: expected a superstep with its 16 columns, found `{row}`"));
    }
    // Before that the column was not there.
    let old = read(file(&format!("{HEAD}{NAMES}# 1 {front}\n")).as_bytes()).unwrap();
    assert_eq!(old.supersteps[0].experiments, None);
    assert_eq!(old.supersteps[0].supersteps[0].inner_waiting_s, None);
}

#[test]
fn what_follows_is_the_end() {
    check(
        &format!("{HEAD}{NAMES}f 0 2 0.5\n"),
        "line 14: expected a row or `# end rows=...`, found `f 0 2 0.5`",
    );
}

/// Wherever the cut is, the lines before it are there.
#[test]
fn cut_files_have_the_whole_lines() {
    let text =
        file(&format!("{HEAD}{NAMES}# 1 0-1.0 0 1 0 0 0 0 0 0 0 0 0 1\n# 2 0-1.0 0 1 0 0 0 0 0 0 0 0 0 1\n"));
    assert!(read(text.as_bytes()).is_ok());
    for length in FRONT.len()..text.len() {
        let trace = read(&text.as_bytes()[..length]).unwrap();
        assert!(matches!(trace.completeness, Completeness::Cut { .. }), "{length}: {:?}", trace.completeness);
        let whole = text[..length].lines().filter(|line| line.ends_with("0 0 1")).count();
        let found: usize = trace.supersteps.iter().map(|its| its.supersteps.len()).sum();
        let has_line_feed = text.as_bytes()[length - 1] == b'\n';
        let is_open = text[..length].ends_with("0 0 1") && !has_line_feed;
        assert_eq!(found, whole - usize::from(is_open), "{length}");
    }
}

/// Whatever the runtime calls a place, it is a synchronisation but for what it names without one.
#[test]
fn ends_of_supersteps_are_known_by_their_calls() {
    let end = |call: &str| CallSite { call: call.to_owned(), ..CallSite::default() }.superstep_end();
    for call in
        ["bsp_sync", "bsp_bcast", "bsp_scan", "bsp_sumI", "bsp_any_prefix", "bsp_constantI", "bsp_sortD"]
    {
        assert_eq!(end(call), SuperstepEnd::Barrier, "{call}");
    }
    assert_eq!(end("bsp_oblsync"), SuperstepEnd::Oblivious);
    for call in ["bsp_begin", "bsp_end", "bsp_done", "bsplib_done", "report"] {
        assert_eq!(end(call), SuperstepEnd::Nothing, "{call}");
    }
}

/// What collectives of PUB move before a superstep ends is known of newer runtimes.
#[test]
fn time_to_communicate_before_the_end_of_a_superstep() {
    let names = NAMES.replace("partners\n", "partners experiments inner_waiting_s inner_communicating_s\n");
    let read_row = |row: &str| {
        read(file(&format!("{HEAD}{names}# 1 0-1.0 0 1 0 3 0 2 0 0 0 0 0 - - 0{row}\n")).as_bytes())
    };
    assert_eq!(read_row(" 0.5").unwrap().supersteps[0].supersteps[0].inner_communicating_s, 0.5);
    assert!(read_row("").is_err() && read_row(" x").is_err());
}
