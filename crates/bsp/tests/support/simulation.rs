//! Random programs of supersteps, and a simulation that goes by the letter of equations (1) to (3), processor by processor.

use std::rc::Rc;

use call_bsp::obsp::*;
use proptest::prelude::*;

#[derive(Debug, Clone)]
pub struct Program {
    pub start_s: Vec<f64>,
    body: Body,
}

#[derive(Debug, Clone)]
struct Body {
    processors: usize,
    steps: Vec<SimulatedStep>,
}

#[derive(Debug, Clone)]
enum SimulatedStep {
    Compute(Vec<f64>),
    Parts(Vec<Body>),
    Synchronise { is_barrier: bool, messages: Vec<Message>, gap_s: f64, latency_s: f64 },
}

#[derive(Debug, Clone, Copy)]
struct Message {
    from: usize,
    to: usize,
    bytes: f64,
}

#[derive(Debug, Clone, Copy)]
pub enum Change {
    Work,
    Gap,
    Latency,
}

pub struct Simulated {
    pub end_s: Vec<f64>,
}

pub fn near(found: &[f64], expected: &[f64]) -> bool {
    let is_near = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-12 * a.abs().max(b.abs());
    found.len() == expected.len() && found.iter().zip(expected).all(is_near)
}

impl Program {
    pub fn task(&self, arena: &mut PerProcessorArena) -> Rc<Task> {
        Rc::new(self.body.task(arena))
    }

    pub fn simulate(&self, in_out: InOut) -> Simulated {
        Simulated { end_s: self.body.simulate(&self.start_s, in_out) }
    }

    pub fn slower(&self, change: Change, factor: f64) -> Program {
        Program { start_s: self.start_s.clone(), body: self.body.slower(change, factor) }
    }

    /// The same program with its processors in another order, and the new number of each. Without parts.
    pub fn renumbered(&self, seed: u64) -> (Program, Vec<u32>) {
        let count = self.body.processors;
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by_key(|&processor| {
            (processor as u64 + 1).wrapping_mul(seed.wrapping_mul(2) + 0x9e37_79b9) % 1009
        });
        // `order[new]` is the old number.
        let mut new_numbers = vec![0; count];
        for (new, &old) in order.iter().enumerate() {
            new_numbers[old] = new;
        }
        let moved = |values: &[f64]| order.iter().map(|&old| values[old]).collect();
        let steps = self.body.steps.iter().map(|step| match step {
            SimulatedStep::Compute(time_s) => SimulatedStep::Compute(moved(time_s)),
            SimulatedStep::Parts(_) => panic!("parts stand side by side"),
            SimulatedStep::Synchronise { is_barrier, messages, gap_s, latency_s } => {
                let messages = messages.iter().map(|message| Message {
                    from: new_numbers[message.from],
                    to: new_numbers[message.to],
                    bytes: message.bytes,
                });
                let messages = messages.collect();
                SimulatedStep::Synchronise {
                    is_barrier: *is_barrier,
                    messages,
                    gap_s: *gap_s,
                    latency_s: *latency_s,
                }
            }
        });
        let body = Body { processors: count, steps: steps.collect() };
        let new_numbers = new_numbers.iter().map(|&number| number as u32).collect();
        (Program { start_s: moved(&self.start_s), body }, new_numbers)
    }
}

impl Body {
    fn task(&self, arena: &mut PerProcessorArena) -> Task {
        let processors = self.processors as u32;
        let steps = self.steps.iter().map(|step| match step {
            SimulatedStep::Compute(time_s) => TaskStep::Compute { time_s: arena.of_slice(time_s), centre: 0 },
            SimulatedStep::Parts(parts) => {
                TaskStep::Parts(parts.iter().map(|part| Rc::new(part.task(arena))).collect())
            }
            SimulatedStep::Synchronise { is_barrier, messages, gap_s, latency_s } => {
                TaskStep::Synchronise(Synchronisation {
                    waits: if *is_barrier { WaitRelation::Barrier } else { WaitRelation::Oblivious },
                    sends: sends(arena, self.processors, messages),
                    exchanged: None,
                    cost: SynchronisationCost::Linear(Network {
                        g_s_per_byte: *gap_s,
                        latency_s: *latency_s,
                    }),
                    centre: 0,
                })
            }
        });
        Task { processors, steps: steps.collect() }
    }

    fn simulate(&self, start_s: &[f64], in_out: InOut) -> Vec<f64> {
        let mut now_s = start_s.to_vec();
        for step in &self.steps {
            match step {
                SimulatedStep::Compute(time_s) => {
                    for (now, time) in now_s.iter_mut().zip(time_s) {
                        *now += time;
                    }
                }
                SimulatedStep::Parts(parts) => {
                    let mut first = 0;
                    for part in parts {
                        let range = first..first + part.processors;
                        let end_s = part.simulate(&now_s[range.clone()], in_out);
                        now_s[range].copy_from_slice(&end_s);
                        first += part.processors;
                    }
                }
                SimulatedStep::Synchronise { is_barrier, messages, gap_s, latency_s } => {
                    let sent: Vec<&Message> = messages.iter().filter(|m| m.from != m.to).collect();
                    let traffic = |processor: usize| {
                        let total = |is_counted: &dyn Fn(&Message) -> bool| -> f64 {
                            sent.iter().filter(|m| is_counted(m)).map(|m| m.bytes).sum()
                        };
                        let (inwards, outwards) =
                            (total(&|m| m.to == processor), total(&|m| m.from == processor));
                        match in_out {
                            InOut::Maximum => inwards.max(outwards),
                            InOut::Sum => inwards + outwards,
                        }
                    };
                    let end_s = (0..self.processors).map(|processor| {
                        let partners: Vec<usize> = if *is_barrier {
                            (0..self.processors).collect()
                        } else {
                            let senders = sent.iter().filter(|m| m.to == processor).map(|m| m.from);
                            senders.chain([processor]).collect()
                        };
                        let latest = partners.iter().map(|&j| now_s[j]).fold(f64::NEG_INFINITY, f64::max);
                        let h = partners.iter().map(|&j| traffic(j)).fold(0.0, f64::max);
                        latest + (gap_s * h + latency_s)
                    });
                    now_s = end_s.collect();
                }
            }
        }
        now_s
    }

