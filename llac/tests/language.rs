//! What changes data and what takes changes back: subsets, derived variables, formulas by hand, data sets, history.

use std::fmt::Write;

use crate::transcript::transcript;
use llac::{MemoryWorkspace, Session, json};

/// f takes 3 N + 2 µs on one processor and half of that on two; sample 3 of the first is disturbed.
fn trace(processors: u32) -> String {
    let mut rows = String::new();
    for n in 1..=8 {
        let time_s = f64::from(3 * n + 2) * 1e-6 / f64::from(processors);
        let disturbed = if n == 3 && processors == 1 { 50.0 } else { 1.0 };
        writeln!(rows, "f 0 {processors} {n} {:.9}", time_s * disturbed).unwrap();
    }
    format!(
        "# call-trace 1\n# program: x\n# processors: {processors}\n# experiment: f\n# formula: f[0]/P + f[1]*N/P\n# variables: N\n\
         experiment processor P N time_s\n{rows}# end rows=8\n"
    )
}

fn session() -> Session {
    let files = [
        ("x.1.dat", trace(1)),
        ("x.2.dat", trace(2)),
        ("quit.llac", "data\nquit\nload x.1.dat\n".to_owned()),
    ];
    Session::new(Box::new(MemoryWorkspace::with(files)))
}

#[test]
fn data_are_changed_and_changes_taken_back() {
    let lines = [
        "load x.1.dat",
        "load x.2.dat as two",
        "data",
        "experiments",
        "where N > 1 and time < 1",
        "where",
        "data data",
        "show f 4",
        "drop f 3",
        "predict N=100 P=1",
        "restore",
        "predict N=100 P=1 where N != 3",
        "let half = N/2",
        "let",
        "formula a[0] + a[1]*half",
        "drop 3",
        "predict N=100",
        "predict half=50",
        "merge f two.f as both",
        "experiments",
        "history",
        "undo",
        "undo",
        "redo",
        "redo",
        "redo",
        "experiments into e.csv",
        "compare f two.f where N >= 7",
        "fit f into f.tex",
    ];
    insta::assert_snapshot!(transcript(&mut session(), &lines));
}

#[test]
fn errors_say_where_and_what_to_do() {
    let lines = [
        "fit",
        "load x.1.dat",
        "where M > 1",
        "where N >",
        "fit f where M < 3",
        "let 3x = N",
        "let run = 1",
        "let x N",
        "let x = N +",
        "let x = 2*M",
        "formula f = f[0] + f[1]*m",
        "formula f = f[0]*f[1]",
        "formula",
        "drop f 99",
        "drop f x",
        "merge f as f",
        "merge f",
        "data nowhere",
        "predict N=1 N=2",
        "predict N=x P=1",
        "predict N=1:9 P=1",
        "predict N=1 P=1 Q=1",
        "fit f into result.doc",
        "fit f into",
        "undo 3",
        "run nothing.llac",
        "save",
        "load 'x",
        "load x.1.dat as 3",
    ];
    insta::assert_snapshot!(transcript(&mut session(), &lines));
}

#[test]
fn a_saved_session_is_rebuilt() {
    let lines =
        ["load x.*.dat", "set weights absolute", "let size = 16*N", "drop f 3", "undo", "where P = 2"];
    let mut first = session();
    transcript(&mut first, &lines);
    first.run("save s.llac").unwrap();
    let shown = first.run("fit f").unwrap();
    let before = first.clone();
    for _ in 0..4 {
        first.run("undo").unwrap();
    }
    assert!(first.run("undo").is_err());
    assert!(first.run("run s.llac").is_ok());
    assert_eq!(first.run("fit f").unwrap(), shown);
    assert_eq!(first.run("history").unwrap(), before.clone().run("history").unwrap());
}

#[test]
fn an_error_changes_nothing() {
    let mut session = session();
    session.run("load x.1.dat").unwrap();
    let before = session.run("history").unwrap();
    for wrong in ["load x.2.dat missing.dat", "load missing.dat as new", "where N > M", "set error x"] {
        assert!(session.run(wrong).is_err(), "{wrong}");
        assert_eq!(session.run("history").unwrap(), before);
        assert!(session.run("data").unwrap().to_plain_text().contains("data  yes"));
        assert!(!session.run("data").unwrap().to_plain_text().contains("new"));
    }
}

