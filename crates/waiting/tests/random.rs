//! Random programs: clocks, replays and networks, and events of any kind.

use crate::operations::{Operation, PROCESSORS, later, operation, planted, summary_of};
use call_trace::{
    CallSite, Collective, CollectiveOperation, Communicator, CommunicatorName, Event, EventKind, Message,
    ProcessorEvents, RemoteAccess,
};
use call_waiting::{Code, MessageNetwork, NetworkRecording, RemarkKind, State, StepChange, Waits};
use proptest::prelude::*;

fn stays_on_its_own_network(operations: &[Operation], latency_ns: u32, bytes_per_ns: u32) {
    let planted = planted(operations, 1);
    let waits = Waits::of_events(&planted.recorded).unwrap();
    let recording = NetworkRecording::of_events(&planted.recorded).unwrap();
    let network = MessageNetwork {
        latency_s: 1e-9 * f64::from(latency_ns),
        bandwidth_bytes_per_s: 1e9 * f64::from(bytes_per_ns),
    };
    let replayed = recording.replay(&network, &network, None, &StepChange::new()).unwrap();
    assert_eq!(replayed.times, waits.times);
    assert_eq!(replayed.efficiency, waits.efficiency);
}

/// What a probe takes is received behind another message of its sender, who cannot have waited for that, whatever others did.
#[test]
fn on_its_own_network_a_message_that_a_probe_took_had_gone() {
    use Operation::*;
    let barrier = Collective(CollectiveOperation::Barrier, 2, 0, 1);
    for latency_ns in [0, 3] {
        stays_on_its_own_network(
            &[barrier.clone(), Eager(0, 4, 1), Shift, Probed(0, 1, true, 1, 0)],
            latency_ns,
            1,
        );
        stays_on_its_own_network(&[Probed(0, 3, true, 1, 0), GivenUp(0, 1, false), Shift], latency_ns, 1);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Clocks that are off by as much as they may be are set right: no causes are later than what they cause, and nothing takes less than no time.
    #[test]
    fn clocks_that_are_off_are_corrected(
        operations in prop::collection::vec(operation(), 1..60),
        off_ns in prop::collection::vec(0..30_u64, PROCESSORS as usize),
    ) {
        let mut planted = planted(&operations, 1000);
        let exact = Waits::of_events(&planted.recorded).unwrap();
        for (its, off_ns) in planted.recorded.iter_mut().zip(&off_ns) {
            (its.events, its.clock_uncertainty_ns) = (later(&its.events, *off_ns), 30);
        }
        let waits = Waits::of_events(&planted.recorded).unwrap();
        for remark in &waits.remarks {
            let is_told = matches!(remark.kind, RemarkKind::ClocksCompared { uncertainty_ns: 30, most_ns: ..30, .. });
            prop_assert!(is_told, "{}", remark);
        }
        prop_assert_eq!(waits.remarks.len(), 1);
        for (its, exact) in waits.times.iter().zip(&exact.times) {
            prop_assert!(its.computing_ns >= exact.computing_ns * 98 / 100 && its.computing_ns <= exact.computing_ns);
            prop_assert!(its.waiting_ns >= 0 && its.communicating_ns >= 0);
        }
    }

    /// Whatever network is thought of: on the same one nothing is other than it was.
    #[test]
    fn on_its_own_network_a_run_is_the_recorded_one(
        operations in prop::collection::vec(operation(), 1..60),
        latency_ns in 0..20_u32,
        bytes_per_ns in 1..20_u32,
    ) {
        stays_on_its_own_network(&operations, latency_ns, bytes_per_ns);
    }

    /// Without a change a replay is the run, whatever the clock says and however processors are numbered; with one it is the run of the
    /// program that is faster.
    #[test]
    fn replays_are_runs_of_the_changed_program(
        operations in prop::collection::vec(operation(), 1..40),
        factor in 2..5_i64,
        changed in 0..4_u8,
        shift_ns in 0..1000_u64,
    ) {
        let with = |factor: i64| -> Vec<Operation> {
            operations.iter().cloned().map(|operation| match operation {
                Operation::Work(processor, code, ns) if code == changed => Operation::Work(processor, code, factor * ns),
                other => other,
            }).collect()
        };
        let slow = planted(&with(factor), 1);
        prop_assume!(slow.recorded.iter().any(|its| !its.events.is_empty()));
        let mut told = slow.recorded.clone();
        told.iter_mut().for_each(|its| its.events = later(&its.events, shift_ns));
        told.reverse();
        let waits = Waits::of_events(&told).unwrap();
        let same = waits.replay(&StepChange::new());
        prop_assert_eq!(&same.sites, &waits.sites);
        prop_assert_eq!(&same.times, &waits.times);
        prop_assert_eq!(&same.critical_path, &waits.critical_path);
        prop_assert_eq!(waits.replayed_run_time_ns(&StepChange::new()), waits.efficiency.run_time_ns);
        let code = waits.codes.iter().position(|code| *code == Code::Experiment { name: format!("code{changed}"), before: None });
        if let Some(code) = code {
            let change = StepChange::new().faster(code, State::Computing, factor as f64);
            let fast = planted(&with(1), 1);
            let replayed = waits.replay(&change);
            prop_assert_eq!(replayed.efficiency.run_time_ns, *fast.now_ns.iter().max().unwrap());
            prop_assert_eq!(waits.replayed_run_time_ns(&change), replayed.efficiency.run_time_ns);
            let [whole, part] = [1.0, 1.0 / factor as f64].map(|share| waits.run_time_parts(&[(code, State::Computing)], share));
            prop_assert_eq!(whole.run_time_ns(1.0), waits.efficiency.run_time_ns as f64);
            prop_assert!((part.run_time_ns(1.0 / factor as f64) - replayed.efficiency.run_time_ns as f64).abs() < 1e-6);
            // A line that touches the run time lies nowhere above it.
            prop_assert!(part.run_time_ns(1.0) <= whole.run_time_ns(1.0) + 1e-6);
            prop_assert_eq!(summary_of(&replayed), summary_of(&Waits::of_events(&fast.recorded).unwrap()));
            for saving in waits.savings(usize::MAX) {
                let alone_ns = waits.replayed_run_time_ns(&StepChange::new().at_most_mean(saving.code));
                prop_assert_eq!(saving.run_time_ns, alone_ns);
            }
            // Nobody takes longer than before, so the run does not.
            prop_assert!(waits.replayed_run_time_ns(&StepChange::new().at_most_mean(code)) <= waits.efficiency.run_time_ns);
        }
    }

    /// Whatever stands there: no panic, no endless loop, no time from nowhere.
    #[test]
    fn anything_is_taken(
        events in prop::collection::vec(prop::collection::vec((any::<u64>(), 0..16_u8, 0..3_u32, 0..4_u64), 0..30), 1..5),
        is_sorted in any::<bool>(),
    ) {
        let processors: Vec<u32> = (0..events.len() as u32).collect();
        let recorded: Vec<ProcessorEvents> = events.into_iter().enumerate().map(|(number, mut events)| {
            if is_sorted {
                events.sort_unstable();
            }
            ProcessorEvents {
                processor: number as u32,
                has_common_clock: true,
                clock_uncertainty_ns: 0,
                regions: ["MPI_Recv", "f"].map(|call| CallSite { call: call.to_owned(), ..CallSite::default() }).to_vec(),
                communicators: vec![Communicator {
                    name: CommunicatorName { maker: 0, number: 0 },
                    processors: processors.iter().chain(&[9]).copied().collect(),
                }; 2],
                experiments: vec!["E".to_owned(); 2],
                events: events.into_iter().map(|(at_ns, kind, what, request)| Event { at_ns, kind: any_kind(kind, what, request) }).collect(),
                is_cut: number % 2 == 0,
                awaits: Vec::new(),
            }
        }).collect();
        if let Ok(waits) = Waits::of_events(&recorded) {
            prop_assert!(waits.efficiency.parallel <= 1.0 && waits.efficiency.parallel >= 0.0, "{:?}", waits.efficiency);
            for remark in &waits.remarks {
                prop_assert!(!remark.to_string().is_empty());
            }
            // Also where clocks go back and processors wait in circles.
            prop_assert_eq!(waits.replayed_run_time_ns(&StepChange::new()), waits.efficiency.run_time_ns);
            let same = waits.replay(&StepChange::new());
            prop_assert_eq!((&same.sites, &same.times), (&waits.sites, &waits.times));
            for saving in waits.savings(usize::MAX) {
                let change = StepChange::new().at_most_mean(saving.code);
                prop_assert_eq!(saving.run_time_ns, waits.replayed_run_time_ns(&change));
                prop_assert_eq!(saving.run_time_ns, waits.replay(&change).efficiency.run_time_ns);
            }
            for site in 0..waits.sites.len() {
                prop_assert!(waits.chain(Some(site)).is_some());
            }
            prop_assert!(waits.delays().costs.iter().all(|cost| cost.short_term_ns.is_finite() && cost.long_term_ns.is_finite()));
            let change = (0..waits.codes.len()).fold(StepChange::new(), |change, code| change.faster(code, State::Computing, 1e-3));
            prop_assert!(waits.replayed_run_time_ns(&change) >= 0);
            let all: Vec<(usize, State)> = (0..waits.codes.len()).map(|code| (code, State::Computing)).collect();
            prop_assert_eq!(waits.run_time_parts(&all, 1.0).run_time_ns(1.0), waits.efficiency.run_time_ns as f64);
        }
    }
}

fn any_kind(kind: u8, what: u32, request: u64) -> EventKind {
    let message = Message { partner: what, communicator: what, tag: 0, bytes: 0 };
    let operation = match request {
        0 => CollectiveOperation::Barrier,
        1 => CollectiveOperation::Broadcast,
        2 => CollectiveOperation::Reduce,
        _ => CollectiveOperation::Scan,
    };
    let collective =
        Collective { operation, communicator: what, root: Some(0), sent_bytes: 0, received_bytes: 0 };
    match kind {
        0 => EventKind::ExperimentBegin { experiment: what },
        1 => EventKind::ExperimentEnd { experiment: what },
        2 => EventKind::Leave,
        3 => EventKind::Send { message, is_synchronous: request > 1 },
        4 => EventKind::SendRequest { message, request, is_synchronous: what == 1 },
        5 => EventKind::SendComplete { request },
        6 => EventKind::Receive { message },
        7 => EventKind::ReceiveRequest { request },
        8 => EventKind::ReceiveComplete { message, request },
        9 => EventKind::Cancelled { request },
        10 => EventKind::Collective { collective },
        11 => EventKind::CollectiveRequest { collective, request },
        12 => EventKind::CollectiveComplete { request },
        14 => EventKind::Probed { message },
        13 => EventKind::RemoteAccess {
            access: RemoteAccess {
                partner: what,
                communicator: what,
                sent_bytes: request,
                received_bytes: 0,
            },
        },
        _ => EventKind::Enter { region: what },
    }
}
