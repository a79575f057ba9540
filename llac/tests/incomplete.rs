//! Traces that are cut, unfinished, summarised, or have counters.

use llac::{MemoryWorkspace, Page, Session};

const HEADER: &str = "# call-trace 1\n# program: x\n# source: x.c\n# command: ./x\n# host: node7\n# kind: MPI\n# transport: MPI\n\
    # processors: 2\n# clock: TSC\n# clock_resolution_ns: 10.5\n# clock_frequency_hz: 2596139781\n\
    # clock_frequency_uncertainty_hz: 2324\n# empty_pair_ns: 30\n# subtracted_ns: 30\n";
const EXPERIMENT: &str = "# experiment: f\n# formula: f[0] + f[1]*N\n# variables: N\n";
const NAMES: &str = "experiment processor P N time_s\n";

fn rows(processor: u32, offset_ns: u32) -> String {
    (1..=4).map(|n| format!("f {processor} 2 {n} 0.{:09}\n", 2000 * n + offset_ns)).collect()
}

fn run(files: &[(&str, String)], lines: &[&str]) -> String {
    let files = files.iter().map(|(name, text)| (*name, text.clone()));
    let mut session = Session::new(Box::new(MemoryWorkspace::with(files)));
    let run = |line: &&str| match session.run(line) {
        Ok(outcome) => outcome.render(&Page::plain(1000)),
        Err(error) => error.render(line),
    };
    lines.iter().map(run).collect()
}

#[test]
fn a_cut_trace_is_loaded_with_a_warning() {
    let text = format!("{HEADER}{EXPERIMENT}{NAMES}{}", rows(0, 3000));
    let shown = run(&[("x.dat", format!("{text}f 0 2 5 0.0"))], &["load x.dat", "predict f N=3", "show"]);
    assert!(
        shown.starts_with(
            "1 file read; now 4 samples of f\n\
             warning: x.dat is incomplete: its end is missing, 4 rows were read (the run was \
             killed, or the disk was full)\nf(N=3) = 9 µs"
        ),
        "{shown}"
    );
    assert!(
        shown.contains("\nx.dat\n  is incomplete: its end is missing, 4 rows were read (the run was killed, or the disk was full)\n"),
        "{shown}"
    );
    let shown = run(&[("x.dat", format!("{text}# end rows=9\n"))], &["load x.dat"]);
    assert!(
        shown.ends_with(
            "warning: x.dat is incomplete: it speaks of 9 rows, 4 rows were read (lines were added or lost)\n"
        ),
        "{shown}"
    );
}

#[test]
fn files_of_an_unfinished_run_are_one_run() {
    let header = HEADER.replace("# processors: 2", "# processors: 1\n# unfinished: 4711");
    let part = |processor, offset_ns| format!("{header}{EXPERIMENT}{NAMES}{}", rows(processor, offset_ns));
    let files = [("a.dat", part(0, 3000)), ("b.dat", part(1, 5000)), ("c.dat", part(2, 4000))];
    let lines = ["load a.dat b.dat", "load c.dat", "load b.dat", "predict f N=3", "fit f", "show"];
    let shown = run(&files, &lines);
    assert!(
        shown.starts_with(
            "2 files read; now 8 samples of f\n\
             warning: a.dat holds what a run had measured so far: 4 rows; it has not reported \
             (it was killed, or still runs)\n\
             warning: b.dat holds what a run had measured so far: 4 rows; it has not reported \
             (it was killed, or still runs)\n1 file read; now 12 samples of f\n"
        ),
        "{shown}"
    );
    assert!(shown.contains("note: b.dat is loaded already"), "{shown}");
    assert!(
        shown.replace(".00 µs", " µs").contains("f(N=3) = 11 µs"),
        "the slowest processor's times: {shown}"
    );
    assert!(shown.contains("4 points: the slowest processor"), "{shown}");
    assert!(
        shown.contains(
            "\na.dat\n  and       b.dat c.dat\n  holds what a run had measured so far: 12 rows; it has not reported (it was killed, or still runs)\n"
        ),
        "{shown}"
    );
    assert!(shown.contains("on 3 processors"), "{shown}");
    // Which file a row is from is not kept.
    let rows = run(&files, &["load a.dat b.dat c.dat", "show f 5"]);
    assert!(rows.contains("a.dat and 2 more          1  2  1"), "{rows}");
}