#[test]
fn scripts_end_where_they_say_so() {
    let mut session = session();
    assert!(session.run("run quit.llac").unwrap().quit);
    assert!(session.run("experiments").is_err());
    let endless = [("a.llac", "run a.llac")];
    let mut session = Session::new(Box::new(MemoryWorkspace::with(endless)));
    assert!(session.run("run a.llac").unwrap_err().to_string().contains("inside of each other"));
}

#[test]
fn results_are_objects_with_units_in_their_keys() {
    let mut session = session();
    session.run("load x.2.dat").unwrap();
    let object = json::outcome(&session.run("compare f where N = 8").unwrap());
    assert_eq!(object["schema_version"], 2);
    assert_eq!(object["tables"][0]["name"], "comparison");
    let row = &object["tables"][0]["rows"][0];
    assert_eq!((&row["N"], &row["P"]), (&8.into(), &2.into()));
    assert!((row["measured_s"].as_f64().unwrap() - 13e-6).abs() < 1e-12, "{row}");
    let object = json::error(&session.run("fit g").unwrap_err());
    assert_eq!((object["ok"].as_bool(), object["error"]["start_byte"].as_u64()), (Some(false), Some(4)));
    assert_eq!(object["error"]["code"], "unknown-experiment");
    assert_eq!(object["error"].get("file"), None);
}

#[test]
fn warnings_are_objects_with_their_values() {
    let mut session = session();
    session.run("load x.2.dat").unwrap();
    let outcome = session.run("predict f N=80 P=2").unwrap();
    let warnings = json::outcome(&outcome)["warnings"].clone();
    let expected = serde_json::json!([{
        "variable": "N", "value": 80.0, "lowest": 1.0, "highest": 8.0, "code": "extrapolated",
        "message": "N = 80 extrapolates 10 times: the samples have 1 to 8",
    }]);
    assert_eq!(warnings, expected);
    assert!(outcome.to_plain_text().contains("warning: N = 80 extrapolates 10 times"), "{outcome:?}");
    session.run("formula f = f[0] + f[1]*N + f[2]*2*N").unwrap();
    let outcome = session.run("fit f").unwrap();
    let warnings = json::outcome(&outcome)["warnings"].clone();
    let is_undetermined = |warning: &&serde_json::Value| warning["code"] == "undetermined";
    let found = warnings.as_array().unwrap().iter().find(is_undetermined).unwrap();
    assert_eq!((&found["experiment"], &found["cure"]), (&"f".into(), &"remove_one".into()));
    assert_eq!(found["constants"], serde_json::json!(["f[1]", "f[2]"]));
    let (message, help) = (found["message"].as_str().unwrap(), found["help"].as_str().unwrap());
    assert!(message.starts_with("f: the samples") && message.ends_with(help), "{message} {help}");
    let text = outcome.to_plain_text().replace("\n  ", " ");
    assert!(text.contains(&format!("warning: {message}\n")), "{text}");
}

#[test]
fn figures_of_a_fit_are_values_for_programs() {
    let mut session = session();
    session.run("load x.2.dat").unwrap();
    let outcome = session.run("fit f").unwrap();
    let object = json::outcome(&outcome);
    let quality = &object["tables"][1];
    assert_eq!((&quality["name"], &quality["experiment"]), (&"quality".into(), &"f".into()));
    let row = &quality["rows"][0];
    assert_eq!((&row["samples"], &row["points"]), (&8.into(), &8.into()));
    assert!((row["r_squared"].as_f64().unwrap() - 1.0).abs() < 1e-9, "{row}");
    for key in ["rms_percent", "worst_percent", "SMAPE_percent"] {
        assert!(row[key].as_f64().unwrap() < 0.1, "{key} of {row}");
    }
    assert!(!outcome.to_plain_text().contains("worst"), "{}", outcome.to_plain_text());
    for line in ["fit f into f.csv", "fit f into f.quality.csv"] {
        session.run(line).unwrap();
    }
    assert!(session.run("judge f into f.csv").is_err());
}

#[test]
fn brackets_join_lines() {
    let mut session = session();
    session.run("load x.*.dat").unwrap();
    let lines = "formula f = f[0]/P # a comment (";
    assert!(!llac::is_complete("formula f = f[0]*(1/P +"));
    assert_eq!(session.run(lines).unwrap(), session.run("formula f = f[0]/P").unwrap());
    let split = "formula f = f[0]/P + f[1]*(N/P + # with the sequential part (\n  1/P)";
    let shown = session.run(split).unwrap();
    assert_eq!(shown, session.run("formula f = f[0]/P + f[1]*(N/P + 1/P)").unwrap());
    let history = session.run("history").unwrap().to_plain_text();
    assert!(history.lines().count() == 5, "a line each, so that scripts can be made of them: {history}");
    let wrong = "formula f = f[0]/P + f[1]*(N/P +\n  M)";
    let told = session.run(wrong).unwrap_err().render(wrong);
    assert!(told.contains("no variable `M`\n  |   M)\n  |   ^\n"), "{told}");
}

