//! The gate on constants of runs that are tables of other programs.

use std::sync::Arc;

use llac::{AnswerStatus, MemoryWorkspace, Session};

use super::check::{SIZES, Shared, check, failure, noise, run};

/// A table of one experiment `g`, with the response and its unit in the last title.
fn table(head: &str, rows: impl Iterator<Item = (f64, f64, f64)>) -> String {
    let rows = rows.map(|(n, p, value)| format!("g,{n},{p},{value:.9e}\n"));
    format!("{head}\n{}", rows.collect::<String>())
}

/// A session with a baseline of eight tables, and with further files; values are multiplied with noise of 1 % in each.
fn session_of_tables(
    head: &str,
    formula: &str,
    value: impl Fn(f64, f64) -> f64,
    files: Vec<(&str, String)>,
) -> (Session, Arc<MemoryWorkspace>) {
    let base = (0..8).map(|number| (format!("base{number}.csv"), table(head, rows(number, &value))));
    let base: Vec<(String, String)> = base.collect();
    let base = base.iter().map(|(name, text)| (name.as_str(), text.clone()));
    let workspace = Arc::new(MemoryWorkspace::with(base.chain(files).collect::<Vec<_>>()));
    let mut first = Session::new(Box::new(Shared(Arc::clone(&workspace))));
    run(&mut first, "load base*.csv");
    run(&mut first, &format!("formula g = {formula}"));
    run(&mut first, "save model g into g.model.json");
    (Session::new(Box::new(Shared(Arc::clone(&workspace)))), workspace)
}

pub fn rows(number: u64, value: impl Fn(f64, f64) -> f64) -> impl Iterator<Item = (f64, f64, f64)> {
    let points = (0..3).flat_map(|_| SIZES.iter().flat_map(|&n| [1.0, 2.0, 4.0, 8.0].map(|p| (n, p))));
    let points: Vec<(f64, f64)> = points.collect();
    let of_run = 1.0 + 0.01 * noise(number + 3);
    let noisy = move |count: usize| of_run * (1.0 + 0.01 * noise(5000 + 997 * number + count as u64));
    let values: Vec<(f64, f64, f64)> =
        points.iter().enumerate().map(|(count, &(n, p))| (n, p, value(n, p) * noisy(count))).collect();
    values.into_iter()
}

#[test]
fn of_rates_what_fell_is_worse() {
    let head = "experiment,N,P,GFLOPS";
    let new = |name: &'static str, factor: f64, number: u64| {
        (name, table(head, rows(number, move |_, p| 10.0 * factor * p)))
    };
    let files = vec![
        new("slow1.csv", 0.5, 20),
        new("slow2.csv", 0.5, 21),
        new("slow3.csv", 0.5, 22),
        new("fast1.csv", 1.5, 30),
        new("fast2.csv", 1.5, 31),
        new("fast3.csv", 1.5, 32),
    ];
    let (mut session, _) = session_of_tables(head, "a[0]*P", |_, p| 10.0 * p, files);
    let fell = "g[0], what each P adds, fell ";
    check(&mut session, "check g.model.json slow*.csv", AnswerStatus::No, &["g: worse", fell]);
    let rose = "g[0], what each P adds, rose ";
    check(&mut session, "check g.model.json fast*.csv", AnswerStatus::Given, &["g: fine", rose]);
    check(
        &mut session,
        "check g.model.json slow*.csv at P=4",
        AnswerStatus::No,
        &["the value at P = 4 fell 50 %"],
    );
    check(&mut session, "check g.model.json slow*.csv better=lower", AnswerStatus::Given, &["g: fine", fell]);
    check(&mut session, "check g.model.json fast*.csv better=lower", AnswerStatus::No, &["g: worse", rose]);
    failure(&mut session, "check g.model.json fast*.csv better=more", "wrong-value");
    run(&mut session, "load g.model.json");
    check(
        &mut session,
        "best g P=1:8:2",
        AnswerStatus::Given,
        &["the largest value, 79.92 GFLOPS", "with P = 8", "a tenth less"],
    );
    check(
        &mut session,
        "best g P=1:8:2 better=lower",
        AnswerStatus::Given,
        &["the least value, 9.9", "with P = 1;"],
    );
    check(
        &mut session,
        "smallest g P 45",
        AnswerStatus::Given,
        &["the smallest P with at least 45 GFLOPS: 5"],
    );
    check(&mut session, "smallest g P=1..4 45", AnswerStatus::No, &["no: P = 1 gives"]);
    check(
        &mut session,
        "largest g P=1..64 45 better=lower",
        AnswerStatus::Given,
        &["the largest P within 45 GFLOPS: 4"],
    );
}

