//! Sections of supersteps as a program would record them: a simulation by rules of its own, in nanoseconds.

use std::collections::HashMap;
use std::fmt::Write;

/// What a machine does in a superstep. Each list has an entry for each of its processors, or is longer.
#[derive(Debug, Clone)]
pub struct Superstep {
    /// Before and behind the parts.
    pub before_ns: Vec<u64>,
    pub behind_ns: Vec<u64>,
    /// How much of both lies inside experiment `E`, in percent.
    pub inside_percent: Vec<u64>,
    /// Where the machine is divided, and what both parts do; the first part has so many processors.
    pub parts: Option<(usize, [Vec<Superstep>; 2])>,
    /// Waiting behind the parts, in no synchronisation.
    pub inner_waiting_ns: Vec<u64>,
    pub end: End,
    pub cost_ns: Vec<u64>,
    /// What recording takes.
    pub recording_ns: Vec<u64>,
}

#[derive(Debug, Clone)]
pub enum End {
    Barrier,
    /// Messages as sender, receiver, bytes; numbers are taken modulo the number of processors.
    Oblivious(Vec<(usize, usize, u64)>),
}

struct Recorder {
    now_ns: Vec<u64>,
    inside_ns: Vec<u64>,
    recording_ns: Vec<u64>,
    machines: HashMap<(usize, usize), usize>,
    rows: Vec<String>,
}

/// A trace of so many processors with these supersteps, ended by a report.
pub fn trace(processors: usize, clock: &str, steps: &[Superstep]) -> String {
    let mut recorder = Recorder {
        now_ns: vec![0; processors],
        inside_ns: vec![0; processors],
        recording_ns: vec![0; processors],
        machines: HashMap::new(),
        rows: vec![String::new(); processors],
    };
    recorder.machine(0, processors, 0, "4", steps);
    let mut text = format!(
        "# call-trace 1\n# program: p\n# processors: {processors}\n# experiment: E\n# variables:\nexperiment processor P time_s\n"
    );
    for (processor, rows) in recorder.rows.iter().enumerate() {
        writeln!(
            text,
            "# supersteps of processor {processor}, clock {clock}\n# place 1: bsp_sync p.c:1 in main\n# place 2: bsp_oblsync p.c:2 in \
             main\n# place 3: bsp_done p.c:3 in main\n# place 4: report ? in main\n# superstep machine depth place start_s computing_s \
             waiting_s communicating_s recording_s out_bytes in_bytes out_messages in_messages partners experiments inner_waiting_s"
        )
        .expect("memory can be written to");
        text += rows;
    }
    text + "# end rows=0\n"
}

pub fn seconds(nanoseconds: u64) -> String {
    format!("{}.{:09}", nanoseconds / 1_000_000_000, nanoseconds % 1_000_000_000)
}

impl Recorder {
    fn machine(&mut self, first: usize, count: usize, depth: usize, last_place: &str, steps: &[Superstep]) {
        let name = (first, first + count - 1);
        let number = self.machines.entry(name).or_default();
        let machine = format!("{}-{}.{number}", name.0, name.1);
        *number += 1;
        let all = first..first + count;
        for (index, step) in steps.iter().enumerate() {
            let starts = self.now_ns.clone();
            let insides = self.inside_ns.clone();
            let recordings = self.recording_ns.clone();
            for processor in all.clone() {
                self.compute(processor, step.before_ns[processor], step.inside_percent[processor]);
            }
            if let Some((middle, parts)) = &step.parts
                && (1..count).contains(middle)
            {
                self.machine(first, *middle, depth + 1, "3", &parts[0]);
                self.machine(first + middle, count - middle, depth + 1, "3", &parts[1]);
            }
            for processor in all.clone() {
                self.now_ns[processor] += step.inner_waiting_ns[processor];
                self.compute(processor, step.behind_ns[processor], step.inside_percent[processor]);
            }
            let ready = self.now_ns.clone();
            let messages: Vec<(usize, usize, u64)> = match &step.end {
                End::Barrier => Vec::new(),
                End::Oblivious(messages) => {
                    let inside = |its: usize| first + its % count;
                    let sent = messages.iter().map(|(from, to, bytes)| (inside(*from), inside(*to), *bytes));
                    sent.filter(|(from, to, _)| from != to).collect()
                }
            };
            for processor in all.clone() {
                let is_partner = |other: &usize| match step.end {
                    End::Barrier => true,
                    End::Oblivious(_) => {
                        *other == processor
                            || messages.iter().any(|its| (its.0, its.1) == (*other, processor))
                    }
                };
                let begin_ns = all
                    .clone()
                    .filter(is_partner)
                    .map(|other| ready[other])
                    .max()
                    .expect("a processor is its own partner");
                let cost_ns = step.cost_ns[processor];
                self.now_ns[processor] = begin_ns + cost_ns;
                let bytes = |ends: &dyn Fn(&(usize, usize, u64)) -> bool| -> (u64, usize) {
                    let its: Vec<u64> = messages.iter().filter(|its| ends(its)).map(|its| its.2).collect();
                    (its.iter().sum(), its.len())
                };
                let (out, sent) = bytes(&|its| its.0 == processor);
                let (came, received) = bytes(&|its| its.1 == processor);
                let mut partners: Vec<usize> =
                    messages.iter().filter(|its| its.1 == processor).map(|its| its.0).collect();
                partners.sort_unstable();
                partners.dedup();
                let partners: Vec<String> = partners.iter().map(ToString::to_string).collect();
                let listed = if partners.is_empty() { "-".to_owned() } else { partners.join(",") };
                let inner_ns = self.recording_ns[processor] - recordings[processor];
                let recording_ns = step.recording_ns[processor];
                let inner_waiting_ns = step.inner_waiting_ns[processor];
                let times = [
                    starts[processor],
                    ready[processor] - starts[processor] - inner_ns - inner_waiting_ns,
                    begin_ns - ready[processor] + inner_waiting_ns,
                    cost_ns,
                    inner_ns + recording_ns,
                ];
                let place = if matches!(step.end, End::Barrier) { "1" } else { "2" };
                let head = format!("{} {machine} {depth} {place}", index + 1);
                let inside_ns = self.inside_ns[processor] - insides[processor];
                self.row(
                    processor,
                    &head,
                    times,
                    &format!("{out} {came} {sent} {received} {listed}"),
                    [inside_ns, inner_waiting_ns],
                );
                self.now_ns[processor] += recording_ns;
                self.recording_ns[processor] += recording_ns;
            }
        }
        for processor in all {
            let head = format!("{} {machine} {depth} {last_place}", steps.len() + 1);
            self.row(processor, &head, [self.now_ns[processor], 0, 0, 0, 0], "0 0 0 0 -", [0, 0]);
        }
    }

    fn compute(&mut self, processor: usize, time_ns: u64, inside_percent: u64) {
        self.now_ns[processor] += time_ns;
        self.inside_ns[processor] += time_ns * inside_percent / 100;
    }

    fn row(&mut self, processor: usize, head: &str, times_ns: [u64; 5], traffic: &str, inner_ns: [u64; 2]) {
        let [inside_ns, waiting_ns] = inner_ns;
        let times: Vec<String> = times_ns.into_iter().map(seconds).collect();
        let inside = if inside_ns == 0 { "-".to_owned() } else { format!("E={}", seconds(inside_ns)) };
        writeln!(
            self.rows[processor],
            "# {head} {} {traffic} {inside} {}",
            times.join(" "),
            seconds(waiting_ns)
        )
        .expect("memory can be written to");
    }
}
