//! A thousand random BSP programs, with oblivious synchronisations and parts of the machine, against a reference that copies whole paths.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::planted::Paths;
use call_trace::{
    BspMachine, CallSite, ContiguousProcessors, ProcessorSupersteps, SourcePosition, Superstep,
};
use call_waiting::{Account, Code, State};
use proptest::prelude::*;

const PROCESSORS: u32 = 5;

/// The whole machine, and its parts.
const MACHINES: [[u32; 2]; 3] = [[0, 4], [0, 1], [2, 4]];

/// What the processors of a machine compute until they synchronise, in a line of its own.
#[derive(Debug, Clone)]
struct PlantedSuperstep {
    machine: usize,
    line: u32,
    work_ns: [i64; PROCESSORS as usize],
    /// Of an oblivious synchronisation a bit for each processor whose data come.
    needs: Option<[u8; PROCESSORS as usize]>,
    communicating_ns: i64,
}

/// The last one is of the whole machine, in which parts end.
fn program() -> impl Strategy<Value = Vec<PlantedSuperstep>> {
    let work_ns = any::<[u8; PROCESSORS as usize]>().prop_map(|times| times.map(i64::from));
    let needs = prop_oneof![Just(None), any::<[u8; PROCESSORS as usize]>().prop_map(Some)];
    let superstep = (0..MACHINES.len(), work_ns, needs, 0..5_i64);
    let superstep = superstep.prop_map(|(machine, work_ns, needs, communicating_ns)| PlantedSuperstep {
        machine,
        line: 0,
        work_ns,
        needs,
        communicating_ns,
    });
    prop::collection::vec(superstep, 1..18).prop_map(|mut supersteps| {
        supersteps.iter_mut().zip(1..).for_each(|(superstep, line)| superstep.line = line);
        if let Some(last) = supersteps.last_mut() {
            (last.machine, last.needs) = (0, None);
        }
        supersteps
    })
}

/// How the same program is told: times so many times as long, clocks that begin later, processors in the other order.
#[derive(Debug, Clone, Copy)]
struct Telling {
    scale: i64,
    shift_ns: i64,
    is_mirrored: bool,
}

const PLAIN: Telling = Telling { scale: 1, shift_ns: 0, is_mirrored: false };

/// By processor and line how long it is waited, and why.
type EachWait = BTreeMap<(u32, u32), (i64, Paths)>;

fn seconds(ns: i64) -> f64 {
    ns as f64 * 1e-9
}

