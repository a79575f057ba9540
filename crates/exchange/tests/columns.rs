//! What the names and values of columns say of them.

use call_exchange::{Imported, ReadOptions, read};
use call_trace::Unit;

fn table(text: &str) -> Imported {
    table_with(text, &ReadOptions::default())
}

fn table_with(text: &str, options: &ReadOptions) -> Imported {
    read("t.csv", text.as_bytes(), options).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Names and responses of the experiments.
fn responses(imported: &Imported) -> Vec<(&str, &[f64])> {
    let experiments = imported.trace.experiments.iter();
    experiments.map(|its| (its.name.as_str(), its.samples.time_s.as_slice())).collect()
}

fn notes(imported: &Imported) -> Vec<String> {
    imported.notes.iter().map(ToString::to_string).collect()
}

#[test]
fn short_words_are_units() {
    for (heading, seconds) in [
        ("time_h", 7200.0),
        ("runtime_h", 7200.0),
        ("time/h", 7200.0),
        ("time_min", 120.0),
        ("walltime_min", 120.0),
        ("time [min]", 120.0),
        ("duration_days", 172_800.0),
        ("time_m", 2.0),
    ] {
        let imported = table(&format!("P,{heading}\n1,2\n"));
        assert_eq!(responses(&imported), [("t", [seconds].as_slice())], "{heading}");
    }
    let least = table("N,time_min (s),time_max (s),time_mean (s)\n1,2,4,3\n");
    assert_eq!(responses(&least), [("t", [3.0].as_slice())]);
}

#[test]
fn core_hours_are_a_response_of_their_own_unit() {
    let imported = table("P,core-hours\n1,10\n2,10.1\n");
    assert_eq!(responses(&imported), [("t", [10.0, 10.1].as_slice())]);
    assert_eq!(imported.trace.experiments[0].unit.symbol(), "core-hours");
    assert_eq!(notes(&imported)[0], "the response is `core-hours`, in core-hours");
    let beside = table("P,core_hours,time_s\n1,10,5\n2,10.1,3\n");
    assert_eq!(responses(&beside), [("t", [5.0, 3.0].as_slice())]);
    assert_eq!(beside.trace.experiments[0].samples.names, ["P"]);
}

#[test]
fn statistics_beside_repetitions_stay_out() {
    for statistics in
        ["mean,stddev", "mean_s,sd", "time_mean,error", "median,ci", "time_min,time_max", "avg,sem"]
    {
        let text = format!("n,run1,run2,{statistics}\n10,1,3,2,9\n20,4,6,5,9\n");
        let imported = table(&text);
        assert_eq!(responses(&imported), [("t", [1.0, 3.0, 4.0, 6.0].as_slice())], "{statistics}");
        assert_eq!(imported.trace.experiments[0].samples.names, ["P", "n"]);
        let told = notes(&imported).concat();
        assert!(told.contains("statistics of the repetitions: `time=NAME` reads one of them"), "{told}");
    }
    let options = ReadOptions { response: Some("mean".to_owned()), ..ReadOptions::default() };
    let asked = table_with("n,t1,t2,t3,mean,std\n10,1,3,2,2,9\n20,4,6,5,5,9\n", &options);
    assert_eq!(responses(&asked), [("t", [2.0, 5.0].as_slice())]);
    assert_eq!(asked.trace.experiments[0].samples.names, ["P", "n"]);
    let alone = table("n,mean,stddev,ci_low\n10,2,1,1\n20,5,1,1\n");
    assert_eq!(responses(&alone), [("t", [2.0, 5.0].as_slice())]);
    assert_eq!(alone.trace.experiments[0].samples.names, ["P", "n"]);
}

#[test]
fn columns_of_processors_are_no_repetitions() {
    for header in ["n,T1,T2,T4", "n,T(1),T(2),T(4)", "N,1,2,4", "n\\cores,1,2,4", "n,p=1,p=2,p=4"] {
        let imported = table(&format!("{header}\n10,8,4,2\n20,16,8,4\n"));
        let its = &imported.trace.experiments[0].samples;
        assert_eq!(its.names.len(), 2, "{header}: {:?}", its.names);
        assert_eq!(its.names[1].to_lowercase(), "n", "{header}");
        assert_eq!(its.columns[0], [1.0, 2.0, 4.0, 1.0, 2.0, 4.0], "{header}");
        assert_eq!(its.time_s, [8.0, 4.0, 2.0, 16.0, 8.0, 4.0], "{header}");
    }
    let told = notes(&table("n,T1,T2,T4\n10,8,4,2\n"));
    assert_eq!(
        told[0],
        "the columns `T1`, `T2`, `T4` are values of `P`, each a row: call them `run 1`, `run 2` if they are repetitions, or \
         `NAME=1`, `NAME=2`"
    );
}

fn names_of(imported: &Imported) -> Vec<&str> {
    imported.trace.experiments.iter().map(|its| its.name.as_str()).collect()
}

#[test]
fn texts_that_part_points_name_experiments() {
    let imported = table("solver,n,time_s\ncg,1,2\ngmres,1,9\ncg,2,4\ngmres,2,18\n");
    assert_eq!(responses(&imported), [("cg", [2.0, 4.0].as_slice()), ("gmres", [9.0, 18.0].as_slice())]);
    assert!(
        notes(&imported).contains(
            &"experiments are told apart by `solver`: `without=solver` puts them together".to_owned()
        ),
        "{:?}",
        notes(&imported)
    );
    let both = "solver,compiler,n,time_s\ncg,gcc,1,2\ncg,icc,1,3\ngmres,gcc,1,9\ngmres,icc,1,8\n";
    assert_eq!(names_of(&table(both)), ["cg_gcc", "cg_icc", "gmres_gcc", "gmres_icc"]);
    let options = ReadOptions { leave_out: vec!["solver".to_owned()], ..ReadOptions::default() };
    assert_eq!(names_of(&table_with(both, &options)), ["gcc", "icc"]);
    let kernel = "kernel,mode,n,time_s\na,x,1,2\na,y,1,3\nb,x,1,9\nb,y,1,8\n";
    assert_eq!(names_of(&table(kernel)), ["a_x", "a_y", "b_x", "b_y"]);
    for pooled in [
        // One value, a unique one, one for each size, dates and remarks.
        "host,n,time_s\na,1,2\na,1,2\na,2,4\na,2,4\n",
        "id,n,time_s\na,1,2\nb,1,2\nc,2,4\nd,2,4\n",
        "class,n,time_s\nS,1,2\nS,1,2\nW,2,4\nW,2,4\n",
        "day,n,time_s\n2026-01-01,1,2\n2026-01-02,1,2\n2026-01-01,2,4\n2026-01-02,2,4\n",
        "comment,n,time_s\nwarm,1,2\ncold,1,2\nwarm,2,4\ncold,2,4\n",
    ] {
        assert_eq!(names_of(&table(pooled)), ["t"], "{pooled}");
    }
}

#[test]
fn results_beside_times_are_no_variables() {
    let text =
        "n,p,time_s,flops,bytes,energy (J),stddev\n10,1,2,20,80,5,1\n10,2,1,20,80,6,1\n20,1,4,40,160,10,1\n";
    let variables =
        |options: &ReadOptions| table_with(text, options).trace.experiments[0].samples.names.join(" ");
    let of = |name: &str| vec![name.to_owned()];
    assert_eq!(variables(&ReadOptions::default()), "P n p");
    assert_eq!(variables(&ReadOptions { keep: of("energy_J"), ..ReadOptions::default() }), "P n p energy_J");
    let energy = ReadOptions { response: Some("energy_J".to_owned()), ..ReadOptions::default() };
    assert_eq!(responses(&table_with(text, &energy)), [("t", [5.0, 6.0, 10.0].as_slice())]);
    let all = table_with(text, &ReadOptions { metrics: of("all"), ..ReadOptions::default() });
    assert_eq!(names_of(&all), ["t", "t:flops", "t:bytes", "t:energy_J"]);
    assert!(!notes(&all).iter().any(|note| note.contains("left out: `flops`")), "{:?}", notes(&all));
    assert_eq!(all.trace.experiments[3].unit.symbol(), "J");
    // The only variable of a table may be a number of bytes.
    assert_eq!(table("bytes,P,time_us\n8,1,2\n16,1,3\n").trace.experiments[0].samples.names, ["P", "bytes"]);
    let messages = table("bytes,repetitions,t_avg_us\n8,1000,2\n16,1000,3\n32,500,4\n");
    assert_eq!(messages.trace.experiments[0].samples.names, ["P", "bytes", "repetitions"]);
    let pairs = table("n,bytes,time_s\n10,8,2\n20,8,3\n10,16,4\n20,16,4\n");
    assert_eq!(pairs.trace.experiments[0].samples.names, ["P", "n", "bytes"]);
    let derived = table("n,P,bytes,time_s\n10,1,80,2\n10,2,80,3\n20,1,160,4\n20,2,160,4\n");
    assert_eq!(derived.trace.experiments[0].samples.names, ["P", "n"]);
    assert_eq!(table("P,speedup,time_s\n1,1,2\n2,2,1\n").trace.experiments[0].samples.names, ["P"]);
}

#[test]
fn clocks_and_failures_stand_in_columns_of_times() {
    let clock = table("N,Elapsed\n1,00:00:03\n2,00:00:06.5\n4,1-02:03:04\n");
    assert_eq!(responses(&clock), [("t", [3.0, 6.5, 93_784.0].as_slice())]);
    for failed in ["timeout", "NA", "-", "killed", "OOM"] {
        for rows in [["1,2", "2,4", "3,FAILED"], ["3,FAILED", "1,2", "2,4"]] {
            let text = format!("N,time_s\n{}\n", rows.join("\n")).replace("FAILED", failed);
            let imported = table(&text);
            assert_eq!(responses(&imported), [("t", [2.0, 4.0].as_slice())], "{text}");
            assert!(notes(&imported).iter().any(|note| note.starts_with("left out: 1 row, ")), "{text}");
        }
    }
    // A moment is no time that something took.
    let moment = table("N,start,time_s\n1,12:30:15,2\n2,12:31:15,4\n");
    assert_eq!(moment.trace.experiments[0].samples.names, ["P", "N"]);
}

#[test]
fn clocks_of_two_parts_are_minutes_and_seconds_or_what_is_said() {
    let check = |text: &str, unit: Option<Unit>, expected: [f64; 2], is_told: bool| {
        let options = ReadOptions { unit, ..ReadOptions::default() };
        let imported = read("t.csv", text.as_bytes(), &options).unwrap();
        assert_eq!(responses(&imported), [("t", expected.as_slice())], "{text}");
        let told = "`1:40` is read as minutes and seconds; if it is hours and minutes, name the column `time (h:mm)` or say `unit=h`";
        assert_eq!(notes(&imported).iter().any(|note| note.contains(told)), is_told, "{text}");
    };
    check("N,time\n1,1:40\n2,12:30\n", None, [100.0, 750.0], true);
    for decided in ["2:00.5", "0:02:00.5", "120.5 s", "2m0.5s"] {
        check(&format!("N,time\n1,1:40\n2,{decided}\n"), None, [100.0, 120.5], false);
    }
    for seconds in ["time (m:ss)", "time [mm:ss]", "time (min)", "time (s)", "time_s"] {
        check(&format!("N,{seconds}\n1,1:40\n2,12:30\n"), None, [100.0, 750.0], false);
    }
    for hours in ["time (h:mm)", "time [HH:MM]", "time (hours)", "time_h", "Elapsed in hours"] {
        check(&format!("N,{hours}\n1,1:40\n2,12:30\n"), None, [6000.0, 45_000.0], false);
    }
    check("N,time\n1,1:40\n2,12:30\n", Some(Unit::Hours), [6000.0, 45_000.0], false);
    // Three parts have one meaning, whatever is said.
    check("N,time (h)\n1,1:40\n2,1:00:30\n", None, [100.0, 3630.0], false);
}

#[test]
fn csv_of_google_benchmark_is_read_as_its_json() {
    let imported = table(
        "name,iterations,real_time,cpu_time,time_unit,bytes_per_second,label,error_occurred,error_message\n\
         \"BM_Copy/1024\",1000,100.5,102.4,ns,1e10,,,\n\"BM_Copy/4096/threads:2\",900,398.5,409.6,ns,1e10,,,\n\
         \"BM_Copy/1024_mean\",1000,100.5,102.4,ns,1e10,,,\n\"BM_Bad/8\",,,,,,,true,\"no memory\"\n",
    );
    assert_eq!(names_of(&imported), ["BM_Copy"]);
    let its = &imported.trace.experiments[0].samples;
    assert_eq!(
        (its.names.join(" "), its.time_s.as_slice()),
        ("P N".to_owned(), [100.5e-9, 398.5e-9].as_slice())
    );
    assert_eq!(its.columns[0], [1.0, 2.0]);
}

#[test]
fn units_of_headings_are_read_or_refused() {
    for (heading, seconds) in [
        ("time (10^-3 s)", 2e-3),
        ("time [10^{-6} s]", 2e-6),
        ("time (1e-9 s)", 2e-9),
        ("time (10⁻³ ms)", 2e-6),
        ("time (x10**-3 sec)", 2e-3),
    ] {
        let imported = table(&format!("N,{heading}\n1,2\n"));
        assert_eq!(responses(&imported), [("t", [seconds].as_slice())], "{heading}");
    }
    for (heading, unit) in [
        ("duration_ps", "ps"),
        ("time (ps)", "ps"),
        ("time (10^-12 s)", "10^-12 s"),
        ("time (100 ns)", "100 ns"),
    ] {
        let text = format!("N,{heading}\n1,2\n");
        let error = read("t.csv", text.as_bytes(), &ReadOptions::default()).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("column `{heading}`: `{unit}` is no unit of time that is read")
        );
        let said = ReadOptions { unit: Unit::named("ms"), ..ReadOptions::default() };
        assert_eq!(responses(&table_with(&text, &said)), [("t", [2e-3].as_slice())]);
    }
}

