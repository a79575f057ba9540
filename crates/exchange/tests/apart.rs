//! Two different things are never one experiment's repetitions: planted files of tools whose names, columns or tables differ in little.

use call_exchange::{Imported, OriginalNames, ReadOptions, read};

use crate::benchmarks::{notes, of, values, with};

fn plain(name: &str, text: &str) -> Imported {
    with(name, text, &ReadOptions::default())
}

fn metric(name: &str, text: &str, metric: &str) -> Imported {
    with(name, text, &ReadOptions { metrics: vec![metric.to_owned()], ..ReadOptions::default() })
}

/// Reads files of one data set.
fn set(texts: &[&str]) -> Vec<Imported> {
    let mut names = OriginalNames::default();
    let mut read_next = |text: &&str| {
        let options = ReadOptions { names: names.clone(), ..ReadOptions::default() };
        let imported = with("x.json", text, &options);
        names = imported.names.clone();
        imported
    };
    texts.iter().map(&mut read_next).collect()
}

fn error(name: &str, text: &str) -> String {
    let error = read(name, text.as_bytes(), &ReadOptions::default()).unwrap_err();
    format!("{}: {error}", error.code())
}

const CHANNELS: &str = "TABLE,Region solve,Group 1 Raw,MEM,7\nRegion Info,HWThread 0,HWThread 1\nRDTSC Runtime [s],1,1.5\n\
    call count,1,1\nEvent,Counter,HWThread 0,HWThread 1\nCAS_COUNT_RD,MBOX0C0,500,0\nCAS_COUNT_RD,MBOX1C0,700,-\n\
    CAS_COUNT_RD,MBOX2C0,900,1\nCAS_COUNT_RD,HBM0C0,10,0\nCAS_COUNT_RD,HBM1C0,20,0\nSTALLS,PMC0,7,8\n\
    STALLS,PMC1:EDGEDETECT,3,4\nwhat the program says, itself\n";

#[test]
fn of_likwid_an_event_is_the_sum_over_its_units() {
    let found = metric("l.csv", CHANNELS, "CAS_COUNT_RD:MBOXC0");
    assert_eq!(values(&found), [of("solve", &[2100.0, 1.0])]);
    assert!(
        notes(&found).contains("`CAS_COUNT_RD:MBOXC0` are sums over `MBOX0C0`, `MBOX1C0`, `MBOX2C0`"),
        "{}",
        notes(&found)
    );
    assert_eq!(values(&metric("l.csv", CHANNELS, "CAS_COUNT_RD:HBMC0")), [of("solve", &[30.0, 0.0])]);
    let edges = metric("l.csv", CHANNELS, "STALLS:PMC1:EDGEDETECT");
    assert_eq!(values(&edges), [of("solve", &[3.0, 4.0])]);
    assert!(!notes(&edges).contains("sums"), "only what is read is told: {}", notes(&edges));
    let channels: String =
        CHANNELS.lines().filter(|line| !line.contains("HBM")).map(|line| format!("{line}\n")).collect();
    let channels = channels.replace("MEM,7", "MEM,5");
    assert_eq!(values(&metric("l.csv", &channels, "CAS_COUNT_RD")), [of("solve", &[2100.0, 1.0])]);
}

#[test]
fn of_likwid_groups_are_apart() {
    let table = |group: u32, time_s: u32| {
        format!(
            "TABLE,Region f,Group {group} Raw,G,1\nRegion Info,Core 0\nRDTSC Runtime [s],{time_s}\nEvent,Counter,Core 0\nE{group},PMC0,5\n"
        )
    };
    let both = table(1, 1) + &table(2, 3);
    let found = plain("l.csv", &both);
    assert_eq!(values(&found), [of("f", &[1.0])]);
    assert!(
        notes(&found).contains("left out: `E1`, `group 2: RDTSC Runtime [s]`, `E2`"),
        "{}",
        notes(&found)
    );
    assert_eq!(values(&metric("l.csv", &both, "group 2: RDTSC Runtime [s]")), [of("f", &[3.0])]);
    // Of a second run they are repetitions.
    assert_eq!(values(&plain("l.csv", &(both.clone() + "STRUCT,Info,3\n" + &both))), [of("f", &[1.0, 1.0])]);
}

#[test]
fn of_likwid_a_clock_is_no_time() {
    let text = "TABLE,Region f,Group 1 Metric,G,2\nMetric,Core 0\nClock [MHz],2500\nRuntime unhalted [s],2\n";
    assert_eq!(values(&plain("l.csv", text)), [of("f", &[2.0])]);
    let clock = metric("l.csv", text, "Clock [MHz]");
    assert_eq!(values(&clock), [of("f", &[2500.0])]);
    assert_eq!(clock.trace.experiments[0].unit.symbol(), "MHz");
}

