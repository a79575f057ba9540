//! Machines: what is known of them, and predictions that are carried from one to another.

use std::fmt::Write;

use crate::transcript::transcript;
use llac::{MemoryWorkspace, Session, json};
use serde_json::Value;

/// s 1 Gflop/s, g 1 ns a byte, L 10 µs for any P; loads take 1 ns from 32 kB and 100 ns from memory; an addition 1 ns.
const HERE: &str = r#"
schema_version = 1
name = "here"

[provenance]
kind = "measured"
date = "2026-11-21"

[[bsp]]
processors = 2
rate_flop_per_s = 1e9
g_s_per_byte = 1e-9
latency_s = 1e-5

[[bsp]]
processors = 8
rate_flop_per_s = 1e9
g_s_per_byte = 2e-9
latency_s = 3e-5

[[operation]]
name = "f64 add"
time_s = 1e-9

[[memory]]
name = "L1"
size_bytes = 32768
time_s = 1e-9

[[memory]]
name = "main"
time_s = 1e-7
"#;

/// s 2 Gflop/s, g 0.5 ns a byte, L 100 µs; loads take 0.5 ns from 16 kB and 60 ns from memory; an addition 0.4 ns.
const THERE: &str = r#"
schema_version = 1
name = "there"

[provenance]
kind = "measured"
date = "2026-11-21"

[[bsp]]
processors = 4
rate_flop_per_s = 2e9
g_s_per_byte = 5e-10
latency_s = 1e-4

[[operation]]
name = "f64 add"
time_s = 4e-10

[[memory]]
name = "L1"
size_bytes = 16384
time_s = 5e-10

[[memory]]
name = "main"
time_s = 6e-8
"#;

/// f takes 1 µs + 2 ns N + h g + 3 L on `here`; `noise` is relative.
fn trace(processors: u32, formula: &str, noise: f64) -> String {
    let (g, latency) = if processors == 2 { (1e-9, 1e-5) } else { (2e-9, 3e-5) };
    let (mut rows, mut count) = (String::new(), 0);
    for n in [1e3, 2e3, 4e3, 8e3, 16e3] {
        for h in [1e3, 4e3, 16e3] {
            let wobble = 1.0 + noise * f64::from((count * 7) % 5 - 2);
            let time = (1e-6 + 2e-9 * n + h * g + 3.0 * latency) * wobble;
            writeln!(rows, "f 0 {processors} {n} {h} {time:.15}").unwrap();
            count += 1;
        }
    }
    format!(
        "# call-trace 1\n# program: x\n# processors: {processors}\n# experiment: f\n# formula: {formula}\n# variables: N h\n\
         experiment processor P N h time_s\n{rows}# end rows={count}\n"
    )
}

const FORMULA: &str = "f[0] + f[1]*N + f[2]*h*g + f[3]*L";

fn session() -> Session {
    let files = [
        ("x.2.dat", trace(2, FORMULA, 0.0)),
        ("x.8.dat", trace(8, FORMULA, 0.0)),
        ("noisy.2.dat", trace(2, FORMULA, 0.01)),
        ("noisy.8.dat", trace(8, FORMULA, 0.01)),
        ("plain.dat", trace(2, "f[0] + f[1]*N + f[2]*h", 0.0)),
        ("rough.dat", trace(2, "f[0] + f[1]*N + f[2]*h", 0.01)),
        ("there.toml", THERE.to_owned()),
        ("shaky.toml", THERE.replace("date =", "repeatability_percent = 131.5\ndate =")),
        ("wrong.toml", THERE.replace("1e-4", "-1e-4")),
    ];
    let broken = HERE.replace("name = \"here\"", "name = \"broken\"").replace("latency_s", "latency_us");
    let machines = [
        ("m/a.toml", HERE.to_owned()),
        ("m/b.toml", broken),
        ("m/c.toml", HERE.replace("\"here\"", "\"cray-t3e\"")),
        ("m/d.toml", HERE.to_owned()),
        ("m/e.toml", HERE.replace("\"here\"", "\"sgi-powerchallenge\"").replace("1e9", "0")),
        ("m/stem.toml", "name = 7".to_owned()),
    ];
    Session::new(Box::new(MemoryWorkspace::with(files).and_machines(machines)))
}

