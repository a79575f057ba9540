//! What was measured need not be a time: its unit stands in every table, headline, key and axis.

use std::fmt::Write as _;

use llac::{MemoryWorkspace, Page, Session};

/// 1000 + 64 N / P bytes, exactly, 5000 + 32 N / P bytes, and times of 1 + N / P ms.
fn session() -> Session {
    let mut free = "N,P,bytes\n".to_owned();
    let (mut bytes, mut times) = ("N,P,bytes\n".to_owned(), "N,P,time_ms\n".to_owned());
    for n in [1000, 2000, 4000, 8000, 16000] {
        for p in [1, 2, 4, 8] {
            writeln!(bytes, "{n},{p},{}", 1000 + 64 * n / p).unwrap();
            writeln!(free, "{n},{p},{}", 5000 + 32 * n / p).unwrap();
            writeln!(times, "{n},{p},{}", 1 + n / p).unwrap();
        }
    }
    let program = "program stage(N) { compute memory }".to_owned();
    let predicting = "program whole(N) predicts memory { compute t }".to_owned();
    let files = [
        ("memory.csv", bytes),
        ("free.csv", free),
        ("t.csv", times),
        ("stage.obsp", program),
        ("whole.obsp", predicting),
    ];
    let mut session = Session::new(Box::new(MemoryWorkspace::with(files)));
    for line in [
        "load memory.csv time=bytes name=memory",
        "load t.csv name=t",
        "load free.csv time=bytes name=free",
        "formula free = free[0] + free[1]*N/P",
        "formula memory = memory[0] + memory[1]*N/P",
        "formula t = t[0] + t[1]*N/P",
    ] {
        session.run(line).unwrap();
    }
    session
}

fn shown(session: &mut Session, line: &str) -> String {
    match session.run(line) {
        Ok(outcome) => outcome.render(&Page::plain(1000)),
        Err(error) => error.render(line),
    }
}

fn check(lines: &[(&str, &[&str])]) {
    let mut session = session();
    for (line, parts) in lines {
        let shown = shown(&mut session, line).replace(" times: the samples have", "");
        assert!(parts.iter().all(|part| shown.contains(part)), "{line}\n{shown}");
        // Neither a time nor a unit of one stands anywhere.
        for word in [" s\n", " ms", "µs", "(s)", "seconds", "time", "faster", "longer", "shortest"] {
            assert!(!shown.contains(word), "{line}: {word}\n{shown}");
        }
    }
}

#[test]
fn tables_and_headlines_have_the_unit() {
    check(&[
        ("show memory 2", &["value", "65 kB", "33 kB"]),
        ("fit memory", &["value (B)", "memory[1]", "64"]),
        ("judge memory", &["value (B)", "measured", "kB", "% of a value"]),
        ("aleph memory", &["value (B)", "1000"]),
        ("find memory", &["value (B)", "memory[1]*N/P"]),
        ("predict memory N=32000 P=4", &["= 513 kB\n", "predicted", "constant (B)", "512 kB"]),
        ("compare memory", &["1.025 MB", "measured"]),
        ("predict memory free N=16000 P=8", &["experiment", "129 kB", "69 kB", "grows with N"]),
        ("outliers memory", &["no sample"]),
        ("best memory P=1:8:2 N=1000", &["the least value, 9 kB, with P = 8"]),
        ("advise memory", &["kB", "predicted"]),
        (
            "crossover memory free N=1..1000 P=1",
            &["at N = 1 memory is smaller", "smaller above", "125", "9 kB"],
        ),
        ("crossover memory free N=1000..2000 P=1", &["free is smaller everywhere"]),
    ]);
}

#[test]
fn a_formula_that_was_found_predicts_in_the_unit() {
    let mut session = session();
    for _ in 0..3 {
        session.run("undo").unwrap();
    }
    let shown = shown(&mut session, "predict free N=32000 P=4");
    assert!(shown.contains("= 261 kB\n") && shown.contains("there is no formula"), "{shown}");
}