#[test]
fn columns_of_likwid_mpirun_are_threads() {
    let text = "TABLE,Region f,Group 1 Raw,G,3\nEvent,Counter,n1:0:0,n1:1:1,n2:2:0\nRuntime (RDTSC) [s],TSC,1,2,3\n\
        Region calls,CTR,1,1,1\nINSTR,FIXC0,10,20,30\nTABLE,Region f,Group 1 Metric,G,1\nMetric,n1:0:0,n1:1:1,n2:2:0\n\
        Runtime (RDTSC) [s],1,2,3\n";
    let found = plain("l.csv", text);
    assert_eq!(values(&found), [of("f", &[1.0, 2.0, 3.0])]);
    let samples = &found.trace.experiments[0].samples;
    assert_eq!(
        (samples.column("P"), samples.processor.as_slice()),
        (Some([3.0; 3].as_slice()), [0, 1, 2].as_slice())
    );
}

#[test]
fn files_of_likwid_that_were_cut_are_errors() {
    let text = "STRUCT,Info,3\nTABLE,Region f,Group 1 Raw,G,2\nEvent,Counter,Core 0\nA,PMC0,14\nB,PMC1,15\n";
    assert_eq!(values(&metric("l.csv", text, "A")), [of("f", &[14.0])]);
    for end in 1..text.len() {
        let cut = &text[..end];
        // Before the line of the table there is nothing that could be a file of LIKWID.
        if cut.contains("TABLE,Region ") {
            assert!(error("l.csv", cut).starts_with("cut-file: line "), "{end}: {}", error("l.csv", cut));
        }
    }
    let rows =
        error("l.csv", "TABLE,Group 1 Raw,G,3\nEvent,Counter,Core 0\nA,PMC0,14\nTABLE,Group 2 Raw,G,0\n");
    assert_eq!(rows, "cut-file: line 1: the table announces 3 rows, and 1 follow: the file was cut");
}

const KERNELS: &str = "Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),GridXYZ,BlockXYZ,Name\n\
    60.0,6000,3,2e9,2e9,1e9,3e9,100,  896    2    1, 128    1    1,\"k(int)\"\n\
    40.0,4000,4,1e9,1e9,1e9,1e9,100,  448    1    1, 128    1    1,\"k(int)\"\n";

#[test]
fn of_nsight_grids_are_variables() {
    let found = plain("n.csv", KERNELS);
    assert_eq!(values(&found), [of("k_int", &[2.0, 1.0])]);
    let samples = &found.trace.experiments[0].samples;
    assert_eq!(samples.names, ["P", "gridX", "gridY", "blockX"]);
    assert_eq!(
        (samples.column("gridX"), samples.column("gridY")),
        (Some([896.0, 448.0].as_slice()), Some([2.0, 1.0].as_slice()))
    );
    let tables = "Time (%),Total Time (ns),Num Calls,Avg (ns),Med (ns),Min (ns),Max (ns),Name\n50,1,1,1e9,1e9,1e9,1e9,read\n\n\
        Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),Range\n50,1,1,4e9,4e9,4e9,4e9,read\n";
    assert_eq!(
        values(&plain("n.csv", tables)),
        [of("read_Name_Num_Calls", &[1.0]), of("read_Range_Instances", &[4.0])]
    );
}

#[test]
fn of_nsight_styles_of_ranges_are_apart() {
    let text = "Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),Style,Range\n\
        50,1,1,1e9,1e9,1e9,1e9,PushPop,step\n50,1,1,4e9,4e9,4e9,4e9,StartEnd,step\n";
    assert_eq!(values(&plain("n.csv", text)), [of("step_PushPop", &[1.0]), of("step_StartEnd", &[4.0])]);
}

#[test]
fn regions_that_only_other_metrics_have_are_told() {
    let found =
        plain("j.json", &format!("[{}, {}]", java("o.S.sort", "avgt", 1), java("o.S.scan", "thrpt", 2)));
    assert_eq!(values(&found), [of("S_sort", &[1.0])]);
    assert!(notes(&found).contains("(only other metrics were measured there)"), "{}", notes(&found));
}

