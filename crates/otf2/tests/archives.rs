//! Archives on disk: what is written is read back equal, OTF2's own tool finds no fault with it, and what is broken is told.
#![allow(clippy::unwrap_used, reason = "a test that meets None has failed")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use call_otf2::{ArchiveRemark, Error};
use call_trace::{
    CallSite, Collective, CollectiveOperation, Communicator, CommunicatorName, EpochStep, Event, EventKind,
    Message, ProcessorEvents, RemoteAccess, WindowEpoch,
};
use call_waiting::{WaitKind, Waits};

const TENTH_NS: u64 = 100_000_000;

/// Four processors that work 0.1 s at first, and again when they have received from the one before them.
fn chain() -> Vec<ProcessorEvents> {
    assert!(call_otf2::is_there(), "scripts/install-test-tools.sh installs libotf2; build again then");
    let names = ["MPI_Init", "MPI_Recv", "MPI_Send", "MPI_Finalize"];
    let site = |call: &str| CallSite {
        call: call.to_owned(),
        position: None,
        call_stack: vec!["pass".to_owned(), "main".to_owned()],
    };
    let message = |partner| Message { partner, communicator: 0, tag: 3, bytes: 8 };
    let border = |operation| {
        let (root, sent_bytes, received_bytes) = (None, 0, 0);
        let collective = Collective { operation, communicator: 0, root, sent_bytes, received_bytes };
        EventKind::Collective { collective }
    };
    let processor = |processor: u32| {
        let came_ns = u64::from(processor) * TENTH_NS + TENTH_NS;
        let gone_ns = came_ns + TENTH_NS;
        let end_ns = 5 * TENTH_NS;
        let mut events = Vec::new();
        let mut call = |region, from_ns, what: EventKind, to_ns| {
            let is_send = matches!(what, EventKind::Send { .. });
            let what_ns = if is_send { from_ns } else { to_ns };
            let kinds = [(from_ns, EventKind::Enter { region }), (what_ns, what), (to_ns, EventKind::Leave)];
            events.extend(kinds.map(|(at_ns, kind)| Event { at_ns, kind }));
        };
        call(0, 0, border(CollectiveOperation::Initialise), 0);
        if processor > 0 {
            call(1, TENTH_NS, EventKind::Receive { message: message(processor - 1) }, came_ns);
        }
        if processor < 3 {
            let what = EventKind::Send { message: message(processor + 1), is_synchronous: false };
            call(2, gone_ns, what, gone_ns);
        }
        call(3, gone_ns, border(CollectiveOperation::Finalise), end_ns);
        ProcessorEvents {
            processor,
            has_common_clock: true,
            clock_uncertainty_ns: 0,
            regions: names.map(site).to_vec(),
            communicators: vec![
                Communicator { name: CommunicatorName { maker: 0, number: 0 }, processors: (0..4).collect() },
                Communicator {
                    name: CommunicatorName { maker: processor, number: 1 },
                    processors: vec![processor],
                },
            ],
            experiments: Vec::new(),
            events: events.into(),
            is_cut: false,
            awaits: Vec::new(),
        }
    };
    (0..4).map(processor).collect()
}

/// The chain as an archive in a folder of its own.
fn written() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let anchor = folder.path().join("chain of 4.otf2");
    assert_eq!(call_otf2::write(&anchor, &chain()), Ok(Vec::new()));
    (folder, anchor)
}

/// Regions are numbered as they are met.
fn calls(its: &ProcessorEvents) -> Vec<(u64, Option<&CallSite>, Option<EventKind>)> {
    let event = |event: Event| match event.kind {
        EventKind::Enter { region } => (event.at_ns, Some(&its.regions[region as usize]), None),
        other => (event.at_ns, None, Some(other)),
    };
    its.events.iter().map(event).collect()
}

fn late_sender_ns(waits: &Waits) -> i64 {
    let kinds = waits.sites.iter().flat_map(|site| &site.kinds);
    kinds.filter(|kind| kind.kind == WaitKind::LateSender).map(|kind| kind.waiting_ns).sum()
}

#[test]
fn a_chain_of_four_comes_back_as_it_was() {
    let (folder, anchor) = written();
    let mut names: Vec<_> =
        fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["chain of 4", "chain of 4.def", "chain of 4.otf2"]);
    let archive = call_otf2::read(&anchor).unwrap();
    assert_eq!(archive.remarks, []);
    assert_eq!((archive.trace.header.program.as_str(), archive.trace.header.processors), ("chain of 4", 4));
    for (read, expected) in archive.trace.events.iter().zip(&chain()) {
        assert_eq!(calls(read), calls(expected));
        assert_eq!((read.processor, &read.communicators), (expected.processor, &expected.communicators));
    }
    let waits = Waits::of_events(&archive.trace.events).unwrap();
    assert_eq!(waits.remarks, []);
    assert_eq!(late_sender_ns(&waits), 600_000_000);
    assert_eq!(waits.critical_path.iter().map(|step| step.time_ns).sum::<i64>(), 500_000_000);
}

