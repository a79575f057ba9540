//! Records of the calls of MPI and of threads of OpenMP, exactly: the programs say what each processor does, the counting clock says how
//! long.

use crate::support::{Flavour, Run, WITH_MPI};
use call_trace::{Dataset, Event, EventKind, Message, ProcessorEvents, Trace};

fn trace(run: &Run, name: &str) -> Trace {
    let bytes = std::fs::read(run.directory().join(name)).expect("the trace is there");
    call_trace::read(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// In short: `1000 enter MPI_Send`.
fn told(its: &ProcessorEvents) -> Vec<String> {
    let message = |message: &Message| {
        let name = its.communicators[message.communicator as usize].name;
        format!(
            "{} {}.{} tag {} bytes {}",
            message.partner, name.maker, name.number, message.tag, message.bytes
        )
    };
    let tell = |event: Event| {
        let what = match &event.kind {
            EventKind::Enter { region } => format!("enter {}", its.regions[*region as usize].call),
            EventKind::Leave => "leave".to_owned(),
            EventKind::ExperimentBegin { experiment } => {
                format!("begin {}", its.experiments[*experiment as usize])
            }
            EventKind::ExperimentEnd { experiment } => {
                format!("end {}", its.experiments[*experiment as usize])
            }
            EventKind::Send { message: its, is_synchronous } => {
                format!("{}send {}", if *is_synchronous { "s" } else { "" }, message(its))
            }
            EventKind::SendRequest { message: its, request, is_synchronous } => {
                format!("i{}send {} as {request}", if *is_synchronous { "s" } else { "" }, message(its))
            }
            EventKind::SendComplete { request } => format!("sent {request}"),
            EventKind::Receive { message: its } => format!("receive {}", message(its)),
            EventKind::ReceiveRequest { request } => format!("ireceive as {request}"),
            EventKind::ReceiveComplete { message: its, request } => {
                format!("received {} as {request}", message(its))
            }
            EventKind::Probed { message: its } => format!("probed {}", message(its)),
            EventKind::Cancelled { request } => format!("cancelled {request}"),
            EventKind::Collective { collective } | EventKind::CollectiveRequest { collective, .. } => {
                let name = its.communicators[collective.communicator as usize].name;
                let root = collective.root.map_or(String::new(), |root| format!(" root {root}"));
                let request = match event.kind {
                    EventKind::CollectiveRequest { request, .. } => format!(" as {request}"),
                    _ => String::new(),
                };
                let (sent, received) = (collective.sent_bytes, collective.received_bytes);
                let operation = collective.operation;
                format!("{operation:?} {}.{}{root} {sent} {received}{request}", name.maker, name.number)
            }
            EventKind::CollectiveComplete { request } => format!("collected {request}"),
            EventKind::RemoteAccess { access } => {
                let name = its.communicators[access.communicator as usize].name;
                let (sent, received) = (access.sent_bytes, access.received_bytes);
                format!("access {} {}.{} {sent} {received}", access.partner, name.maker, name.number)
            }
            EventKind::WindowEpoch { epoch } => {
                let name = its.communicators[epoch.communicator as usize].name;
                format!(
                    "{:?} {} {}.{} window {}",
                    epoch.step, epoch.partner, name.maker, name.number, epoch.window
                )
            }
            EventKind::ProgramBegin => "begin".to_owned(),
            EventKind::ProgramEnd => "end".to_owned(),
        };
        format!("{} {what}", event.at_ns)
    };
    its.events.iter().map(tell).collect()
}

/// What the program `events` does on a processor of three.
struct Story {
    now_ns: u64,
    lines: Vec<String>,
}

impl Story {
    fn call(&mut self, name: &str, events: &[String]) {
        let now_ns = self.now_ns;
        self.lines.push(format!("{now_ns} enter MPI_{name}"));
        self.lines.extend(events.iter().map(|event| format!("{now_ns} {event}")));
        self.lines.push(format!("{now_ns} leave"));
    }
}

fn planted(rank: u32) -> Vec<String> {
    let (left, right) = ((rank + 2) % 3, (rank + 1) % 3);
    let mut story = Story { now_ns: 5, lines: Vec::new() };
    let world = |partner: u32, tag: u32, bytes: u32| format!("{partner} 0.0 tag {tag} bytes {bytes}");
    story.call("Init", &["Initialise 0.0 0 0".into()]);
    story.now_ns += 1000 * u64::from(rank + 1);
    story.call("Irecv", &["ireceive as 0".into()]);
    story.call("Isend", &[format!("isend {} as 1", world(right, 5, 32))]);
    story.now_ns += 10;
    story.call("Waitall", &[format!("received {} as 0", world(left, 5, 32)), "sent 1".into()]);
    if rank == 0 {
        story.call("Send", &[format!("send {}", world(1, 7, 100))]);
        story.call("Ssend", &[format!("ssend {}", world(1, 8, 24))]);
    } else if rank == 1 {
        story.call("Recv", &[format!("receive {}", world(0, 7, 100))]);
        story.call("Probe", &[format!("probed {}", world(0, 8, 24))]);
        story.call("Recv", &[format!("receive {}", world(0, 8, 24))]);
    }
    let send = (rank < 2).then(|| format!("send {}", world(rank + 1, 1, 1)));
    let receive = (rank > 0).then(|| format!("receive {}", world(rank.saturating_sub(1), 1, 1)));
    story.call("Sendrecv", &send.into_iter().chain(receive).collect::<Vec<_>>());
    story.now_ns += 20;
    // Number 2 is that of the send to nobody.
    story.call("Isend", &[]);
    story.call("Isend", &[format!("isend {} as 3", world(right, 2, 2))]);
    story.call("Irecv", &["ireceive as 4".into()]);
    story.call("Wait", &[]);
    story.call("Wait", &["sent 3".into()]);
    story.call("Waitany", &[format!("received {} as 4", world(left, 2, 2))]);
    story.call("Send_init", &[]);
    story.call("Recv_init", &[]);
    for request in [5, 7] {
        let start =
            [format!("isend {} as {request}", world(right, 3, 5)), format!("ireceive as {}", request + 1)];
        story.call("Startall", &start);
        let complete =
            [format!("sent {request}"), format!("received {} as {}", world(left, 3, 5), request + 1)];
        story.call("Waitall", &complete);
    }
    story.call("Request_free", &[]);
    story.call("Request_free", &[]);
    // Of the ranks 2 and 0, in this order, the first one names it, which has named its own beside; so has 1.
    story.call("Comm_split", &[]);
    let broadcast = ["Broadcast 2.2 root 2 0 10", "Broadcast 1.2 root 1 0 0", "Broadcast 2.2 root 2 10 0"];
    story.call("Bcast", &[broadcast[rank as usize].into()]);
    story.call("Comm_free", &[]);
    story.call("Barrier", &["Barrier 0.0 0 0".into()]);
    story.call("Reduce", &[format!("Reduce 0.0 root 1 {}", if rank == 1 { "0 16" } else { "8 0" })]);
    story.call("Scan", &[format!("Scan 0.0 {} {}", 4 * (2 - rank), 4 * rank)]);
    story.call("Alltoall", &["Alltoall 0.0 6 6".into()]);
    story.call("Iallreduce", &["Allreduce 0.0 8 8 as 9".into()]);
    story.now_ns += 30;
    story.call("Wait", &["collected 9".into()]);
    story.call("Win_create", &[]);
    story.call("Win_fence", &["Fence 0.0 0 0".into()]);
    story.call("Win_fence", &["Fence 0.0 0 0".into()]);
    story.call("Win_free", &[]);
    story.call("Finalize", &["Finalise 0.0 0 0".into()]);
    story.lines
}

/// The program `events_further`, on a clock that stands still.
fn planted_further(rank: u32, flavour: Flavour, large_counts: bool) -> Vec<String> {
    let (left, right) = ((rank + 2) % 3, (rank + 1) % 3);
    let own = rank + 1;
    let mut story = Story { now_ns: 0, lines: Vec::new() };
    let world = |partner: u32, tag: u32, bytes: u32| format!("{partner} 0.0 tag {tag} bytes {bytes}");
    story.call("Init", &["Initialise 0.0 0 0".into()]);
    // SMPI has neither these nor operations between neighbours.
    let is_whole = flavour != Flavour::Smpi;
    if is_whole {
        story.call("Isend", &[format!("isend {} as 0", world(right, 4, 10))]);
        story.call("Mprobe", &[format!("probed {}", world(left, 4, 10))]);
        story.call("Mrecv", &[format!("receive {}", world(left, 4, 10))]);
        story.call("Wait", &["sent 0".into()]);
        story.call("Isend", &[format!("isend {} as 1", world(right, 5, 11))]);
        story.call("Mprobe", &[format!("probed {}", world(left, 5, 11))]);
        story.call("Imrecv", &["ireceive as 2".into()]);
        story.call("Wait", &[format!("received {} as 2", world(left, 5, 11))]);
        story.call("Wait", &["sent 1".into()]);
    }
    let first = if is_whole { 3 } else { 0 };
    story.call("Irecv", &[format!("ireceive as {first}")]);
    story.call("Cancel", &[]);
    story.call("Wait", &[format!("cancelled {first}")]);
    let replaced = [format!("send {}", world(right, 6, 6)), format!("receive {}", world(left, 6, 6))];
    story.call("Sendrecv_replace", &replaced);
    story.call("Irecv", &[format!("ireceive as {}", first + 1)]);
    story.call("Ssend_init", &[]);
    story.call("Start", &[format!("issend {} as {}", world(right, 7, 7), first + 2)]);
    story.call("Wait", &[format!("received {} as {}", world(left, 7, 7), first + 1)]);
    story.call("Wait", &[format!("sent {}", first + 2)]);
    story.call("Wait", &[]);
    story.call("Request_free", &[]);
    // Bytes that go to others and come from them, of 1, 2 and 3 for the ranks.
    let rooted =
        |root: u32, at_root: String, elsewhere: String| if rank == root { at_root } else { elsewhere };
    story.call("Gather", &[format!("Gather 0.0 root 2 {}", rooted(2, "0 16".into(), "8 0".into()))]);
    let gathered = rooted(1, "0 4".into(), format!("{own} 0"));
    story.call("Gatherv", &[format!("Gather 0.0 root 1 {gathered}")]);
    story.call("Scatter", &[format!("Scatter 0.0 root 2 {}", rooted(2, "16 0".into(), "0 8".into()))]);
    story.call("Scatterv", &[format!("Scatter 0.0 root 0 {}", rooted(0, "5 0".into(), format!("0 {own}")))]);
    story.call("Allgather", &["Allgather 0.0 6 6".into()]);
    story.call("Allgatherv", &[format!("Allgather 0.0 {} {}", 2 * own, 6 - own)]);
    story.call("Alltoallv", &[format!("Alltoall 0.0 {} {}", 2 * own, 6 - own)]);
    story.call("Alltoallw", &[format!("Alltoall 0.0 {} {}", 4 * own, 2 * (6 - own))]);
    story.call("Reduce_scatter", &[format!("ReduceScatter 0.0 {} {}", 4 * (6 - own), 8 * own)]);
    story.call("Reduce_scatter_block", &["ReduceScatter 0.0 16 16".into()]);
    story.call("Exscan", &[format!("Exscan 0.0 {} {}", 4 * (2 - rank), 4 * rank)]);
    story.call("Ibarrier", &[format!("Barrier 0.0 0 0 as {}", first + 3)]);
    story.call("Wait", &[format!("collected {}", first + 3)]);
    story.call("Igatherv", &[format!("Gather 0.0 root 1 {gathered} as {}", first + 4)]);
    story.call("Wait", &[format!("collected {}", first + 4)]);
    if large_counts {
        story.call("Bcast_init", &[]);
        for request in [first + 5, first + 6] {
            let bytes = rooted(1, "10 0".into(), "0 5".into());
            story.call("Start", &[format!("Broadcast 0.0 root 1 {bytes} as {request}")]);
            story.call("Wait", &[format!("collected {request}")]);
        }
        story.call("Request_free", &[]);
        story.call("Barrier_init", &[]);
        story.call("Start", &[format!("Barrier 0.0 0 0 as {}", first + 7)]);
        story.call("Wait", &[format!("collected {}", first + 7)]);
        story.call("Request_free", &[]);
        story.call("Isendrecv", &[]);
        story.call("Wait", &[]);
        if rank == 0 {
            story.call("Psend_init", &[]);
            story.call("Request_free", &[]);
        }
    }
    if is_whole {
        // Of what neighbours do only the calls are known; the request is none of another.
        story.call("Cart_create", &[]);
        story.call("Neighbor_alltoall", &[]);
        story.call("Ineighbor_allgather", &[]);
        story.call("Wait", &[]);
        story.call("Barrier", &["Barrier 0.2 0 0".into()]);
        story.call("Comm_free", &[]);
    }
    let access = |partner: u32, bytes: &str| format!("access {partner} 0.0 {bytes}");
    story.call("Win_create", &[]);
    story.call("Win_fence", &["Fence 0.0 0 0".into()]);
    story.call("Put", &[access(right, "8 0")]);
    story.call("Get", &[access(left, "0 4")]);
    story.call("Accumulate", &[access(right, "8 0")]);
    story.call("Win_fence", &["Fence 0.0 0 0".into()]);
    story.call("Win_lock", &[]);
    story.call("Fetch_and_op", &[access(right, "4 4")]);
    story.call("Win_unlock", &[]);
    let epoch = |step: &str, partner: u32| [format!("{step} {partner} 0.0 window 0")];
    story.call("Win_post", &epoch("Post", left));
    story.call("Win_start", &epoch("Start", right));
    story.call("Put", &[access(right, "3 0")]);
    story.call("Win_complete", &epoch("Complete", right));
    story.call("Win_wait", &epoch("Wait", left));
    story.call("Win_free", &[]);
    story.call("Finalize", &["Finalise 0.0 0 0".into()]);
    story.lines
}

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

/// Times are planted, so a simulated computer must not add those that this one takes: where a message of each protocol is under way,
/// SMPI takes for a receive from anyone sometimes the second one first, and then waits for ever.
fn planted_run(flavour: Flavour, program: &str) -> Run {
    let run = Run::of(flavour, program).counting().on(3);
    if flavour == Flavour::Smpi { run.launched_by(&["--cfg=smpi/simulate-computation:no"]) } else { run }
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
    let outcome = run.succeed();
    let remark = "call: events: calls of MPI are recorded, and not what threads of OpenMP wait for";
    assert_eq!(outcome.stderr.matches(remark).count(), 1, "{outcome:?}");
    let events = &trace(&run, &run.trace_names()[0]).events;
    assert_eq!(events.len(), 2);
    assert!(events.iter().all(|its| its.regions.iter().all(|region| region.call.starts_with("MPI_"))));
}
