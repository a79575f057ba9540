//! `profile`: what is told of recorded supersteps and of traces of the Oxford toolset.

use std::path::PathBuf;
use std::sync::Arc;

use crate::condense::Shared;
use crate::transcript::transcript;
use call_exchange::ReadOptions;
use call_trace::Trace;
use llac::{MemoryWorkspace, Session, Workspace as _, json};
use serde_json::Value;

/// Two processors that synchronise in `exchange`, called by `fft`, twice, and once in `fft`. All wait half a second at least in the first
/// superstep.
fn recorded(computing_s: [f64; 2]) -> String {
    let columns = "# superstep machine depth place start_s computing_s waiting_s communicating_s recording_s out_bytes in_bytes \
        out_messages in_messages partners experiments inner_waiting_s\n";
    let section = |processor: usize| {
        let other = 1 - processor;
        let waiting_s = (computing_s[other] - computing_s[processor]).max(0.0) + 0.5;
        format!(
            "# supersteps of processor {processor}, clock common\n# place 1: bsp_sync fft.c:88 in exchange < fft < main\n\
             # place 2: bsp_sync fft.c:95 in fft < main\n# place 3: bsp_end fft.c:99 in main\n{columns}\
             # 1 0-1.0 0 1 0 {} {waiting_s} 1 0 8 {} 1 1 {other} - 0\n# 2 0-1.0 0 1 9 2 0 1 0 0 0 0 0 - - 0\n\
             # 3 0-1.0 0 2 12 1 0 1 0 16 16 1 1 {other} - 0\n# 4 0-1.0 0 3 14 0.25 0 0 0 0 0 0 0 - - 0\n",
            computing_s[processor],
            8 + 24 * processor,
        )
    };
    format!(
        "# call-trace 1\n# program: fft\n# processors: 2\n# experiment: E\n# variables:\nexperiment processor P time_s\n{}{}# end rows=0\n",
        section(0),
        section(1)
    )
}

fn session() -> Session {
    let plain = "# call-trace 1\n# program: p\n# processors: 1\n# experiment: E\n# variables:\nexperiment processor P time_s\nE 0 1 4\n\
        # end rows=1\n";
    let whole = recorded([3.0, 1.0]);
    let cut = whole[..whole.find("# supersteps of processor 1").unwrap()].to_owned();
    let single = cut
        .replace("# processors: 2", "# processors: 1")
        .replace("0-1.0", "0-0.0")
        .replace(" 1 - 0\n", " - - 0\n");
    let hostile = "P 1\ns 0 7 a.c\n\
        A <7 of a.c \u{1b}[31m</script>\u{202e},javascript:alert(1),main, > with 1 SYNCS 1 1 1 COMP 0 0 0 COMM 0 0 0 COMPIDLE 0 0 0 HREL \
        1,0,0,0,0;\n";
    let long = hostile.replace("javascript", &"x".repeat(1_000_000));
    let files = [
        ("fft.dat", whole),
        ("better.dat", recorded([2.0, 2.0])),
        ("single.dat", single),
        ("cut.dat", cut),
        ("plain.dat", plain.to_owned()),
        ("hostile.bsp", hostile.to_owned()),
        ("long.bsp", long),
        ("long_file.bsp", hostile.replace("a.c", &"y".repeat(1_000_000))),
        ("damaged.bsp", hostile.replace("1 SYNCS", "one SYNCS")),
        ("letter.bsp", "Dear profiler,\n".to_owned()),
    ];
    Session::new(Box::new(MemoryWorkspace::with(files)))
}

#[test]
fn profiles() {
    let lines = [
        "profile",
        "load fft.dat",
        "profile",
        "profile by comp/absdelta hide 20",
        "profile node fft",
        "profile pies exchange",
        "profile centres",
        "profile to fft.bsp",
        "profile fft.bsp by wait",
        "profile by hrel to fft.svg",
        "profile to fft.png",
        "profile to fft.firefox.json",
        "page into fft.html",
        "page fft.bsp fft.dat into both.html style both.css",
        "profile into fft.nodes.csv",
        "load fft.dat better.dat",
        "profile hide 60",
        "profile compare",
        "profile compare fft.dat fft.bsp",
        "help profile",
    ];
    insta::assert_snapshot!(transcript(&mut session(), &lines));
}

