//! Model programs and machine files that are strange or very long are answered or refused.

use llac::Session;

use super::hostile::{answer, fails, session};

const PROGRAM: &str = "program ring(N) { compute 1e-9*N; exchange 8*N with (pid + 1) % P }";

const MACHINE: &str = "schema_version = 1\nname = \"m\"\n[provenance]\nkind = \"measured\"\nsource = \"a test\"\ndate = \"2026\"\n[[bsp]]\nprocessors = 1\n\
    rate_flop_per_s = 1e9\ng_s_per_byte = 1e-9\nlatency_s = 5e-6\n";

/// All numbers in the tables of the answer are finite.
fn is_finite(session: &mut Session, line: &str) {
    let outcome = session.run(line).unwrap_or_else(|error| panic!("{}", error.render(line)));
    let text = llac::json::outcome(&outcome).to_string();
    assert!(!text.contains("inf") && !text.contains("NaN") && !text.contains("null"), "{text}");
}

#[test]
fn programs_on_strange_numbers_of_processors() {
    let mut session = session([("ring.obsp", PROGRAM), ("m.toml", MACHINE)]);
    answer(&mut session, "program *.obsp");
    for processors in ["0", "-1", "1.5", "1e300", "4294967297"] {
        let line = format!("predict ring N=8 g=1e-9 L=1e-6 P={processors}");
        fails(&mut session, &line, "is no number of processors");
    }
    for processors in ["nan", "inf", "1e309", "x", ""] {
        let line = format!("predict ring N=8 g=1e-9 L=1e-6 P={processors}");
        assert!(session.run(&line).is_err(), "{line}");
    }
    is_finite(&mut session, "predict ring N=8 P=1,1e9 g=1e-9 L=1e-6");
    is_finite(&mut session, "predict ring N=8 P=1000000000 on m.toml");
    is_finite(&mut session, "predict ring N=0 P=4 g=0 L=0");
    fails(&mut session, "predict ring N=1e308 P=2 g=1 L=1", "the length of the message is inf");
    fails(&mut session, "predict ring N=1e307 P=2 g=1000 L=1", "times are finite");
    fails(&mut session, "predict ring N=-1 P=2 g=1 L=1", "is not negative");
    fails(&mut session, "plot ring N=8 P=1e9 g=1 L=1", "shows nothing");
    answer(&mut session, "plot ring N=8 P=1,2,1e9 g=0 L=0");
    answer(&mut session, "compare ring");
}

#[test]
fn programs_of_megabytes() {
    let tasks: String = (0..20_000).map(|number| format!("task t{number} {{ }}\n")).collect();
    let variables: String = (0..20_000).map(|number| format!("v{number},")).collect();
    let files = [
        ("long.obsp", format!("program long {{\n{}}}", "compute 1e-6;\n".repeat(50_000))),
        ("tasks.obsp", format!("{tasks}program tasks {{ t19999() }}")),
        ("variables.obsp", format!("program variables({variables}x) {{ }}")),
        ("terms.obsp", format!("program terms {{ compute 1{} }}", "+1".repeat(200_000))),
        ("braces.obsp", format!("program braces {{ {}", "if 1 { ".repeat(50_000))),
        ("parts.obsp", format!("program parts {{ partition 1{} {{ compute pid }} }}", ",1".repeat(10_000))),
        ("comment.obsp", format!("program comment {{ }} #{}", "x".repeat(2_000_000))),
        ("zeros.obsp", "\0".repeat(200_000)),
    ];
    let mut session = session(files);
    fails(&mut session, "program terms.obsp", "more than 500 values");
    fails(&mut session, "program braces.obsp", "nested more than 50 times");
    fails(&mut session, "program zeros.obsp", "means nothing here");
    let error = answer(&mut session, "program terms.obsp");
    assert!(error.len() < 1000 && error.contains("…1+1+"), "{error:.2000}");
    for line in [
        "program long.obsp tasks.obsp variables.obsp parts.obsp comment.obsp",
        "predict long P=2",
        "predict tasks P=2",
        "predict variables P=2",
        "predict parts P=10001",
        "plot long P=2",
    ] {
        answer(&mut session, line);
    }
}

#[test]
fn machine_files_of_megabytes() {
    let entry = |number: usize| {
        format!(
            "[[bsp]]\nprocessors = {}\nrate_flop_per_s = 1e9\ng_s_per_byte = 1e-9\nlatency_s = 1e-6\n",
            number + 2
        )
    };
    let entries: String = (0..5_000).map(entry).collect();
    let text = format!("name = \"m\"\ndescription = \"{}\"", "x".repeat(10_000_000));
    let files = [
        ("table.toml", format!("{MACHINE}{entries}")),
        ("text.toml", MACHINE.replace("name = \"m\"", &text)),
        ("deep.toml", format!("x = {}", "[".repeat(1_000_000))),
        ("numbers.toml", MACHINE.replace("1e-9", "1e999")),
        ("zeros.toml", "\0".repeat(10_000_000)),
        ("ring.obsp", PROGRAM.to_owned()),
    ];
    let names: Vec<&str> = files.iter().map(|(name, _)| *name).collect();
    let mut session = session(files);
    answer(&mut session, "program ring.obsp");
    for file in names {
        answer(&mut session, &format!("machine show {file}"));
        answer(&mut session, &format!("predict ring N=8 P=77 on {file}"));
    }
}

/// `save` writes what makes the same session again.
#[test]
fn saved_programs_and_machines_come_back() {
    let table = "kernel,N,time_s\nf,1,1\nf,2,2\nf,4,4\n";
    let mut session = session([("a ring\u{e9}.obsp", PROGRAM), ("m.toml", MACHINE), ("t.csv", table)]);
    let program = "program \"a ring\u{e9}.obsp\"";
    for line in [program, "load t.csv", "machine use m.toml", "undo", "undo", "redo", "redo", "undo", "redo"]
    {
        session.run(line).unwrap_or_else(|error| panic!("{}", error.render(line)));
    }
    let expected = answer(&mut session, "predict ring N=8 P=4");
    assert!(expected.contains("ring(N=8, P=4) = "), "{expected}");
    answer(&mut session, "save s.llac");
    for _ in 0..3 {
        answer(&mut session, "undo");
    }
    fails(&mut session, "predict ring N=8 P=4", "ring");
    answer(&mut session, "run s.llac");
    assert_eq!(answer(&mut session, "predict ring N=8 P=4"), expected);
}
