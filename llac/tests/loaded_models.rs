//! Models from files: the same answers without samples, and what needs samples says so.

use std::fmt::Write;
use std::io;
use std::sync::Arc;

use crate::transcript::transcript;
use llac::{MachineFile, MemoryWorkspace, Session, Workspace, json};

/// The files of one session, and machines of its own.
struct Shared(Arc<MemoryWorkspace>, Vec<(&'static str, f64)>);

impl Workspace for Shared {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        self.0.read(path)
    }

    fn write(&self, path: &str, contents: &[u8]) -> io::Result<()> {
        self.0.write(path, contents)
    }

    fn matching(&self, pattern: &str) -> io::Result<Vec<String>> {
        self.0.matching(pattern)
    }

    fn machines(&self) -> io::Result<Vec<MachineFile>> {
        Ok(self.1.iter().map(|(name, rate)| (format!("{name}.toml"), Ok(machine(name, *rate)))).collect())
    }
}

fn machine(name: &str, rate: f64) -> String {
    let mut text = format!(
        "schema_version = 1\nname = \"{name}\"\n[provenance]\nkind = \"measured\"\ndate = \"2026-11-21\"\n"
    );
    for processors in [1, 2, 4, 8] {
        let (g, latency) = (1e-9 * f64::from(processors) / rate, 1e-6 * f64::from(processors));
        writeln!(
            text,
            "[[bsp]]\nprocessors = {processors}\nrate_flop_per_s = {}\ng_s_per_byte = {g:e}\nlatency_s = {latency:e}",
            1e9 * rate
        )
        .unwrap();
    }
    text
}

/// Times of a formula with some noise that is the same in every run.
fn trace(name: &str, formula: &str, host: &str, time_s: fn(f64, f64) -> f64) -> String {
    let (mut rows, mut count) = (String::new(), 0);
    for processors in [1, 2, 4, 8] {
        for step in 0..8 {
            let size = 1000 << step;
            let noise = 1.0 + 0.02 * f64::from((step * 7 + processors * 3) % 5 - 2);
            let time_s = noise * time_s(f64::from(size), f64::from(processors));
            writeln!(rows, "{name} 0 {processors} {size} {time_s:.12}").unwrap();
            count += 1;
        }
    }
    format!(
        "# call-trace 1\n# program: heat\n# host: {host}\n# compiler: gcc 14\n# processors: 8\n# experiment: {name}\n\
         # formula: {formula}\n# variables: N\nexperiment processor P N time_s\n{rows}# end rows={count}\n"
    )
}

const PROGRAM: &str = "program both(N) {\n  compute f(N = N, L = 1e-6*P) + h(M = N*N)\n}\n";

fn files() -> Arc<MemoryWorkspace> {
    let f = trace("f", "f[0] + f[1]*N/P + f[2]*L", "node7", |n, p| 2e-5 + 3e-9 * n / p + 2.0 * 1e-6 * p);
    let h = trace("h", "h[0] + h[1]*M", "node7", |n, _| 1e-5 + 1e-14 * n * n);
    let other = trace("f", "f[0] + f[1]*N/P + f[2]*L", "node8", |n, p| 3e-5 + 3e-9 * n / p + 2.0 * 1e-6 * p);
    Arc::new(MemoryWorkspace::with([
        ("f.dat", f),
        ("h.dat", h),
        ("other.dat", other),
        ("both.prog", PROGRAM.into()),
    ]))
}

/// A session with samples that has saved its models, and its files.
fn saved() -> (Session, Arc<MemoryWorkspace>) {
    let files = files();
    let machines = vec![("here", 1.0), ("there", 2.0)];
    let mut session = Session::new(Box::new(Shared(Arc::clone(&files), machines)));
    for line in [
        "load f.dat h.dat",
        "let M = N*N",
        "machine use here",
        "set repetitions minimum",
        "save model f into f.model.json",
        "save model h into h.model.json",
    ] {
        session.run(line).unwrap_or_else(|error| panic!("{}", error.render(line)));
    }
    (session, files)
}

/// A session that knows another machine only.
fn elsewhere(files: &Arc<MemoryWorkspace>) -> Session {
    Session::new(Box::new(Shared(Arc::clone(files), vec![("there", 2.0)])))
}

#[test]
fn questions_have_the_same_answers_without_samples() {
    let (mut with, files) = saved();
    let mut without = elsewhere(&files);
    without.run("load f.model.json h.model.json").unwrap();
    for line in [
        "predict f N=77777 P=3",
        "predict f N=1000:4000000:2 P=2,64",
        "predict h N=5e5",
        "predict h M=1e12",
        "predict f h N=5e5 P=4",
        "predict all N=5e5 P=4",
        "speedup f P=1:64:2 N=77777",
        "best f P=1:64:2 N=77777",
        "largest f N 1ms P=4",
        "crossover f h N=1..1e7 P=4",
        "isoefficiency f 0.5 N P=2:16:2",
        "predict f N=77777 P=4 on there",
        "predict f N=77777 P=4 on there scale f[1]=s",
        "compare f other.dat",
        "compare f other.dat where N > 2000",
        "compare f other.dat on there",
        "aleph f",
        "aleph h[1]",
        "aleph",
        "program both.prog",
        "predict both N=77777 P=4",
        "predict both N=77777 P=4 on there",
    ] {
        let [expected, found] = [&mut with, &mut without].map(|session| {
            session
                .run(line)
                .map(|outcome| json::outcome(&outcome).to_string())
                .map_err(|error| error.render(line))
        });
        assert_eq!(expected, found, "{line}");
        assert!(found.is_ok(), "{line}: {found:?}");
    }
    for line in
        ["plot f N P=2,4", "plot f N=1..1e7 P=2", "plot speedup f N=77777 P=1:64:2", "plot surface f N P"]
    {
        let outcome = without.run(line);
        assert!(outcome.is_ok(), "{}", outcome.err().unwrap().render(line));
    }
}

#[test]
fn sessions_with_models_from_files() {
    let (_, files) = saved();
    let mut session = elsewhere(&files);
    insta::assert_snapshot!(transcript(
        &mut session,
        &[
            "load f.model.json",
            "predict N=77777 P=3",
            "experiments",
            "show f",
            "fit f",
            "fit",
            "judge f",
            "find f",
            "advise f",
            "outliers f",
            "drop f 1",
            "compare f",
            "plot residuals f",
            "plot boxes f",
            "save model f into g.model.json",
            "predict f N=1 P=1 where N > 3",
            "undo",
            "predict f N=77777 P=3",
            "redo",
            "history",
            "load f.model.json as old",
            "load f.model.json h.model.json as both",
            "load h.model.json unit=ms",
            "load f.dat",
            "load f.model.json",
            "compare old f where N > 100000",
            "save model into f.model.json",
            "machine use there",
            "predict old N=77777 P=3 on there",
            "save model f",
            "save model f to f.model.json",
            "load h.dat",
            "let M = N*N",
            "aleph",
            "aleph where N > 100000",
        ]
    ));
}

#[test]
fn broken_files_are_told() {
    let (_, files) = saved();
    let text = String::from_utf8(files.read("f.model.json").unwrap()).unwrap();
    let check = |contents: &str, expected: &str| {
        files.write("x.model.json", contents.as_bytes()).unwrap();
        let line = "load x.model.json";
        let error = elsewhere(&files).run(line).unwrap_err().render(line);
        assert!(error.contains(expected), "{error}");
    };
    check("", "x.model.json: this is no whole model file: EOF");
    check("{}", "x.model.json: this is no whole model file: missing field `call-model`");
    check(&text[..text.len() / 2], "x.model.json: this is no whole model file: EOF");
    check(
        &text.replace("\"call-model\": 1", "\"call-model\": 7"),
        "schema version 7, and this program reads 1 to 3",
    );
    check(&text.replace("\"is_whole\"", "\"is_hole\""), "unknown field `is_hole`");
    check(&text.replace("name = \\\"here\\\"", "name = \\\"hier\\\""), "`here` is called `hier` in its file");
    check(&text.replace("[[bsp]]", "[[bps]]"), "machine: ");
}

#[test]
fn names_of_models_are_completed() {
    let (_, files) = saved();
    let mut session = elsewhere(&files);
    session.run("load f.model.json as fast").unwrap();
    let check = |line: &str, expected: &str| {
        let words = session.complete(line).words;
        assert!(words.iter().any(|word| word == expected), "{line}: {words:?}");
    };
    check("predict f", "fast");
    check("predict fast N=3 ", "P=");
    check("aleph fa", "fast");
    check("plot fa", "fast");
    assert!(session.complete("save model f into ").files && session.knows("fast"));
}

/// A model under another name has constants of that name, in tables and in what is exported.
#[test]
fn loaded_models_are_exported_under_their_names() {
    let (_, files) = saved();
    let mut session = elsewhere(&files);
    session.run("load f.model.json as old").unwrap();
    for line in ["predict old N=77777 P=3", "aleph old", "aleph old[1]"] {
        let shown = session.run(line).unwrap().to_plain_text();
        assert!(shown.contains("old[1]") && !shown.contains("f[1]"), "{shown}");
    }
    for (file, expected) in [("m.c", "double old("), ("m.gp", "old("), ("m.tex", "old")] {
        session.run(&format!("export old {file}")).unwrap();
        let named = files.read(file).unwrap();
        assert!(String::from_utf8_lossy(&named).contains(expected), "{}", String::from_utf8_lossy(&named));
        session.run(&format!("export {file}")).unwrap();
        assert_eq!(files.read(file).unwrap(), named);
    }
    let line = "export old m.csv";
    let error = session.run(line).unwrap_err().render(line);
    assert!(error.contains("`old` is a model from a file, which has no samples"), "{error}");
    session.run("load h.dat").unwrap();
    session.run("let M = N*N").unwrap();
    session.run("export both.c").unwrap();
    let both = String::from_utf8(files.read("both.c").unwrap()).unwrap();
    assert!(both.contains("double old(") && both.contains("double h("), "{both}");
}

#[test]
fn constants_of_one_formula_stand_in_one_table() {
    let (mut session, files) = saved();
    session.run("aleph f[0] h[0] f[1] into constants.f.csv").unwrap();
    let csv = String::from_utf8(files.read("constants.f.csv").unwrap()).unwrap();
    let names: Vec<&str> = csv.lines().map(|line| line.split(',').next().unwrap()).collect();
    assert_eq!(names[0], "constant");
    assert!(names.contains(&"f[0]") && names.contains(&"f[1]") && !names.contains(&"h[0]"), "{csv}");
    assert_eq!(names.iter().filter(|name| **name == "constant").count(), 1, "{csv}");
}

/// Files that are loaded already change nothing, so `undo` takes back what was done before.
#[test]
fn what_is_loaded_already_is_no_change() {
    let (_, files) = saved();
    let mut session = elsewhere(&files);
    for line in ["load f.dat", "let M = N", "load f.dat", "load f.dat as data", "undo"] {
        session.run(line).unwrap_or_else(|error| panic!("{}", error.render(line)));
    }
    let history = session.run("history").unwrap().to_plain_text();
    assert!(history.contains("load f.dat") && !history.contains("as data"), "{history}");
    assert!(session.run("predict f M=3 N=4 P=1").is_err(), "`let` is taken back");
}
