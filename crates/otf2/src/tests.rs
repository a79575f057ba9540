//! Events through records and back, without libotf2.

use call_trace::{
    CallSite, Collective, CollectiveOperation, Communicator, CommunicatorName, EpochStep, Event, EventKind,
    Message, ProcessorEvents, RemoteAccess, SourcePosition, WindowEpoch,
};
use proptest::prelude::*;

use crate::export::{CREATOR, export};
use crate::import::Importer;
use crate::record::{
    AccessRecord, ArchiveClock, ArchiveCommunicator, ArchiveDefinitions, ArchiveEvent, ArchiveMessage,
    ArchiveWindow, CollectiveRecord, GroupDefinition, Happening, Location, LocationGroup, RegionDefinition,
    number,
};
use crate::{ArchiveRemark, Error};

/// What comes back, and what is said on both ways.
fn there_and_back(
    recorded: &[ProcessorEvents],
) -> (Vec<ProcessorEvents>, Vec<ArchiveRemark>, Vec<ArchiveRemark>) {
    let mut written: Vec<(u64, ArchiveEvent)> = Vec::new();
    let exported = export(recorded, |location, event| {
        written.push((location, *event));
        Ok(())
    });
    let exported = exported.unwrap();
    let definitions = ArchiveDefinitions { creator: CREATOR.to_owned(), ..exported.definitions };
    let (read, remarks) = imported(definitions, &written);
    (read, exported.remarks, remarks)
}

fn imported(
    definitions: ArchiveDefinitions,
    events: &[(u64, ArchiveEvent)],
) -> (Vec<ProcessorEvents>, Vec<ArchiveRemark>) {
    let mut importer = Importer::new(definitions).unwrap();
    let mut read = Vec::new();
    for (processor, location) in importer.locations() {
        let of_location: Vec<ArchiveEvent> =
            events.iter().filter(|(its, _)| *its == location).map(|(_, event)| *event).collect();
        read.extend(importer.processor(processor, location, |take| {
            of_location.iter().for_each(|event| take(*event));
            (of_location.len() as u64, None)
        }));
    }
    (read, importer.finish())
}

/// The same with what events speak of written out, and lists in an order of their own.
fn resolved(recorded: &[ProcessorEvents]) -> Vec<(u32, bool, Vec<String>, Vec<String>)> {
    let event = |its: &ProcessorEvents, event: &Event| {
        let communicator = |number: u32| &its.communicators[number as usize];
        let more = match event.kind {
            EventKind::Enter { region } => format!("{:?}", its.regions[region as usize]),
            EventKind::ExperimentBegin { experiment } | EventKind::ExperimentEnd { experiment } => {
                its.experiments[experiment as usize].clone()
            }
            EventKind::Send { message, .. }
            | EventKind::SendRequest { message, .. }
            | EventKind::Receive { message }
            | EventKind::Probed { message }
            | EventKind::ReceiveComplete { message, .. } => {
                format!("{:?}", communicator(message.communicator))
            }
            EventKind::RemoteAccess { access } => format!("{:?}", communicator(access.communicator)),
            EventKind::WindowEpoch { epoch } => format!("{:?}", communicator(epoch.communicator)),
            EventKind::Collective { collective } | EventKind::CollectiveRequest { collective, .. } => {
                format!("{:?}", communicator(collective.communicator))
            }
            _ => String::new(),
        };
        // The numbers are those of lists.
        let mut kind = event.kind;
        match &mut kind {
            EventKind::Enter { region: number }
            | EventKind::ExperimentBegin { experiment: number }
            | EventKind::ExperimentEnd { experiment: number } => *number = 0,
            EventKind::Send { message, .. }
            | EventKind::SendRequest { message, .. }
            | EventKind::Receive { message }
            | EventKind::Probed { message }
            | EventKind::ReceiveComplete { message, .. } => message.communicator = 0,
            EventKind::RemoteAccess { access } => access.communicator = 0,
            EventKind::WindowEpoch { epoch } => epoch.communicator = 0,
            EventKind::Collective { collective } | EventKind::CollectiveRequest { collective, .. } => {
                collective.communicator = 0;
            }
            _ => {}
        }
        format!("{} {kind:?} {more}", event.at_ns)
    };
    let one = |its: &ProcessorEvents| {
        let mut communicators: Vec<String> =
            its.communicators.iter().map(|communicator| format!("{communicator:?}")).collect();
        communicators.sort();
        let events = its.events.iter().map(|one| event(its, &one)).collect();
        (its.processor, its.has_common_clock, communicators, events)
    };
    recorded.iter().map(one).collect()
}