#[test]
fn mistakes() {
    let lines = [
        "profile absent.bsp",
        "profile letter.bsp",
        "profile damaged.bsp",
        "profile hostile.bsp hide 0",
        "profile long.bsp",
        "profile long.bsp node main",
        "profile long_file.bsp centres hide 0",
        "profile fft.dat",
        "load plain.dat",
        "profile",
        "load cut.dat",
        "profile cut.dat",
        "load fft.dat single.dat",
        "profile",
        "profile fft.dat single.dat",
        "profile fft.dat by com/absdelta",
        "profile fft.dat by",
        "profile fft.dat hide most",
        "profile fft.dat node fff",
        "profile fft.dat node fft pies fft",
        "profile fft.dat to fft.txt",
        "profile fft.dat where P < 2",
        "profile fft.dat into fft.csv",
        "profile compare fft.dat",
        "profile compare fft.dat single.dat",
        "page fft.dat",
        "page fft.dat into",
        "page fft.dat into fft.txt",
        "page fft.dat into fft.html at once",
        "page fft.dat into fft.html style fft.html",
        "page fft.dat fft.dat fft.dat into fft.html",
        "page absent.bsp into fft.html",
    ];
    insta::assert_snapshot!(transcript(&mut session(), &lines));
}

/// What programs get of the ten traces of the Oxford toolset is what its own program calculates.
#[test]
fn shades_are_those_of_the_original() {
    let data = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../crates/profile/tests/data");
    let mut names: Vec<String> = std::fs::read_dir(&data)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".bsp"))
        .collect();
    names.sort();
    assert_eq!(names.len(), 10);
    for name in names {
        let trace = std::fs::read_to_string(data.join(&name)).unwrap();
        let oracle = std::fs::read(data.join(format!("{name}.oracle.json"))).unwrap();
        let oracle: Value = serde_json::from_slice(&oracle).unwrap();
        let mut session = Session::new(Box::new(MemoryWorkspace::with([(name.as_str(), trace)])));
        let outcome = json::outcome(&session.run(&format!("profile {name}")).unwrap());
        let rows = |table: &str| {
            let tables = outcome["tables"].as_array().unwrap();
            tables.iter().find(|its| its["name"] == table).unwrap()["rows"].as_array().unwrap().clone()
        };
        let (shades, nodes) = (rows("shades"), rows("nodes"));
        let expected = oracle["nodes"].as_object().unwrap();
        assert_eq!((shades.len(), nodes.len()), (expected.len(), expected.len()), "{name}");
        for (number, lines) in expected {
            let of = |rows: &[Value]| rows.iter().find(|row| row["node"] == lines[0]).unwrap().clone();
            let (row, node) = (of(&shades), of(&nodes));
            assert_eq!(format!("[{} syncs]", node["synchronisations"]), lines[1], "{name}");
            let critical = oracle["critical"].as_object().unwrap();
            assert_eq!((critical.len(), row.as_object().unwrap().len()), (17, 18));
            for (key, shades) in critical {
                let (ours, theirs) = (row[key].as_f64().unwrap(), shades[number].as_f64().unwrap());
                assert!((ours - theirs).abs() <= 1.0, "{name} {key} {lines}: {ours} {theirs}");
            }
        }
    }
}

/// A run of a program on a size N: 2 processors compute N milliseconds, which one sample tells.
fn sized(size: u32, other: u32) -> String {
    let seconds = f64::from(size) * 1e-3;
    let rows = format!("# variables: N M\nexperiment processor P N M time_s\nE 0 2 {size} {other} 1\n");
    let text = recorded([seconds, seconds]).replace("# variables:\nexperiment processor P time_s\n", &rows);
    text.replace("# end rows=0", "# end rows=1")
}