#[test]
fn bounds_are_numbers_with_or_without_the_unit() {
    let answer = "the largest N within 1 MB: 15609\n";
    check(&[
        ("largest memory N 1e6 P=1", &[answer]),
        ("largest memory N 1MB P=1", &[answer]),
        ("largest memory N 1000kB P=1", &[answer]),
        ("largest memory N 1e6bytes P=1", &[answer]),
    ]);
    let mut session = session();
    let of_time = shown(&mut session, "largest memory N 1s P=1");
    assert!(of_time.contains("`1s` is a time, and what was measured is in bytes"), "{of_time}");
    assert!(of_time.contains("write a number, `1e6` or `1e6B`"), "{of_time}");
    let of_bytes = shown(&mut session, "largest t N 1MB P=1");
    assert!(of_bytes.contains("`1MB` is no time"), "{of_bytes}");
}

/// Exactly N of the unit.
#[test]
fn prefixes_of_bounds_are_those_of_the_unit() {
    for (unit, bound, within, largest) in [
        ("MiB", "1GiB", "1024", 1024),
        ("MiB", "1536KiB", "1.5", 1),
        ("KiB", "1MiB", "1024", 1024),
        ("GiB", "1TiB", "1024", 1024),
        ("MB", "1GB", "1000", 1000),
        ("GB", "2500MB", "2.5", 2),
    ] {
        let table = format!("kernel,N,memory ({unit})\nm,100,100\nm,200,200\nm,400,400\nm,800,800\n");
        let mut session = Session::new(Box::new(MemoryWorkspace::with([("m.csv", table)])));
        for line in ["load m.csv", "formula m = a[0]*N"] {
            session.run(line).unwrap();
        }
        let said = shown(&mut session, &format!("largest m N=1..1e6 {bound}"));
        assert!(said.contains(&format!("the largest N within {within} {unit}: {largest}")), "{said}");
    }
}

#[test]
fn keys_end_in_the_unit() {
    let mut session = session();
    let mut keys = |line: &str| {
        let outcome = llac::json::outcome(&session.run(line).unwrap()).to_string();
        assert!(!outcome.contains("_s\""), "{line}\n{outcome}");
        outcome
    };
    let predicted = keys("predict memory N=32000 P=4");
    for key in ["predicted_bytes\":513000", "lower_bytes", "upper_bytes", "noise_standard_deviation_bytes"] {
        assert!(predicted.contains(key), "{key}\n{predicted}");
    }
    assert!(predicted.contains("constant_bytes") && predicted.contains("value_bytes"), "{predicted}");
    for (line, key) in [
        ("fit memory", "\"value_bytes\""),
        ("fit memory", "\"standard_error_bytes\""),
        ("judge memory", "\"fitted_bytes\""),
        ("compare memory", "\"measured_bytes\""),
        ("show memory", "\"value_bytes\""),
    ] {
        assert!(keys(line).contains(key), "{line}");
    }
}

#[test]
fn pictures_have_the_unit_on_their_axes() {
    let mut session = session();
    for line in [
        "plot memory N P=1,8",
        "plot boxes memory N",
        "plot surface memory N P",
        "plot residuals memory",
        "plot boxes memory",
        "plot memory free N=16000 P=8",
        "plot memory free N P=1",
    ] {
        let outcome = llac::json::outcome(&session.run(line).unwrap());
        let svg = outcome["pictures"][0]["svg"].as_str().unwrap();
        assert!(svg.contains("kB"), "{line}\n{svg}");
        for word in [" ms<", ">time", "times", "fitted time", " s<"] {
            assert!(!svg.contains(word), "{line}: {word}\n{svg}");
        }
    }
}

