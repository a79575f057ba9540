//! Between the last sample of one interval and the first of the next: what questions say, and where `advise` measures.

use std::fmt::Write;

use call_report::{DisplayUnit, Figure};
use llac::{CommandOutcome, MarkupBlock, MemoryWorkspace, Page, Picture, Session, json};
use serde_json::Value;

/// 10 µs + 10 ns N, four times the slope behind a border between 16000 and 32000; noise of a few percent that sums to nothing.
fn table(columns: &str, row: impl Fn(f64) -> String) -> String {
    let mut text = format!("kernel,{columns},time_s\n");
    for power in 0..9 {
        let n = 1000.0 * f64::from(1 << power);
        for factor in [1.02, 0.99, 0.985, 1.005] {
            let slope = if n <= 16000.0 { 1e-8 } else { 4e-8 };
            writeln!(text, "b,{},{:.9e}", row(n), factor * (1e-5 + slope * n)).unwrap();
        }
    }
    text
}

fn session() -> Session {
    let files = [
        ("b.csv", table("N", |n| format!("{n}"))),
        ("parts.obsp", "program parts(N) { compute b }".to_owned()),
        ("here.toml", machine("here", 1e9)),
        ("there.toml", machine("there", 2e9)),
    ];
    let mut session = Session::new(Box::new(MemoryWorkspace::with(files)));
    for line in ["load b.csv", "formula b = a[0] + a[1]*N"] {
        run(&mut session, line);
    }
    session
}

fn machine(name: &str, rate: f64) -> String {
    format!(
        "schema_version = 1\nname = \"{name}\"\n[provenance]\nkind = \"measured\"\ndate = \"2026-11-21\"\n[[bsp]]\nprocessors = 1\n\
         rate_flop_per_s = {rate:e}\ng_s_per_byte = 1e-9\nlatency_s = 1e-5\n"
    )
}

fn run(session: &mut Session, line: &str) -> CommandOutcome {
    session.run(line).unwrap_or_else(|error| panic!("{}", error.render(line)))
}

fn row(outcome: &CommandOutcome, name: &str, row: usize) -> Value {
    let object = json::outcome(outcome);
    let tables = object["tables"].as_array().unwrap();
    let table = tables.iter().find(|table| table["name"] == name).unwrap_or_else(|| panic!("{object}"));
    table["rows"][row].clone()
}

fn figure(outcome: &CommandOutcome) -> &Figure {
    let [MarkupBlock::Picture(picture)] = outcome.value.blocks() else { panic!("{outcome:?}") };
    let Picture::Figure(figure) = &**picture else { panic!("{picture:?}") };
    figure
}

fn shown(time_s: f64) -> String {
    DisplayUnit::seconds().text(time_s)
}

/// The fields of the warnings of gaps.
fn gaps(outcome: &CommandOutcome) -> Vec<(f64, f64)> {
    let told = outcome.warnings.iter().filter(|message| message.code == "between-intervals");
    told.map(|message| {
        let field = |name: &str| message.fields[name].as_f64().unwrap();
        assert_eq!(message.help.as_deref(), Some("measure between them, such as N = 23000"));
        (field("below"), field("above"))
    })
    .collect()
}