#[test]
fn tables_name_their_machine() {
    let object = json::outcome(&session().run("machine show here").unwrap());
    let tables = object["tables"].as_array().unwrap();
    assert!(tables.len() > 1 && tables.iter().all(|table| table["machine"] == "here"), "{object}");
}

/// The rows of a table of a result.
fn rows(session: &mut Session, line: &str, table: &str) -> Vec<Value> {
    let outcome = json::outcome(&session.run(line).unwrap_or_else(|error| panic!("{}", error.render(line))));
    let tables = outcome["tables"].as_array().unwrap();
    let found = tables.iter().find(|known| known["name"] == table).unwrap();
    found["rows"].as_array().unwrap().clone()
}

#[test]
fn a_session_with_machines() {
    let lines = [
        "machine list",
        "machine show here",
        "machine show cray-t3e",
        "machine compare here there.toml",
        "machine use",
        "load noisy.*.dat",
        "fit f",
        "machine use here",
        "machine use",
        "fit f",
        "predict N=1000 h=10000 P=2",
        "predict N=1000 h=10000 P=2 on there.toml",
        "predict N=1000 h=10000 P=4 on shaky.toml",
        "predict N=1000 h=10000 P=2,4 on here,there.toml ibm-sp2",
        "predict N=1000 h=10000 P=2 on there.toml scale f[1]=memory f[0]=L",
        "predict N=1000 h=10000 P=2 on cray-t3d scale f[1]=memory(8*N)",
        "history",
        "undo",
        "fit f",
        "redo",
        "machine use",
    ];
    insta::assert_snapshot!(transcript(&mut session(), &lines));
}

#[test]
fn mistakes_about_machines() {
    let lines = [
        "machine",
        "machine lst",
        "machine show",
        "machine show heer",
        "machine show nothing-like-it",
        "machine show broken",
        "machine show stem",
        "machine use sgi-powerchallenge",
        "machine show wrong.toml",
        "machine show none.toml",
        "machine compare here",
        "load plain.dat",
        "formula f[0] + f[1]*L",
        "undo",
        "machine use here there",
        "machine list where N > 1",
        "load x.*.dat",
        "predict N=1000 h=10000 P=2 on there.toml",
        "machine use here",
        "predict N=1000 h=10000 P=2 on",
        "predict N=1000 h=10000 P=2 on theer.toml",
        "predict N=1000 h=10000 P=2 scale f[1]=memory",
        "predict N=1000 h=10000 on there.toml",
        "predict N=1000 h=10000 P=2 g=1 on there.toml",
        "predict N=1000 h=10000 P=2 on epyc-7742",
        "predict N=1000 h=10000 P=2 on there.toml scale f[2]=g",
        "predict N=1000 h=10000 P=2 on there.toml scale f[9]=g",
        "predict N=1000 h=10000 P=2 on there.toml scale f[1]",
        "predict N=1000 h=10000 P=2 on there.toml scale f[1]=memry",
        "predict N=1000 h=10000 P=2 on there.toml scale f[1]=memory(8*M)",
        "predict N=1000 h=10000 P=2 on there.toml scale f[1]=memory(8*)",
        "predict N=1000 h=10000 P=2 on there.toml scale f[1]=s f[1]=g",
    ];
    insta::assert_snapshot!(transcript(&mut session(), &lines));
}

