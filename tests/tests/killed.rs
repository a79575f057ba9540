//! Supersteps that a killed run leaves, and what a profile makes of them.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that meets None has failed")]

use std::fs;

use call_tests::{Transport, Workshop};

/// Built without a directive, to save at each synchronisation.
fn built(transport: Transport) -> Workshop {
    let workshop = Workshop::new();
    workshop.bring("tests/programs/killed.c");
    let (compiler, mpi) = match transport {
        Transport::Embedded => ("cc", ""),
        _ => (transport.compiler(), "--mpi"),
    };
    workshop.shell(&format!(
        "{compiler} $(call cflags {mpi} -O1 -fno-inline -fno-optimize-sibling-calls) killed.c $(call libs {mpi}) -o killed"
    ));
    workshop
}

fn run(workshop: &Workshop, transport: Transport, arguments: &str) -> bool {
    let launcher = transport.launcher().replace("%P", "3");
    let command = format!("{launcher} ./killed {arguments}");
    let environment = [("CALL_PROFILE", "1"), ("CALL_SAVE", "1e-9"), ("CALL_PROCESSORS", "3")];
    workshop.command("sh").args(["-c", &command]).envs(environment).output().unwrap().status.success()
}

#[test]
fn supersteps_of_a_killed_run_are_profiled_as_far_as_they_go() {
    for transport in [Transport::Embedded, Transport::Mpi] {
        if !transport.is_available() {
            continue;
        }
        let workshop = built(transport);
        assert!(!run(&workshop, transport, ""));
        let traces = workshop.traces();
        assert_eq!(traces.len(), 3, "{traces:?}");
        assert!(traces.iter().all(|name| name.starts_with("killed.call.unfinished.")), "{traces:?}");
        let commands = ["load killed.call.unfinished.*.dat", "profile hide 0"];
        let output =
            workshop.command("llac").args(commands.iter().flat_map(|its| ["-e", its])).output().unwrap();
        let (shown, told) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        let told = told.split_whitespace().collect::<Vec<_>>().join(" ");
        // Some may have been leaving the last synchronisation. Bytes from and to each: 1 + 2 + … + 50.
        let is_first = told.contains("this is the profile of the first 50 supersteps");
        let (count, sum) = if is_first { ("    50  ", "  1.275 kB") } else { ("    49  ", "  1.225 kB") };
        assert!(
            is_first || told.contains("the profile of the first 49 supersteps that it saved; 1 more"),
            "{told}"
        );
        let mut lines = shown.lines().skip_while(|line| !line.contains("· killed.c line 11 "));
        let line = lines.next().unwrap_or_else(|| panic!("{transport:?}\n{shown}"));
        assert!(line.contains(count) && line.ends_with(sum), "{transport:?}: {line}");
        assert!(lines.next().unwrap().ends_with(" 100|100"), "{transport:?}\n{shown}");
    }
}

/// A report has everything, and no other file is left; where a kill came between the two, nothing counts twice.
#[test]
fn what_was_reported_is_not_profiled_twice() {
    let workshop = built(Transport::Embedded);
    assert!(!run(&workshop, Transport::Embedded, ""));
    let left = workshop.traces();
    let word = fs::read_to_string(workshop.path().join(&left[0])).unwrap();
    let word = word.lines().find_map(|line| line.strip_prefix("# unfinished: ")).unwrap().to_owned();
    assert!(run(&workshop, Transport::Embedded, "on"));
    assert_eq!(workshop.traces().len(), 4);
    // The report as one of the run that was killed.
    let report = workshop.read("killed.call.0.dat");
    let own = report.lines().find(|line| line.starts_with("# run: ")).unwrap();
    workshop.write("killed.call.0.dat", report.replace(own, &format!("# run: {word}")));
    let counted = |loads: &[&str]| {
        let shown = workshop.llac(&[loads, &["profile by sync hide 0"]].concat());
        let main = shown.lines().find(|line| line.starts_with("main ")).unwrap().to_owned();
        main.split_whitespace().nth(2).unwrap().to_owned()
    };
    let (report, unfinished) = ("load killed.call.0.dat", "load killed.call.unfinished.*.dat");
    assert_eq!(counted(&[report, unfinished]), "51");
    assert_eq!(counted(&[unfinished, report]), "51");
}

/// Whom each process waits for that a signal has ended.
#[test]
fn a_deadlock_says_who_waits_for_whom() {
    let transport = Transport::Mpi;
    if !transport.is_available() {
        return;
    }
    let workshop = Workshop::new();
    workshop.bring("call-runtime/tests/programs/events_deadlock.c");
    let compiler = transport.compiler();
    workshop.shell(&format!(
        "{compiler} -g $(call cflags --mpi -O1) events_deadlock.c $(call libs --mpi) -o events_deadlock"
    ));
    let command = format!("{} ./events_deadlock", transport.launcher().replace("%P", "2"));
    let status =
        workshop.command("sh").args(["-c", &command]).env("CALL_EVENTS", "1").output().unwrap().status;
    assert!(!status.success());
    let traces = workshop.traces();
    assert_eq!(traces.len(), 2, "{traces:?}");
    let output = workshop.command("llac").arg("waits").args(&traces).output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr).split_whitespace().collect::<Vec<_>>().join(" ");
    let at = "within MPI_Recv events_deadlock.c:27 in main, where it is for 0.";
    for (start, partner) in [("processor 0: its recording ends", 1), ("that of processor 1", 0)] {
        let (_, rest) = told.split_once(&format!("{start} {at}")).unwrap_or_else(|| panic!("{told}"));
        let (_, rest) = rest.split_once(" s and waits for ").unwrap_or_else(|| panic!("{told}"));
        assert!(rest.starts_with(&format!("a message of processor {partner}")), "{told}");
    }
}