#[test]
fn advice_is_for_the_forecast_of_predict() {
    let mut session = session();
    for (line, is_in_gap) in
        [("N=26000", true), ("N=16001", true), ("N=16000", false), ("N=14000", false), ("N=512000", false)]
    {
        let predicted = run(&mut session, &format!("predict b {line}"));
        let advice = run(&mut session, &format!("advise b {line}"));
        let ends = row(&predicted, "predictions", 0);
        let [low, high] = ["lower_s", "upper_s"].map(|end| ends[end].as_f64().unwrap());
        let now = format!("now {} to {}:", shown(low), shown(high));
        assert!(advice.to_plain_text().contains(&now), "{now} {}", advice.to_plain_text());
        let expected = if is_in_gap { vec![(16000.0, 32000.0)] } else { Vec::new() };
        assert_eq!((gaps(&predicted), gaps(&advice)), (expected.clone(), expected), "{line}");
        if is_in_gap {
            let first = row(&advice, "prediction", 0);
            assert_eq!(first["N"].as_f64(), Some(23000.0), "{first}");
            assert!(first["interval_left_percent"].as_f64().unwrap() < 60.0, "{first}");
            // Both sides are in the interval.
            let n: f64 = line[2..].parse().unwrap();
            assert!(low < 1e-5 + 1e-8 * n && 1e-5 + 4e-8 * n < high, "{low} {high}");
        }
    }
    // Behind the gap its border changes nothing of the forecast, and is still worth knowing.
    let beyond = run(&mut session, "advise b").to_plain_text();
    assert!(beyond.contains("for where an interval ends between N = 16000 and 32000:"), "{beyond}");
    let below = run(&mut session, "advise b N=3000").to_plain_text();
    assert!(!below.contains("an interval ends"), "{below}");
    run(&mut session, "load b.csv as bare");
    let predicted = row(&run(&mut session, "predict b N=26000"), "predictions", 0);
    let now = shown(predicted["lower_s"].as_f64().unwrap());
    let advice = run(&mut session, "advise b N=26000").to_plain_text();
    assert!(advice.contains(&format!("now {now} to ")), "{now} {advice}");
}

#[test]
fn inverse_questions_say_what_is_sure() {
    let mut session = session();
    let largest = run(&mut session, "largest b N 600us");
    let found = row(&largest, "largest", 0);
    let sizes = ["N", "surely_within", "perhaps_within"].map(|name| found[name].as_f64().unwrap());
    assert_eq!(sizes, [16000.0, 16000.0, 31999.0]);
    assert_eq!(gaps(&largest), [(16000.0, 32000.0)]);
    let sure = run(&mut session, "largest b N 3ms");
    assert!(gaps(&sure).is_empty() && row(&sure, "largest", 0)["perhaps_within"].is_null());
}

#[test]
fn machines_programs_and_pictures_know_gaps() {
    let mut session = session();
    for line in ["machine use here.toml", "program parts.obsp"] {
        run(&mut session, line);
    }
    let there = run(&mut session, "predict b N=26000 on there.toml");
    assert_eq!(gaps(&there), [(16000.0, 32000.0)]);
    let found = row(&there, "predictions", 0);
    let [low, high] = ["lower_s", "upper_s"].map(|end| found[end].as_f64().unwrap());
    assert!(low < 1.35e-4 && high > 5.25e-4, "{found}");
    let parts = run(&mut session, "predict parts N=26000 P=1");
    assert_eq!(gaps(&parts), [(16000.0, 32000.0)]);
    assert!(gaps(&run(&mut session, "predict parts N=64000 P=1")).is_empty());
    let plot = run(&mut session, "plot b N");
    let band = figure(&plot).series[0].band.clone();
    let wide = |x: f64| {
        let (_, low, high) = band.iter().find(|point| point.0 == x).unwrap_or_else(|| panic!("{x} {band:?}"));
        high / low > 2.0
    };
    let just = |x: f64| x.next_up();
    assert_eq!(
        [16000.0, just(16000.0), 32000.0_f64.next_down(), 32000.0].map(wide),
        [false, true, true, false]
    );
}

/// A copy under another name is the same run, as it is of traces.
#[test]
fn a_copy_of_a_table_counts_once() {
    let text = table("N", |n| format!("{n}"));
    let other = text.replacen("1.020000000", "1.030000000", 1).replacen("e-5\n", "1e-5\n", 1);
    let files = [("s1.csv", text.clone()), ("s2.csv", text), ("s3.csv", other)];
    let mut session = Session::new(Box::new(MemoryWorkspace::with(files)));
    let loaded = run(&mut session, "load s1.csv s2.csv");
    let shown = loaded.render(&Page::plain(1000));
    assert!(shown.starts_with("1 file read; now 36 samples of b\n"), "{shown}");
    assert!(
        shown.contains("warning: s2.csv holds the same measurements as s1.csv: one run, which counts once")
    );
    let more = run(&mut session, "load s3.csv").render(&Page::plain(1000));
    assert!(more.starts_with("1 file read; now 72 samples of b\n"), "{more}");
    let error = session.run("merge b b as z").unwrap_err();
    assert_eq!(error.code(), "given-twice");
}