#[test]
fn profiles_are_predicted_where_nothing_ran() {
    let sizes = [1000, 2000, 4000, 8000];
    let mut files: Vec<(String, String)> =
        sizes.iter().map(|size| (format!("n{size}.dat"), sized(*size, 7))).collect();
    files.push(("other.dat".to_owned(), sized(500, 9)));
    let files = files.iter().map(|(name, text)| (name.as_str(), text.clone()));
    let mut session = Session::new(Box::new(MemoryWorkspace::with(files)));
    session.run("load n1000.dat n2000.dat n4000.dat n8000.dat").unwrap();
    let outcome = session.run("profile N=16000").unwrap();
    assert_eq!(outcome.warnings.iter().map(|warning| warning.code).collect::<Vec<_>>(), ["extrapolated"]);
    let text = json::outcome(&outcome).to_string();
    assert!(text.contains("intervals"), "{text}");
    let told = transcript(
        &mut session,
        &[
            "profile N=16000",
            "profile N=16000 centres hide 0",
            "profile n1000.dat n2000.dat N=3000",
            "profile n1000.dat n2000.dat",
            "profile N=16000 P=4",
            "profile N=16000 N=2",
            "profile N=many",
            "profile K=3",
            "profile N=16000 pies main",
            "profile N=16000 to x.bsp",
            "profile N=16000 to x.firefox.json",
            "profile n1000.dat on cray-t3e to x.bsp",
            "profile N=16000 on nowhere",
            "load other.dat",
            "profile N=16000",
        ],
    );
    insta::assert_snapshot!(told);
}

/// Processor 0 computes for 50 seconds, eleven others for one each: nine of these are less than 15 % together.
#[test]
fn small_slices_are_combined() {
    let columns = "# superstep machine depth place start_s computing_s waiting_s communicating_s recording_s out_bytes in_bytes \
        out_messages in_messages partners experiments inner_waiting_s\n";
    let section = |processor: usize| {
        let computing_s = if processor == 0 { 50 } else { 1 };
        format!(
            "# supersteps of processor {processor}, clock common\n# place 1: bsp_sync a.c:8 in main\n{columns}\
             # 1 0-11.0 0 1 0 {computing_s} 0 0 0 0 0 0 0 - - 0\n"
        )
    };
    let head = "# call-trace 1\n# program: p\n# processors: 12\n# experiment: E\n# variables:\nexperiment processor P time_s\n";
    let trace = format!("{head}{}# end rows=0\n", (0..12).map(section).collect::<String>());
    let mut session = Session::new(Box::new(MemoryWorkspace::with([("p.dat", trace)])));
    session.run("load p.dat").unwrap();
    let shown = session.run("profile pies main").unwrap().render(&llac::Page::plain(80));
    let rows: Vec<String> = shown
        .lines()
        .filter(|line| line.contains(" % "))
        .map(|line| line.split_whitespace().take(5).collect::<Vec<_>>().join(" "))
        .collect();
    assert_eq!(rows, ["0 50 s 82 %", "10 1 s 2 %", "11 1 s 2 %", "9 others 9 s 15"], "{shown}");
}

#[test]
fn a_profile_of_cube_has_the_costs_of_each_processor() {
    let fft = recorded([3.0, 1.0]);
    let two = fft.replace(" in main\n", " in start\n");
    let files = Arc::new(MemoryWorkspace::with([("fft.dat", fft), ("two.dat", two)]));
    let mut session = Session::new(Box::new(Shared(files.clone())));
    for line in [
        "load fft.dat",
        "profile to b.cubex",
        "load b.cubex as cube",
        "load two.dat as two",
        "profile to two.cubex",
    ] {
        session.run(line).unwrap();
    }
    let options = ReadOptions { metrics: vec!["all".to_owned()], ..ReadOptions::default() };
    let read = |name: &str| call_exchange::read(name, &files.read(name).unwrap(), &options).unwrap().trace;
    let trace = read("b.cubex");
    let values = |metric: &str| {
        let name = format!("main/fft/exchange/fft_c_line_88{metric}");
        let its = trace.experiments.iter().find(|its| its.name == name).unwrap();
        assert_eq!(
            (&its.samples.columns[0], &its.samples.processor),
            (&vec![2.0, 2.0], &vec![0, 1]),
            "{name}"
        );
        (its.samples.time_s.clone(), its.unit.symbol().to_owned())
    };
    // Two supersteps: 3 and 1 s of computing, then 2 s; half a second of waiting that nobody is spared is communication.
    for (metric, expected, unit) in [
        ("", [7.5, 7.5], "s"),
        (":computation", [5.0, 3.0], "s"),
        (":communication", [2.5, 2.5], "s"),
        (":idle", [0.0, 2.0], "s"),
        (":h_in", [8.0, 32.0], "bytes"),
        (":h_out", [8.0, 8.0], "bytes"),
        (":visits", [2.0, 2.0], "occ"),
    ] {
        assert_eq!(values(metric), (expected.to_vec(), unit.to_owned()), "{metric}");
    }
    let paths = |trace: &Trace| {
        let names = trace.experiments.iter().map(|its| its.name.clone()).filter(|name| !name.contains(':'));
        names.collect::<Vec<_>>().join(" ")
    };
    let expected = "main main/fft main/fft/exchange main/fft/exchange/fft_c_line_88 main/fft/fft_c_line_95 main/bsp_end_line_99";
    assert_eq!(paths(&trace), expected);
    // Where nothing contains all, the program does.
    let two = paths(&read("two.cubex"));
    assert!(
        two.contains("two_dat/main/fft/exchange/fft_c_line_88")
            && two.contains("two_dat/start/bsp_end_line_99"),
        "{two}"
    );
    let refused = session.run("profile on cray-t3e to x.cubex").unwrap_err();
    assert!(refused.to_string().contains("what was recorded of each processor"), "{refused}");
}