/// Readers look for the files of all whom the definitions name.
#[test]
fn who_recorded_nothing_has_a_file_as_well() {
    let folder = tempfile::tempdir().unwrap();
    let anchor = folder.path().join("two.otf2");
    let mut recorded = chain();
    recorded.truncate(2);
    call_otf2::write(&anchor, &recorded).unwrap();
    for file in ["0.evt", "1.evt", "2.evt", "3.evt", "3.def"] {
        assert!(folder.path().join("two").join(file).exists(), "{file}");
    }
    let archive = call_otf2::read(&anchor).unwrap();
    let events: Vec<usize> = archive.trace.events.iter().map(|its| its.events.len()).collect();
    assert_eq!(events.iter().filter(|count| **count > 0).count(), 2, "{events:?}");
}

/// Processor 0 puts, adds and gets between post and wait of processor 1, in the second window of their communicator, and locks
/// the first one; then it sees a message without receiving it. Both are in a barrier at last.
fn accesses() -> Vec<ProcessorEvents> {
    let names = [
        "MPI_Win_post",
        "MPI_Win_start",
        "MPI_Put",
        "MPI_Accumulate",
        "MPI_Get",
        "MPI_Win_complete",
        "MPI_Win_wait",
        "MPI_Win_lock",
        "MPI_Win_unlock",
        "MPI_Probe",
        "MPI_Barrier",
    ];
    let site = |call: &str| CallSite { call: call.to_owned(), ..CallSite::default() };
    let epoch = |step, partner, window| EventKind::WindowEpoch {
        epoch: WindowEpoch { step, partner, communicator: 0, window },
    };
    let access = |sent_bytes, received_bytes| EventKind::RemoteAccess {
        access: RemoteAccess { partner: 1, communicator: 0, sent_bytes, received_bytes },
    };
    let message = Message { partner: 1, communicator: 0, tag: -1, bytes: 5 };
    let (operation, root) = (CollectiveOperation::Barrier, None);
    let collective = Collective { operation, communicator: 0, root, sent_bytes: 0, received_bytes: 0 };
    let barrier = (10, EventKind::Collective { collective });
    let of_first = vec![
        (1, epoch(EpochStep::Start, 1, 1)),
        (2, access(80, 0)),
        (3, access(16, 0)),
        (4, access(0, 8)),
        (5, epoch(EpochStep::Complete, 1, 1)),
        (7, epoch(EpochStep::LockShared, 1, 0)),
        (8, epoch(EpochStep::Unlock, 1, 0)),
        (7, epoch(EpochStep::LockExclusive, 1, 0)),
        (8, epoch(EpochStep::Unlock, 1, 0)),
        (9, EventKind::Probed { message }),
        barrier,
    ];
    let of_second = vec![(0, epoch(EpochStep::Post, 0, 1)), (6, epoch(EpochStep::Wait, 0, 1)), barrier];
    let processor = |(processor, calls): (u32, Vec<(usize, EventKind)>)| {
        let mut its = ProcessorEvents { processor, has_common_clock: true, ..ProcessorEvents::default() };
        its.communicators =
            vec![Communicator { name: CommunicatorName { maker: 0, number: 0 }, processors: vec![0, 1] }];
        let mut events = Vec::new();
        for ((name, what), at_ns) in calls.into_iter().zip((10..).step_by(10)) {
            let region = its.regions.len() as u32;
            let known = its.regions.iter().position(|known| known.call == names[name]);
            let region = known.map_or(region, |known| known as u32);
            if known.is_none() {
                its.regions.push(site(names[name]));
            }
            let kinds =
                [(at_ns, EventKind::Enter { region }), (at_ns + 4, what), (at_ns + 5, EventKind::Leave)];
            events.extend(kinds.map(|(at_ns, kind)| Event { at_ns, kind }));
        }
        its.events = events.into();
        its
    };
    [(0, of_first), (1, of_second)].map(processor).to_vec()
}

#[test]
fn accesses_come_back_as_they_were() {
    let folder = tempfile::tempdir().unwrap();
    let anchor = folder.path().join("accesses.otf2");
    let recorded = accesses();
    assert_eq!(call_otf2::write(&anchor, &recorded), Ok(Vec::new()));
    let archive = call_otf2::read(&anchor).unwrap();
    assert_eq!(archive.remarks, []);
    assert_eq!(archive.trace.events, recorded);
    let printed = Command::new("otf2-print").arg(&anchor).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&printed.stderr), "");
    let events = String::from_utf8(printed.stdout).unwrap();
    for (record, count) in [
        ("RMA_GROUP_SYNC", 4),
        ("RMA_PUT", 1),
        ("RMA_GET", 1),
        ("RMA_ATOMIC", 1),
        ("RMA_ACQUIRE_LOCK", 2),
        ("RMA_RELEASE_LOCK", 2),
        ("from rank 1 of communicator 0, tag -1, 5 bytes", 1),
    ] {
        assert_eq!(events.matches(record).count(), count, "{record}\n{events}");
    }
}