/// N = 1000, h = 10000, P = 2. Here 1 + 2 + 10 + 30 = 43 µs, there (1 + 2)/2 + 5 + 300 = 306.5 µs; L there is that of P = 4.
/// With f[0] by L (× 10) and f[1] by memory (× 0.6): 10 + 1.2 + 5 + 300 = 316.2 µs. With 8 N bytes, 8 kB, in L1 of both (× 0.5):
/// 0.5 + 1 + 5 + 300; 24 kB are in L1 here and in memory there (× 60): 0.5 + 120 + 5 + 300.
#[test]
fn carried_predictions_by_hand() {
    let mut session = session();
    for line in ["load x.*.dat", "machine use here"] {
        session.run(line).unwrap();
    }
    let mut check = |line: &str, expected_s: f64| {
        let rows = rows(&mut session, line, "predictions");
        let found = rows[0]["predicted_s"].as_f64().unwrap();
        assert!((found / expected_s - 1.0).abs() < 1e-6, "{line}: {found} {expected_s}");
    };
    check("predict N=1000 h=10000 P=2", 43e-6);
    check("predict N=1000 h=10000 P=2 on here", 43e-6);
    check("predict N=1000 h=10000 P=2 on there.toml", 306.5e-6);
    check("predict N=1000 h=10000 P=2 on there.toml scale f[0]=L f[1]=memory", 316.2e-6);
    check("predict N=1000 h=10000 P=2 on there.toml scale f[1]=memory(8*N)", 306.5e-6);
    check("predict N=3000 h=10000 P=2 on there.toml scale f[1]=memory(8*N)", 665.5e-6);
    check("predict N=1000 h=10000 P=2 on there.toml scale 'f[1]=f64 add' f[0]=L1", 0.5e-6 + 0.8e-6 + 305e-6);
    // Half of the way between 2 and 8 in log P: g 1.5 ns, L 20 µs.
    check("predict N=1000 h=10000 P=4", 1e-6 + 2e-6 + 15e-6 + 60e-6);
    // h is 10 kB: f[2] by g (× 0.5), no g in the formula: (1 + 2)/2 + 5; P = 2 of all samples need not be said.
    session.run("load plain.dat as plain").unwrap();
    session.run("machine use here").unwrap();
    let rows = rows(&mut session, "predict N=1000 h=10000 on there.toml scale f[2]=g", "predictions");
    // Three L, 30 µs, are in f[0] here, and count as computation.
    let found = rows[0]["predicted_s"].as_f64().unwrap();
    assert!((found / (31e-6 / 2.0 + 1e-6 + 5e-6) - 1.0).abs() < 1e-6, "{found}");
}

/// On `there` 0.5 µs + 1 ns N + 0.5 ns h + 300 µs, whatever P is.
fn measured_there() -> String {
    let mut rows = "P,N,h,time_s\n".to_owned();
    for (processors, n, h) in [(2, 1e3, 1e4), (4, 4e3, 1e4), (8, 2e3, 5e4)] {
        writeln!(rows, "{processors},{n},{h},{:.12}", 300.5e-6 + 1e-9 * n + 5e-10 * h).unwrap();
    }
    rows
}