const PROCESSORS: u32 = 3;

/// `MPI_COMM_WORLD`, its own, one of two.
fn communicators(processor: u32) -> Vec<Communicator> {
    let communicator = |maker, number, processors: &[u32]| Communicator {
        name: CommunicatorName { maker, number },
        processors: processors.to_vec(),
    };
    let mut all = vec![communicator(0, 0, &[0, 1, 2]), communicator(processor, 1, &[processor])];
    if processor != 1 {
        all.push(communicator(2, 2, &[2, 0]));
    }
    all
}

fn regions() -> Vec<CallSite> {
    let site = |call: &str, line: Option<u32>, stack: &[&str]| CallSite {
        call: call.to_owned(),
        position: line.map(|line| SourcePosition { file: "a:b.c".to_owned(), line }),
        call_stack: stack.iter().map(|function| (*function).to_owned()).collect(),
    };
    vec![
        site("MPI_Send", Some(12), &["smooth", "main"]),
        site("MPI_Send", Some(13), &["smooth", "main"]),
        site("MPI_Issend", None, &[]),
        site("MPI_Wait", None, &["main"]),
        site("MPI_Win_fence", Some(0), &["main"]),
        site("main", Some(3), &[]),
        site("smooth", None, &["main"]),
        site("save", None, &[]),
        site("MPI_Win_post", Some(20), &["main"]),
        site("MPI_Win_start", Some(21), &["main"]),
        site("MPI_Win_complete", Some(22), &["main"]),
        site("MPI_Win_wait", Some(23), &["main"]),
    ]
}

/// What stands in a call of MPI; requests are begun and completed at once or never.
fn in_call() -> impl Strategy<Value = (u8, u32, i32, u64, bool)> {
    (0_u8..14, 0_u32..3, -1_i32..9, 0_u64..100_000, any::<bool>())
}

prop_compose! {
    fn processor(number: u32)(
        steps in prop::collection::vec((0_u32..12, 0_u64..3, prop::collection::vec(in_call(), 0..3), 0_u8..4), 1..30)
    ) -> ProcessorEvents {
        let (communicators, regions) = (communicators(number), regions());
        let mut events = vec![Event { at_ns: 5, kind: EventKind::ProgramBegin }];
        let (mut at_ns, mut request, mut open) = (5, 0, Vec::new());
        for (region, passed_ns, inside, experiment) in steps {
            at_ns += passed_ns;
            let mut push = |kind| events.push(Event { at_ns, kind });
            if experiment < 2 {
                push(EventKind::ExperimentBegin { experiment: experiment.into() });
            }
            push(EventKind::Enter { region });
            if regions[region as usize].call.starts_with("MPI_") {
                let place = (number, regions[region as usize].call.as_str());
                inside.iter().for_each(|its| call(&communicators, place, *its, &mut request, &mut push));
                push(EventKind::Leave);
            } else if passed_ns == 0 {
                push(EventKind::Leave);
            } else {
                open.push(region);
            }
            if experiment < 2 {
                push(EventKind::ExperimentEnd { experiment: experiment.into() });
            }
        }
        events.extend(open.iter().map(|_| Event { at_ns, kind: EventKind::Leave }));
        events.push(Event { at_ns, kind: EventKind::ProgramEnd });
        ProcessorEvents {
            processor: number,
            has_common_clock: true,
            clock_uncertainty_ns: 0,
            regions,
            communicators,
            experiments: vec!["relax".to_owned(), "MPI_like".to_owned()],
            events: events.into(),
            is_cut: false,
            awaits: Vec::new(),
        }
    }
}

