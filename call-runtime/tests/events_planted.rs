//! Programs of MPI whose calls are planted, and what their events say.

use call_trace::{Event, EventKind, Message, ProcessorEvents, Trace};

use crate::support::{Flavour, Run};

pub fn trace(run: &Run, name: &str) -> Trace {
    let bytes = std::fs::read(run.directory().join(name)).expect("the trace is there");
    call_trace::read(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// In short: `1000 enter MPI_Send`.
pub fn told(its: &ProcessorEvents) -> Vec<String> {
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

pub fn planted(rank: u32) -> Vec<String> {
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
    story.call("Comm_split", &["Make 0.0 0 0".into()]);
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
    story.call("Win_create", &["Make 0.0 0 0".into()]);
    story.call("Win_fence", &["Fence 0.0 0 0".into()]);
    story.call("Win_fence", &["Fence 0.0 0 0".into()]);
    story.call("Win_free", &["Make 0.0 0 0".into()]);
    story.call("Finalize", &["Finalise 0.0 0 0".into()]);
    story.lines
}

/// The program `events_further`, on a clock that stands still.
pub fn planted_further(rank: u32, flavour: Flavour, large_counts: bool) -> Vec<String> {
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
        story.call("Cart_create", &["Make 0.0 0 0".into()]);
        story.call("Neighbor_alltoall", &[]);
        story.call("Ineighbor_allgather", &[]);
        story.call("Wait", &[]);
        story.call("Barrier", &["Barrier 0.2 0 0".into()]);
        story.call("Comm_free", &[]);
    }
    let access = |partner: u32, bytes: &str| format!("access {partner} 0.0 {bytes}");
    story.call("Win_create", &["Make 0.0 0 0".into()]);
    story.call("Win_fence", &["Fence 0.0 0 0".into()]);
    story.call("Put", &[access(right, "8 0")]);
    story.call("Get", &[access(left, "0 4")]);
    story.call("Accumulate", &[access(right, "8 0")]);
    story.call("Win_fence", &["Fence 0.0 0 0".into()]);
    let epoch = |step: &str, partner: u32| [format!("{step} {partner} 0.0 window 0")];
    story.call("Win_lock", &epoch("LockShared", right));
    story.call("Fetch_and_op", &[access(right, "4 4")]);
    story.call("Win_unlock", &epoch("Unlock", right));
    story.call("Win_post", &epoch("Post", left));
    story.call("Win_start", &epoch("Start", right));
    story.call("Put", &[access(right, "3 0")]);
    story.call("Win_complete", &epoch("Complete", right));
    story.call("Win_wait", &epoch("Wait", left));
    story.call("Win_free", &["Make 0.0 0 0".into()]);
    story.call("Finalize", &["Finalise 0.0 0 0".into()]);
    story.lines
}

/// The program `events_copied`. Processor 1 has named its own communicator before, and 0 two.
pub fn planted_copies() -> Vec<String> {
    let mut story = Story { now_ns: 0, lines: Vec::new() };
    story.call("Init", &["Initialise 0.0 0 0".into()]);
    story.call("Comm_idup", &["Make 0.0 0 0 as 0".into()]);
    story.call("Comm_idup", &["Make 0.0 0 0 as 1".into()]);
    story.call("Ibarrier", &["Barrier 0.0 0 0 as 2".into()]);
    story.call("Waitall", &["collected 0".into(), "collected 1".into(), "collected 2".into()]);
    story.call("Barrier", &["Barrier 0.3 0 0".into()]);
    story.call("Barrier", &["Barrier 0.2 0 0".into()]);
    story.call("Comm_free", &[]);
    story.call("Comm_free", &[]);
    story.call("Finalize", &["Finalise 0.0 0 0".into()]);
    story.lines
}

/// Times are planted, so a simulated computer must not add those that this one takes: where a message of each protocol is under way,
/// SMPI takes for a receive from anyone sometimes the second one first, and then waits for ever.
pub fn planted_run(flavour: Flavour, program: &str) -> Run {
    let run = Run::of(flavour, program).counting().on(3);
    if flavour == Flavour::Smpi { run.launched_by(&["--cfg=smpi/simulate-computation:no"]) } else { run }
}