#[test]
fn help_explains_settings() {
    let mut session = session();
    session.run("set weights absolute").unwrap();
    let told = session.run("help set weights").unwrap().to_plain_text();
    for part in
        ["automatic | relative | absolute | repetitions", "which errors", "in seconds", "default: automatic"]
    {
        assert!(told.contains(part), "{told}");
    }
    for name in session.complete("set ").words {
        assert!(
            session.run(&format!("help set {name}")).unwrap().to_plain_text().contains("\ndefault: "),
            "{name}"
        );
    }
    assert_eq!(session.complete("help set we").words, ["weights"]);
    assert!(session.run("help fit f").unwrap_err().message().contains("one word too many"));
}

/// f takes 2 µs + 3 µs N / P and jumps to 100 µs + 3 µs N / P from m = N / P > 8 on; `flat` takes 20 µs.
fn with_derived_variable() -> Session {
    let mut table = "kernel,P,N,time_us\n".to_owned();
    for p in [1.0, 2.0, 4.0] {
        for n in [4.0, 8.0, 16.0, 32.0, 64.0, 128.0] {
            let m = n / p;
            let constant = if m > 8.0 { 100.0 } else { 2.0 };
            writeln!(table, "f,{p},{n},{}\nflat,{p},{n},20", constant + 3.0 * m).unwrap();
        }
    }
    let mut session = Session::new(Box::new(MemoryWorkspace::with([("m.csv", table)])));
    for line in ["load m.csv", "let m = N/P", "formula f = a[0] + a[1]*m", "formula flat = b[0]"] {
        session.run(line).unwrap();
    }
    session
}

#[test]
fn questions_compute_defined_variables_at_each_point() {
    let mut session = with_derived_variable();
    let mut check = |line: &str, key: &str, expected: &[f64]| {
        let value =
            json::outcome(&session.run(line).unwrap_or_else(|error| panic!("{}", error.render(line))));
        let rows = value["tables"][0]["rows"].as_array().unwrap();
        let found: Vec<f64> = rows.iter().map(|row| row[key].as_f64().unwrap()).collect();
        let is_near = |(found, expected): (&f64, &f64)| (found / expected - 1.0).abs() < 1e-6;
        let is_right = found.len() == expected.len() && found.iter().zip(expected).all(is_near);
        assert!(is_right, "{line}: {found:?} {expected:?}");
    };
    check("predict f N=24 P=4", "predicted_s", &[20e-6]);
    check("speedup f P=1,4 N=32", "speedup", &[1.0, 196.0 / 26.0]);
    check("best f P=1:8:2 N=32", "P", &[8.0]);
    // 26 µs at m = 8, then 100 µs and more; 130 µs at m = 10, N = 40.
    check("largest f N 50us P=4", "N", &[32.0]);
    check("largest f N 130.1us P=4", "N", &[40.0]);
    check("largest f m 26.1us", "m", &[8.0]);
    check("crossover f flat N=1..100 P=4", "N", &[24.0]);
    let curve = session.run("plot f N P=4").unwrap().to_plain_text();
    assert!(curve.contains("P = 4") && !curve.contains("m ="), "{curve}");
    let picture = |session: &mut Session, line: &str| session.run(line).unwrap().to_plain_text();
    let curve = picture(&mut session, "plot f P=1..8 N=32");
    assert!(curve.contains("N = 32") && !curve.contains("N = 64"), "{curve}");
    let message = |session: &mut Session, line: &str| session.run(line).unwrap_err().render(line);
    let error = message(&mut session, "largest f N 1s");
    assert!(error.contains("the value of `m` is missing"), "{error}");
    let error = message(&mut session, "crossover f flat N=1..100 P=4 Q=1");
    assert!(
        error.contains("neither formula has a variable `Q`\n  | crossover f flat N=1..100 P=4 Q=1\n"),
        "{error}"
    );
    let error = message(&mut session, "speedup f P=2:8:2 N=32 m=3");
    assert!(error.contains("`P` is not needed beside the others"), "{error}");
}