/// On two processors one procedure computes for 400 s, and another one, in 0.1 s, sends all that is sent.
const HIDDEN: &str = "N made-up
P 2
s 0 5 hid.c
s 1 6 hid.c
A <5 of hid.c solve,main, > with 2 SYNCS 400 400 400 COMP 0 0 0 COMM 0 0 0 COMPIDLE 0 0 0 HREL 400,0,0,0,0;400,0,0,0,0;
A <6 of hid.c exchange,main, > with 1 SYNCS 0.1 0.1 0.1 COMP 0 0 0 COMM 0 0 0 COMPIDLE 100 100 100 HREL 0.1,0,0,100,100;0.1,0,0,100,100;
E 401
";

#[test]
fn what_has_most_of_the_criterion_is_never_hidden() {
    let mut session = Session::new(Box::new(MemoryWorkspace::with([("hid.bsp", HIDDEN.to_owned())])));
    let mut shown = |line: &str| session.run(line).unwrap().render(&llac::Page::plain(80));
    assert!(!shown("profile hid.bsp").contains("exchange"));
    let by_h = shown("profile hid.bsp by hrel/absolute");
    assert!(by_h.contains("exchange  "), "{by_h}");
    assert!(!shown("profile hid.bsp by hrel/reldelta").contains("exchange"));
}

/// One superstep in which a processor sends 960000/P bytes to the next one, and computes for 3/P s.
fn halo(processors: usize) -> String {
    let columns = "# superstep machine depth place start_s computing_s waiting_s communicating_s recording_s out_bytes in_bytes \
        out_messages in_messages partners experiments inner_waiting_s\n";
    let bytes = if processors > 1 { 960_000 / processors } else { 0 };
    let (computing_s, messages) = (3.0 / processors as f64, usize::from(processors > 1));
    let sections: String = (0..processors)
        .map(|processor| {
            let partner = match processors {
                1 => "-".to_owned(),
                _ => ((processor + 1) % processors).to_string(),
            };
            format!(
                "# supersteps of processor {processor}, clock common\n# place 1: bsp_sync h.c:8 in halo < main\n{columns}\
                 # 1 0-{}.0 0 1 0 {computing_s} 0 0 0 {bytes} {bytes} {messages} {messages} {partner} - 0\n",
                processors - 1
            )
        })
        .collect();
    format!(
        "# call-trace 1\n# program: h\n# processors: {processors}\n# cores: 2\n# transport: embedded\n# experiment: E\n# variables:\n\
         experiment processor P time_s\n{sections}# end rows=0\n"
    )
}

