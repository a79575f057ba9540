//! Events of the threads of teams.

use call_trace::{EventKind, ProcessorEvents};

use super::events_planted::{told, trace};
use crate::support::{Flavour, Run};

/// The program `teams`: `CALL at .. until OPERATION` for each call, events of experiments as they are.
fn teams(calls: &[&str]) -> Vec<String> {
    let mut lines = Vec::new();
    for call in calls {
        let words: Vec<&str> = call.split(' ').collect();
        match words[..] {
            [name, from, until] if until.parse::<u64>().is_ok() => {
                lines.extend([format!("{from} enter omp_{name}"), format!("{until} leave")])
            }
            [name, from, until, operation, team] => {
                let root = if operation == "Broadcast" { " root 0" } else { "" };
                lines.push(format!("{from} enter omp_{name}"));
                lines.push(format!("{until} {operation} 0.{team}{root} 0 0"));
                lines.push(format!("{until} leave"));
            }
            _ => lines.push((*call).to_owned()),
        }
    }
    lines
}

const TWO: [&[&str]; 2] = [
    &[
        "start 0 0",
        "parallel 100 100 Broadcast 2",
        "barrier 113 133 Barrier 2",
        "implicit_barrier 138 143 Barrier 2",
        "end_parallel 143 143 Barrier 2",
    ],
    &[
        "parallel 0 100 Broadcast 2",
        "barrier 133 133 Barrier 2",
        "implicit_barrier 143 143 Barrier 2",
        "end_parallel 143 143 Barrier 2",
    ],
];

fn llvm() -> Option<Flavour> {
    Some(Flavour::OpenMpOfLlvm).filter(|flavour| flavour.is_available())
}

fn told_of(run: &Run, name: &str) -> Vec<Vec<String>> {
    trace(run, name).events.iter().map(told).collect()
}

#[test]
fn threads_of_teams_are_recorded() {
    let Some(flavour) = llvm() else { return };
    let run = Run::of(flavour, "teams").counting().with("whole");
    let outcome = run.succeed();
    let remark = "call: events: who waits in parallel regions inside of others is not recorded";
    assert_eq!(outcome.stderr.matches(remark).count(), 1, "{outcome:?}");
    // Thread 2 is in the second region only; a region of one thread is none.
    let three: [&[&str]; 3] = [
        &[
            "parallel 152 152 Broadcast 3",
            "taskwait 152 152",
            "end_parallel 153 193 Barrier 3",
            "end 197 197 Finalise 3",
        ],
        &[
            "parallel 143 152 Broadcast 3",
            "inner_parallel 152 158",
            "end_parallel 159 193 Barrier 3",
            "end 193 197 Finalise 3",
        ],
        &[
            "parallel 0 152 Broadcast 3",
            "152 begin part",
            "192 end part",
            "end_parallel 193 193 Barrier 3",
            "end 193 197 Finalise 3",
        ],
    ];
    let two = [TWO[0], TWO[1], &[]];
    let expected: Vec<Vec<String>> =
        two.iter().zip(three).map(|(two, three)| teams(&[*two, three].concat())).collect();
    assert_eq!(told_of(&run, "teams.call.0.dat"), expected);
    let trace = trace(&run, "teams.call.0.dat");
    assert_eq!((trace.header.kind.as_str(), trace.header.processors), ("OpenMP", 3));
    for its in &trace.events {
        assert!(its.has_common_clock);
        // All threads call a place by the same name: that of the function around the region, not what is made of its body.
        for region in its.regions.iter().filter(|region| region.position.is_some()) {
            assert_eq!(region.call_stack.last().map(String::as_str), Some("main"), "{region:?}");
            assert!(!region.call_stack.iter().any(|function| function.contains("omp")), "{region:?}");
        }
    }
}