#[test]
fn predictions_are_finite() {
    let mut session = with_derived_variable();
    let mut message = |line: &str| session.run(line).unwrap_err().render(line);
    for (line, word) in [
        ("predict f N=8 P=0", "P=0"),
        ("predict f N=8 P=-1", "P=-1"),
        ("speedup f P=1,2.5 N=8", "P=1,2.5"),
        ("best f N=8 P=0:4:+1", "P=0:4:+1"),
        ("largest f P=0..4 1s N=8", "P=0..4"),
        ("plot f N P=1.5", "P=1.5"),
    ] {
        let error = message(line);
        assert!(error.contains("is no number of processors\n"), "{error}");
        let place = line.find(word).unwrap();
        assert!(
            error.contains(&format!("\n  | {}{}\n", " ".repeat(place), "^".repeat(word.len()))),
            "{error}"
        );
    }
    session.run("formula f = a[0] + a[1]*N*log(N)/P").unwrap();
    let error = session.run("predict f N=0 P=2").unwrap_err();
    assert_eq!(error.message(), "the term of f[1] has no finite value at f(N=0, P=2)");
    assert!(error.cure().unwrap().contains("logarithm of 0"));
}

#[test]
fn errors_of_files_and_models_have_codes_of_their_own() {
    let files = [("empty.csv", ""), ("twice.csv", "N,N,time_s\n1,1,1\n"), ("f.csv", "N,time_s\n1,1\n2,2\n")];
    let files = files.map(|(name, text)| (name, text.to_owned()));
    let machine = ("m.toml", "schema_version = 1\nname = 7\n".to_owned());
    let cut = ("cut.dat", "# call-trace 1\n# program: p\n".to_owned());
    let all = files.into_iter().chain([machine, cut]);
    let mut session = Session::new(Box::new(MemoryWorkspace::with(all)));
    session.run("load f.csv name=f").unwrap();
    for (line, code) in [
        ("load none.csv", "cannot-read"),
        ("load empty.csv", "empty-file"),
        ("load twice.csv", "duplicate-column"),
        ("load cut.dat", "cut-trace"),
        ("fit f", "no-formula"),
        ("machine show m.toml", "wrong-value"),
        ("replay", "no-supersteps"),
    ] {
        let error = session.run(line).unwrap_err();
        assert_eq!(error.code(), code, "{}", error.render(line));
    }
}

/// f takes 1 + 2 on + into + where s.
#[test]
fn variables_may_be_called_as_parts_of_lines() {
    let mut text = "kernel,on,into,where,scale,time_s\n".to_owned();
    for number in 0..36 {
        let [on, into, place] = [1 + number % 3, 1 + number / 3 % 3, 1 + number / 9 % 4];
        writeln!(text, "f,{on},{into},{place},7,{}", 1 + 2 * on + into + place).unwrap();
    }
    let mut session = Session::new(Box::new(MemoryWorkspace::with([("f.csv", text)])));
    let mut answer = |line: &str| match session.run(line) {
        Ok(outcome) => outcome.to_plain_text(),
        Err(error) => error.render(line),
    };
    answer("load f.csv");
    answer("formula f = a[0] + a[1]*on + a[2]*into + a[3]*where");
    for (line, told) in [
        ("largest f 'on' 21.5s into=1 where=3", "within 21.5 s: 8"),
        ("largest f 'into' 21.5s on=1 where=3", "within 21.5 s: 15"),
        ("largest f 'where' 21.5s on=1 into=3", "within 21.5 s: 15"),
        ("predict f on=3 into=2 where=1", "10 s"),
        ("show f where into > 2 and on > 2", "4"),
        ("show f where 'into' > 2 and 2 < 'on'", "4"),
        ("show f where where > 3", "9"),
        ("largest f on 21.5s into=1 where=3", "the variable `on` stands in quotes: `'on'`"),
        ("largest f where 21.5s on=1 into=3", "the variable `where` stands in quotes: `'where'`"),
        ("largest f into 21.5s on=1 where=3", "the variable `into` stands in quotes: `'into'`"),
        ("largest f scale 21.5s on=1 where=3 into=1", "the variable `scale` stands in quotes: `'scale'`"),
        ("show f where 2 < into", "the variable `into` stands in quotes: `'into'`"),
    ] {
        let shown = answer(line);
        // Of samples it is how many there are.
        let is_told = match told.parse::<usize>() {
            Ok(samples) => shown.matches("f.csv").count() == samples,
            Err(_) => shown.contains(told),
        };
        assert!(is_told, "{line}: {shown}");
    }
}