fn call(
    communicators: &[Communicator],
    (own, name): (u32, &str),
    (kind, place, tag, bytes, flag): (u8, u32, i32, u64, bool),
    request: &mut u64,
    push: &mut impl FnMut(EventKind),
) {
    let communicator = place % communicators.len() as u32;
    let members = &communicators[communicator as usize].processors;
    let partner = members[bytes as usize % members.len()];
    let message = Message { partner, communicator, tag, bytes };
    let operations = [
        (CollectiveOperation::Barrier, None),
        (CollectiveOperation::Allreduce, None),
        (CollectiveOperation::Broadcast, Some(partner)),
        (CollectiveOperation::Reduce, Some(partner)),
        (CollectiveOperation::ReduceScatter, None),
        (CollectiveOperation::Exscan, None),
    ];
    let (operation, root) = operations[bytes as usize % operations.len()];
    let collective = Collective { operation, communicator, root, sent_bytes: bytes, received_bytes: 7 };
    *request += 1;
    let request = 10 * u64::from(own) + *request;
    match kind {
        0 => push(EventKind::Send { message, is_synchronous: flag }),
        1 => push(EventKind::Receive { message }),
        2 => push(EventKind::SendRequest { message, request, is_synchronous: flag }),
        3 => {
            push(EventKind::SendRequest { message, request, is_synchronous: flag });
            push(EventKind::SendComplete { request });
        }
        4 => push(EventKind::ReceiveRequest { request }),
        5 => {
            push(EventKind::ReceiveRequest { request });
            push(EventKind::ReceiveComplete { message, request });
        }
        6 => {
            push(EventKind::ReceiveRequest { request });
            push(EventKind::Cancelled { request });
        }
        7 if operation != CollectiveOperation::Barrier => push(EventKind::Collective { collective }),
        8 if operation != CollectiveOperation::Barrier => {
            push(EventKind::CollectiveRequest { collective, request });
            push(EventKind::CollectiveComplete { request });
        }
        9 => push(EventKind::Probed { message }),
        10 => {
            let (sent_bytes, received_bytes) =
                if flag { (bytes, 0) } else { (tag.unsigned_abs().into(), bytes) };
            let access = RemoteAccess { partner, communicator, sent_bytes, received_bytes };
            push(EventKind::RemoteAccess { access });
        }
        11 => {
            let step = match name {
                "MPI_Win_post" => EpochStep::Post,
                "MPI_Win_start" => EpochStep::Start,
                "MPI_Win_complete" => EpochStep::Complete,
                "MPI_Win_wait" => EpochStep::Wait,
                _ if bytes % 3 == 0 => EpochStep::Unlock,
                _ if flag => EpochStep::LockExclusive,
                _ => EpochStep::LockShared,
            };
            let window = place / 2;
            push(EventKind::WindowEpoch { epoch: WindowEpoch { step, partner, communicator, window } });
        }
        _ => {}
    }
}

