//! Sections of events by a writer of their own: they are read back, cut ones as far as they go, wrong ones are told, damaged ones never panic.

use call_trace::{
    CallSite, Collective, CollectiveOperation, Communicator, CommunicatorName, EpochStep, Error, Event,
    EventKind, EventList, EventProblem, Limits, Message, ProcessorEvents, RemoteAccess, TraceReader,
    WindowEpoch, read,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

const HEAD: &str = "# call-trace 1\n# program: p\n# processors: 2\nexperiment processor P time_s\n";
const DEFINITIONS: &str = "# place 0: MPI_Send ? in f < main\n# place 1: MPI_Recv a\\sb.c:7 in main\n\
    # place 2: MPI_Send ? in f < main\n# communicator 0: 0.0 0-1\n# communicator 1: 1.4 1,0\n# experiment 0: f\n";

fn natural(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 128 {
        bytes.push((number % 128) as u8 + 128);
        number /= 128;
    }
    bytes.push(number as u8);
}

fn encode(events: &[Event]) -> Vec<u8> {
    let mut payload = Vec::new();
    let mut last = events.first().map_or(0, |event| event.at_ns);
    for event in events {
        let message = |its: &Message| {
            vec![
                u64::from(its.partner),
                u64::from(its.communicator),
                u64::from(its.tag.cast_unsigned()),
                its.bytes,
            ]
        };
        let collective = |its: &Collective| {
            let root = its.root.map_or(0, |root| u64::from(root) + 1);
            vec![its.operation as u64, u64::from(its.communicator), root, its.sent_bytes, its.received_bytes]
        };
        let with = |mut fields: Vec<u64>, request: u64| {
            fields.push(request);
            fields
        };
        let (kind, fields) = match &event.kind {
            EventKind::Enter { region } => (0, vec![u64::from(*region)]),
            EventKind::Leave => (1, vec![]),
            EventKind::ExperimentBegin { experiment } => (2, vec![u64::from(*experiment)]),
            EventKind::ExperimentEnd { experiment } => (3, vec![u64::from(*experiment)]),
            EventKind::Send { message: its, is_synchronous } => (4 + u8::from(*is_synchronous), message(its)),
            EventKind::SendRequest { message: its, request, is_synchronous } => {
                (6 + u8::from(*is_synchronous), with(message(its), *request))
            }
            EventKind::SendComplete { request } => (8, vec![*request]),
            EventKind::Receive { message: its } => (9, message(its)),
            EventKind::ReceiveRequest { request } => (10, vec![*request]),
            EventKind::ReceiveComplete { message: its, request } => (11, with(message(its), *request)),
            EventKind::Probed { message: its } => (12, message(its)),
            EventKind::Cancelled { request } => (13, vec![*request]),
            EventKind::Collective { collective: its } => (14, collective(its)),
            EventKind::CollectiveRequest { collective: its, request } => {
                (15, with(collective(its), *request))
            }
            EventKind::CollectiveComplete { request } => (16, vec![*request]),
            EventKind::RemoteAccess { access: its } => {
                let numbers = [its.partner, its.communicator].map(u64::from);
                (17, [numbers, [its.sent_bytes, its.received_bytes]].concat())
            }
            EventKind::WindowEpoch { epoch: its } => {
                (18 + its.step as u8, [its.partner, its.communicator, its.window].map(u64::from).to_vec())
            }
            EventKind::ProgramBegin | EventKind::ProgramEnd => unreachable!("no section has them"),
        };
        payload.push(kind);
        natural(&mut payload, event.at_ns - last);
        last = event.at_ns;
        fields.into_iter().for_each(|field| natural(&mut payload, field));
    }
    let start = events.first().map_or(0, |event| event.at_ns);
    let mut block = b"CLLEVENT".to_vec();
    for word in [48 + payload.len() as u64, events.len() as u64, 1.0_f64.to_bits(), start, 0] {
        block.extend(word.to_le_bytes());
    }
    block.extend(payload);
    block
}

fn message() -> impl Strategy<Value = Message> {
    (any::<u32>(), 0..2_u32, any::<i32>(), any::<u64>())
        .prop_map(|(partner, communicator, tag, bytes)| Message { partner, communicator, tag, bytes })
}

fn collective() -> impl Strategy<Value = Collective> {
    let operations =
        [CollectiveOperation::Barrier, CollectiveOperation::Exscan, CollectiveOperation::Finalise];
    let root = proptest::option::of(any::<u32>());
    (proptest::sample::select(operations.to_vec()), 0..2_u32, root, any::<u64>(), any::<u64>()).prop_map(
        |(operation, communicator, root, sent_bytes, received_bytes)| Collective {
            operation,
            communicator,
            root,
            sent_bytes,
            received_bytes,
        },
    )
}

fn step() -> impl Strategy<Value = EpochStep> {
    proptest::sample::select(vec![
        EpochStep::Post,
        EpochStep::Start,
        EpochStep::Complete,
        EpochStep::Wait,
        EpochStep::LockExclusive,
        EpochStep::LockShared,
        EpochStep::Unlock,
    ])
}

fn kind() -> impl Strategy<Value = EventKind> {
    let request = any::<u64>;
    prop_oneof![
        (0..2_u32).prop_map(|region| EventKind::Enter { region }),
        Just(EventKind::Leave),
        Just(EventKind::ExperimentBegin { experiment: 0 }),
        Just(EventKind::ExperimentEnd { experiment: 0 }),
        (message(), any::<bool>())
            .prop_map(|(message, is_synchronous)| EventKind::Send { message, is_synchronous }),
        (message(), request(), any::<bool>()).prop_map(|(message, request, is_synchronous)| {
            EventKind::SendRequest { message, request, is_synchronous }
        }),
        request().prop_map(|request| EventKind::SendComplete { request }),
        message().prop_map(|message| EventKind::Receive { message }),
        request().prop_map(|request| EventKind::ReceiveRequest { request }),
        (message(), request()).prop_map(|(message, request)| EventKind::ReceiveComplete { message, request }),
        message().prop_map(|message| EventKind::Probed { message }),
        request().prop_map(|request| EventKind::Cancelled { request }),
        collective().prop_map(|collective| EventKind::Collective { collective }),
        (collective(), request())
            .prop_map(|(collective, request)| EventKind::CollectiveRequest { collective, request }),
        request().prop_map(|request| EventKind::CollectiveComplete { request }),
        (any::<u32>(), 0..2_u32, any::<u64>(), any::<u64>()).prop_map(
            |(partner, communicator, sent_bytes, received_bytes)| EventKind::RemoteAccess {
                access: RemoteAccess { partner, communicator, sent_bytes, received_bytes },
            }
        ),
        (step(), any::<u32>(), 0..2_u32, any::<u32>()).prop_map(|(step, partner, communicator, window)| {
            EventKind::WindowEpoch { epoch: WindowEpoch { step, partner, communicator, window } }
        }),
    ]
}

fn section() -> impl Strategy<Value = Vec<Vec<Event>>> {
    let step = (0..1_u64 << 40, kind());
    vec(vec(step, 1..20), 0..4).prop_map(|blocks| {
        let mut at_ns = 0;
        let event = |(step, kind)| {
            at_ns += step;
            Event { at_ns, kind }
        };
        let mut steps = blocks.iter().flatten().copied().map(event).collect::<Vec<_>>().into_iter();
        blocks.iter().map(|block| steps.by_ref().take(block.len()).collect()).collect()
    })
}

fn written(blocks: &[Vec<Event>]) -> Vec<u8> {
    let mut bytes = HEAD.as_bytes().to_vec();
    bytes.extend(b"# events of processor 1, clock own\n");
    bytes.extend(DEFINITIONS.as_bytes());
    blocks.iter().for_each(|block| bytes.extend(encode(block)));
    bytes.extend(b"# end rows=0\n");
    bytes
}

fn wanted(events: Vec<Event>) -> ProcessorEvents {
    let site = |call: &str, stack: &[&str]| CallSite {
        call: call.to_owned(),
        position: None,
        call_stack: stack.iter().map(|&name| name.to_owned()).collect(),
    };
    let position = call_trace::SourcePosition { file: "a b.c".to_owned(), line: 7 };
    let communicator = |maker, number, processors: [u32; 2]| Communicator {
        name: CommunicatorName { maker, number },
        processors: processors.to_vec(),
    };
    ProcessorEvents {
        processor: 1,
        has_common_clock: false,
        clock_uncertainty_ns: 0,
        regions: vec![
            site("MPI_Send", &["f", "main"]),
            CallSite { position: Some(position), ..site("MPI_Recv", &["main"]) },
        ],
        communicators: vec![communicator(0, 0, [0, 1]), communicator(1, 4, [1, 0])],
        experiments: vec!["f".to_owned()],
        events: events.into(),
        is_cut: false,
        awaits: Vec::new(),
    }
}

/// Processor 1 started 5 µs after processor 0, and its clock is 10 % slow until 10 µs.
#[test]
fn times_of_other_computers_are_those_of_processor_0() {
    let times_ns = [0, 5_000, 10_000, 20_000];
    let events = times_ns.map(|at_ns| Event { at_ns, kind: EventKind::Leave }).to_vec();
    let section = |readings: &str| {
        let bytes = written(std::slice::from_ref(&events));
        let place = bytes.windows(8).position(|part| part == b"# place ").unwrap();
        [&bytes[..place], readings.as_bytes(), &bytes[place..]].concat()
    };
    let read = |readings: &str| read(&section(readings)).map(|trace| trace.events[0].clone());
    let found = read("# clock 0 5000 80\n# clock 10000 16000 120\n").unwrap();
    assert!(found.has_common_clock);
    // Behind the last reading, 10 µs earlier, clocks may drift.
    assert_eq!(found.clock_uncertainty_ns, 120 + 1);
    let found_ns: Vec<u64> = found.events.iter().map(|event| event.at_ns).collect();
    assert_eq!(found_ns, [5_000, 10_500, 16_000, 26_000]);
    // Of a run that was killed there is the reading of its start.
    assert_eq!(read("# clock 0 5000 80\n").unwrap().clock_uncertainty_ns, 80 + 1);
    assert_eq!(read("# clock 1000020000 1000025000 80\n").unwrap().clock_uncertainty_ns, 80 + 50_001);
    for wrong in ["# clock 0 5000\n", "# clock 0 5000 80 1\n", "# clock 0 -5 80\n", "# clock x 1 1\n"] {
        let error = read(wrong).unwrap_err().to_string();
        assert!(error.contains("`# clock OWN_NS PROCESSOR_0_NS UNCERTAINTY_NS`"), "{error}");
    }
}

proptest! {
    #[test]
    fn what_is_written_is_read(blocks in section(), width in 1..200_usize) {
        let bytes = written(&blocks);
        let trace = read(&bytes).expect("it is a trace");
        prop_assert_eq!(&trace.events, &[wanted(blocks.concat())]);
        let mut reader = TraceReader::new(Limits::default());
        bytes.chunks(width).for_each(|window| reader.push(window).expect("it is a trace"));
        prop_assert_eq!(reader.finish().expect("it is a trace"), trace);
    }

    #[test]
    fn cut_sections_have_their_whole_blocks(blocks in section(), cut in any::<Index>()) {
        let bytes = written(&blocks);
        let start = HEAD.len() + DEFINITIONS.len() + 36;
        let end = start + cut.index(bytes.len() - start);
        let trace = read(&bytes[..end]).expect("the rest is whole");
        let found: &Vec<Event> = &trace.events[0].events.iter().collect();
        prop_assert!(blocks.concat().starts_with(found));
        prop_assert!((0..=blocks.len()).any(|count| blocks[..count].concat() == *found));
    }

    #[test]
    fn damaged_sections_never_panic(blocks in section(), damages in vec((any::<Index>(), any::<u8>()), 1..6)) {
        let mut bytes = written(&blocks);
        for (at, byte) in damages {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        let _ = read(&bytes);
    }
}

#[test]
fn places_with_one_text_are_one_region() {
    let block = [0_u32, 2].map(|region| Event { at_ns: 5, kind: EventKind::Enter { region } });
    let trace = read(&written(&[block.to_vec()])).expect("it is a trace");
    let regions = trace.events[0].events.iter().map(|event| event.kind);
    assert!(regions.eq([EventKind::Enter { region: 0 }; 2]));
}

#[test]
fn mistakes_are_told_with_their_place() {
    let undefined = Event { at_ns: 0, kind: EventKind::Enter { region: 3 } };
    let error = read(&written(&[vec![undefined]])).expect_err("no line defines it");
    assert!(
        matches!(error, Error::Events { problem: EventProblem::Undefined { what: "place", number: 3 }, .. }),
        "{error}"
    );
    let text = String::from_utf8(written(&[])).expect("no blocks");
    for (right, wrong, code) in [
        ("clock own", "clock mine", "wrong-event-line"),
        ("# place 1:", "# place 7:", "wrong-event-line"),
        ("1.4 1,0", "1.4 1,", "wrong-event-line"),
        ("# end", "# events of processor 1, clock own\n# end", "events-twice"),
        ("# end", "CLLEVEN!# end", "wrong-events-magic"),
    ] {
        let error = read(text.replace(right, wrong).as_bytes()).expect_err(wrong);
        assert_eq!(error.code(), code, "{error}");
    }
}

proptest! {
    /// In memory, too, whatever the times are.
    #[test]
    fn lists_keep_their_events(events in vec((any::<u64>(), kind()), 0..60)) {
        let events: Vec<Event> = events.into_iter().map(|(at_ns, kind)| Event { at_ns, kind }).collect();
        let mut list: EventList = events.iter().copied().collect();
        prop_assert_eq!(list.iter().collect::<Vec<_>>(), events.clone());
        prop_assert_eq!((list.len(), list.last_ns()), (events.len(), events.last().map(|event| event.at_ns)));
        for kind in [EventKind::ProgramBegin, EventKind::ProgramEnd] {
            list.push(Event { at_ns: 7, kind });
            prop_assert_eq!(list.iter().last(), Some(Event { at_ns: 7, kind }));
        }
        prop_assert_ne!(&list, &EventList::from(events));
    }
}
