//! The files that the runtime writes, in folders where others do as they like.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::{
    Flavour, ON_THIS_COMPUTER, Run, Trace, WARNINGS, c_compiler, compile, empty_directory, root,
};

fn compiler(directory: &Path) -> Command {
    let mut command = Command::new(c_compiler());
    command.current_dir(directory).args(WARNINGS).arg("-I").arg(root().join("include"));
    command
}

#[test]
fn a_shared_object_that_is_closed_keeps_its_names() {
    let directory = empty_directory();
    let programs = root().join("tests/programs");
    compile(
        compiler(&directory).args(["-shared", "-fPIC", "-o", "plugin.so"]).arg(programs.join("plugin.c")),
    );
    compile(
        compiler(&directory)
            .args(["-std=gnu11", "-rdynamic", "-o", "closed"])
            .arg(programs.join("closed.c"))
            .arg(root().join(call_runtime::EMBEDDED_SOURCE))
            .args(["-ldl", "-lm", "-pthread"]),
    );
    let output =
        Command::new(directory.join("closed")).current_dir(&directory).output().expect("it can be started");
    assert!(output.status.success(), "{output:?}");
    let trace = Trace::read(&fs::read_to_string(directory.join("closed.call.0.dat")).expect("the trace"));
    let points: Vec<String> = trace.rows.iter().map(|row| row[..4].join(" ")).collect();
    assert_eq!(points, ["plugged 0 1 1", "plugged 0 1 2"]);
    assert_eq!(trace.values("formula"), ["plugged[0]"]);
}

/// What it measures while it is open again and again is one run.
#[test]
fn a_shared_object_with_a_runtime_of_its_own_stays_when_it_is_closed() {
    let directory = empty_directory();
    let programs = root().join("tests/programs");
    compile(
        compiler(&directory)
            .args(["-std=gnu11", "-shared", "-fPIC", "-o", "plugin.so"])
            .arg(programs.join("plugin.c"))
            .arg(root().join(call_runtime::EMBEDDED_SOURCE))
            .args(["-ldl", "-lm", "-pthread"]),
    );
    compile(
        compiler(&directory)
            .args(["-std=gnu11", "-o", "closing"])
            .arg(programs.join("closing.c"))
            .arg("-ldl"),
    );
    let output =
        Command::new(directory.join("closing")).current_dir(&directory).output().expect("it can be started");
    assert!(output.status.success(), "{output:?}");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("call: the program ended without a report of 6 measurements: see"), "{told}");
    let files = fs::read_dir(&directory).expect("the folder can be read").flatten();
    let unfinished = files.filter(|file| file.file_name().to_string_lossy().contains("unfinished")).count();
    assert_eq!(unfinished, 1);
}

#[test]
fn links_under_names_that_can_be_guessed_are_not_followed() {
    for flavour in ON_THIS_COMPUTER {
        for body in ["binary", "summary"] {
            let run = Run::of(flavour, "planted")
                .variable("CALL_TRACE", body)
                .variable("CALL_SAVE", "1e-9")
                .prepared_by("echo precious > target");
            let outcome = run.succeed();
            let target = fs::read_to_string(run.directory().join("target")).expect("the target is there");
            assert_eq!(target, "precious\n", "{body}: {outcome:?}");
            assert!(outcome.stderr.contains("call: wrote planted.call.2.dat"), "{outcome:?}");
        }
    }
}

/// Nor under the name of the unfinished file, where somebody took that away: what was in it is lost aloud.
#[test]
fn links_in_the_place_of_an_unfinished_file_are_not_followed() {
    for flavour in ON_THIS_COMPUTER {
        let run = Run::of(flavour, "planted")
            .variable("CALL_TRACE", "binary")
            .variable("CALL_SAVE", "1e-9")
            .with("target")
            .prepared_by("echo precious > target");
        let outcome = run.fail(2, "what it kept of the run is not in the report");
        let target = fs::read_to_string(run.directory().join("target")).expect("the target is there");
        assert_eq!(target, "precious\n", "{outcome:?}");
    }
}

/// Nor where it is read for the report, though there is nothing but what was written.
#[test]
fn links_in_the_place_of_an_unfinished_file_are_not_read() {
    for flavour in ON_THIS_COMPUTER {
        let run = Run::of(flavour, "planted")
            .variable("CALL_TRACE", "binary")
            .variable("CALL_SAVE", "1e-9")
            .with("taken");
        let outcome = run.fail(2, "what it kept of the run is not in the report");
        assert!(outcome.stderr.starts_with("call: cannot read "), "{outcome:?}");
    }
}

/// A trace gets its name by a link, which replaces nothing: not what came there while it was written.
#[test]
fn files_that_come_while_a_trace_is_written_stay() {
    let raced = || Run::of(Flavour::Plain, "raced");
    for run in [raced(), raced().with("without-links")] {
        let outcome = run.succeed();
        let of_another = fs::read_to_string(run.directory().join("raced.call.0.dat")).expect("it is there");
        assert_eq!(of_another, "precious\n", "{outcome:?}");
        assert_eq!(run.trace_names(), ["raced.call.0.dat", "raced.call.1.dat"]);
        assert_eq!(run.trace("raced.call.1.dat").rows.len(), 1);
    }
}

/// A file of summaries that can be begun, but not filled, keeps nothing: that is said.
#[test]
fn summaries_that_are_not_kept_are_lost_aloud() {
    let run = Run::of(Flavour::Plain, "forks")
        .counting()
        .variable("CALL_TRACE", "summary")
        .with("exit")
        .with(2000)
        .prepared_by("ulimit -f 20");
    let outcome = run.succeed();
    assert!(
        outcome.stderr.contains("2000 measurements are lost: no report was written, nor another file"),
        "{outcome:?}"
    );
    assert_eq!(run.trace_names(), ["forks.call.0.dat"]);
}