/// Who looks at an archive sees an operation last until its call is left.
#[test]
fn operations_of_several_end_with_their_calls() {
    let barrier = Collective {
        operation: CollectiveOperation::Barrier,
        communicator: 0,
        root: None,
        sent_bytes: 0,
        received_bytes: 0,
    };
    let event = |at_ns: u64, kind: EventKind| Event { at_ns, kind };
    let events = vec![
        event(100, EventKind::Enter { region: 0 }),
        event(100, EventKind::Collective { collective: barrier }),
        event(400, EventKind::Leave),
        event(500, EventKind::Enter { region: 0 }),
        event(500, EventKind::Collective { collective: barrier }),
        event(600, EventKind::ProgramEnd),
    ];
    let its = ProcessorEvents {
        has_common_clock: true,
        regions: regions(),
        communicators: communicators(0),
        events: events.into(),
        ..ProcessorEvents::default()
    };
    let mut written = Vec::new();
    export(&[its], |_, event| {
        let name = format!("{:?}", event.happening);
        written.push((event.ticks, name.split([' ', '(']).next().unwrap_or_default().to_owned()));
        Ok(())
    })
    .unwrap();
    let expected = [
        (100, "Enter"),
        (100, "CollectiveBegin"),
        (400, "CollectiveEnd"),
        (400, "Leave"),
        (500, "Enter"),
        (500, "CollectiveBegin"),
        (600, "ProgramEnd"),
        (600, "CollectiveEnd"),
    ];
    assert_eq!(written, expected.map(|(ticks, name)| (ticks, name.to_owned())));
}

proptest! {
    #[test]
    fn what_is_written_is_read_back_equal(
        recorded in (processor(0), processor(1), processor(2)).prop_map(|(a, b, c)| vec![a, b, c])
    ) {
        prop_assert_eq!(recorded.len(), PROCESSORS as usize);
        let (read, _, _) = there_and_back(&recorded);
        prop_assert_eq!(resolved(&read), resolved(&recorded));
    }

    /// Whatever an archive says: it may speak of nothing that it defines, in any order.
    #[test]
    fn nonsense_is_left_out(events in prop::collection::vec((0_u8..26, 0_u64..6, 0_u64..6, 0_u64..4), 0..60)) {
        let events: Vec<(u64, ArchiveEvent)> = events
            .iter()
            .map(|(kind, first, second, ticks)| {
                (0, ArchiveEvent { ticks: *ticks, happening: anything(*kind, *first, *second), attributes: [Some((*first, *second)), None] })
            })
            .collect();
        let (read, _) = imported(foreign(), &events);
        if !read.is_empty() {
            let waits = call_waiting::Waits::of_events(&read);
            prop_assert!(waits.is_ok());
        }
    }
}

fn anything(kind: u8, first: u64, second: u64) -> Happening {
    let message = ArchiveMessage { rank: second, communicator: first, tag: 0, bytes: 1 };
    let together = CollectiveRecord {
        operation: second,
        communicator: first,
        root: second,
        sent_bytes: 0,
        received_bytes: 0,
    };
    match kind {
        0..4 => Happening::Enter { region: first },
        4..8 => Happening::Leave { region: first },
        8 => Happening::Send(message),
        9 => Happening::SendRequest { message, request: second },
        10 => Happening::SendComplete { request: first },
        11 => Happening::Receive(message),
        12 => Happening::ReceiveRequest { request: first },
        13 => Happening::ReceiveComplete { message, request: second },
        14 => Happening::Cancelled { request: first },
        15 => Happening::CollectiveEnd(together),
        16 => Happening::CollectiveRequest { request: first },
        17 => Happening::CollectiveComplete { together, request: second },
        18 => Happening::WindowCollective(together),
        19 => Happening::ParameterText { parameter: first, text: second },
        20 => Happening::RemoteAccess(AccessRecord {
            rank: second,
            window: first,
            is_accumulation: false,
            sent_bytes: 8,
            received_bytes: 0,
        }),
        21 => Happening::GroupSync { group: second, window: first },
        22 => Happening::Lock { rank: second, window: first, is_shared: second == 0 },
        23 => Happening::Unlock { rank: second, window: first },
        24 => Happening::CollectiveBegin,
        _ => Happening::BufferFlush { end_ticks: first },
    }
}

