//! Accounts of planted programs: steps and waits of a processor are its time, and causes add up.

use crate::planted::Planted;
use call_trace::{CollectiveOperation, Event, EventKind};
use call_waiting::{Account, Code, NoWaits, State};

#[test]
fn steps_and_waits_are_the_time_of_each_processor() {
    let mut planted = Planted::new(3, &[&[0, 1]]);
    for round in 1..=4 {
        planted.work(0, "left", 5 * round);
        planted.work(1, "right", 7);
        planted.synchronous(0, 1, 2);
        planted.work(2, "late", 11 * round);
        planted.collective(CollectiveOperation::Allreduce, 1, 0, 1);
        planted.eager(2, 0, 3);
    }
    let account = Account::of_events(&planted.recorded).unwrap();
    for processor in 0..3 {
        let steps = account.steps.iter().filter(|(step, _)| step.processor == processor);
        let waits = account.calls.iter().filter(|call| call.processor == processor);
        let sum_ns = steps.map(|(_, ns)| ns).sum::<i64>() + waits.map(|call| call.waiting_ns).sum::<i64>();
        assert_eq!(sum_ns, planted.now_ns[processor as usize], "processor {processor}");
    }
    let waiting_ns: i64 = account.waits.sites.iter().map(|site| site.waiting_ns).sum();
    assert_eq!(account.calls.iter().map(|call| call.waiting_ns).sum::<i64>(), waiting_ns);
    assert!(waiting_ns > 0);
    for call in &account.calls {
        assert_eq!(call.causes.values().sum::<i64>(), call.waiting_ns);
        assert!(matches!(account.waits.codes[call.code], Code::Region(_)));
    }
    let late = account
        .waits
        .codes
        .iter()
        .position(|code| *code == Code::Experiment { name: "late".to_owned(), before: None });
    let of_late = |(step, ns): (&call_waiting::Step, &i64)| {
        (Some(step.code) == late).then_some((step.processor, step.state, *ns))
    };
    let of_late: Vec<_> = account.steps.iter().filter_map(of_late).collect();
    assert_eq!(of_late, [(2, State::Computing, 110)]);
}

#[test]
fn what_cannot_be_analysed_has_no_account() {
    assert_eq!(Account::of_events(&[]).unwrap_err(), NoWaits::Nothing);
    let twice = Planted::new(1, &[]).recorded[0].clone();
    let events = vec![Event { at_ns: 1, kind: EventKind::ProgramBegin }];
    let twice = call_trace::ProcessorEvents { events: events.into(), ..twice };
    assert_eq!(Account::of_events(&[twice.clone(), twice]).unwrap_err(), NoWaits::Twice { processor: 0 });
}

/// What lies in an experiment around everything is as many steps as there are calls in it, and its rest.
#[test]
fn an_experiment_around_calls_has_a_step_before_each() {
    let mut planted = Planted::new(2, &[]);
    planted.work(0, "A", 5);
    planted.work(1, "A", 2);
    planted.collective(CollectiveOperation::Barrier, 0, 0, 0);
    planted.work(0, "A", 1);
    planted.eager(0, 1, 0);
    (0..2).for_each(|processor| planted.work(processor, "A", 3));
    let last_ns = planted.now_ns.clone();
    for (recorded, last_ns) in planted.recorded.iter_mut().zip(last_ns) {
        let is_call = |event: &Event| {
            !matches!(event.kind, EventKind::ExperimentBegin { .. } | EventKind::ExperimentEnd { .. })
        };
        let begin = Event { at_ns: 0, kind: EventKind::ExperimentBegin { experiment: 0 } };
        let end = Event { at_ns: last_ns as u64, kind: EventKind::ExperimentEnd { experiment: 0 } };
        let calls = recorded.events.iter().filter(is_call);
        recorded.events = [begin].into_iter().chain(calls).chain([end]).collect();
    }
    let account = Account::of_events(&planted.recorded).unwrap();
    let computing = account.steps.iter().filter(|(step, _)| step.state == State::Computing);
    let mut found: Vec<(u32, Option<&str>, i64)> = computing
        .map(|(step, time_ns)| match &account.waits.codes[step.code] {
            Code::Experiment { name, before } => {
                assert_eq!(name, "A");
                (step.processor, before.as_ref().map(|site| site.call.as_str()), *time_ns)
            }
            other => panic!("{other:?}"),
        })
        .collect();
    let mut expected = vec![
        (0, Some("MPI_Barrier"), 5),
        (0, Some("MPI_Send"), 1),
        (0, None, 3),
        (1, Some("MPI_Barrier"), 2),
        (1, None, 3),
    ];
    found.sort_unstable();
    expected.sort_unstable();
    assert_eq!(found, expected);
}