#[test]
fn predictions_are_numbers_with_bounds_in_80_columns() {
    let files = [1, 2, 4, 8].map(|count| (format!("h{count}.dat"), halo(count)));
    let mut session = Session::new(Box::new(MemoryWorkspace::with(files)));
    session.run("load h1.dat h2.dat h4.dat h8.dat").unwrap();
    let outcome = session.run("profile P=64").unwrap();
    let text = outcome.render(&llac::Page::plain(80));
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    let json = json::outcome(&outcome);
    let table = |json: &Value, name: &str| {
        let tables = json["tables"].as_array().unwrap();
        tables.iter().find(|its| its["name"] == name).unwrap()["rows"][0].clone()
    };
    let near = |value: &Value, right: f64| {
        assert!((value.as_f64().unwrap() - right).abs() < 1e-3 * right, "{value}")
    };
    let h = table(&json, "predicted_h");
    ["h_bytes", "low_bytes", "high_bytes"].iter().for_each(|key| near(&h[key], 15_000.0));
    near(&table(&json, "predicted_computation")["computation_s"], 3.0 / 64.0);
    let node = json::outcome(&session.run("profile P=64 node halo").unwrap());
    let node = table(&node, "node");
    ["h_max_bytes", "h_low_bytes", "h_high_bytes"].iter().for_each(|key| near(&node[key], 15_000.0));
    near(&node["h_min_of_max"], 1.0);
    let pies = json::outcome(&session.run("profile h2.dat pies halo").unwrap());
    let pies = table(&pies, "pies");
    near(&pies["computation_s"], 1.5);
    near(&pies["computation_share"], 0.5);
    // Two runs of several processors bound nothing.
    let few = session.run("profile h1.dat h2.dat h4.dat P=64").unwrap();
    assert!(few.warnings.iter().any(|warning| warning.code == "open-intervals"), "{:?}", few.warnings);
    let row = table(&json::outcome(&few), "predicted_h");
    near(&row["h_bytes"], 15_000.0);
    assert_eq!((&row["low_bytes"], &row["high_bytes"]), (&Value::Null, &Value::Null));
}

#[test]
fn pages_tell_how_runs_were_measured_and_compare_two() {
    let other = halo(4).replace("# program: h\n", "# program: other\n");
    let files =
        Arc::new(MemoryWorkspace::with([("a.dat", halo(4)), ("b.dat", halo(4)), ("other.dat", other)]));
    let mut session = Session::new(Box::new(Shared(files.clone())));
    session.run("load a.dat b.dat other.dat").unwrap();
    session.run("page a.dat b.dat compare into both.html").unwrap();
    let html = String::from_utf8(files.read("both.html").unwrap()).unwrap();
    assert!(html.contains("a.dat → b.dat"), "two are compared");
    assert!(html.contains("a.dat: 4 processors shared 2 cores: their times mean little"));
    let together = session.run("profile").unwrap();
    let told: Vec<&str> = together.warnings.iter().map(|warning| warning.code).collect();
    assert_eq!(told, ["several-programs"]);
    assert!(session.run("profile a.dat").unwrap().warnings.is_empty());
}

/// Two parts of a machine compute at the same time: what they take is added up, which is said.
#[test]
fn parts_beside_each_other_are_told() {
    let columns = "# superstep machine depth place start_s computing_s waiting_s communicating_s recording_s out_bytes in_bytes \
        out_messages in_messages partners experiments inner_waiting_s\n";
    let section = |processor: usize, is_divided: bool| {
        let part = processor / 2 * 2;
        let of_part = format!(
            "# 1 {part}-{}.0 1 1 0 {} 0 0 0 0 0 0 0 - - 0\n# 2 {part}-{}.0 1 2 2 0 0 0 0 0 0 0 0 - - 0\n",
            part + 1,
            processor + 1,
            part + 1
        );
        let inside = if is_divided { of_part.as_str() } else { "" };
        format!(
            "# supersteps of processor {processor}, clock common\n# place 1: bsp_sync a.c:5 in part < main\n\
             # place 2: bsp_done a.c:6 in main\n# place 3: bsp_sync a.c:9 in main\n{columns}{inside}\
             # 1 0-3.0 0 3 0 5 0 0 0 0 0 0 0 - - 0\n"
        )
    };
    for (is_divided, count) in [(true, 1), (false, 0)] {
        let sections: String = (0..4).map(|processor| section(processor, is_divided)).collect();
        let text = format!(
            "# call-trace 1\n# program: p\n# processors: 4\n# experiment: E\n# variables:\nexperiment processor P time_s\n\
             {sections}# end rows=0\n"
        );
        let mut session = Session::new(Box::new(MemoryWorkspace::with([("p.dat", text)])));
        session.run("load p.dat").unwrap();
        let outcome = session.run("profile centres").unwrap();
        let told = outcome.warnings.iter().filter(|its| its.code == "concurrent-parts").count();
        assert_eq!(told, count, "{is_divided}: {:?}", outcome.warnings);
    }
}