/// What Scalasca knows MPI by, and no word of warning.
#[test]
fn the_library_finds_no_fault() {
    let (_folder, anchor) = written();
    let printed = Command::new("otf2-print").arg("--show-global-defs").arg("--").arg(&anchor).output();
    let printed = printed.expect("scripts/install-test-tools.sh installs otf2-print");
    let definitions = String::from_utf8(printed.stdout).unwrap();
    for line in [
        "Role: POINT2POINT, Paradigm: \"MPI\" <4>, Flags: NONE, File: \"MPI\"",
        "Type: COMM_LOCATIONS, Paradigm: \"MPI\" <4>, Flags: NONE, 4 Members",
        "Type: COMM_GROUP, Paradigm: \"MPI\" <4>, Flags: NONE, 4 Members",
        "Type: COMM_SELF, Paradigm: \"MPI\" <4>",
        "Name: \"MPI_COMM_WORLD\"",
        "Name: \"MPI Rank 3\"",
        "Ticks per Seconds: 1000000000",
    ] {
        assert!(definitions.contains(line), "{line}\n{definitions}");
    }
    let printed = Command::new("otf2-print").arg(&anchor).output().unwrap();
    assert!(printed.status.success());
    assert_eq!(String::from_utf8_lossy(&printed.stderr), "");
    let events = String::from_utf8(printed.stdout).unwrap();
    assert_eq!(events.matches("\nMPI_SEND ").count(), 3);
    assert!(
        events.contains("200000000  Receiver: 1 (\"Master thread\" <1>), Communicator: \"MPI_COMM_WORLD\""),
        "{events}"
    );
}

