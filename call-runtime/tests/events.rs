//! Records of the calls of MPI and of threads of OpenMP, exactly: the programs say what each processor does, the counting clock says how
//! long.

use call_trace::{Awaited, Dataset, Trace};

use super::events_planted::{planted, planted_copies, planted_further, planted_run, told, trace};
use crate::support::{Flavour, Run, WITH_MPI};

#[test]
fn further_calls_are_recorded() {
    for flavour in WITH_MPI {
        if !flavour.is_available() {
            continue;
        }
        let run = planted_run(flavour, "events_further").variable("CALL_EVENTS", "1");
        run.succeed();
        let names = run.trace_names();
        assert_eq!(names.len(), 1, "{flavour:?}: {names:?}");
        for (rank, its) in (0..3).zip(&trace(&run, &names[0]).events) {
            assert_eq!(told(its), planted_further(rank, flavour, false), "{flavour:?}, {rank}");
        }
    }
}

/// SMPI makes none.
#[test]
fn communicators_that_are_made_while_their_processors_go_on() {
    for flavour in [Flavour::Mpi, Flavour::Mpich] {
        if !flavour.is_available() {
            continue;
        }
        let run = planted_run(flavour, "events_copied").variable("CALL_EVENTS", "1");
        let said = run.succeed().stderr;
        assert!(!said.contains("not recorded"), "{flavour:?}: {said}");
        for its in &trace(&run, &run.trace_names()[0]).events {
            assert_eq!(told(its), planted_copies(), "{flavour:?}");
        }
    }
}

/// Nobody knows who waits for whom in them, but that they take time is known; SMPI has no intercommunicators.
#[test]
fn what_makes_and_leaves_intercommunicators_is_recorded() {
    for flavour in WITH_MPI {
        if !flavour.is_available() {
            continue;
        }
        let run = planted_run(flavour, "events_between").variable("CALL_EVENTS", "1");
        let said = run.succeed().stderr;
        let is_simulated = flavour == Flavour::Smpi;
        let remark = "events: what goes through an intercommunicator is not recorded";
        assert_eq!(said.matches(remark).count(), usize::from(!is_simulated), "{flavour:?}: {said}");
        let between = ["MPI_Intercomm_create", "MPI_Comm_disconnect"];
        let first = ["MPI_Init", "MPI_Comm_split"].into_iter();
        let calls = first.chain(between.into_iter().filter(|_| !is_simulated));
        let expected: Vec<&str> = calls.chain(["MPI_Comm_disconnect", "MPI_Finalize"]).collect();
        for its in &trace(&run, &run.trace_names()[0]).events {
            let told = told(its);
            let entered = told.iter().filter_map(|line| Some(line.split_once(" enter ")?.1));
            assert_eq!(entered.collect::<Vec<_>>(), expected, "{flavour:?}");
        }
    }
}

/// Processes that are started by others have a trace of their own. What goes to those of another MPI_COMM_WORLD is not recorded, and said to be so. MPICH of
/// Debian starts none.
#[test]
fn processes_that_others_start_are_recorded_apart() {
    let flavour = Flavour::Mpi;
    if !flavour.is_available() {
        return;
    }
    // Jobs reach each other through the network.
    let network = ["--mca", "btl", "self,vader,tcp"];
    let run = Run::of(flavour, "events_spawned").launched_by(&network).counting().on(1);
    let run = run.variable("CALL_EVENTS", "1");
    let outcome = run.succeed();
    assert!(outcome.stdout.contains("events ok"), "{flavour:?}: {}", outcome.stdout);
    for what in ["an intercommunicator", "a communicator with processes of another MPI_COMM_WORLD"] {
        // By the one that started the others, and by one of these.
        let remark = format!("events: what goes through {what} is not recorded");
        assert_eq!(outcome.stderr.matches(&remark).count(), 2, "{flavour:?}: {}", outcome.stderr);
    }
    assert!(!outcome.stderr.contains("made by a call"), "{flavour:?}: {}", outcome.stderr);
    let mut processors: Vec<usize> =
        run.trace_names().iter().map(|name| trace(&run, name).events.len()).collect();
    processors.sort_unstable();
    assert_eq!(processors, [1, 2], "{flavour:?}");
    for name in run.trace_names() {
        for its in &trace(&run, &name).events {
            let lines = told(its);
            let entered = lines.iter().filter_map(|line| Some(line.split_once(" enter ")?.1));
            let starts = its.regions.iter().any(|region| region.call == "MPI_Comm_spawn");
            let messages: &[&str] = match starts {
                true => &["MPI_Comm_spawn", "MPI_Send", "MPI_Send", "MPI_Recv", "MPI_Recv"],
                false => &["MPI_Recv", "MPI_Send"],
            };
            let last = ["Intercomm_merge", "Bcast", "Comm_free", "Comm_disconnect", "Barrier", "Finalize"];
            let expected: Vec<String> = ["MPI_Init"]
                .iter()
                .chain(messages)
                .map(|call| (*call).to_owned())
                .chain(last.map(|call| format!("MPI_{call}")))
                .collect();
            assert_eq!(entered.collect::<Vec<_>>(), expected, "{flavour:?}");
            let own = its.communicators.iter().all(|its| its.processors.iter().all(|its| *its < 2));
            assert!(own && its.communicators.len() == 2, "{flavour:?}: {:?}", its.communicators);
        }
    }
}