/// As others write them: two processes with a thread more, gaps in the numbers, one number for groups of two kinds, a clock with an origin.
fn foreign() -> ArchiveDefinitions {
    let texts = [
        "",
        "main",
        "mpi_recv_",
        "MPI_Send",
        "main.c",
        "MPI_COMM_WORLD",
        "MPI_Finalize",
        "bspline",
        "size",
        "MPI_Win_start",
    ];
    let region = |name, paradigm, source_file, first_line| RegionDefinition {
        name,
        description: name,
        role: 1,
        paradigm,
        source_file,
        first_line,
    };
    let group = |members: &[u64]| GroupDefinition {
        name: 0,
        paradigm: number::PARADIGM_MPI,
        flags: 0,
        members: members.to_vec(),
    };
    let location = |group| Location { name: 0, kind: number::CPU_THREAD, events: 1, group };
    ArchiveDefinitions {
        creator: "another".to_owned(),
        clock: Some(ArchiveClock { ticks_per_second: 2_000_000_000, origin_ticks: 2, length_ticks: 9 }),
        texts: (0..).zip(texts).map(|(number, text)| (number, text.to_owned())).collect(),
        attributes: [(0, 1)].into(),
        location_groups: [0, 1]
            .map(|number| (number, LocationGroup { name: 0, kind: number::PROCESS }))
            .into(),
        locations: [(0, location(0)), (1, location(0)), (536_870_911, location(1))].into(),
        regions: [
            (0, region(1, number::PARADIGM_COMPILER, 4, 7)),
            (536_870_911, region(2, number::PARADIGM_USER, 0, 0)),
            (2, region(3, number::PARADIGM_MPI, 0, 0)),
            (3, region(6, number::PARADIGM_MPI, 0, 0)),
            (4, region(7, number::PARADIGM_COMPILER, u64::from(u32::MAX), 0)),
            (5, region(9, number::PARADIGM_MPI, 0, 0)),
        ]
        .into(),
        groups: [
            ((0, number::COMM_LOCATIONS), group(&[0, 536_870_911])),
            ((0, number::COMM_GROUP), group(&[0, 1])),
            ((1, number::COMM_GROUP), group(&[1, 9])),
            ((3, number::COMM_SELF), group(&[])),
        ]
        .into(),
        communicators: [(0, 0), (1, 1), (2, 77), (3, 3)]
            .map(|(number, group)| {
                (number, ArchiveCommunicator { name: if number == 0 { 5 } else { 0 }, group })
            })
            .into(),
        intercommunicators: [(4, [0, 0])].into(),
        windows: [2, 5].map(|number| (number, ArchiveWindow { name: 0, communicator: 0 })).into(),
        parameters: [(1, 8)].into(),
    }
}

fn event(ticks: u64, happening: Happening) -> ArchiveEvent {
    ArchiveEvent { ticks, happening, attributes: [None; 2] }
}

#[test]
fn archives_of_others() {
    let message = |rank| ArchiveMessage { rank, communicator: 0, tag: 3, bytes: 8 };
    let (enter, leave) = (|region| Happening::Enter { region }, |region| Happening::Leave { region });
    let of_first = [
        event(2, enter(0)),
        event(3, Happening::Send(message(1))),
        event(4, enter(2)),
        event(5, Happening::Send(message(1))),
        event(6, leave(2)),
        event(8, enter(3)),
        event(9, leave(3)),
        event(10, leave(0)),
        event(10, leave(0)),
    ];
    let of_second = [
        event(1, enter(0)),
        event(2, enter(536_870_911)),
        event(8, Happening::ReceiveComplete { message: message(0), request: 4 }),
        event(9, leave(536_870_911)),
    ];
    let events: Vec<(u64, ArchiveEvent)> = of_first
        .map(|event| (0, event))
        .into_iter()
        .chain(of_second.map(|event| (536_870_911, event)))
        .collect();
    let (read, remarks) = imported(foreign(), &events);
    assert_eq!(
        remarks,
        [
            ArchiveRemark::OtherLocations { locations: 1 },
            ArchiveRemark::OutsideCalls { processor: 0, events: 1 },
            ArchiveRemark::NotNested { processor: 0, events: 1 },
            ArchiveRemark::BeforeClock { processor: 1, events: 1 },
        ]
    );
    let world = Communicator { name: CommunicatorName { maker: 0, number: 0 }, processors: vec![0, 1] };
    assert!(read.iter().all(|its| its.communicators[0] == world));
    let kinds = |its: &ProcessorEvents| -> Vec<(u64, EventKind)> {
        its.events.iter().map(|event| (event.at_ns, event.kind)).collect()
    };
    let message = |partner| Message { partner, communicator: 0, tag: 3, bytes: 8 };
    let collective = Collective {
        operation: CollectiveOperation::Finalise,
        communicator: 0,
        root: None,
        sent_bytes: 0,
        received_bytes: 0,
    };
    // Two ticks are a nanosecond, from the second one on.
    assert_eq!(
        kinds(&read[0]),
        [
            (0, EventKind::Enter { region: 0 }),
            (1, EventKind::Enter { region: 1 }),
            (2, EventKind::Send { message: message(1), is_synchronous: false }),
            (2, EventKind::Leave),
            (3, EventKind::Enter { region: 2 }),
            (4, EventKind::Collective { collective }),
            (4, EventKind::Leave),
            (4, EventKind::Leave),
        ]
    );
    assert_eq!(
        kinds(&read[1])[2..],
        [(3, EventKind::Receive { message: message(0) }), (4, EventKind::Leave)]
    );
    let site = &read[1].regions[1];
    assert_eq!(
        (site.call.as_str(), site.call_stack.as_slice()),
        ("MPI_Recv", ["main".to_owned()].as_slice())
    );
    assert_eq!(read[0].regions[0].position.as_ref().map(|position| position.line), Some(7));
}