#[test]
fn times_may_be_minutes_and_seconds() {
    for fields in [["1:40", "2:05.5"], ["1m40s", "2m5.500s"], ["0:01:40", "0:02:05.5"]] {
        let imported = table(&format!("N,time_s\n1,{}\n2,{}\n", fields[0], fields[1]));
        assert_eq!(responses(&imported), [("t", [100.0, 125.5].as_slice())], "{fields:?}");
    }
}

#[test]
fn what_may_have_been_measured_is_proposed() {
    let cure = |text: &str| {
        let error = read("t.csv", text.as_bytes(), &ReadOptions::default()).unwrap_err();
        error.cure().unwrap().to_owned()
    };
    assert_eq!(cure("bytes,MB/s\n8,4\n16,5\n"), "name what was measured, as `time=MB/s` or `time=bytes`");
    assert_eq!(cure("N,flops,GFLOPS\n8,4,5\n"), "name what was measured, as `time=GFLOPS` or `time=flops`");
    assert!(cure("N,bytes,energy (J)\n8,4,5\n").contains("`\"time=energy (J)\"`"));
    assert_eq!(cure("N,M\n8,4\n"), "name the time column, or call it `time_s`");
}

#[test]
fn numbers_of_rows_are_no_variables() {
    let names = |text: &str| table(text).trace.experiments[0].samples.names.join(" ");
    let numbered = table("id,N,time_s\n0,8,1\n1,16,2\n2,8,1\n");
    assert!(notes(&numbered).concat().contains("`id`"), "{:?}", notes(&numbered));
    assert_eq!(numbered.trace.experiments[0].samples.names, ["P", "N"]);
    assert_eq!(names("N,ID,time_s\n8,1,1\n16,2,2\n8,3,1\n"), "P N");
    assert_eq!(names("id,N,time_s\n1,8,1\n1,16,2\n2,8,1\n"), "P id N");
    assert_eq!(names("id,time_s\n1,1\n2,2\n3,1\n"), "P id");
    let keep = ReadOptions { keep: vec!["id".to_owned()], ..ReadOptions::default() };
    let kept = table_with("id,N,time_s\n0,8,1\n1,16,2\n2,8,1\n", &keep);
    assert_eq!(kept.trace.experiments[0].samples.names, ["P", "id", "N"]);
}