#[test]
fn what_is_there_is_not_replaced() {
    let (folder, anchor) = written();
    let before = fs::read(&anchor).unwrap();
    let again = call_otf2::write(&anchor, &chain());
    assert_eq!(again, Err(Error::Exists { path: folder.path().join("chain of 4") }));
    fs::create_dir(folder.path().join("mine")).unwrap();
    assert!(call_otf2::write(&folder.path().join("mine.otf2"), &chain()).is_err());
    assert_eq!(fs::read(&anchor).unwrap(), before);
    for name in ["chain", ".otf2", "a/b.otf2"] {
        assert!(call_otf2::write(&folder.path().join(name), &chain()).is_err(), "{name}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 4, "nothing is left behind");
}

/// Wherever a file ends, it is said that something is missing; but where it ends in what stands at the end of all files.
#[test]
fn archives_that_were_cut() {
    let (folder, anchor) = written();
    let events = folder.path().join("chain of 4/2.evt");
    let whole = fs::read(&events).unwrap();
    let is_told = |whole: &[u8], length: &usize| !whole[..*length].ends_with(&[2, 1]);
    for length in (0..whole.len()).filter(|length| is_told(&whole, length)) {
        fs::write(&events, &whole[..length]).unwrap();
        let archive = call_otf2::read(&anchor).unwrap();
        let [ArchiveRemark::Missing { processor: 2, problem }] = &archive.remarks[..] else {
            panic!("{length}: {:?}", archive.remarks);
        };
        assert_eq!(problem, "the end of 2.evt is missing");
        assert!(Waits::of_events(&archive.trace.events).is_ok());
    }
    fs::remove_file(&events).unwrap();
    let archive = call_otf2::read(&anchor).unwrap();
    let processors: Vec<u32> = archive.trace.events.iter().map(|its| its.processor).collect();
    assert_eq!(processors, [0, 1, 3]);
    let waits = Waits::of_events(&archive.trace.events).unwrap();
    assert!(!waits.remarks.is_empty());
    fs::write(&events, &whole).unwrap();
    fs::remove_file(folder.path().join("chain of 4/2.def")).unwrap();
    let archive = call_otf2::read(&anchor).unwrap();
    assert!(
        matches!(archive.remarks[..], [ArchiveRemark::Missing { processor: 2, .. }]),
        "{:?}",
        archive.remarks
    );
    fs::write(
        folder.path().join("chain of 4/2.def"),
        fs::read(folder.path().join("chain of 4/1.def")).unwrap(),
    )
    .unwrap();
    // The last two bytes of an anchor say nothing.
    for (part, needless) in [("chain of 4.def", 0), ("chain of 4.otf2", 2)] {
        let path = folder.path().join(part);
        let whole = fs::read(&path).unwrap();
        for length in (0..whole.len() - needless).filter(|length| is_told(&whole, length)) {
            fs::write(&path, &whole[..length]).unwrap();
            assert!(call_otf2::read(&anchor).is_err(), "{part}, {length}");
        }
        fs::write(&path, &whole).unwrap();
    }
    assert_eq!(call_otf2::read(&anchor).unwrap().remarks, []);
}

/// Archives have no sums by which a change would be known; but nothing breaks. (Where the global definitions or the anchor are changed in
/// some places libotf2 reads on for ever.)
#[test]
fn archives_that_were_changed() {
    let (folder, anchor) = written();
    for part in ["chain of 4/2.evt", "chain of 4/0.def"] {
        let path = folder.path().join(part);
        let whole = fs::read(&path).unwrap();
        for place in 0..whole.len() {
            for value in [0, 1, 0x7f, 0xff] {
                let mut changed = whole.clone();
                changed[place] = value;
                fs::write(&path, &changed).unwrap();
                if let Ok(archive) = call_otf2::read(&anchor) {
                    drop(Waits::of_events(&archive.trace.events));
                }
            }
        }
        fs::write(&path, &whole).unwrap();
    }
}

/// More than one piece of each file.
#[test]
fn long_archives() {
    let mut recorded = chain();
    let last_ns = 5 * TENTH_NS;
    for number in 0..100_000 {
        let kinds = [EventKind::Enter { region: 2 }, EventKind::Leave];
        recorded[1].events.extend(kinds.map(|kind| Event { at_ns: last_ns + number, kind }));
    }
    let folder = tempfile::tempdir().unwrap();
    let anchor = folder.path().join("long.otf2");
    call_otf2::write(&anchor, &recorded).unwrap();
    assert!(fs::metadata(folder.path().join("long/1.evt")).unwrap().len() > 2 << 20);
    let archive = call_otf2::read(&anchor).unwrap();
    assert_eq!(archive.remarks, []);
    assert_eq!(calls(&archive.trace.events[1]), calls(&recorded[1]));
}

/// As Score-P writes them: numbers of each process's own, a clock that is ahead and said to be; threads, counters, parameters and properties.
#[test]
fn archives_with_local_definitions() {
    assert!(call_otf2::is_there(), "scripts/install-test-tools.sh installs libotf2; build again then");
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("mapped");
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/mapped.c");
    let flags = ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror"];
    let mut compiler = Command::new("cc");
    compiler.args(flags).arg(source).arg("-o").arg(&program).arg("-lopen-trace-format2");
    assert!(compiler.status().unwrap().success());
    assert!(Command::new(&program).arg(folder.path()).status().unwrap().success());
    let archive = call_otf2::read(&folder.path().join("traces.otf2")).unwrap();
    let told = [
        ArchiveRemark::OtherLocations { locations: 1 },
        ArchiveRemark::Counters { values: 6 },
        ArchiveRemark::ThreadBarriers { processors: 1, time_ns: 50_000 },
    ];
    assert_eq!(archive.remarks, told);
    let times = |its: &ProcessorEvents| its.events.iter().map(|event| event.at_ns / 1000).collect::<Vec<_>>();
    let names = |its: &ProcessorEvents| its.regions.iter().map(|site| site.call.clone()).collect::<Vec<_>>();
    let [first, second] = &archive.trace.events[..] else { panic!("{:?}", archive.trace.events) };
    assert_eq!(
        (names(first), names(second)),
        (
            ["MPI_Init", "main", "!$omp implicit barrier @a.c:9", "MPI_Send"].map(String::from).to_vec(),
            ["MPI_Init", "main", "MPI_Recv"].map(String::from).to_vec()
        )
    );
    // What was to be done together in MPI_Init stands at its end.
    assert_eq!(times(first), [0, 10, 10, 50, 200, 250, 300, 300, 320, 330]);
    assert_eq!(times(second), [0, 10, 10, 50, 100, 310, 320, 330]);
    assert_eq!(second.regions[2].call_stack, ["main"]);
    assert_eq!(first.regions[1].position.as_ref().map(|its| (its.file.as_str(), its.line)), Some(("a.c", 3)));
    let waits = Waits::of_events(&archive.trace.events).unwrap();
    assert_eq!(waits.remarks, []);
    assert_eq!(late_sender_ns(&waits), 200_000);
}

#[test]
fn no_archives() {
    let folder = tempfile::tempdir().unwrap();
    for (name, contents) in [("empty.otf2", ""), ("text.otf2", "# call-trace 1\n")] {
        let path = folder.path().join(name);
        fs::write(&path, contents).unwrap();
        assert!(matches!(call_otf2::read(&path), Err(Error::Unreadable { .. })), "{name}");
    }
    assert!(call_otf2::read(folder.path()).is_err());
    assert!(call_otf2::read(Path::new("nowhere.otf2")).is_err());
}