/// A run may be killed when its report is there and what it had saved before not yet gone.
#[test]
fn a_report_comes_before_what_its_run_had_saved() {
    let report = HEADER.replace("# processors: 2", "# processors: 1\n# run: 4711\n# reports: 1");
    let saved = HEADER.replace("# processors: 2", "# processors: 1\n# unfinished: 4711");
    let whole = |header: String| format!("{header}{EXPERIMENT}{NAMES}{}", rows(0, 3000));
    let files =
        [("x.call.0.dat", whole(report) + "# end rows=4\n"), ("x.call.unfinished.vm.12.dat", whole(saved))];
    for line in
        ["load x.call.0.dat x.call.unfinished.vm.12.dat", "load x.call.unfinished.vm.12.dat x.call.0.dat"]
    {
        let shown = run(&files, &[line]);
        assert!(shown.starts_with("2 files read; now 4 samples of f\n"), "{shown}");
    }
    let shown = run(&files, &["load x.call.unfinished.vm.12.dat", "load x.call.0.dat"]);
    assert!(shown.contains("load the report first"), "{shown}");
}

#[test]
fn the_clock_is_shown_whole() {
    let text = format!("{HEADER}{EXPERIMENT}{NAMES}{}# end rows=4\n", rows(0, 0));
    let shown = run(&[("x.dat", text)], &["load x.dat", "show"]);
    let clock = "  clock     TSC of 2596139781 ± 2324 Hz, steps of 10.5 ns, an empty measurement records 30 ns, \
                 30 ns are taken off each time\n";
    assert!(shown.contains(clock), "{shown}");
}

#[test]
fn summaries_are_fitted_as_the_repetitions_are_folded() {
    let header = HEADER.replace("# processors: 2", "# processors: 2\n# summaries: 2");
    let names = NAMES.replace("time_s", "time_s count sum_s sum_squares_s2 min_s max_s");
    let mut rows = String::new();
    for n in 1..=4 {
        // 1000 measurements with a mean of 3 N + 1 µs, a minimum of N + 1 µs; those kept are 2 N + 1 µs.
        let us = |factor: i32| f64::from(factor * n + 1) * 1e-6;
        rows += &format!("f 0 2 {n} {:.9} 1000 {:.9} 0 {:.9} 1\n", us(3), 1000.0 * us(3), us(1));
        rows += &format!("f 0 2 {n} {0:.9} 0 0 0 0 0\nf 0 2 {n} {0:.9} 0 0 0 0 0\n", us(2));
    }
    let text = format!("{header}{EXPERIMENT}{names}{rows}# end rows=12\n");
    for (repetitions, time, points) in
        [("minimum", 11, 4), ("median", 21, 4), ("mean", 31, 4), ("each", 21, 8)]
    {
        let set = format!("set repetitions {repetitions}");
        let shown = run(&[("x.dat", text.clone())], &["load x.dat", &set, "fit f", "predict f N=10"]);
        // The last bits of a time say whether it has decimals.
        let exact = shown.replace(".00 µs", " µs");
        assert!(exact.contains(&format!("f(N=10) = {time} µs")), "{repetitions}: {shown}");
        assert!(shown.contains(&format!("{points} points")), "{repetitions}: {shown}");
    }
    let chosen = run(&[("x.dat", text.clone())], &["load x.dat", "show f into x.summaries.csv"]);
    assert!(chosen.contains("wrote x.summaries.csv"), "{chosen}");
    let shown = run(&[("x.dat", text)], &["load x.dat", "experiments", "show f 1"]);
    assert_eq!(
        shown,
        "1 file read; now 8 samples and 4 summaries of f\n  \
         experiment  samples  summaries  columns  formula\n  \
         ──────────  ───────  ─────────  ───────  ─────────────\n  \
         f                 8          4  P N      f[0] + f[1]*N\n  \
         trace  processor  P  N  count  mean  shortest  longest\n  \
         ─────  ─────────  ─  ─  ─────  ────  ────────  ───────\n  \
         x.dat          0  2  1   1000  4 µs      2 µs      1 s\n  \
         … 3 more\n  \
         trace  processor  P  N  sample  time\n  \
         ─────  ─────────  ─  ─  ──────  ────\n  \
         x.dat          0  2  1       1  3 µs\n  \
         … 7 more\n"
    );
}

#[test]
fn counters_are_shown_beside_the_times() {
    let names = NAMES.replace("time_s", "cycles misses time_s");
    let text = format!(
        "{HEADER}{EXPERIMENT}# counters: cycles misses\n{names}f 0 2 8 1000 nan 0.000001000\n# end rows=1\n"
    );
    let shown = run(&[("x.dat", text)], &["load x.dat", "show f", "predict f Q=1"]);
    assert!(
        shown.contains(
            "  trace  processor  P  N  sample  time  cycles   misses\n  \
             ─────  ─────────  ─  ─  ──────  ────  ──────  ───────\n  \
             x.dat          0  2  8       1  1 µs    1000  unknown\n"
        ),
        "{shown}"
    );
}

/// Two processors, of which 0 was measured in full and 1 in part: 1 execution of 1 µs, and 99 of 3 µs.
const THINNED: &str = "# budget: 0.02\n# pair_cost_ns: 62\n# measuring_share: 0.0213\n";