#[test]
fn missing_columns_of_new_tables_are_told() {
    let head = "experiment,N,P,time_s";
    let time = |n: f64, p: f64| 1e-6 + 1e-8 * n / p;
    let twice = |n: f64, _: f64| 1e-6 + 2e-8 * n / 4.0;
    let of = |number: u64| rows(number, twice).filter(|(_, p, _)| *p == 4.0);
    let without_p = |number: u64| {
        let rows = of(number).map(|(n, _, time)| format!("g,{n},{time:.9e}\n")).collect::<String>();
        format!("experiment,N,time_s\n{rows}")
    };
    let without_n = of(50).map(|(_, p, time)| format!("g,{p},{time:.9e}\n")).collect::<String>();
    let files = vec![
        ("new1.csv", without_p(20)),
        ("new2.csv", without_p(21)),
        ("new3.csv", without_p(22)),
        ("ranks1.csv", table("experiment,N,ranks,time_s", of(30))),
        ("small.csv", format!("experiment,P,time_s\n{without_n}")),
    ];
    let (mut session, _) = session_of_tables(head, "a[0] + a[1]*N/P", time, files);
    let error = failure(&mut session, "check g.model.json new*.csv", "unknown-variable");
    assert!(error.contains("does not say on how many processors") && error.contains("`P=16`"), "{error}");
    let error = failure(&mut session, "check g.model.json ranks1.csv", "unknown-variable");
    assert!(error.contains("`processors=ranks`"), "{error}");
    let error = failure(&mut session, "check g.model.json small.csv", "unknown-variable");
    assert!(error.contains("no column `N`"), "{error}");
    let worse = ["g: worse", "g[1], the cost of each N/P, rose 1"];
    check(&mut session, "check g.model.json new*.csv P=4", AnswerStatus::No, &worse[..1]);
    check(&mut session, "check g.model.json ranks1.csv processors=ranks", AnswerStatus::No, &worse[..1]);
    failure(&mut session, "check g.model.json new*.csv P=0", "wrong-value");
}

#[test]
fn times_that_the_clock_does_not_show_are_no_fine_ones() {
    let head = "experiment,N,P,time_s";
    let time = |n: f64, p: f64| 1e-4 + 1e-8 * n / p;
    let zero = |n: f64, p: f64| if p == 4.0 { 0.0 } else { time(n, p) };
    let new = |name: &'static str, number: u64| (name, table(head, rows(number, zero)));
    let files = vec![new("new1.csv", 20), new("new2.csv", 21), new("new3.csv", 22)];
    let (mut session, _) = session_of_tables(head, "a[0] + a[1]*N/P", time, files);
    let told = [
        "g: cannot tell",
        "15 points of the new runs left out, where the clock shows a time of 0",
        "and 4 other points",
    ];
    check(&mut session, "check g.model.json new*.csv", AnswerStatus::Unknown, &told);

    // A fit does without the point, and says so.
    let lines = table(head, rows(40, time)) + "g,320000,4,0\n";
    let files = Arc::new(MemoryWorkspace::with([("one.csv", lines)]));
    let mut session = Session::new(Box::new(Shared(files)));
    run(&mut session, "load one.csv");
    run(&mut session, "formula g = a[0] + a[1]*N/P");
    let text = "at 1 point the time is 0 (the first is P = 4, N = 320000)";
    let shown = check(&mut session, "fit g", AnswerStatus::Given, &[text]);
    assert!(shown.contains("20 points"), "{shown}");
}

/// The processor takes half the time on the wall in the baseline, and all of it in the new runs, which take no longer on the wall.
#[test]
fn the_column_that_was_taken_as_time_is_that_of_new_tables() {
    let time = |n: f64, p: f64| 1e-4 + 1e-8 * n / p;
    let two_clocks = |number: u64, share: f64| {
        let rows =
            rows(number, time).map(|(n, p, time_s)| format!("g,{n},{p},{},{time_s}\n", time_s * share));
        format!("experiment,N,P,cpu_s,wall_s\n{}", rows.collect::<String>())
    };
    let base = (0..8).map(|number| (format!("base{number}.csv"), two_clocks(number, 0.5)));
    let new = (20..23).map(|number| (format!("new{number}.csv"), two_clocks(number, 1.0)));
    let files = Arc::new(MemoryWorkspace::with(base.chain(new)));
    let opened = || Session::new(Box::new(Shared(Arc::clone(&files))));
    let mut first = opened();
    run(&mut first, "load base*.csv time=cpu_s");
    run(&mut first, "formula g = a[0] + a[1]*N/P");
    run(&mut first, "save model g into cpu.model.json");
    run(&mut first, "condense new*.csv time=cpu_s into new.parquet");
    let rose = "g[1], the cost of each N/P, rose";
    for line in ["check cpu.model.json new*.csv", "check cpu.model.json new.parquet"] {
        check(&mut opened(), line, AnswerStatus::No, &["g: worse", rose]);
    }
    let told = failure(&mut opened(), "check cpu.model.json new*.csv time=wall_s", "units-differ");
    assert!(told.contains("the time from begin to end, and that of the baseline `cpu_s`"), "{told}");
    // The column that would be taken anyway is the time.
    let mut second = opened();
    run(&mut second, "load base*.csv time=wall_s");
    run(&mut second, "formula g = a[0] + a[1]*N/P");
    run(&mut second, "save model g into wall.model.json");
    check(&mut opened(), "check wall.model.json new*.csv", AnswerStatus::Given, &["g: fine"]);
}
