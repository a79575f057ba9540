//! CALL_BUDGET: a part of the executions is measured and stands for all.

use std::collections::BTreeMap;

use super::available;
use super::rows::check_rows;
use crate::support::{ALL, Flavour, ON_THIS_COMPUTER, Run, Trace, nanoseconds};

/// What the rows of a point say.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
struct Point {
    rows: u64,
    executions: u64,
    largest: u64,
    sum_ns: u64,
}

fn run(flavour: Flavour, case: &str, count: u64) -> Run {
    Run::of(flavour, "budget").counting().variable("CALL_BUDGET", "2%").with(case).with(count)
}

/// Of each experiment and `N`.
fn points(trace: &Trace) -> BTreeMap<(String, String), Point> {
    let mut points: BTreeMap<(String, String), Point> = BTreeMap::new();
    for row in &trace.rows {
        let executions: u64 = row[5].parse().expect("executions");
        let point = points.entry((row[0].clone(), row[3].clone())).or_default();
        point.rows += 1;
        point.executions += executions;
        point.largest = point.largest.max(executions);
        point.sum_ns += executions * nanoseconds(&row[4]);
    }
    points
}

fn of(points: &BTreeMap<(String, String), Point>, name: &str, n: &str) -> Point {
    points[&(name.to_owned(), n.to_owned())]
}

fn share(trace: &Trace, key: &str) -> f64 {
    trace.value(key).expect(key).parse().expect("a number")
}

/// Blocks that are not complete are all that is missing or too much.
fn assert_counts(point: Point, executions: u64) {
    assert!(point.executions.abs_diff(executions) <= point.largest, "{point:?} of {executions}");
}

#[test]
fn rare_points_are_all_measured_and_frequent_ones_stand_for_others() {
    for flavour in ON_THIS_COMPUTER {
        let run = run(flavour, "points", 300_000);
        run.succeed();
        let trace = run.trace("budget.call.0.dat");
        assert_eq!((trace.value("budget"), trace.value("pair_cost_ns")), (Some("0.02"), Some("20.1")));
        let cost = share(&trace, "measuring_share");
        assert!((0.01..0.023).contains(&cost), "{cost}");
        let points = points(&trace);
        let rare = of(&points, "f", "1000");
        assert_eq!((rare.rows, rare.executions, rare.largest), (150, 150, 1));
        for n in ["0", "1", "2"] {
            let point = of(&points, "f", n);
            assert_counts(point, 99_950);
            assert!(point.rows > 1000 && point.rows < 20_000, "{point:?}");
        }
        // The same again.
        run.succeed();
        assert_eq!(run.trace("budget.call.1.dat").rows, trace.rows);
    }
}

#[test]
fn the_rhythm_of_a_program_is_not_seen() {
    let run = run(Flavour::Plain, "rhythm", 300_000);
    run.succeed();
    let point = of(&points(&run.trace("budget.call.0.dat")), "f", "1");
    assert_counts(point, 300_000);
    // 200 ns and the reading on average; the deviation of one is 400, of the mean of all 400 / sqrt(rows).
    let mean = point.sum_ns as f64 / point.executions as f64;
    let deviation = 400.0 / (point.rows as f64).sqrt();
    assert!((mean - 210.0).abs() < 4.0 * deviation, "{mean} of {point:?}");
    assert!(point.rows < 100_000, "{point:?}");
}

#[test]
fn values_that_never_come_again_are_thinned_together() {
    let run = run(Flavour::Plain, "values", 300_000);
    run.succeed();
    let trace = run.trace("budget.call.0.dat");
    let executions: u64 = points(&trace).values().map(|point| point.executions).sum();
    let largest = points(&trace).values().map(|point| point.largest).max().unwrap_or(0);
    assert!(executions.abs_diff(300_000) <= largest, "{executions}");
    assert!(share(&trace, "measuring_share") < 0.023);
}

#[test]
fn what_lies_inside_each_other_keeps_its_ends() {
    for flavour in ON_THIS_COMPUTER {
        let run = run(flavour, "nested", 20_000);
        run.succeed();
        let trace = run.trace("budget.call.0.dat");
        let points = points(&trace);
        assert_counts(of(&points, "outer", "nan"), 20_000);
        for depth in ["0", "1", "2", "3", "4"] {
            assert_counts(of(&points, "f", depth), 20_000);
        }
        // What was left without an end has no row, and its blocks go on.
        let left = of(&points, "left", "nan");
        let wanted = 20_000 * 6 / 7;
        assert!(left.executions.abs_diff(wanted) < wanted / 10, "{left:?}");
        let ends = of(&points, "at_end", "0").executions + of(&points, "at_end", "1").executions;
        assert!(ends.abs_diff(20_000) < 2_000, "{ends}");
    }
}

#[test]
fn guards_pass_over_executions() {
    for flavour in ON_THIS_COMPUTER {
        let run = run(flavour, "gate", 300_000);
        run.succeed();
        let trace = run.trace("budget.call.0.dat");
        let point = of(&points(&trace), "f", "5");
        // Blocks of the gate, and of those that it lets through.
        assert!(point.executions.abs_diff(300_000) < 6000 && point.rows < 60_000, "{point:?}");
        let mean = point.sum_ns as f64 / point.executions as f64;
        assert!((mean - 150.0).abs() < 3.0, "{mean}");
        let passed = share(&trace, "measuring_share");
        assert!(passed < 0.03, "{passed}");
    }
}

