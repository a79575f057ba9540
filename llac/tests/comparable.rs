//! Constants that mean something else are never set beside each other, and a run counts once.

use std::fmt::Write;
use std::sync::Arc;

use llac::{AnswerStatus, MemoryWorkspace, Session};

use super::check::{PLAIN, RISEN, Run, Shared, check, failure, noise, run, session, trace};

type Files = Arc<MemoryWorkspace>;

fn opened(files: &Files) -> Session {
    Session::new(Box::new(Shared(Arc::clone(files))))
}

/// `run0.dat`, …; those from `first` on take longer.
fn runs(count: u64, first: u64) -> Files {
    let of = |number: u64| Run { number, rise: if number < first { 1.0 } else { 1.12 }, ..PLAIN };
    Arc::new(MemoryWorkspace::with((0..count).map(|number| (format!("run{number}.dat"), trace(of(number))))))
}

/// Adds what the lines leave to the archive `h`.
fn add(files: &Files, lines: &[&str], commit: &str) {
    let mut session = opened(files);
    lines.iter().for_each(|line| drop(run(&mut session, line)));
    run(&mut session, &format!("archive add into h machine=ci commit={commit}"));
}

/// Saves the model that the lines leave.
fn saved(files: &Files, lines: &[&str], file: &str) {
    let mut session = opened(files);
    lines.iter().for_each(|line| drop(run(&mut session, line)));
    run(&mut session, &format!("save model f into {file}"));
}

const WITH_LET: &str = "formula f = f[0] + f[1]*M + f[2]*P";

#[test]
fn another_let_is_another_formula() {
    let files = runs(16, 99);
    for number in 0..16 {
        let size = if number < 9 { "let M = N/P/1000" } else { "let M = N/P/500" };
        add(&files, &[&format!("load run{number}.dat"), size, WITH_LET], &format!("c{number}"));
    }
    let told = [
        "let `M = N/P/500` instead of `M = N/P/1000` from c9 on",
        "f: 9 entries",
        ", let M = N/P/1000",
        "f: 7 entries",
    ];
    let shown = check(&mut opened(&files), "history f in h", AnswerStatus::Given, &told);
    assert!(!shown.contains("fell") && !shown.contains("rose"), "{shown}");

    let models = [("base", "let M = N/P/1000"), ("other", "let M = N/P/500"), ("same", "let M = N/P/1000")];
    for (name, size) in models {
        let load = if name == "base" { "load run[0-8].dat" } else { "load run9.dat run1[0-5].dat" };
        saved(&files, &[load, "let unused = N*N", size, WITH_LET], &format!("{name}.model.json"));
    }
    let told = failure(&mut opened(&files), "check base.model.json other.model.json", "not-applicable");
    assert!(told.contains("`let M = N/P/500`, and the baseline `let M = N/P/1000`"), "{told}");
    check(&mut opened(&files), "check base.model.json same.model.json", AnswerStatus::Given, &["f: fine"]);
}

#[test]
fn models_by_other_settings_are_not_compared() {
    let (mut session, files) = session(10, &[RISEN; 4]);
    saved(&files, &["load new*.dat"], "new.model.json");
    saved(&files, &["load new*.dat", "set repetitions minimum"], "least.model.json");
    check(&mut session, "check base.model.json new.model.json", AnswerStatus::No, &["f[1]", "rose 1"]);
    let told = failure(&mut session, "check base.model.json least.model.json", "not-applicable");
    assert!(
        told.contains("by `set repetitions minimum`, and the baseline by `set repetitions median`"),
        "{told}"
    );
    assert!(told.contains("check the traces themselves"), "{told}");
}

/// A run whose processors compute 70 % of the time.
fn counted(number: u64) -> String {
    let (mut rows, mut count) = (String::new(), 0);
    for repetition in 0..5 {
        for n in [1e4, 2e4, 4e4, 8e4, 16e4] {
            count += 1;
            let own = 1.0 + 0.01 * noise(1000 * number + 10 * repetition + count);
            let time_s = (1e-4 + 1e-8 * n) * own;
            writeln!(rows, "f 0 1 {n} {} {time_s:.12}", (0.7e9 * time_s).round()).unwrap();
        }
    }
    format!(
        "# call-trace 1\n# program: heat\n# source: heat.c\n# host: node\n# date: 2026-11-{:02}T09:30:00Z\n# processors: 1\n\
         # run: r{number}\n# reports: 1\n# experiment: f\n# formula: f[0] + f[1]*N\n# variables: N\n# counters: task-clock\n# lines: 12-17\n\
         experiment processor P N task-clock time_s\n{rows}# end rows={count}\n",
        number + 1,
    )
}