#[test]
fn kernels_and_variables_keep_their_names_from_file_to_file() {
    let first = table("kernel,N,time_s\na b,10,1\na-b,10,100\n");
    assert_eq!(responses(&first), [("a_b", [1.0].as_slice()), ("a_minus_b", [100.0].as_slice())]);
    let options = ReadOptions { names: first.names, ..ReadOptions::default() };
    for text in ["kernel,N,time_s\na-b,20,200\na b,20,2\n", "kernel,N,time_s\na-b,20,200\n"] {
        let second = table_with(text, &options);
        assert_eq!(responses(&second)[0], ("a_minus_b", [200.0].as_slice()));
        assert!(notes(&second).concat().contains("`a-b` is called `a_minus_b` here"));
    }
    let apart = table("kernel,N,time_s\na b,10,1\n");
    let options = ReadOptions { names: apart.names, ..ReadOptions::default() };
    let second = table_with("kernel,N,time_s\na-b,20,200\n", &options);
    assert_eq!(responses(&second), [("a_minus_b", [200.0].as_slice())]);
    for text in ["x+,x-,time_s\n1,10,21\n", "x-,x+,time_s\n10,1,21\n"] {
        let samples = &table(text).trace.experiments[0].samples;
        assert_eq!(
            (samples.column("x_plus"), samples.column("x_minus")),
            (Some(&[1.0][..]), Some(&[10.0][..]))
        );
    }
}