#[test]
fn what_has_no_common_unit_is_not_compared() {
    let mut session = session();
    for line in [
        "predict memory t N=1000 P=1",
        "predict all N=1000 P=1",
        "plot memory t N P=1",
        "plot boxes memory t",
        "crossover memory t N=1..1e6 P=1",
    ] {
        let shown = shown(&mut session, line);
        assert!(shown.contains("they have no common unit") && shown.contains("in bytes"), "{line}\n{shown}");
    }
    let shown = shown(&mut session, "compare memory t");
    assert!(shown.contains("in seconds here, and what was fitted in bytes"), "{shown}");
}

#[test]
fn only_times_have_speed_ups_machines_and_programs() {
    let mut session = session();
    for (line, part) in [
        ("speedup memory P=1:8:2 N=1000", "a speed-up is of times, and `memory` is measured in bytes"),
        ("isoefficiency memory 0.8 N P=1:8:2", "an efficiency is of times"),
        ("plot speedup memory N=1000", "a speed-up is of times"),
        ("best memory cost P=1:8:2 N=1000", "costs of processors are of times"),
    ] {
        let shown = shown(&mut session, line);
        assert!(shown.contains(part), "{line}\n{shown}");
    }
    for line in ["program stage.obsp whole.obsp", "machine use sgi-powerchallenge"] {
        session.run(line).unwrap();
    }
    for (line, part) in [
        (
            "predict memory N=1000 P=4 on cray-t3e",
            "`memory` is measured in bytes, and only times are carried",
        ),
        ("predict stage N=1000 P=1", "`memory` is measured in bytes, and costs are times"),
        ("compare whole", "`whole` predicts in seconds, and `memory` is measured in bytes"),
        ("compare memory", "the program `whole` is left out: it predicts times"),
    ] {
        let shown = shown(&mut session, line);
        assert!(shown.contains(part), "{line}\n{shown}");
    }
}

/// 100 N ± 10 bytes: the scatter does not grow.
#[test]
fn reasons_of_weights_name_the_unit() {
    let mut table = "N,bytes\n".to_owned();
    for n in [1, 2, 4, 8, 16, 32, 64, 128] {
        for noise in [-10, -3, 4, 9, -7, 7] {
            writeln!(table, "{n},{}", 100 * n + noise).unwrap();
        }
    }
    let mut session = Session::new(Box::new(MemoryWorkspace::with([("g.csv", table)])));
    for line in ["load g.csv time=bytes name=g", "formula g = g[0] + g[1]*N", "set repetitions each"] {
        session.run(line).unwrap();
    }
    let shown = shown(&mut session, "fit g");
    let reason =
        "errors in bytes (in bytes: repetitions at 8 points scatter alike, large or small (as value^";
    assert!(shown.contains(reason), "{shown}");
}

#[test]
fn lists_name_units_where_not_all_are_times() {
    let mut session = session();
    let listed = shown(&mut session, "experiments");
    assert!(listed.contains("unit") && listed.contains("bytes") && listed.contains("seconds"), "{listed}");
}

#[test]
fn warnings_speak_of_what_was_measured() {
    // 64 N bytes that vary by a third without a pattern, and a point where the formula is not finite.
    let mut noisy = "N,bytes\n0,1000\n".to_owned();
    for index in 1..60 {
        let share = [70, 130, 95, 125, 75, 105, 130][index * index % 7];
        writeln!(noisy, "{},{}", 100 * index, 64 * index * share).unwrap();
    }
    let mut session = Session::new(Box::new(MemoryWorkspace::with([("noisy.csv", noisy)])));
    session.run("load noisy.csv time=bytes name=noisy").unwrap();
    session.run("formula noisy = noisy[0]*N + noisy[1]*log(N)").unwrap();
    let told = shown(&mut session, "judge noisy");
    assert!(told.contains("warning: noisy: 1 sample is left out"), "{told}");
    assert!(told.contains("the measurements vary by"), "{told}");
    assert!(!told.contains("time") && !told.contains("seconds"), "{told}");
}