#[test]
fn times_of_other_clocks_are_not_compared() {
    let files = (0..14).map(|number| (format!("run{number}.dat"), counted(number)));
    let files = Arc::new(MemoryWorkspace::with(files));
    for number in 0..14 {
        let response = if number < 7 { "" } else { " time=task-clock" };
        add(&files, &[&format!("load run{number}.dat{response}")], &format!("c{number}"));
    }
    let told = ["response `task-clock` instead of wall time from c7 on", "f: 7 entries"];
    let shown = check(&mut opened(&files), "history f in h", AnswerStatus::Given, &told);
    assert!(!shown.contains("fell"), "{shown}");

    saved(&files, &["load run[0-6].dat"], "wall.model.json");
    saved(&files, &["load run[0-6].dat time=task-clock"], "old.model.json");
    saved(&files, &["load run[789].dat time=task-clock"], "new.model.json");
    let told = failure(&mut opened(&files), "check wall.model.json new.model.json", "not-applicable");
    assert!(
        told.contains("has `task-clock` as its time, and the baseline the time from begin to end"),
        "{told}"
    );
    let told =
        failure(&mut opened(&files), "check wall.model.json run[789].dat time=task-clock", "units-differ");
    assert!(told.contains("`time=time` reads what the baseline has"), "{told}");
    // What the baseline took as time is taken of new traces, too.
    let fine = ["f: fine (3 runs against 7"];
    check(&mut opened(&files), "check old.model.json run[789].dat", AnswerStatus::Given, &fine);
    check(&mut opened(&files), "check old.model.json new.model.json", AnswerStatus::Given, &fine);
}

#[test]
fn runs_of_earlier_entries_count_once() {
    let files = runs(20, 12);
    let mut all = "load".to_owned();
    for number in 0..20 {
        write!(all, " run{number}.dat").unwrap();
        // Each night all runs so far.
        add(&files, &[&all], &format!("c{number}"));
    }
    add(&files, &["load run3.dat run7.dat"], "again");
    let told = [
        "f: 20 entries",
        "f[1], the cost of each N/P, rose 1",
        "at c12",
        "19 entries, the first c1, have runs of earlier entries, too, which count once",
        "again: the measurements are those of earlier entries, and count once",
    ];
    let shown = check(&mut opened(&files), "history f in h", AnswerStatus::Given, &told);
    assert!(!shown.contains("steadily"), "{shown}");
}

#[test]
fn runs_of_the_baseline_are_no_new_ones() {
    let (mut session, _) = session(10, &[RISEN; 3]);
    let told = [
        "f: worse (3 runs against 10 of the baseline)",
        "10 of the new runs, the first old0.dat, are of the baseline itself, and left out",
    ];
    check(&mut session, "check base.model.json old*.dat new*.dat", AnswerStatus::No, &told);
    let told = failure(&mut session, "check base.model.json old[0-4].dat", "no-samples");
    assert!(told.contains("the new runs are those of the baseline itself"), "{told}");
}

#[test]
fn models_of_the_runs_of_the_baseline_are_no_news() {
    let (mut session, files) = session(10, &[RISEN; 3]);
    let mut other = opened(&files);
    run(&mut other, "load old*.dat new*.dat");
    run(&mut other, "save model f into all.model.json");
    let told = [
        "f: worse (3 runs against 10 of the baseline)",
        "10 of the new runs, the first old0.dat, are of the baseline itself, and left out",
    ];
    check(&mut session, "check base.model.json all.model.json", AnswerStatus::No, &told);
    let told = failure(&mut session, "check base.model.json base.model.json", "no-samples");
    assert!(told.contains("the new runs are those of the baseline itself"), "{told}");
}