/// As Score-P writes them: one record of a call that synchronises with several, and windows in the order of their numbers.
#[test]
fn accesses_of_others() {
    let access =
        AccessRecord { rank: 1, window: 5, is_accumulation: false, sent_bytes: 80, received_bytes: 0 };
    let parameter = Happening::ParameterText { parameter: 1, text: 7 };
    let all = [
        Happening::Enter { region: 5 },
        Happening::GroupSync { group: 0, window: 5 },
        Happening::GroupSync { group: 1, window: 5 },
        Happening::RemoteAccess(access),
        Happening::Lock { rank: 1, window: 2, is_shared: true },
        Happening::Unlock { rank: 1, window: 2 },
        parameter,
        Happening::Unlock { rank: 7, window: 2 },
        Happening::Leave { region: 5 },
        Happening::Enter { region: 2 },
        Happening::GroupSync { group: 0, window: 5 },
        Happening::Leave { region: 2 },
    ];
    let (read, remarks) = imported(foreign(), &all.map(|happening| (0, event(4, happening))));
    let kinds: Vec<EventKind> = read[0].events.iter().map(|event| event.kind).collect();
    let epoch = |step, partner, window| EventKind::WindowEpoch {
        epoch: WindowEpoch { step, partner, communicator: 0, window },
    };
    let access = RemoteAccess { partner: 1, communicator: 0, sent_bytes: 80, received_bytes: 0 };
    let expected = [
        epoch(EpochStep::Start, 0, 1),
        epoch(EpochStep::Start, 1, 1),
        epoch(EpochStep::Start, 1, 1),
        EventKind::RemoteAccess { access },
        epoch(EpochStep::LockShared, 1, 0),
        epoch(EpochStep::Unlock, 1, 0),
        EventKind::Leave,
        EventKind::Enter { region: 1 },
        EventKind::Leave,
    ];
    assert_eq!(kinds[1..], expected);
    // Group 1 has a processor more than there are.
    assert!(remarks.contains(&ArchiveRemark::Undefined { processor: 0, events: 2 }), "{remarks:?}");
}

#[test]
fn messages_that_were_seen_are_told_in_words() {
    let message = ArchiveMessage { rank: 3, communicator: 2, tag: -1_i32 as u32, bytes: 80 };
    let text = crate::names::probed_text(&message);
    assert_eq!(text, "from rank 3 of communicator 2, tag -1, 80 bytes");
    assert_eq!(crate::names::probed_of(&text), Some(message));
    for text in [
        "",
        "from rank 3",
        "from rank 3 of communicator 2, tag x, 80 bytes",
        "from rank a of communicator 2, tag 1, 8 bytes",
    ] {
        assert_eq!(crate::names::probed_of(text), None, "{text}");
    }
}