/// MPI 4 has them; what it has besides is recorded or told.
#[test]
fn large_counts_are_recorded() {
    if Flavour::Mpich.is_available() {
        let run = planted_run(Flavour::Mpich, "events_large_counts").variable("CALL_EVENTS", "1");
        let said = run.succeed().stderr;
        for call in ["MPI_Isendrecv", "MPI_Psend_init"] {
            assert_eq!(said.matches(&format!("events: {call} is not recorded")).count(), 1, "{said}");
        }
        for (rank, its) in (0..3).zip(&trace(&run, &run.trace_names()[0]).events) {
            let small = |line: &String| line.strip_suffix("_c").unwrap_or(line).to_owned();
            assert!(its.regions.iter().any(|region| region.call == "MPI_Alltoallw_c"));
            assert_eq!(
                told(its).iter().map(small).collect::<Vec<_>>(),
                planted_further(rank, Flavour::Mpich, true),
                "{rank}"
            );
        }
    }
}

#[test]
fn each_call_is_recorded() {
    for flavour in WITH_MPI {
        if !flavour.is_available() {
            continue;
        }
        let run = planted_run(flavour, "events").variable("CALL_EVENTS", "1");
        run.succeed();
        let names = run.trace_names();
        assert_eq!(names.len(), 1, "{flavour:?}: {names:?}");
        let trace = trace(&run, &names[0]);
        assert_eq!((trace.header.kind.as_str(), trace.events.len()), ("MPI", 3), "{flavour:?}");
        for (rank, its) in (0..3).zip(&trace.events) {
            assert_eq!((its.processor, its.has_common_clock), (rank, true));
            assert_eq!(told(its), planted(rank), "{flavour:?}");
            assert_eq!(its.communicators[0].processors, [0, 1, 2]);
            let part: &[u32] = if rank == 1 { &[1] } else { &[2, 0] };
            assert_eq!(its.communicators[2].processors, part);
        }
        let send = trace.events[0].regions.iter().find(|its| its.call == "MPI_Ssend").expect("a region");
        assert_eq!(send.call_stack.last().map(String::as_str), Some("main"), "{flavour:?}");
    }
}

/// Runs a program in Fortran with each module that is there: the functions of one are not those of the other, and leave out arguments.
fn with_each_module(program: &str, check: impl Fn(Flavour, &str, &str, Trace)) {
    for flavour in [Flavour::Mpi, Flavour::Mpich] {
        for flag in ["-UWITH_F08", "-DWITH_F08"] {
            if flavour.has_fortran() {
                let run = Run::of_fortran(flavour, program, &[flag]).counting().on(3);
                assert!(run.succeed().stdout.contains("events ok"));
                assert_eq!(run.trace_names(), Vec::<String>::new());
                let run = run.variable("CALL_EVENTS", "1");
                let outcome = run.succeed();
                check(flavour, flag, &outcome.stderr, trace(&run, &run.trace_names()[0]));
            }
        }
    }
}