/// What a machine has that samples were not measured on is that machine's in comparisons, too: of files, of the samples of the fit, of models from files.
#[test]
fn comparisons_on_another_machine_take_its_g_and_l() {
    let files = [
        ("x.2.dat", trace(2, FORMULA, 0.0)),
        ("x.8.dat", trace(8, FORMULA, 0.0)),
        ("there.csv", measured_there()),
        ("there.toml", THERE.to_owned()),
    ];
    let workspace = MemoryWorkspace::with(files).and_machines([("m/a.toml", HERE.to_owned())]);
    let mut session = Session::new(Box::new(workspace));
    for line in ["load x.*.dat", "machine use here"] {
        session.run(line).unwrap();
    }
    let check = |session: &mut Session, line: &str| {
        let rows = rows(session, line, "comparison");
        assert_eq!(rows.len(), 3, "{line}: {rows:?}");
        for row in &rows {
            assert!(row["error_percent"].as_f64().unwrap().abs() < 1e-3, "{line}: {row}");
        }
    };
    check(&mut session, "compare f there.csv name=f on there.toml");
    let own = rows(&mut session, "compare f on there.toml where N = 1000 and h = 1000", "comparison");
    let predicted_s: Vec<f64> = own.iter().map(|row| row["predicted_s"].as_f64().unwrap()).collect();
    assert!(
        predicted_s.len() == 2 && predicted_s.iter().all(|time_s| (time_s / 302e-6 - 1.0).abs() < 1e-6),
        "{own:?}"
    );
    let warnings = session.run("compare f on there.toml").unwrap().warnings;
    assert!(warnings.iter().any(|warning| warning.code == "other-machine"), "{warnings:?}");
    assert!(session.run("compare f there.csv name=f on there.toml").unwrap().warnings.is_empty());
    for line in ["save model f into f.model.json", "load there.csv as there", "load f.model.json"] {
        session.run(line).unwrap();
    }
    check(&mut session, "compare f there.csv name=f on there.toml");
}

/// The same numbers as those of the formula itself.
#[test]
fn model_programs_take_g_and_l_of_the_machine() {
    // In programs `h` has a meaning of its own.
    let renamed = |processors| {
        trace(processors, &FORMULA.replace("h", "m"), 0.0)
            .replace("variables: N h", "variables: N m")
            .replace("P N h", "P N m")
    };
    let program = "program p(N, m) predicts f {\n    compute f\n}\n";
    let own = "program own(N, m) {\n    g = 1e-8\n    compute f\n}\n";
    let files = [
        ("x.2.dat", renamed(2)),
        ("x.8.dat", renamed(8)),
        ("there.toml", THERE.to_owned()),
        ("p.obsp", program.to_owned()),
        ("own.obsp", own.to_owned()),
    ];
    let workspace = MemoryWorkspace::with(files).and_machines([("m/a.toml", HERE.to_owned())]);
    let mut session = Session::new(Box::new(workspace));
    for line in ["load x.*.dat", "machine use here", "program p.obsp", "program own.obsp"] {
        session.run(line).unwrap();
    }
    let mut check = |line: &str, expected_s: f64| {
        let rows = rows(&mut session, line, "predictions");
        let found = rows[0]["predicted_s"].as_f64().unwrap();
        assert!((found / expected_s - 1.0).abs() < 1e-6, "{line}: {found} {expected_s}");
    };
    check("predict p N=1000 m=10000 P=2", 43e-6);
    check("predict p N=1000 m=10000 P=8", 113e-6);
    check("predict p N=1000 m=10000 P=8 g=1e-9 L=1e-5", 43e-6);
    check("predict p N=1000 m=10000 P=2 on there.toml", 306.5e-6);
    // A value that the program gives is that one.
    check("predict own N=1000 m=10000 P=2", 133e-6);
    let remarks = session.run("predict p N=1000 m=10000 P=4 on there.toml").unwrap();
    assert!(remarks.warnings.is_empty(), "{:?}", remarks.warnings);
}

#[test]
fn levels_of_the_memory_that_are_quicker_than_nearer_ones_are_told() {
    let files = [
        ("x.2.dat", trace(2, FORMULA, 0.0)),
        ("x.8.dat", trace(8, FORMULA, 0.0)),
        ("odd.toml", THERE.replace("6e-8", "6e-11")),
        ("there.toml", THERE.to_owned()),
    ];
    let workspace = MemoryWorkspace::with(files).and_machines([("m/a.toml", HERE.to_owned())]);
    let mut session = Session::new(Box::new(workspace));
    let mut codes = |line: &str| -> Vec<&'static str> {
        session.run(line).unwrap().warnings.iter().map(|warning| warning.code).collect()
    };
    for line in ["machine show there.toml", "machine use there.toml"] {
        assert!(codes(line).is_empty(), "{line}");
    }
    codes("load x.*.dat");
    for line in ["machine show odd.toml", "machine use odd.toml"] {
        assert_eq!(codes(line), ["quicker-level"], "{line}");
    }
    codes("machine use here");
    assert!(codes("predict f N=1000 h=10000 P=4 on odd.toml").is_empty());
    assert_eq!(codes("predict f N=1000 h=10000 P=4 on odd.toml scale f[1]=memory(8*N)"), ["quicker-level"]);
    for (name, _) in call_machine::shipped::FILES {
        let machine = call_machine::shipped::named(name).unwrap();
        assert!(call_machine::quicker_levels(&machine).is_empty(), "{name}");
    }
}

