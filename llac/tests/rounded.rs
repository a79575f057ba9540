//! Times of few digits: what is smaller than their last digit is no change that anybody measured.

use std::fmt::Write;

use llac::{AnswerStatus, CommandOutcome, MemoryWorkspace, Session};

/// Runs of a program that takes so long for each N, written with so many decimals.
fn session(before: f64, after: f64, decimals: usize) -> Session {
    let table = |each: f64| {
        let mut rows = "experiment,N,time_s\n".to_owned();
        for n in [1, 2, 3] {
            writeln!(rows, "f,{n},{:.decimals$}", each * f64::from(n)).unwrap();
        }
        rows
    };
    // A different comment makes each file a run of its own.
    let file = |name: String, each: f64| {
        let rows = format!("# {name}\n{}", table(each));
        (name, rows)
    };
    let old = (0..8).map(|run| file(format!("old{run}.csv"), before + 1e-7 * f64::from(run % 3)));
    let new = (0..3).map(|run| file(format!("new{run}.csv"), after + 1e-7 * f64::from(run % 2)));
    let files: Vec<(String, String)> = old.chain(new).collect();
    let files: Vec<(&str, String)> = files.iter().map(|(name, text)| (name.as_str(), text.clone())).collect();
    let mut session = Session::new(Box::new(MemoryWorkspace::with(files)));
    for line in ["load old*.csv", "formula f = f[0]*N", "save model f into base.model.json"] {
        run(&mut session, line);
    }
    session
}

fn run(session: &mut Session, line: &str) -> CommandOutcome {
    session.run(line).unwrap_or_else(|error| panic!("{}", error.render(line)))
}

fn check(session: &mut Session, answer: AnswerStatus) -> String {
    let outcome = run(session, "check base.model.json new*.csv");
    let shown = outcome.to_plain_text();
    assert_eq!(outcome.answer, answer, "{shown}");
    shown.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn what_rounding_makes_of_a_small_change_is_no_change() {
    // 0.13, 0.27, 0.40 and 0.14, 0.27, 0.41: 4 % more, where 0.15 % are true.
    let shown = check(&mut session(0.1349, 0.1351, 2), AnswerStatus::Unknown);
    assert!(shown.contains("rounded too coarsely to tell: write more of their digits"), "{shown}");
    check(&mut session(0.1349, 0.1351, 7), AnswerStatus::Given);
}

#[test]
fn what_is_larger_than_rounding_is_told() {
    let shown = check(&mut session(0.1349, 0.19, 2), AnswerStatus::No);
    assert!(shown.contains("f[0], the cost of each N, rose 4"), "{shown}");
    check(&mut session(2.4, 2.6, 2), AnswerStatus::No);
    check(&mut session(2.4, 2.4, 2), AnswerStatus::Given);
}