#[test]
fn begins_and_ends_at_gates_keep_together() {
    for flavour in ON_THIS_COMPUTER {
        let run = run(flavour, "marks", 20_000);
        run.succeed();
        let points = points(&run.trace("budget.call.0.dat"));
        let executions: u64 = (0..5).map(|depth| of(&points, "f", &depth.to_string()).executions).sum();
        assert!(executions.abs_diff(2_000_000) < 70_000, "but for the last block: {executions}");
        for depth in 0..5 {
            let point = of(&points, "f", &depth.to_string());
            assert!(point.rows > 1000 && point.rows < 200_000, "{point:?}");
            assert!(point.largest <= point.executions / 20, "no row stands for much of a point: {point:?}");
            // 50 ns for each that lies inside, and what reading the clock takes for those that are measured.
            let wanted = 50.0 * (20.0 * f64::from(depth) + 10.5);
            let mean = point.sum_ns as f64 / point.executions as f64;
            assert!((0.95..1.2).contains(&(mean / wanted)), "{mean} for {wanted}");
        }
        // Each end belongs to its own begin, whatever was left before without one.
        let left = of(&points, "left", "nan");
        assert_eq!(left.sum_ns, 40 * left.executions, "{left:?}");
    }
}

#[test]
fn summaries_count_what_their_measurements_stand_for() {
    let run = run(Flavour::Plain, "points", 300_000).variable("CALL_TRACE", "summary");
    run.succeed();
    let trace = run.trace("budget.call.0.dat");
    assert!(!run.trace_text("budget.call.0.dat").contains("executions"));
    let counts = |n: &str| -> u64 {
        let rows = trace.rows.iter().filter(|row| row[3] == n);
        rows.map(|row| row[5].parse::<u64>().expect("a count")).sum()
    };
    assert_eq!(counts("1000"), 150);
    assert!(counts("1").abs_diff(99_950) < 1000, "{}", counts("1"));
}

#[test]
fn a_run_without_a_report_keeps_what_rows_stand_for() {
    let run = run(Flavour::Plain, "saved", 10_000);
    let outcome = run.succeed();
    assert!(outcome.stderr.contains("the program ended without a report of "), "{outcome:?}");
    let names = run.trace_names();
    assert_eq!(names.len(), 1);
    let bytes = std::fs::read(run.directory().join(&names[0])).expect("a file");
    let header = String::from_utf8_lossy(&bytes[..bytes.len().min(4000)]).into_owned();
    assert!(header.contains("# budget: 0.02\n") && header.contains(" time_s executions\n"), "{header}");
}

#[test]
fn without_a_budget_a_trace_says_what_measuring_cost() {
    let run = Run::of(Flavour::Plain, "budget").counting().with("points").with(1000);
    run.succeed();
    let trace = run.trace("budget.call.0.dat");
    assert_eq!((trace.value("budget"), trace.value("pair_cost_ns")), (None, Some("20.1")));
    // 1000 times 20 ns of 1000 times 120 ns, and of what it took to find out the 20.
    let cost = share(&trace, "measuring_share");
    assert!((0.14..0.17).contains(&cost), "{cost}");
    assert_eq!(trace.rows.len(), 1000);
}

#[test]
fn budgets_that_cannot_be_are_refused() {
    for value in ["abc", "-1", "0", "100%", "200%", "1%%", "1 %", "nan", "%"] {
        let run = run(Flavour::Plain, "points", 10).variable("CALL_BUDGET", value);
        let message =
            format!("call: CALL_BUDGET: `{value}` is no share of the time that measuring may take: ");
        let outcome = run.fail(2, &message);
        assert_eq!(outcome.stderr.lines().count(), 1, "{outcome:?}");
    }
    let run = run(Flavour::Plain, "points", 10).variable("CALL_BUDGET", "");
    run.succeed();
    assert_eq!(run.trace("budget.call.0.dat").value("budget"), None);
}

#[test]
fn rows_of_all_processors_say_what_they_stand_for() {
    for flavour in available(&ALL) {
        let run = Run::of(flavour, "rows").counting().variable("CALL_BUDGET", "1%").on(2).with(10);
        let outcome = run.succeed();
        if flavour == Flavour::Smpi {
            assert!(outcome.stderr.contains("CALL_BUDGET: this time is simulated"), "{outcome:?}");
            continue;
        }
        let trace = run.trace("rows.call.2.dat");
        let plain = Run::of(flavour, "rows").counting().on(2).with(10);
        check_rows(&plain, 2, 10, flavour.transport());
        let rows = plain.trace("rows.call.2.dat").rows;
        let without = |row: &Vec<String>| row[..row.len() - 1].to_vec();
        assert!(trace.rows.iter().all(|row| row.last().is_some_and(|last| last == "1")), "{flavour:?}");
        assert_eq!(trace.rows.iter().map(without).collect::<Vec<_>>(), rows, "{flavour:?}");
    }
}

#[test]
fn each_thread_has_a_budget() {
    let threads =
        available(&[Flavour::Threads]).map(|flavour| Run::of(flavour, "threads").with(2).with(3).with(500));
    let teams =
        available(&[Flavour::OpenMpThreads]).map(|flavour| Run::of(flavour, "openmp").with("rows").on(3));
    for run in threads.chain(teams) {
        run.variable("CALL_BUDGET", "1e-6").succeed();
    }
}