#[test]
fn each_call_in_fortran_is_recorded() {
    with_each_module("events_fortran", |flavour, flag, said, trace| {
        assert!(!said.contains("not recorded"), "{flavour:?} {flag}: {said}");
        for (rank, its) in (0..3).zip(&trace.events) {
            assert_eq!(told(its), planted(rank), "{flavour:?} {flag}");
        }
        let send = trace.events[0].regions.iter().find(|its| its.call == "MPI_Ssend").expect("a region");
        assert_eq!(send.call_stack[0], "__program_parts_MOD_messages", "{flavour:?} {flag}");
    });
}

/// Each, but for one of Open MPI's.
#[test]
fn further_calls_in_fortran_are_recorded() {
    with_each_module("events_further_fortran", |flavour, flag, said, trace| {
        let remark = "events: MPI_Alltoallw of Fortran is not recorded";
        assert_eq!(said.matches(remark).count(), usize::from(flavour == Flavour::Mpi), "{flag}: {said}");
        assert_eq!(said.contains("not recorded"), flavour == Flavour::Mpi, "{flag}: {said}");
        for (rank, its) in (0..3).zip(&trace.events) {
            let mut expected = planted_further(rank, flavour, false);
            if flavour == Flavour::Mpi {
                let at = expected.iter().position(|line| line.ends_with("MPI_Alltoallw")).expect("a call");
                expected.drain(at..at + 3);
            }
            assert_eq!(told(its), expected, "{flavour:?} {flag}");
        }
    });
}

#[test]
fn nothing_is_recorded_where_nothing_is_asked_for() {
    for flavour in WITH_MPI {
        if flavour.is_available() {
            let run = planted_run(flavour, "events");
            assert!(run.succeed().stdout.contains("events ok"));
            assert_eq!(run.trace_names(), Vec::<String>::new());
            Run::of(flavour, "events").on(2).variable("CALL_EVENTS", "yes").fail(2, "CALL_EVENTS is `yes`");
        }
    }
}

/// A killed run leaves what it had saved, in blocks; a report has blocks from the file and from memory.
#[test]
fn full_blocks_go_into_a_file() {
    for flavour in WITH_MPI {
        if !flavour.is_available() {
            continue;
        }
        let whole = planted_run(flavour, "events").with("many").variable("CALL_EVENTS", "1");
        whole.succeed();
        let names = whole.trace_names();
        assert_eq!(names.len(), 1, "{flavour:?}: {names:?}");
        let events = &trace(&whole, &names[0]).events;
        let barriers = |rank: u32| {
            let mut story = planted(rank);
            let end = story.split_off(story.len() - 3);
            let now = end[0].split(' ').next().unwrap_or_default().to_owned();
            for _ in 0..30_000 {
                let call = ["enter MPI_Barrier".into(), format!("Barrier {rank}.1 0 0"), "leave".into()];
                story.extend(call.iter().map(|its: &String| format!("{now} {its}")));
            }
            (story, end)
        };
        for (rank, its) in (0..3).zip(events) {
            let (story, end) = barriers(rank);
            let mut told = told(its);
            // What saving takes is a call of its own, and takes no time by this clock.
            let saves = told.iter().filter(|its| its.ends_with(" enter save")).count();
            assert!(saves >= 4, "{flavour:?}: {saves}");
            while let Some(at) = told.iter().position(|its| its.ends_with(" enter save")) {
                told.drain(at..at + 2);
            }
            assert!(told == [story, end].concat(), "{flavour:?}, {rank}");
        }
        if flavour == Flavour::Smpi {
            continue; // All processors are one process.
        }
        let killed = planted_run(flavour, "events").with("kill").variable("CALL_EVENTS", "1");
        assert_ne!(killed.outcome().status, Some(0));
        let names = killed.trace_names();
        assert_eq!(names.len(), 3, "{flavour:?}: {names:?}");
        let mut dataset = Dataset::default();
        for name in &names {
            assert!(name.starts_with(&whole.trace_names()[0].replace(".0.dat", ".unfinished.")), "{names:?}");
            dataset.add(name, trace(&killed, name)).expect("they are of one run");
        }
        assert_eq!(dataset.runs.len(), 1);
        for its in dataset.runs[0].events.iter() {
            let mut told = told(its);
            told.retain(|its| !its.ends_with(" enter save"));
            assert!(told.len() > 80_000, "{}", told.len());
        }
    }
}