/// Extra-P cannot say for how many executions a row stands: it gets the mean of all of them.
#[test]
fn extra_p_gets_means_of_a_budget() {
    let names = NAMES.replace("time_s", "time_s executions");
    // At 5 one execution of 2 ns and 99 of 200 ns, at 6 one of 4 and 99 of 400: 198.02 and 396.04 ns.
    let rows = "f 0 2 5 2e-9 1\nf 0 2 5 200e-9 99\nf 0 2 6 4e-9 1\nf 0 2 6 400e-9 99\n";
    let rows = format!("{HEADER}{THINNED}{EXPERIMENT}{names}{rows}# end rows=4\n");
    let header = HEADER.replace("# processors: 2", "# processors: 2\n# summaries: 2");
    let names = NAMES.replace("time_s", "time_s count sum_s sum_squares_s2 min_s max_s");
    let sums = "f 0 2 5 198e-9 100 19.802e-6 4e-12 2e-9 200e-9\nf 0 2 5 2e-9 0 0 0 0 0\n\
        f 0 2 6 396e-9 100 39.604e-6 16e-12 4e-9 400e-9\nf 0 2 6 4e-9 0 0 0 0 0\n";
    let sums = format!("{header}{EXPERIMENT}{names}{sums}# end rows=4\n");
    for (text, ending) in [(&rows, "txt"), (&rows, "jsonl"), (&sums, "txt")] {
        let file = format!("o.extra-p.{ending}");
        let lines =
            ["load x.dat", &format!("export f {file}"), &format!("load {file} as again"), "show again.f 5"];
        let shown = run(&[("x.dat", text.clone())], &lines);
        for wanted in ["of `f` the mean of each run at each point is written", "198.0 ns", "396.0 ns"] {
            assert!(shown.contains(wanted), "{ending}: `{wanted}` in {shown}");
        }
    }
}

#[test]
fn rows_of_a_budget_stand_for_their_executions() {
    let names = NAMES.replace("time_s", "time_s executions");
    let rows =
        "f 0 2 5 0.000001000 1\nf 0 2 5 0.000003000 99\nf 1 2 5 0.000004000 100\nf 0 2 6 0.000002000 1\n";
    let text = format!("{HEADER}{THINNED}{EXPERIMENT}{names}{rows}# end rows=4\n");
    let lines = ["load x.dat", "experiments", "show f", "show"];
    let shown = run(&[("x.dat", text.clone())], &lines);
    assert!(shown.starts_with("1 file read; now 4 samples of f\n"), "{shown}");
    for wanted in [
        "executions",
        "201",
        "measuring 2.1 % of the time, of 2 % that it might take, each measurement 62 ns",
        // (4·100 + 2·1) of the slowest, over ((0.01·1 + 0.99·3 + 4)/2·100 + 2) on average
        "1.145",
        "one measurement of f at ",
        " stands for 100 of 200 executions: how often it was executed there is known roughly",
    ] {
        assert!(shown.contains(wanted), "`{wanted}` in {shown}");
    }
    // The budget was missed, and why.
    let missed = run(&[("x.dat", text.replace("share: 0.0213", "share: 0.0413"))], &["load x.dat"]);
    assert!(
        missed.contains("x.dat: measuring took 4.1 % of the time, more than the budget of 2 %: "),
        "{missed}"
    );
    assert!(!missed.contains("CALL_BUDGET"), "{missed}");
    let wrong = run(&[("x.dat", text.replace("000004000 100", "000004000 0"))], &["load x.dat"]);
    assert!(wrong.contains("found `0`"), "{wrong}");
}

#[test]
fn experiments_that_are_too_fine_are_named() {
    let rows =
        "f 0 2 5 0.000000130\nf 0 2 5 0.000000130\ng 0 2 0.000050000\n".replace("g 0 2 ", "g 0 2 nan ");
    let header = HEADER.replace("# subtracted_ns: 30\n", "");
    let of = |facts: &str| {
        let text =
            format!("{header}{facts}{EXPERIMENT}# experiment: g\n# variables:\n{NAMES}{rows}# end rows=3\n");
        run(&[("x.dat", text)], &["load x.dat"])
    };
    let shown = of("# pair_cost_ns: 60.5\n# measuring_share: 0.31\n");
    assert!(
        shown.contains(
            "x.dat: measuring took 31 % of the time; too fine for it: f (100 ns): measure coarser blocks, or run it with `CALL_BUDGET=1%`, \
             which measures a part of their executions"
        ),
        "{shown}"
    );
    // What costs next to nothing is not worth a word.
    assert_eq!(
        of("# pair_cost_ns: 60.5\n# measuring_share: 0.001\n"),
        "1 file read; now 3 samples of f, g\n"
    );
    assert_eq!(of(""), "1 file read; now 3 samples of f, g\n");
}