#[test]
fn old_reports_of_nsight_are_read() {
    let text = "Time(%),Total Time (ns),Instances,Average,Minimum,Maximum,Name\n99.0,5000,5,1000.0,900,1100,k1\n1.0,50,1,50.0,50,50,k2\n";
    let found = plain("n.csv", text);
    assert_eq!(values(&found), [of("k1", &[1e-6]), of("k2", &[5e-8])]);
    let kept = &found.trace.experiments[0].summaries;
    assert_eq!((kept.points.count[0], kept.min_s[0], kept.max_s[0]), (5, 9e-7, 1.1e-6));
    assert!(notes(&found).contains("the times are its means"), "{}", notes(&found));
}

#[test]
fn reports_of_nsight_that_were_cut_are_errors() {
    let end = "50,1,1,1,1,1,1,k1\n40,2,2,2,2,2,2,k2\n";
    let text = format!("Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),Name\n{end}");
    assert_eq!(plain("n.csv", &text).trace.experiments.len(), 2);
    let first_end = text.find("40,").unwrap();
    for cut in first_end + 1..text.len() {
        let found = error("n.csv", &text[..cut]);
        assert!(found.starts_with("cut-file: line 3: "), "{cut}: {found}");
    }
    let short = text.replace("50,1,1,1,1,1,1,k1", "50,1,1,1,1,1,1");
    assert!(error("n.csv", &short).starts_with("field-count: line 2"), "{}", error("n.csv", &short));
}

fn test(full_name: &str, time_s: f64) -> String {
    let name = full_name.rsplit("::").next().unwrap();
    format!(
        "{{\"name\": \"{name}\", \"fullname\": \"{full_name}\", \"params\": null, \"stats\": {{\"data\": [{time_s}]}}}}"
    )
}

fn tests(tests: &[String]) -> String {
    format!("{{\"benchmarks\": [{}]}}", tests.join(", "))
}

#[test]
fn tests_of_two_modules_are_two() {
    let both =
        tests(&[test("a.py::test_sort", 1.0), test("b.py::test_sort", 40.0), test("b.py::test_scan", 2.0)]);
    let found = plain("p.json", &both);
    assert_eq!(
        values(&found),
        [of("a_py_test_sort", &[1.0]), of("b_py_test_sort", &[40.0]), of("test_scan", &[2.0])]
    );
    assert!(
        notes(&found).contains("`test_sort` would be more than one: told apart by longer names, `a.py::test_sort`, `b.py::test_sort`"),
        "{}",
        notes(&found)
    );
    // What has a name keeps it in all further files.
    let [first, second] = [tests(&[test("a.py::test_sort", 1.0)]), both];
    let found = set(&[&first, &second, &first]);
    assert_eq!(values(&found[0]), [of("test_sort", &[1.0])]);
    assert_eq!(values(&found[1])[..2], [of("test_sort", &[1.0]), of("b_py_test_sort", &[40.0])]);
    assert!(
        notes(&found[1]).contains("`test_sort` is `a.py::test_sort` of a file before"),
        "{}",
        notes(&found[1])
    );
    assert_eq!(values(&found[2]), values(&found[0]));
}

#[test]
fn texts_of_parameters_are_not_run_together() {
    let test = |a: &str, b: &str, time_s: u32| {
        format!(
            "{{\"name\": \"t[{a}-{b}]\", \"fullname\": \"m.py::t[{a}-{b}]\", \"params\": {{\"a\": \"{a}\", \"b\": \"{b}\"}}, \"stats\": {{\"data\": [{time_s}]}}}}"
        )
    };
    let found = plain("p.json", &tests(&[test("x_y", "z", 1), test("x", "y_z", 2)]));
    assert_eq!(found.trace.experiments.len(), 2, "{:?}", values(&found));
}

fn java(name: &str, mode: &str, score: u32) -> String {
    let unit = if mode == "thrpt" { "ops/s" } else { "s/op" };
    format!(
        "{{\"benchmark\": \"{name}\", \"mode\": \"{mode}\", \"threads\": 1, \"primaryMetric\": {{\"score\": {score}, \"scoreUnit\": \"{unit}\"}}}}"
    )
}