    fn slower(&self, change: Change, factor: f64) -> Body {
        let steps = self.steps.iter().map(|step| match (step, change) {
            (SimulatedStep::Compute(time_s), Change::Work) => {
                SimulatedStep::Compute(time_s.iter().map(|time| time * factor).collect())
            }
            (SimulatedStep::Parts(parts), _) => {
                SimulatedStep::Parts(parts.iter().map(|part| part.slower(change, factor)).collect())
            }
            (SimulatedStep::Synchronise { is_barrier, messages, gap_s, latency_s }, _) => {
                let times = |wanted| {
                    if matches!(
                        (wanted, change),
                        (Change::Gap, Change::Gap) | (Change::Latency, Change::Latency)
                    ) {
                        factor
                    } else {
                        1.0
                    }
                };
                SimulatedStep::Synchronise {
                    is_barrier: *is_barrier,
                    messages: messages.clone(),
                    gap_s: gap_s * times(Change::Gap),
                    latency_s: latency_s * times(Change::Latency),
                }
            }
            _ => step.clone(),
        });
        Body { processors: self.processors, steps: steps.collect() }
    }
}

/// Messages, of which a processor may send several: each rule has one of each.
fn sends(arena: &mut PerProcessorArena, processors: usize, messages: &[Message]) -> Vec<Send> {
    let mut left = messages.to_vec();
    let mut sends = Vec::new();
    while !left.is_empty() {
        let mut bytes = vec![NONE; processors];
        let mut targets = vec![NONE; processors];
        left.retain(|message| {
            let is_free = bytes[message.from] == NONE;
            if is_free {
                bytes[message.from] = message.bytes;
                targets[message.from] = message.to as f64;
            }
            !is_free
        });
        let (bytes, targets) = (arena.of_slice(&bytes), arena.of_slice(&targets));
        sends.push(Send::new(arena, processors as u32, bytes, MessageTarget::Each(targets)));
    }
    sends
}

pub fn in_out() -> impl Strategy<Value = InOut> {
    prop_oneof![Just(InOut::Maximum), Just(InOut::Sum)]
}

/// Parts within parts.
pub fn program() -> impl Strategy<Value = Program> {
    processors().prop_flat_map(|processors| of(processors, 2))
}

/// Without parts.
pub fn flat_program() -> impl Strategy<Value = Program> {
    processors().prop_flat_map(|processors| of(processors, 0))
}

/// Mostly few; some more than the 64 whose numbers stand together.
fn processors() -> impl Strategy<Value = usize> {
    prop_oneof![8 => 1usize..10, 1 => 60usize..70, 1 => 120usize..140]
}

fn of(processors: usize, depth: usize) -> impl Strategy<Value = Program> {
    let start_s = prop::collection::vec(prop_oneof![Just(0.0), 0.0..5.0f64], processors);
    (start_s, body(processors, depth)).prop_map(|(start_s, body)| Program { start_s, body })
}

fn body(processors: usize, depth: usize) -> BoxedStrategy<Body> {
    let steps = prop::collection::vec(step(processors, depth), 0..7);
    steps.prop_map(move |steps| Body { processors, steps }).boxed()
}

fn step(processors: usize, depth: usize) -> BoxedStrategy<SimulatedStep> {
    let compute = prop_oneof![
        prop::collection::vec(0.0..4.0f64, processors),
        (0.0..4.0f64).prop_map(move |time| vec![time; processors]),
    ]
    .prop_map(SimulatedStep::Compute);
    let message = (0..processors, 0..processors, prop_oneof![Just(0.0), 0.0..9.0f64])
        .prop_map(|(from, to, bytes)| Message { from, to, bytes });
    let messages = prop::collection::vec(message, 0..2 * processors);
    let synchronise = (any::<bool>(), messages, 0.0..2.0f64, 0.0..3.0f64).prop_map(
        |(is_barrier, messages, gap_s, latency_s)| SimulatedStep::Synchronise {
            is_barrier,
            messages,
            gap_s,
            latency_s,
        },
    );
    if depth == 0 || processors == 1 {
        return prop_oneof![compute, synchronise].boxed();
    }
    let parts = (1..processors)
        .prop_flat_map(move |first| (body(first, depth - 1), body(processors - first, depth - 1)))
        .prop_map(|(first, second)| SimulatedStep::Parts(vec![first, second]));
    prop_oneof![compute, synchronise, parts].boxed()
}
