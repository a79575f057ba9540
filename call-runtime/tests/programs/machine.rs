//! The machine of supersteps and the processors on this computer.

use std::io::Read;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::available;
use crate::support::{ALL, Flavour, ON_THIS_COMPUTER, Run, WITH_MPI};

#[test]
fn message_storms() {
    for flavour in available(&ALL) {
        let processors: &[usize] = if flavour == Flavour::Smpi { &[3, 8, 32] } else { &[1, 2, 3, 8] };
        for &count in processors {
            let supersteps = match (flavour, count) {
                (_, 32) => 6,
                (Flavour::Plain, _) => 150,
                _ => 40,
            };
            for seed in if flavour == Flavour::Plain { 1..4 } else { 1..2 } {
                let run = Run::of(flavour, "storm").on(count).with(supersteps).with(seed);
                let outcome = run.succeed();
                assert!(outcome.stdout.starts_with("storm ok "), "{run:?}: {outcome:?}");
            }
        }
    }
}

/// Its processors never leave a core to each other, so there must not be many.
#[test]
fn message_storms_over_mpich() {
    for flavour in available(&[Flavour::Mpich]) {
        for (count, supersteps) in [(2, 40), (3, 20)] {
            let outcome = Run::of(flavour, "storm").on(count).with(supersteps).with(1).succeed();
            assert!(outcome.stdout.starts_with("storm ok "), "{outcome:?}");
        }
    }
}

#[test]
fn messages_of_later_supersteps_and_of_other_machines() {
    for flavour in available(&ALL) {
        let pipeline =
            Run::of(flavour, "pipeline").on(4).with(if flavour == Flavour::Plain { 20_000 } else { 2000 });
        assert_eq!(pipeline.succeed().stdout, "pipeline ok\n");
        assert_eq!(Run::of(flavour, "early").on(4).succeed().stdout, "early ok\n");
    }
}

#[test]
fn memory_is_used_again() {
    for flavour in available(&[Flavour::Plain, Flavour::Mpi, Flavour::Smpi]) {
        let run = Run::of(flavour, "reuse").on(3).with(3000);
        assert_eq!(run.succeed().stdout, "reuse ok\n");
    }
    assert_eq!(Run::of(Flavour::Plain, "reuse").on(8).with(1500).succeed().stdout, "reuse ok\n");
}

#[test]
fn processors_that_end_before_the_others() {
    // Case, status of the run, standard output in any order, message.
    let cases = [
        ("none", 0, "after before", ""),
        ("crash", 2, "before", "call: processor 1 was ended by signal 11 (Segmentation fault)\n"),
        ("abort", 2, "before", "call: processor 1 was ended by signal 6 (Aborted)\n"),
        ("exit-0", 2, "before", "call: processor 1 ended with status 0 before bsplib_done\n"),
        ("exit-7", 7, "before", "call: processor 1 ended with status 7 before bsplib_done\n"),
        ("all-exit-5", 5, "before processor 0 says why", "ended with status 5 before bsplib_done\n"),
        ("late-3", 3, "after before", ""),
        ("late-crash", 2, "after before", "call: processor 1 was ended by signal 9 (Killed)\n"),
    ];
    for flavour in ON_THIS_COMPUTER {
        for (case, status, stdout, message) in cases {
            let run = Run::of(flavour, "lifecycle").on(3).with(case);
            let outcome = run.fail(status, message);
            let mut lines: Vec<&str> =
                outcome.stdout.lines().filter(|line| *line != "after" || case != "late-3").collect();
            if case == "late-3" {
                lines.push("after");
            }
            lines.sort_unstable();
            assert_eq!(lines.join(" "), stdout, "{run:?}: {outcome:?}");
            assert_eq!(
                outcome.stderr.lines().count(),
                usize::from(!message.is_empty()),
                "{run:?}: {outcome:?}"
            );
        }
    }
}

/// Processes whose command line has `mark` as its last argument.
fn processes_with(mark: &str) -> usize {
    let entries = std::fs::read_dir("/proc").expect("/proc can be read");
    entries
        .filter_map(|entry| std::fs::read(entry.ok()?.path().join("cmdline")).ok())
        .filter(|command| command.ends_with(format!("\0{mark}\0").as_bytes()))
        .count()
}

#[test]
fn no_processor_outlives_its_supervisor() {
    for signal in ["TERM", "INT", "KILL"] {
        let mark = format!("mark-{}-{signal}", std::process::id());
        let run = Run::of(Flavour::Plain, "lifecycle").on(3).with("hang").with(&mark);
        let executable =
            run.command().get_args().nth(3).expect("the program follows `timeout -k 5 600`").to_owned();
        let mut child = Command::new(executable)
            .args(["hang", &mark])
            .env("CALL_PROCESSORS", "3")
            .current_dir(run.directory())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program can be started");
        let mut said = [0; 13];
        let stdout = child.stdout.as_mut().expect("it is piped");
        stdout.read_exact(&mut said).expect("the program says that it is ready");
        assert_eq!(&said, b"before\nready\n");
        // The first processor says so, and others may not have begun.
        let deadline = Instant::now() + Duration::from_secs(120);
        while processes_with(&mark) < 4 {
            assert!(Instant::now() < deadline, "{signal}: {} processes", processes_with(&mark));
            thread::sleep(Duration::from_millis(5));
        }
        Command::new("kill")
            .args([&format!("-{signal}"), &child.id().to_string()])
            .status()
            .expect("kill is there");
        let status = child.wait().expect("the program can be waited for");
        assert_eq!(status.code(), None, "{signal}: a signal ends it: {status:?}");
        let deadline = Instant::now() + Duration::from_secs(120);
        while processes_with(&mark) > 0 {
            assert!(Instant::now() < deadline, "{signal}: processors are left");
            thread::sleep(Duration::from_millis(5));
        }
    }
}

#[test]
fn wrong_numbers_of_processors() {
    for number in ["0", "-1", "two", "", "3x", "99999999999999999999"] {
        let run = Run::of(Flavour::Plain, "early").variable("CALL_PROCESSORS", number);
        run.fail(2, &format!("call: CALL_PROCESSORS is `{number}`: it must be a positive integer\n"));
    }
    for flavour in available(&WITH_MPI) {
        let run = Run::of(flavour, "early").on(1).variable("CALL_PROCESSORS", "4");
        run.fail(
            2,
            "call: CALL_PROCESSORS is 4, but this program was linked for MPI: start it with `mpirun -n 4` (an MPI compiler built it, \
             which `call run` takes where a file uses mpi.h or MPI_ functions; with CC=cc its processors are processes of this computer)\n",
        );
    }
}