#[test]
fn of_jmh_packages_and_modes_are_apart() {
    let packages = format!(
        "[{}, {}, {}]",
        java("o.a.B.run", "avgt", 1),
        java("o.c.B.run", "avgt", 100),
        java("o.c.D.run", "avgt", 7)
    );
    let found = plain("j.json", &packages);
    assert_eq!(values(&found), [of("o_a_B_run", &[1.0]), of("o_c_B_run", &[100.0]), of("D_run", &[7.0])]);
    let modes = format!(
        "[{}, {}, {}]",
        java("o.a.B.run", "avgt", 1),
        java("o.a.B.run", "sample", 2),
        java("o.a.B.run", "ss", 3)
    );
    let found = plain("j.json", &modes);
    assert_eq!(
        values(&found),
        [of("B_run_avgt", &[1.0]), of("B_run_sample", &[2.0]), of("B_run_ss", &[3.0])]
    );
    let single = |name: &str, mode: &str| format!("[{}]", java(name, mode, 5));
    let found =
        set(&[&single("o.a.B.run", "avgt"), &single("o.a.B.run", "ss"), &single("o.c.B.run", "avgt")]);
    let names: Vec<&str> = found.iter().map(|its| its.trace.experiments[0].name.as_str()).collect();
    assert_eq!(names, ["B_run", "B_run_ss", "B_run_avgt"]);
}

fn commands(commands: &[(&str, u32)]) -> String {
    let result =
        |(command, time_s): &(&str, u32)| format!("{{\"command\": \"{command}\", \"times\": [{time_s}]}}");
    format!("{{\"results\": [{}]}}", commands.iter().map(result).collect::<Vec<_>>().join(", "))
}

#[test]
fn commands_of_two_files_are_two() {
    let files = [commands(&[("./prog --fast", 1)]), commands(&[("./prog --slow", 9)])];
    let found = set(&[&files[0], &files[1], &files[0]]);
    assert_eq!(values(&found[0]), [of("prog", &[1.0])]);
    assert_eq!(values(&found[1]), [of("prog_slow", &[9.0])]);
    assert_eq!(values(&found[2]), values(&found[0]));
    let both = commands(&[("./prog --fast", 1), ("./prog --slow", 9)]);
    let found = set(&[&both, &files[0], &files[1]]);
    assert_eq!(values(&found[0]), [of("prog_fast", &[1.0]), of("prog_slow", &[9.0])]);
    assert_eq!(
        (values(&found[1]), values(&found[2])),
        (vec![of("prog_fast", &[1.0])], vec![of("prog_slow", &[9.0])])
    );
    // Of one file, other numbers of words and other folders are other commands.
    let found = plain("h.json", &commands(&[("./prog", 1), ("./prog -q", 2), ("old/prog", 3)]));
    assert_eq!(found.trace.experiments.len(), 3, "{:?}", values(&found));
}

#[test]
fn times_of_other_clocks_are_apart() {
    let run = |name: &str, time_ns: u32| {
        format!("{{\"name\": \"{name}\", \"real_time\": {time_ns}, \"time_unit\": \"s\"}}")
    };
    let file = |names: &[(&str, u32)]| {
        let runs: Vec<String> = names.iter().map(|(name, time)| run(name, *time)).collect();
        format!("{{\"benchmarks\": [{}]}}", runs.join(", "))
    };
    let found = plain(
        "g.json",
        &file(&[
            ("BM_a/8/manual_time", 3),
            ("BM_a/8/real_time", 40),
            ("BM_a/8", 500),
            ("BM_b/8/real_time", 6),
        ]),
    );
    assert_eq!(
        values(&found),
        [
            of("BM_a_manual_time", &[3.0]),
            of("BM_a_real_time", &[40.0]),
            of("BM_a", &[500.0]),
            of("BM_b", &[6.0])
        ]
    );
    let found = set(&[&file(&[("BM_a/8/real_time", 1)]), &file(&[("BM_a/8/process_time", 2)])]);
    assert_eq!(
        (values(&found[0]), values(&found[1])),
        (vec![of("BM_a", &[1.0])], vec![of("BM_a_process_time", &[2.0])])
    );
}

/// A table of Caliper: rows, and columns with their metadata.
fn caliper(rows: &str, columns: &[(&str, &str)], nodes: &[(&str, &str, i32)]) -> String {
    let names: Vec<String> = columns.iter().map(|(name, _)| format!("\"{name}\"")).collect();
    let metadata: Vec<String> = columns.iter().map(|(_, metadata)| format!("{{{metadata}}}")).collect();
    let node = |(column, label, parent): &(&str, &str, i32)| match *parent {
        ..0 => format!("{{\"column\": \"{column}\", \"label\": \"{label}\"}}"),
        parent => format!("{{\"column\": \"{column}\", \"label\": \"{label}\", \"parent\": {parent}}}"),
    };
    let nodes: Vec<String> = nodes.iter().map(node).collect();
    let (names, metadata, nodes) = (names.join(", "), metadata.join(", "), nodes.join(", "));
    format!(
        "{{\"data\": [{rows}], \"columns\": [{names}], \"column_metadata\": [{metadata}], \"nodes\": [{nodes}]}}"
    )
}