#[test]
fn runs_in_one_condensed_file_are_no_rounds() {
    let (mut session, files) = session(10, &[RISEN; 4]);
    run(&mut opened(&files), "condense new*.dat into new.parquet");
    let told = ["f: worse (4 runs against 10 of the baseline)"];
    let shown = check(&mut session, "check base.model.json new.parquet", AnswerStatus::No, &told);
    assert!(!shown.contains("rounds"), "{shown}");
}

#[test]
fn other_spellings_of_a_formula_part_nothing() {
    let files = runs(6, 99);
    let formulas = [
        "f = f[0] + f[1]*N/P + f[2]*P*log(N)",
        "f = f[0] + f[1]*N*1/P + f[2]*log(N)*P",
        "f = f[2]*(log(N)*P) + N*(f[1]/P) + f[0]*1",
        "f = f[0] + f[1]*N/P + f[2]*P*log2(N)",
    ];
    for (number, formula) in [0, 1, 2, 3, 0, 2].into_iter().enumerate() {
        let formula = format!("formula {}", formulas[formula]);
        add(&files, &[&format!("load run{number}.dat"), &formula], &format!("c{number}"));
    }
    let told = [
        "f: 1 entry",
        "f: 5 entries",
        "`f[0] + f[1]*N/P + f[2]*P*log2(N)` instead of",
        "from c3 on",
        "from c4 on again",
    ];
    let shown = check(&mut opened(&files), "history f in h", AnswerStatus::Given, &told);
    assert_eq!(shown.matches("are parted").count(), 2, "{shown}");

    // A constant of formulas before is named with the way to it.
    add(&files, &["load run5.dat", "formula f = f[0] + f[2]*P"], "c6");
    let told = failure(&mut opened(&files), "history f[1] in h", "unknown-constant");
    assert!(told.contains("6 entries had it, the last c5: `history f in h` shows"), "{told}");
    let told = failure(&mut opened(&files), "history f[9] in h", "unknown-constant");
    assert!(told.contains("it has f[0], f[2]"), "{told}");
}

/// A term in the middle gives those behind it other constants.
#[test]
fn a_constant_is_followed_by_its_term() {
    let files = runs(8, 99);
    for number in 0..8 {
        let formula = if number < 6 { "f[0] + f[1]*N/P" } else { "f[0] + f[1]*P + f[2]*N/P" };
        let lines = [format!("load run{number}.dat"), format!("formula f = {formula}")];
        add(&files, &[&lines[0], &lines[1]], &format!("c{number}"));
    }
    let told = ["f: 6 entries", "f[1]: cannot tell", "f: 2 entries", "f[2]: cannot tell"];
    check(&mut opened(&files), "history f[2] in h", AnswerStatus::Given, &told);
    let told = ["f: 2 entries", "6 entries whose formula has no term P, the last c5, left out"];
    let shown = check(&mut opened(&files), "history f[1] in h", AnswerStatus::Given, &told);
    assert!(!shown.contains("f: 6 entries, "), "{shown}");
}

#[test]
fn each_place_where_a_history_is_parted_is_told_by_its_neighbours() {
    let files = runs(8, 99);
    let formulas = ["f[0] + f[1]*N/P", "f[0] + f[1]*N", "f[0] + f[1]*P"];
    for (number, formula) in [0, 0, 1, 1, 0, 0, 2, 2].into_iter().enumerate() {
        let lines = [format!("load run{number}.dat"), format!("formula f = {}", formulas[formula])];
        add(&files, &[&lines[0], &lines[1]], &format!("c{number}"));
    }
    let told = [
        "formula `f[0] + f[1]*N` instead of `f[0] + f[1]*N/P` from c2 on",
        "formula `f[0] + f[1]*N/P` instead of `f[0] + f[1]*N` from c4 on again",
        "formula `f[0] + f[1]*P` instead of `f[0] + f[1]*N/P` from c6 on",
    ];
    let shown = check(&mut opened(&files), "history f in h", AnswerStatus::Given, &told);
    assert_eq!(shown.matches("are parted").count(), 3, "{shown}");
}

#[test]
fn new_runs_at_one_number_of_processors_need_others() {
    let (mut session, _) = session(10, &[PLAIN; 3]);
    let told = ["no new run determines it: measure other values of P, too"];
    check(&mut session, "check base.model.json new*.dat where P = 1", AnswerStatus::Unknown, &told);
}