/// Before a second has passed nothing was saved: what there is is, at the end, and that is told.
#[test]
fn a_program_that_ends_without_finalize_leaves_its_events() {
    for flavour in WITH_MPI {
        // All processors of a simulation are one process, which goes on.
        if !flavour.is_available() || flavour == Flavour::Smpi {
            continue;
        }
        let run = Run::of(flavour, "events_left").counting().on(1).variable("CALL_EVENTS", "1");
        let told = run.outcome().stderr;
        assert!(
            told.contains("the program ended without a report of its events: see"),
            "{flavour:?}: {told}"
        );
        let names = run.trace_names();
        assert_eq!(names.len(), 1, "{flavour:?}: {names:?}");
        assert!(names[0].contains("events_left.call.unfinished."), "{names:?}");
        let story = self::told(&trace(&run, &names[0]).events[0]);
        assert!(story.iter().any(|its| its.ends_with(" enter MPI_Barrier")), "{story:?}");
    }
}

/// Two processes wait for a message of each other, and a signal ends both: what they wait for is saved, also by a runtime that ThreadSanitizer watches.
#[test]
fn a_deadlock_that_a_signal_ends_is_recorded() {
    for flavour in [Flavour::Mpi, Flavour::Mpich, Flavour::MpiThreads] {
        if !flavour.is_available() {
            continue;
        }
        let run = Run::of(flavour, "events_deadlock").on(2).variable("CALL_EVENTS", "1");
        let outcome = run.outcome();
        assert!(
            outcome.status != Some(0) && !outcome.stderr.contains("WARNING: ThreadSanitizer"),
            "{outcome:?}"
        );
        let names = run.trace_names();
        assert_eq!(names.len(), 2, "{flavour:?}: {names:?}, {outcome:?}");
        for name in names {
            let its = trace(&run, &name).events.remove(0);
            let told = told(&its);
            let last: Vec<&str> =
                told[told.len() - 2..].iter().filter_map(|line| Some(line.split_once(' ')?.1)).collect();
            assert_eq!(last, ["enter MPI_Recv", "enter SIGTERM"], "{flavour:?}: {told:?}");
            assert_eq!(its.awaits, [Awaited::Message(Some(1 - its.processor))], "{flavour:?}");
        }
    }
}

/// Each reading of the clock is a call of the simulator: of thousands of processors one tells what measuring takes.
#[test]
fn simulated_processors_read_their_clock_a_few_times() {
    if !Flavour::Smpi.is_available() {
        return;
    }
    let told = Run::of(Flavour::Smpi, "events_readings").on(4).variable("CALL_EVENTS", "1").succeed().stdout;
    let mut readings: Vec<(usize, u32)> = told
        .lines()
        .filter_map(|line| line.split_once(' '))
        .filter_map(|(rank, count)| Some((rank.parse().ok()?, count.parse().ok()?)))
        .collect();
    readings.sort_unstable();
    assert_eq!(readings.iter().map(|its| its.0).collect::<Vec<_>>(), [0, 1, 2, 3], "{told}");
    assert!(readings[0].1 < 1100 && readings[1..].iter().all(|its| its.1 < 30), "{told}");
}

#[test]
fn experiments_are_recorded() {
    for flavour in WITH_MPI {
        if !flavour.is_available() {
            continue;
        }
        let run = Run::of(flavour, "events_experiments").counting().on(2);
        run.succeed();
        let trace = trace(&run, "events_experiments.call.0.dat");
        assert_eq!(trace.experiments.iter().map(|its| its.samples.time_s.len()).sum::<usize>(), 4);
        for its in &trace.events {
            let wanted = [
                "0 enter MPI_Init",
                "0 Initialise 0.0 0 0",
                "0 leave",
                "0 begin outer",
                "7 begin inner",
                "12 enter MPI_Barrier",
                "12 Barrier 0.0 0 0",
                "12 leave",
                "12 end inner",
                "12 begin inner",
                "15 end inner",
                "15 end outer",
            ];
            assert_eq!(told(its), wanted, "{flavour:?}");
        }
    }
}
