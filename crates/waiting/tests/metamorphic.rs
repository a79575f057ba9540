//! A thousand random programs against a reference that copies whole paths, and what must not depend on how a run is told.

use std::collections::BTreeMap;

use crate::operations::{
    GROUPS, Operation, PROCESSORS, later, name, operation, planted, planted_onto, summary_of,
    summary_of_reference,
};
use crate::planted::{Paths, Planted};
use call_trace::{CollectiveOperation, EventKind, ProcessorEvents};
use call_waiting::{Account, Code, State, StepChange, Waits};
use proptest::prelude::*;

/// By processor and line how long, and why.
type EachWait = BTreeMap<(u32, u32), (i64, Paths)>;

fn each_wait(account: &Account) -> EachWait {
    let codes = &account.waits.codes;
    let of_call = |call: &call_waiting::WaitsOfCall| {
        let Code::Region(site) = &codes[call.code] else { panic!("{:?}", codes[call.code]) };
        let mut cause = Paths::new();
        for (step, ns) in &call.causes {
            *cause.entry((step.processor, name(&codes[step.code]), step.state)).or_default() += ns;
        }
        cause.retain(|_, ns| *ns != 0);
        ((call.processor, site.position.as_ref().unwrap().line), (call.waiting_ns, cause))
    };
    account.calls.iter().map(of_call).collect()
}

