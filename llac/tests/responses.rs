//! What a formula describes: the time, or a counter, as the directive or the user says.

use llac::{MemoryWorkspace, Page, Session};

/// f takes N ms on the wall and N/2 ms of the processor, and has 3 N page faults; g has no counters.
fn trace(observable: &str) -> String {
    let mut text = format!(
        "# call-trace 1\n# program: x\n# source: x.c\n# kind: sequential\n# transport: none\n# processors: 1\n\
         # experiment: f\n# formula: f[0]*N\n# variables: N\n# counters: page-faults task-clock\n{observable}\
         # experiment: g\n# formula: g[0]*N\n# variables: N\nexperiment processor P N page-faults task-clock time_s\n"
    );
    for n in 1..=9 {
        text += &format!("f 0 1 {n} {} {} 0.{n:03}000000\n", 3 * n, 500_000 * n);
        text += &format!("g 0 1 {n} nan nan 0.{n:03}000000\n");
    }
    text + "# end rows=18\n"
}

fn answer(observable: &str, lines: &[&str]) -> String {
    let mut session = Session::new(Box::new(MemoryWorkspace::with([("x.dat", trace(observable))])));
    let run = |line: &&str| match session.run(line) {
        Ok(outcome) => outcome.render(&Page::plain(1000)),
        Err(error) => error.render(line),
    };
    lines.iter().map(run).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_counter_is_what_the_formula_describes() {
    let times = answer("", &["load x.dat", "predict f N=4"]);
    assert!(times.contains("f(N=4) = 4 ms"), "{times}");
    let faults = answer("", &["load x.dat time=page-faults", "predict f N=4", "predict g N=4"]);
    assert!(faults.contains("f(N=4) = 12") && faults.contains("page-faults"), "{faults}");
    // Where the counter is not counted, the time stays, which is said.
    assert!(faults.contains("g(N=4) = 4 ms"), "{faults}");
    assert!(faults.contains("x.dat: `page-faults` was not counted in `g`, read as without it"), "{faults}");
    let busy = answer("", &["load x.dat time=task-clock", "predict f N=4", "fit f"]);
    assert!(busy.contains("f(N=4) = 2 ms") && !busy.contains("than that of the processor"), "{busy}");
    let said = answer("# observable: page-faults\n", &["load x.dat", "predict f N=4"]);
    assert!(said.contains("f(N=4) = 12") && said.contains("page-faults"), "{said}");
    let time = answer("# observable: page-faults\n", &["load x.dat time=time", "predict f N=4"]);
    assert!(time.contains("f(N=4) = 4 ms"), "{time}");
}

/// The warning of `fit` names the command; typed where the file is loaded already, it must not leave the fit as it was in silence.
#[test]
fn a_file_that_is_loaded_is_not_taken_for_what_other_options_say() {
    let lines =
        ["load x.dat", "load x.dat time=task-clock", "load x.dat time=task-clock as busy", "predict f N=4"];
    let shown = answer("", &lines);
    assert!(shown.contains("x.dat is loaded already, with other options"), "{shown}");
    assert!(shown.contains("`load x.dat … as NAME` reads it into a data set of its own"), "{shown}");
    assert!(shown.contains("f(N=4) = 2 ms"), "{shown}");
    let same = answer("", &["load x.dat time=task-clock", "load *.dat time=task-clock"]);
    assert!(same.contains("note: x.dat is loaded already"), "{same}");

    // Times of two clocks are no samples of one experiment.
    let files = ["a.dat", "b.dat"].map(|name| (name, trace("")));
    let mut session = Session::new(Box::new(MemoryWorkspace::with(files)));
    session.run("load a.dat").unwrap();
    let line = "load b.dat time=task-clock";
    let told = session.run(line).unwrap_err().render(line);
    assert!(told.contains("measured in seconds in a.dat, but in seconds of `task-clock` in b.dat"), "{told}");
}

#[test]
fn a_counter_that_is_not_there_is_told() {
    let shown = answer("", &["load x.dat time=nosuch"]);
    assert!(
        shown.contains("x.dat: `f` has no counter `nosuch`; it has `page-faults`, `task-clock`"),
        "{shown}"
    );
}

#[test]
fn time_that_was_not_the_processors_is_told() {
    let shown = answer("", &["load x.dat", "fit f"]);
    assert!(
        shown.contains(
            "the time between begin and end is 100 % longer than that of the processor (`task-clock`): if others used the \
             computer, fit the time of the processor: `load … time=task-clock`; if the block waits for messages, threads or disks, the \
             time on the wall is right"
        ),
        "{shown}"
    );
}

#[test]
fn the_newest_formula_counts() {
    let of = |date: &str, formula: &str| {
        trace("").replace("# kind:", &format!("# date: {date}\n# kind:")).replace("f[0]*N", formula)
    };
    let files = [
        ("new.dat", of("2026-02-01T00:00:00Z", "f[0] + f[1]*N")),
        ("old.dat", of("2026-01-01T00:00:00Z", "f[0]*N")),
    ];
    let mut session = Session::new(Box::new(MemoryWorkspace::with(files)));
    let shown = session.run("load new.dat old.dat").unwrap().render(&Page::plain(1000));
    let told = "warning: the formula of f has changed: `f[0] + f[1]*N` of new.dat counts, `f[0]*N` of old.dat is older";
    assert!(shown.contains(told), "{shown}");
    let fitted = session.run("fit f").unwrap().render(&Page::plain(1000));
    assert!(fitted.contains("f[1]"), "{fitted}");
}

/// What the threads of a process do together is longer than what one of them does, whoever else uses the computer.
#[test]
fn the_clock_of_the_process_is_a_time_and_is_not_taken_for_the_wall() {
    let counted = trace("").replace("task-clock", "process-clock").replace("page-faults", "task-clock");
    let mut session = Session::new(Box::new(MemoryWorkspace::with([("x.dat", counted)])));
    let mut run = |line: &str| session.run(line).unwrap().render(&Page::plain(1000));
    run("load x.dat time=process-clock");
    let (fitted, predicted) = (run("fit f"), run("predict f N=4"));
    assert!(!fitted.contains("longer than that of the processor"), "{fitted}");
    assert!(predicted.contains("f(N=4) = 2 ms"), "{predicted}");
}

#[test]
fn files_respond_as_the_samples_that_they_are_compared_with() {
    let shown = answer("", &["load x.dat time=task-clock", "compare f x.dat", "compare f x.dat time=time"]);
    assert!(shown.contains("largest error 0.00 %") && shown.contains("largest error 50.00 %"), "{shown}");
}