const VALUE: &str = "\"is_value\": true";
const NODE: &str = "\"is_value\": false";

#[test]
fn of_caliper_call_paths_are_sums_over_other_columns() {
    // The column of loops stands before that of paths.
    let nodes = [("loop", "l1", -1), ("loop", "l2", -1), ("path", "main", -1), ("path", "solve", 2)];
    let columns = [("time", VALUE), ("mpi.rank", VALUE), ("loop", NODE), ("path", NODE)];
    let found = plain(
        "c.json",
        &caliper("[1, 0, 0, 3], [5, 0, 1, 3], [2, 0, null, 2], [7, 1, 0, 3]", &columns, &nodes),
    );
    assert_eq!(values(&found), [of("main/solve", &[6.0, 7.0]), of("main", &[2.0])]);
    assert!(notes(&found).contains("the values of `time` are sums over `loop`"), "{}", notes(&found));
    // Two nodes of one path.
    let nodes = [("path", "main", -1), ("path", "solve", 0), ("path", "solve", 0)];
    let found =
        plain("c.json", &caliper("[1, 0], [2, 1], [4, 2]", &[("time", VALUE), ("path", NODE)], &nodes));
    assert_eq!(values(&found), [of("main", &[1.0]), of("main/solve", &[6.0])]);
    assert!(notes(&found).contains("sums over the nodes of each call path"), "{}", notes(&found));
    // Means of parts are none of the whole.
    let columns = [("time", VALUE), ("avg#x", VALUE), ("min#x", VALUE), ("path", NODE)];
    let text = caliper("[1, 5, 3, 0], [2, 6, 2, 1], [4, 7, 4, 2]", &columns, &nodes);
    assert!(notes(&plain("c.json", &text)).contains("left out: `avg#x` (call paths have several rows"));
    assert_eq!(values(&metric("c.json", &text, "min#x")), [of("main", &[3.0]), of("main/solve", &[2.0])]);
}

#[test]
fn of_caliper_threads_are_processors() {
    let nodes = [("path", "main", -1), ("path", "loop", 0)];
    let columns = [("time", VALUE), ("mpi.rank", VALUE), ("omp.thread.id", VALUE), ("path", NODE)];
    let found =
        plain("c.json", &caliper("[1, 0, 0, 0], [2, 0, 1, 1], [4, 0, 2, 1], [8, 1, 0, 1]", &columns, &nodes));
    let samples = &found.trace.experiments[1].samples;
    assert_eq!(values(&found)[1], of("main/loop", &[2.0, 4.0, 8.0]));
    assert_eq!(
        (samples.column("P"), samples.processor.as_slice()),
        (Some([4.0; 3].as_slice()), [1, 2, 3].as_slice())
    );
}

#[test]
fn of_caliper_durations_are_microseconds_unless_it_says_otherwise() {
    let read_column = |name: &str, metadata: &str| {
        let found = plain(
            "c.json",
            &caliper("[5000, 0]", &[(name, metadata), ("path", NODE)], &[("path", "main", -1)]),
        );
        (found.trace.experiments[0].samples.time_s[0], notes(&found))
    };
    let (time_s, told) = read_column("sum#time.duration", VALUE);
    assert_eq!(time_s, 0.005);
    assert!(told.contains("`sum#time.duration`, taken as microseconds since no unit stands there"), "{told}");
    assert_eq!(read_column("sum#time.duration", "\"is_value\": true, \"unit\": \"usec\"").0, 0.005);
    assert_eq!(read_column("sum#time.duration", "\"is_value\": true, \"attribute.unit\": \"sec\"").0, 5000.0);
    assert_eq!(read_column("sum#time.duration.ns", VALUE).0, 5e-6);
    assert_eq!(read_column("time", VALUE).0, 5000.0);
}

#[test]
fn names_of_calls_are_told_once() {
    let long = "x".repeat(100);
    let nodes: Vec<(String, i32)> =
        (0..60).map(|number| (format!("f<{long}{number}>"), number - 1)).collect();
    let nodes: Vec<(&str, &str, i32)> =
        nodes.iter().map(|(label, parent)| ("path", label.as_str(), *parent)).collect();
    let rows: Vec<String> = (0..60).map(|number| format!("[1, {number}]")).collect();
    let found = plain("c.json", &caliper(&rows.join(", "), &[("time", VALUE), ("path", NODE)], &nodes));
    let told: Vec<String> =
        found.notes.iter().map(ToString::to_string).filter(|note| note.contains("called")).collect();
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(notes(&found).contains("59 further names are changed like those"), "{}", notes(&found));
}