/// Of two sets that are one file the samples would count twice; of two formulas one is taken.
#[test]
fn what_is_merged_is_doubted_where_it_is_the_same_or_has_another_formula() {
    let files =
        [("s.csv", table("N", |n| format!("{n}"))), ("t.csv", table("N", |n| format!("{}", 2.0 * n)))];
    let mut session = Session::new(Box::new(MemoryWorkspace::with(files)));
    for line in [
        "load s.csv",
        "load s.csv as copy",
        "load t.csv as other",
        "data other",
        "formula b = a[0] + a[1]*N*N",
    ] {
        run(&mut session, line);
    }
    run(&mut session, "data data");
    run(&mut session, "formula b = a[0] + a[1]*N");
    let mut codes = |line: &str| {
        run(&mut session, line).warnings.iter().map(|its| its.code.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(codes("merge b copy.b as twice"), ["counted-twice"]);
    assert_eq!(codes("merge b other.b as both"), ["formula-changed"]);
}

#[test]
fn boxes_are_of_the_samples_that_were_chosen() {
    let rows = (0..12).flat_map(|size| {
        [1, 2, 4].map(|p| {
            let n = 1000 * (size + 1);
            format!("k,{n},{p},{}\nk,{n},{p},{}\n", n / p, n / p + 7)
        })
    });
    let text = format!("kernel,N,P,time_us\n{}", rows.collect::<String>());
    let mut session = Session::new(Box::new(MemoryWorkspace::with([("k.csv", text)])));
    for line in ["load k.csv", "let q = N*P"] {
        run(&mut session, line);
    }
    let labels = |session: &mut Session, line: &str| -> Vec<String> {
        let outcome = run(session, line);
        figure(&outcome).series.iter().map(|series| series.label.clone()).collect()
    };
    assert_eq!(labels(&mut session, "plot boxes k P N=1000"), [""]);
    assert_eq!(labels(&mut session, "plot boxes k P N=1000,3000"), ["N = 1000", "N = 3000"]);
    assert_eq!(labels(&mut session, "plot boxes k P N=1000..2000"), ["N = 1000", "N = 2000"]);
    assert_eq!(labels(&mut session, "plot boxes k N"), ["P = 1", "P = 2", "P = 4"]);
    let error = |session: &mut Session, line: &str| session.run(line).unwrap_err().render(line);
    let many = error(&mut session, "plot boxes k P");
    assert!(many.contains("12 boxes at each P") && many.contains("`N=1000`"), "{many}");
    assert!(error(&mut session, "plot boxes k P N=1001").contains("no samples with these values"));
    assert!(error(&mut session, "plot boxes k P M=1").contains("no variable `M`"));
}

/// A size between two intervals says nothing of the constants of either.
#[test]
fn sizes_between_intervals_are_no_change() {
    let whole = table("N", |n| format!("{n}"));
    // The border is really at 30000.
    let between = format!("{whole}b,20000,2.1e-4\nb,26000,2.7e-4\n");
    let files = [("b.csv", whole.clone()), ("new.csv", between)];
    let mut session = Session::new(Box::new(MemoryWorkspace::with(files)));
    for line in ["load b.csv", "formula b = a[0] + a[1]*N", "save model b into b.json"] {
        run(&mut session, line);
    }
    let checked = run(&mut session, "check b.json new.csv");
    assert_ne!(checked.answer, llac::AnswerStatus::No, "{}", checked.to_plain_text());
    let told = checked.warnings.iter().find(|warning| warning.code == "between-intervals");
    let told = &told.unwrap_or_else(|| panic!("{:?}", checked.warnings)).text;
    assert!(told.contains("2 points of the new runs are left out, the first at N = 20000"), "{told}");
}

/// They are left out of a history as well, which says so.
#[test]
fn histories_name_sizes_between_intervals() {
    let whole = table("N", |n| format!("{n}"));
    let noisy = |run: u32| {
        let row = |line: &str| {
            let (start, time_s) = line.rsplit_once(',').unwrap_or_default();
            let time_s = time_s.parse::<f64>().map(|time_s| time_s * (1.0 + 1e-3 * f64::from(run * 7 % 5)));
            time_s.map_or(line.to_owned(), |time_s| format!("{start},{time_s:.9e}"))
        };
        whole.lines().map(row).collect::<Vec<_>>().join("\n") + "\n"
    };
    // The border is really at 30000.
    let file = |run: u32| match run {
        3 => noisy(run) + "b,20000,2.1e-4\nb,26000,2.7e-4\n",
        5 => noisy(run) + "b,26000,2.7e-4\n",
        _ => noisy(run),
    };
    let files = (0..8).map(|run| (format!("{run}.csv"), file(run)));
    let mut session = Session::new(Box::new(MemoryWorkspace::with(files)));
    for run_number in 0..8 {
        for line in [
            format!("load {run_number}.csv as s{run_number}"),
            "formula b = a[0] + a[1]*N".to_owned(),
            format!("archive add b into h machine=ci date=2026-11-1{run_number}"),
        ] {
            run(&mut session, &line);
        }
    }
    let shown = run(&mut session, "history b in h");
    let told = shown.warnings.iter().find(|warning| warning.code == "between-intervals");
    let told = &told.unwrap_or_else(|| panic!("{:?}", shown.warnings)).text;
    assert!(told.contains("2 points of the entries are left out, the first at N = 20000"), "{told}");
    assert!(json::outcome(&shown).to_string().contains("\"points\":[[20000.0],[26000.0]]"));
}

/// Times of `f` = 10 µs + 40 ns N/P + 1 µs log2 P up to N = 51200 and P = 8.
fn over_two() -> Session {
    let mut text = "kernel,N,P,time_s\n".to_owned();
    for (index, n) in (0..10).map(|power| 100.0 * f64::from(1 << power)).enumerate() {
        for p in [1.0_f64, 2.0, 4.0, 8.0] {
            let noise = 1.0 + 0.01 * [1.0, -1.0, 0.5, -0.5][(index + p as usize) % 4];
            writeln!(text, "f,{n},{p},{:.9e}", noise * (1e-5 + 4e-8 * n / p + 1e-6 * p.log2())).unwrap();
        }
    }
    let mut session = Session::new(Box::new(MemoryWorkspace::with([("f.csv", text)])));
    for line in ["load f.csv", "formula f = a[0] + a[1]*N/P + a[2]*log2(P)"] {
        run(&mut session, line);
    }
    session
}

#[test]
fn values_of_the_axis_are_its_range() {
    let mut session = over_two();
    let plot = run(&mut session, "plot f N P=1 N=1000,25600");
    let curve = &figure(&plot).series[0].curve;
    assert_eq!((curve[0].0, curve[curve.len() - 1].0), (1000.0, 25600.0));
    let truth = |n: f64| 1e-5 + 4e-8 * n;
    assert!(curve.len() > 100 && curve.iter().all(|(n, time_s)| (time_s / truth(*n) - 1.0).abs() < 0.02));
    let axis = |session: &mut Session, line: &str| figure(&run(session, line)).x.label.clone();
    assert_eq!(axis(&mut session, "plot f P=1:1024:2 N=1000,1e6"), "P");
    assert_eq!(axis(&mut session, "plot f P=1,8 N=1000,2000,4000"), "N");
    assert_eq!(axis(&mut session, "plot f P=1,8"), "N");
}

#[test]
fn curves_beyond_the_samples_say_so() {
    let mut session = over_two();
    let is_solid = |plot: &CommandOutcome| {
        figure(plot).series[0].sampled.is_none_or(|(low, high)| low <= 1000.0 && high >= 1000.0)
    };
    let within = run(&mut session, "plot f N P=8");
    assert!(is_solid(&within) && within.warnings.is_empty(), "{:?}", within.warnings);
    assert_eq!(figure(&within).title, "f: measured and fitted");
    let beyond = run(&mut session, "plot f N P=64");
    assert!(!is_solid(&beyond));
    assert_eq!(beyond.warnings.iter().map(|it| it.code).collect::<Vec<_>>(), ["extrapolated"]);
    assert_eq!(figure(&beyond).title, "f: predicted");
}