#[test]
fn requests_that_are_used_again_have_new_numbers() {
    let request = |happening: fn(u64) -> Happening| happening(9);
    let asked = request(|request| Happening::ReceiveRequest { request });
    let message = ArchiveMessage { rank: 1, communicator: 0, tag: 0, bytes: 8 };
    let came = Happening::ReceiveComplete { message, request: 9 };
    let all = [
        Happening::Enter { region: 2 },
        asked,
        came,
        asked,
        came,
        Happening::CollectiveRequest { request: 9 },
    ];
    let events = all.map(|happening| (0, event(4, happening)));
    let (read, remarks) = imported(foreign(), &events);
    let numbers: Vec<u64> = read[0]
        .events
        .iter()
        .filter_map(|event| match event.kind {
            EventKind::ReceiveRequest { request } | EventKind::ReceiveComplete { request, .. } => {
                Some(request)
            }
            _ => None,
        })
        .collect();
    assert_eq!(numbers, [9, 9, u64::MAX, u64::MAX]);
    assert_eq!(read[0].events.len(), 5);
    assert!(remarks.contains(&ArchiveRemark::OpenCollectives { processor: 0, events: 1 }), "{remarks:?}");
}

#[test]
fn what_cannot_be_written_is_told() {
    let own = |processor: u32, has_common_clock| ProcessorEvents {
        processor,
        has_common_clock,
        regions: vec![CallSite { call: "MPI_Recv".to_owned(), ..CallSite::default() }],
        communicators: communicators(processor),
        ..ProcessorEvents::default()
    };
    let nothing = export(&[own(0, true)], |_, _| Ok(()));
    assert_eq!(nothing.err(), Some(Error::NoEvents));
    let message = Message { partner: 7, communicator: 0, tag: 0, bytes: 1 };
    let kinds = [
        (9, EventKind::Enter { region: 0 }),
        (5, EventKind::Receive { message }),
        (9, EventKind::Enter { region: 4 }),
        (9, EventKind::CollectiveComplete { request: 3 }),
    ];
    let events: Vec<Event> = kinds.map(|(at_ns, kind)| Event { at_ns, kind }).to_vec();
    let recorded = [0, 1]
        .map(|processor| ProcessorEvents { events: events.clone().into(), ..own(processor, processor == 0) });
    assert_eq!(export(&recorded, |_, _| Ok(())).err(), Some(Error::OwnClock { processor: 1 }));
    let (read, written, _) = there_and_back(&recorded[..1]);
    let processor = 0;
    assert_eq!(
        written,
        [
            ArchiveRemark::ClockWentBack { processor, events: 1 },
            ArchiveRemark::Undefined { processor, events: 2 },
            ArchiveRemark::UnknownRequests { processor, events: 1 },
            ArchiveRemark::OpenRegions { processor, regions: 1 },
        ]
    );
    assert_eq!(read[0].events.len(), 1, "the others had nothing to say");
}

#[test]
fn names_of_bindings_are_those_of_c() {
    let known = [
        ("MPI_Send", "MPI_Send"),
        ("mpi_send_", "MPI_Send"),
        ("MPI_COMM_SPLIT", "MPI_Comm_split"),
        ("PMPI_Isend", "MPI_Isend"),
        ("pmpi_bcast__", "MPI_Bcast"),
    ];
    for (name, expected) in known {
        assert_eq!(crate::names::c_name(name).as_deref(), Some(expected));
    }
    for name in ["", "P", "MPI", "MPI_", "mpi_", "mpi_ä", "Päää", "main", "xMPI_Send", "mpi_a b"] {
        assert_eq!(crate::names::c_name(name), None, "{name}");
    }
}