#[test]
fn the_machine_itself_gives_the_plain_prediction_and_intervals_grow_with_their_values() {
    let mut session = session();
    for line in ["load noisy.*.dat", "machine use here"] {
        session.run(line).unwrap();
    }
    let numbers = |session: &mut Session, line: &str| {
        let row = &rows(session, line, "predictions")[0];
        ["predicted_s", "lower_s", "upper_s"].map(|key| row[key].as_f64().unwrap())
    };
    let plain = numbers(&mut session, "predict N=1000 h=10000 P=2");
    let same = numbers(&mut session, "predict N=1000 h=10000 P=2 on here");
    let there = numbers(&mut session, "predict N=1000 h=10000 P=2 on there.toml");
    assert!(plain[1] < plain[0] && plain[0] < plain[2], "{plain:?}");
    for index in 0..3 {
        assert!((same[index] / plain[index] - 1.0).abs() < 1e-12, "{plain:?} {same:?}");
    }
    // Most of the time there is L, whose constant is known less well than the whole is here.
    let width = |[_, lower, upper]: [f64; 3]| upper / lower;
    assert!(width(there) > width(plain), "{plain:?} {there:?}");
    // Where all is computation, all of it is half.
    for line in ["load rough.dat as rough", "machine use here"] {
        session.run(line).unwrap();
    }
    let plain = numbers(&mut session, "predict N=1000 h=10000");
    let there = numbers(&mut session, "predict N=1000 h=10000 on there.toml");
    for index in 0..3 {
        assert!((there[index] / plain[index] - 0.5).abs() < 1e-12, "{plain:?} {there:?}");
    }
}