#[test]
fn reports_have_what_threads_did_since_the_last() {
    let Some(flavour) = llvm() else { return };
    let run = Run::of(flavour, "teams").counting().with("twice");
    run.succeed();
    assert_eq!(run.trace_names().len(), 2);
    let first = TWO.map(|two| teams(&[two, &["end 143 143 Finalise 2"]].concat()));
    assert_eq!(told_of(&run, "teams.call.0.dat"), first);
    let second = told_of(&run, "teams.call.1.dat");
    assert_eq!(
        second[0],
        teams(&[
            "start 143 143",
            "parallel 152 152 Broadcast 3",
            "taskwait 152 152",
            "end_parallel 153 193 Barrier 3",
            "end 193 193 Finalise 3",
        ])
    );
    // Whoever is new has waited since that report.
    assert_eq!(second[2][..3], teams(&["parallel 143 152 Broadcast 3"]));
    // Within a region others go on: their events come with the next report.
    let inside = Run::of(flavour, "teams").counting().with("inside");
    inside.succeed();
    assert_eq!(inside.trace_names().len(), 2);
    assert!(trace(&inside, "teams.call.0.dat").events.is_empty());
    let whole = told_of(&inside, "teams.call.1.dat");
    assert_eq!(whole[0][..TWO[0].len() * 3 - 1], teams(TWO[0]));
    assert_eq!(whole[0].iter().filter(|line| line.ends_with("enter omp_barrier")).count(), 3);
}

/// How long a processor was in no call.
fn computed_ns(its: &ProcessorEvents) -> u64 {
    let (mut sum_ns, mut left_ns) = (0, 0);
    for event in its.events.iter() {
        match event.kind {
            EventKind::Enter { .. } => sum_ns += event.at_ns - left_ns,
            EventKind::Leave => left_ns = event.at_ns,
            _ => {}
        }
    }
    sum_ns
}

/// Whoever does a task computes, also while it waits at a barrier.
#[test]
fn tasks_in_barriers_are_computing() {
    let Some(flavour) = llvm() else { return };
    let run = Run::of(flavour, "teams").counting().with("tasks");
    run.succeed();
    let events = trace(&run, "teams.call.0.dat").events;
    assert_eq!(events.len(), 2);
    assert_eq!(events.iter().map(computed_ns).sum::<u64>(), 100 + 2 * 4 * 10);
}

/// So it does where it waits for tasks, and what a group does itself before it waits for its tasks is computing, too.
#[test]
fn tasks_in_waits_for_tasks_are_computing() {
    let Some(flavour) = llvm() else { return };
    let run = Run::of(flavour, "teams").counting().with("groups");
    run.succeed();
    let events = trace(&run, "teams.call.0.dat").events;
    assert_eq!(events.len(), 2);
    assert_eq!(events.iter().map(computed_ns).sum::<u64>(), 100 + 20 + 4 * 10 + 3 * (5 + 1));
}

/// libgomp tells no tool of its barriers; all else is as it was.
#[test]
fn that_a_runtime_tells_nothing_is_said() {
    let flavour = Flavour::OpenMp;
    if !flavour.is_available() {
        return;
    }
    let run = Run::of(flavour, "teams").counting().with("twice");
    let outcome = run.succeed();
    let remark = "call: events: libgomp, gcc's runtime of OpenMP, tells no tool about barriers, so none is recorded: compile with `clang -fopenmp`";
    assert_eq!(outcome.stderr.matches(remark).count(), 1, "{outcome:?}");
    assert_eq!(run.trace_names().len(), 2);
    assert!(trace(&run, "teams.call.1.dat").events.is_empty());
    let quiet = Run::of(flavour, "teams").counting().with("twice").variable("CALL_EVENTS", "0").succeed();
    assert!(!quiet.stderr.contains("libgomp"), "{quiet:?}");
}

/// Of MPI programs with threads the calls of MPI are recorded, which is said.
#[test]
fn that_threads_of_processes_are_not_recorded_is_said() {
    let flavour = Flavour::MpiOpenMp;
    if !flavour.is_available() {
        return;
    }
    let run = Run::of(flavour, "mpi_openmp").counting().on(2).with(1).variable("CALL_EVENTS", "1");
    // A program may ask for its threads by `num_threads`, too.
    let run = run.variable("OMP_NUM_THREADS", "1");
    let outcome = run.succeed();
    let remark = "call: events: calls of MPI are recorded, and not what threads of OpenMP do and wait for";
    assert_eq!(outcome.stderr.matches(remark).count(), 1, "{outcome:?}");
    let trace = trace(&run, &run.trace_names()[0]);
    assert!(["GCC", "LLVM"].contains(&trace.header.openmp.as_str()), "{:?}", trace.header);
    let events = &trace.events;
    assert_eq!(events.len(), 2);
    assert!(events.iter().all(|its| its.regions.iter().all(|region| region.call.starts_with("MPI_"))));
}