/// What processors record of a program, and what is waited in it.
fn planted(program: &[PlantedSuperstep], telling: Telling) -> (Vec<ProcessorSupersteps>, EachWait) {
    let number = |processor: u32| if telling.is_mirrored { PROCESSORS - 1 - processor } else { processor };
    let count = PROCESSORS as usize;
    let mut recorded: Vec<ProcessorSupersteps> = (0..PROCESSORS)
        .map(|processor| ProcessorSupersteps {
            processor: number(processor),
            has_common_clock: true,
            ..ProcessorSupersteps::default()
        })
        .collect();
    let mut waits = EachWait::new();
    let (mut now_ns, mut began_ns) = (vec![0; count], vec![0; count]);
    let mut paths = vec![Paths::new(); count];
    // Supersteps of the whole machine and of its parts; these are other machines in each superstep around them.
    let mut numbers = [1_u64; 3];
    for PlantedSuperstep { machine, line, work_ns, needs, communicating_ns } in program {
        let [first, last] = MACHINES[*machine];
        let members = || first..=last;
        let is_whole = *machine == 0;
        let communicating_ns = telling.scale * communicating_ns;
        let add = |path: &mut Paths, processor: u32, name: String, state: State, ns: i64| {
            if ns != 0 {
                *path.entry((number(processor), name, state)).or_default() += ns;
            }
        };
        for processor in members() {
            let ns = telling.scale * work_ns[processor as usize];
            now_ns[processor as usize] += ns;
            add(&mut paths[processor as usize], processor, format!("before {line}"), State::Computing, ns);
        }
        let (entered_ns, entered) = (now_ns.clone(), paths.clone());
        for processor in members() {
            let own = processor as usize;
            let is_needed = |other: &u32| match needs {
                Some(needs) => *other != processor && needs[own] >> other & 1 == 1,
                None => true,
            };
            let needed: Vec<u32> = members().filter(is_needed).collect();
            let latest =
                needed.iter().max_by_key(|other| (entered_ns[**other as usize], Reverse(number(**other))));
            let latest =
                latest.map(|other| *other as usize).filter(|other| entered_ns[*other] >= entered_ns[own]);
            let mut waiting_ns = 0;
            if let Some(latest) = latest {
                waiting_ns = entered_ns[latest] - entered_ns[own];
                if waiting_ns > 0 {
                    let mut cause = entered[latest].clone();
                    for (key, ns) in &entered[own] {
                        *cause.entry(key.clone()).or_default() -= ns;
                    }
                    cause.retain(|_, ns| *ns != 0);
                    waits.insert((number(processor), *line), (waiting_ns, cause));
                }
                if waiting_ns > 0 || needs.is_none() {
                    paths[own] = entered[latest].clone();
                }
            }
            add(&mut paths[own], processor, line.to_string(), State::Communicating, communicating_ns);
            now_ns[own] += waiting_ns + communicating_ns;
            let its = &mut recorded[own];
            its.places.push(CallSite {
                call: if needs.is_some() { "bsp_oblsync" } else { "bsp_sync" }.to_owned(),
                position: Some(SourcePosition { file: "planted.c".to_owned(), line: *line }),
                call_stack: Vec::new(),
            });
            let start_ns =
                if is_whole { began_ns[own] } else { entered_ns[own] - telling.scale * work_ns[own] };
            let [first, last] = [first, last].map(number);
            let mut partners: Vec<u32> = needed.into_iter().map(number).collect();
            partners.sort_unstable();
            let partners =
                partners.into_iter().map(|other| ContiguousProcessors { first: other, last: other });
            its.supersteps.push(Superstep {
                number: numbers[*machine],
                machine: BspMachine {
                    processors: ContiguousProcessors { first: first.min(last), last: first.max(last) },
                    number: if is_whole { 0 } else { numbers[0] as u32 },
                },
                depth: u32::from(!is_whole),
                place: its.places.len() - 1,
                start_s: seconds(start_ns + telling.shift_ns),
                computing_s: seconds(entered_ns[own] - start_ns),
                waiting_s: seconds(waiting_ns),
                inner_waiting_s: Some(0.0),
                communicating_s: seconds(communicating_ns),
                inner_communicating_s: 0.0,
                recording_s: 0.0,
                out_bytes: 0,
                in_bytes: 0,
                out_messages: 0,
                in_messages: 0,
                partners: if needs.is_some() { partners.collect() } else { Vec::new() },
                experiments: Vec::new(),
            });
            if is_whole {
                began_ns[own] = now_ns[own];
            }
        }
        numbers[*machine] += 1;
    }
    recorded.sort_by_key(|its| its.processor);
    (recorded, waits)
}

/// What is found.
fn found(recorded: &[ProcessorSupersteps]) -> EachWait {
    let account = Account::of_supersteps(recorded).unwrap();
    assert_eq!(account.waits.remarks, []);
    let line = |site: &CallSite| site.position.as_ref().unwrap().line;
    let name = |code: usize| match &account.waits.codes[code] {
        Code::Before(site) => format!("before {}", line(site)),
        Code::Region(site) => line(site).to_string(),
        other => panic!("{other:?}"),
    };
    let of_call = |call: &call_waiting::WaitsOfCall| {
        assert_eq!(call.causes.values().sum::<i64>(), call.waiting_ns);
        let causes = call.causes.iter().filter(|(_, ns)| **ns != 0);
        let causes = causes.map(|(step, ns)| ((step.processor, name(step.code), step.state), *ns));
        ((call.processor, name(call.code).parse().unwrap()), (call.waiting_ns, causes.collect()))
    };
    account.calls.iter().map(of_call).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn causes_of_bsp_programs_are_those_of_whole_paths(program in program(), scale in 2..9_i64, shift_ns in 0..1000_i64, is_mirrored in any::<bool>()) {
        let (recorded, expected) = planted(&program, PLAIN);
        prop_assert_eq!(&found(&recorded), &expected);
        // Behind a superstep in which all do the same it is the same program.
        let same = PlantedSuperstep { machine: 0, line: 0, work_ns: [77; PROCESSORS as usize], needs: None, communicating_ns: 0 };
        let prefixed: Vec<PlantedSuperstep> = [same].into_iter().chain(program.iter().cloned()).collect();
        prop_assert_eq!(&found(&planted(&prefixed, PLAIN).0), &expected);
        // Of those that come at the same moment the one with the smallest number is waited for, so with other numbers causes may be others.
        let (recorded, expected) = planted(&program, Telling { scale, shift_ns, is_mirrored });
        prop_assert_eq!(&found(&recorded), &expected);
    }
}