/// As above; P = 1 has the g and L of P = 2. In µs, with t from 0 at P = 2 to 1 at P = 8: 1 + N/500 + 10 (1 + t) + 30 (1 + 2 t).
#[test]
fn questions_take_g_and_l_at_each_number_of_processors() {
    let mut session = session();
    for line in ["load x.*.dat", "machine use here"] {
        session.run(line).unwrap();
    }
    let mut check = |line: &str, table: &str, key: &str, expected: &[f64]| {
        let found: Vec<f64> =
            rows(&mut session, line, table).iter().map(|row| row[key].as_f64().unwrap()).collect();
        let is_near = |(found, expected): (&f64, &f64)| (found / expected - 1.0).abs() < 1e-5;
        let is_right = found.len() == expected.len() && found.iter().zip(expected).all(is_near);
        assert!(is_right, "{line}: {found:?} {expected:?}");
    };
    let times_s = [43e-6, 78e-6, 113e-6];
    check("speedup f P=2:8:2 N=1000 h=10000", "speedup", "predicted_s", &times_s);
    // No sample has fewer processors than 2.
    let [four, eight] = [43.0 / 78.0, 43.0 / 113.0];
    check("speedup f P=2:8:2 N=1000 h=10000", "speedup", "speedup", &[2.0, 2.0 * four, 2.0 * eight]);
    check("speedup f P=2:8:2 N=1000 h=10000 base=1", "speedup", "speedup", &[1.0, four, eight]);
    // With g given, P decides about L only.
    check("speedup f P=4,8 N=1000 h=10000 g=1e-9", "speedup", "predicted_s", &[73e-6, 103e-6]);
    check("best f P=4:8:2 N=1000 h=10000", "best", "P", &[4.0]);
    check("largest f N 1ms P=4 h=10000", "largest", "N", &[462_000.0]);
    // 43 + 70 t = 100 at t = 57/70, P = 2 * 4^t = 6.18.
    check("largest f P=1..64 100us N=1000 h=10000", "largest", "P", &[6.0]);
    // (41 + x) / (111 + x) = 0.8 at x = 239 µs of N beside P = 1, and 0.4 at x = 5.67 µs beside P = 2, the first that was measured.
    check("isoefficiency f 0.1 N P=8 h=10000 base=1", "isoefficiency", "N", &[119_500.0]);
    check("isoefficiency f 0.1 N P=8 h=10000", "isoefficiency", "N", &[2834.0]);
    check("compare f x.8.dat where N = 1000 and h = 16000", "comparison", "predicted_s", &[125e-6]);
    let warnings = |session: &mut Session, line: &str| -> Vec<String> {
        session.run(line).unwrap().warnings.iter().map(ToString::to_string).collect()
    };
    let beyond = "P = 1 is beyond the table of here: s, g and L are those of P = 2";
    assert_eq!(warnings(&mut session, "speedup f P=2,4 N=1000 h=10000 base=1"), [beyond]);
    assert_eq!(warnings(&mut session, "predict f P=1 N=1000 h=10000"), [beyond]);
    assert!(warnings(&mut session, "predict f N=1000 h=10000 g=1e-9 L=1e-5").is_empty());
    let curve = session.run("plot f P N=1000 h=10000").unwrap().to_plain_text();
    assert!(curve.contains("N = 1000, h = 10000") && !curve.contains("g ="), "{curve}");
    let curve = session.run("plot speedup f P=1:8:2 N=1000 h=10000").unwrap().to_plain_text();
    assert!(curve.contains("N = 1000, h = 10000") && !curve.contains("g ="), "{curve}");
    assert!(session.run("plot surface f N P h=1000").is_ok());
    let advice = session.run("advise f").unwrap().to_plain_text();
    assert!(advice.contains("P=") && !advice.contains("g="), "{advice}");
}

/// L of these samples is a length: f takes 1 µs + 2 ns N + h ns as before, with h called L.
#[test]
fn variables_of_the_samples_may_be_called_as_those_of_machines() {
    let text = trace(2, "f[0] + f[1]*N + f[2]*L", 0.0).replace("N h", "N L");
    let mut session =
        Session::new(Box::new(MemoryWorkspace::with([("l.dat", text), ("t.toml", THERE.to_owned())])));
    for line in ["load l.dat", "machine use t.toml"] {
        session.run(line).unwrap();
    }
    let lengths = session.run("predict N=1000 L=10000 on t.toml").unwrap().to_plain_text();
    assert!(lengths.contains("f(P=2, N=1000, L=10000) on there = 43 µs, 43 µs on there"), "{lengths}");
    assert!(!lengths.contains("is taken for that of the machine"), "{lengths}");
    let latencies = session.run("predict N=1000 on t.toml").unwrap().to_plain_text();
    assert!(latencies.contains("`L` of the samples is taken for that of the machine"), "{latencies}");
    let missing = session.run("predict N=1000 P=4").unwrap_err();
    assert_eq!(missing.message(), "the formula has no variable `P`");
    assert_eq!(session.run("predict N=1000").unwrap_err().message(), "the value of `L` is missing");
}

#[test]
fn names_are_completed() {
    let session = session();
    let complete = |line: &str| session.complete(line).words;
    assert_eq!(complete("machine c"), ["compare"]);
    assert_eq!(complete("machine show h"), ["here"]);
    assert_eq!(complete("machine compare here cray-"), ["cray-t3d", "cray-t3e"]);
    assert_eq!(complete("predict f N=4 on ib"), ["ibm-sp2"]);
}