/// The same run, its processors called by other numbers.
fn renumbered(recorded: &[ProcessorEvents], numbers: &[u32]) -> Vec<ProcessorEvents> {
    let other = |processor: u32| numbers[processor as usize];
    let of_event = |kind: EventKind| match kind {
        EventKind::Send { mut message, is_synchronous } => {
            message.partner = other(message.partner);
            EventKind::Send { message, is_synchronous }
        }
        EventKind::SendRequest { mut message, request, is_synchronous } => {
            message.partner = other(message.partner);
            EventKind::SendRequest { message, request, is_synchronous }
        }
        EventKind::Receive { mut message } => {
            message.partner = other(message.partner);
            EventKind::Receive { message }
        }
        EventKind::ReceiveComplete { mut message, request } => {
            message.partner = other(message.partner);
            EventKind::ReceiveComplete { message, request }
        }
        EventKind::Probed { mut message } => {
            message.partner = other(message.partner);
            EventKind::Probed { message }
        }
        EventKind::Collective { mut collective } => {
            collective.root = collective.root.map(other);
            EventKind::Collective { collective }
        }
        same => same,
    };
    let of_processor = |its: &ProcessorEvents| {
        let mut its = its.clone();
        its.processor = other(its.processor);
        for communicator in &mut its.communicators {
            communicator.processors.iter_mut().for_each(|processor| *processor = other(*processor));
        }
        its.events = its
            .events
            .iter()
            .map(|event| call_trace::Event { kind: of_event(event.kind), ..event })
            .collect();
        its
    };
    recorded.iter().map(of_processor).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    /// Of each wait, and of sites; the sums of causes are waits to the nanosecond.
    #[test]
    fn causes_are_those_of_whole_paths(operations in prop::collection::vec(operation(), 1..45)) {
        let planted = planted(&operations, 1);
        prop_assume!(planted.recorded.iter().any(|its| !its.events.is_empty()));
        let waits = Waits::of_events(&planted.recorded).unwrap();
        prop_assert_eq!(&waits.remarks, &vec![]);
        prop_assert_eq!(summary_of(&waits), summary_of_reference(&planted.waits));
        let lined = planted_onto(Planted::new(PROCESSORS, &GROUPS).with_lines(), &operations, 1);
        let expected: EachWait = lined
            .waits
            .iter()
            .map(|wait| ((wait.processor, wait.line.unwrap()), (wait.waiting_ns, wait.cause.clone())))
            .collect();
        let account = Account::of_events(&lined.recorded).unwrap();
        prop_assert_eq!(each_wait(&account), expected);
        prop_assert!(account.calls.iter().all(|call| call.causes.values().sum::<i64>() == call.waiting_ns));
        for class in waits.sites.iter().flat_map(|site| &site.classes) {
            prop_assert_eq!(class.causes.iter().map(|cause| cause.time_ns).sum::<i64>(), class.waiting_ns);
        }
        let path_ns: i64 = waits.critical_path.iter().map(|part| part.time_ns).sum();
        prop_assert_eq!(path_ns, *planted.now_ns.iter().max().unwrap());
        // Costs of delays are the waits, and no wait is both direct and indirect.
        let delays = waits.delays();
        let costs: f64 = delays.costs.iter().map(|cost| cost.short_term_ns + cost.long_term_ns).sum();
        let unexplained: f64 = delays.sites.iter().map(|states| states.unexplained_ns).sum();
        let waiting: i64 = waits.sites.iter().map(|site| site.waiting_ns).sum();
        prop_assert!((costs + unexplained - waiting as f64).abs() < 1e-6 * (1.0 + waiting as f64), "{costs} {unexplained} {waiting}");
        prop_assert!(delays.costs.iter().all(|cost| cost.short_term_ns >= 0.0 && cost.long_term_ns >= 0.0));
        for (site, states) in waits.sites.iter().zip(&delays.sites) {
            let both = states.direct_ns + states.indirect_ns;
            prop_assert!(both <= 1e-6 + site.waiting_ns as f64 && both >= site.waiting_ns as f64 - states.unexplained_ns - 1e-6);
            prop_assert!(states.propagating_ns <= site.waiting_ns as f64);
        }
        for site in 0..waits.sites.len() {
            let chain = waits.chain(Some(site)).unwrap();
            prop_assert_eq!(waits.sites[site].code, chain.code);
            let sums = [&chain.causing, &chain.own].map(|links| links.iter().map(|link| link.time_ns).sum::<i64>());
            prop_assert_eq!(sums[0] - sums[1], chain.waiting_ns);
            prop_assert!(chain.waiting_ns > 0 && chain.waiting_ns <= waits.sites[site].waiting_by_processor_ns[chain.waiting]);
            // One link begins where the next one ends.
            for pair in chain.causing.windows(2) {
                prop_assert_eq!(pair[0].until_ns - pair[0].time_ns, pair[1].until_ns);
            }
        }
    }

    /// Times that are scaled, clocks that begin later, work that is recorded in pieces, processors in another order, work of all that is the same and
    /// ends with all together.
    #[test]
    fn how_a_run_is_told_changes_nothing(
        operations in prop::collection::vec(operation(), 1..30),
        scale in 2..9_i64,
        shift_ns in 0..1000_u64,
        prefix_ns in 1..1000_u32,
    ) {
        let plain = planted(&operations, 1);
        prop_assume!(plain.recorded.iter().any(|its| !its.events.is_empty()));
        let expected = summary_of(&Waits::of_events(&plain.recorded).unwrap());
        let mut told = plain.recorded.clone();
        told.iter_mut().for_each(|its| its.events = later(&its.events, shift_ns));
        told.reverse();
        prop_assert_eq!(&summary_of(&Waits::of_events(&told).unwrap()), &expected);
        let mut prefixed: Vec<Operation> =
            (0..PROCESSORS).map(|processor| Operation::Work(processor, 9, i64::from(prefix_ns))).collect();
        prefixed.push(Operation::Collective(CollectiveOperation::Barrier, 0, 0, 0));
        prefixed.extend(operations.iter().cloned());
        prop_assert_eq!(&summary_of(&Waits::of_events(&planted(&prefixed, 1).recorded).unwrap()), &expected);
        let pieces: Vec<Operation> = operations.iter().flat_map(|operation| match operation {
            Operation::Work(processor, code, ns) => vec![
                Operation::Work(*processor, *code, ns / 3),
                Operation::Work(*processor, *code, ns - ns / 3),
            ],
            other => vec![other.clone()],
        }).collect();
        prop_assert_eq!(&summary_of(&Waits::of_events(&planted(&pieces, 1).recorded).unwrap()), &expected);
        let mut scaled = expected;
        scaled.0.values_mut().chain(scaled.1.values_mut()).for_each(|ns| *ns *= scale);
        let long = Waits::of_events(&planted(&operations, scale).recorded).unwrap();
        prop_assert_eq!(summary_of(&long), scaled);
        // A replay, and what delays cost, are scaled as well.
        let short = Waits::of_events(&plain.recorded).unwrap();
        let slower = |waits: &Waits| {
            let codes = waits.codes.iter().enumerate().filter(|(_, code)| matches!(code, Code::Experiment { .. }));
            let change = codes.fold(StepChange::new(), |change, (code, _)| change.faster(code, State::Computing, 0.5));
            waits.replayed_run_time_ns(&change)
        };
        prop_assert_eq!(slower(&long), scale * slower(&short));
        for (long, short) in long.delays().costs.iter().zip(short.delays().costs) {
            let costs = [long.short_term_ns + long.long_term_ns, short.short_term_ns + short.long_term_ns];
            prop_assert!((costs[0] - scale as f64 * costs[1]).abs() < 1e-6 * (1.0 + costs[0]), "{costs:?}");
        }
    }

    /// Whatever numbers processors have. Where two come at the same moment the numbers decide who is waited for, so all do something else before.
    #[test]
    fn numbers_of_processors_change_nothing(
        operations in prop::collection::vec((operation(), prop::collection::vec(0..1_i64 << 40, PROCESSORS as usize)), 1..12),
        numbers in Just(vec![0, 1, 2, 3, 4]).prop_shuffle(),
    ) {
        let mut apart = Vec::new();
        for (operation, work_ns) in operations {
            apart.extend((0..PROCESSORS).zip(work_ns).map(|(processor, ns)| Operation::Work(processor, 9, ns)));
            apart.push(operation);
        }
        let operations = apart;
        let plain = planted(&operations, 1);
        prop_assume!(plain.recorded.iter().any(|its| !its.events.is_empty()));
        let mut expected = summary_of(&Waits::of_events(&plain.recorded).unwrap());
        expected.0 = expected.0.into_iter().map(|((site, processor), ns)| ((site, numbers[processor as usize]), ns)).collect();
        prop_assert_eq!(&summary_of(&Waits::of_events(&renumbered(&plain.recorded, &numbers)).unwrap()), &expected);
    }
}
