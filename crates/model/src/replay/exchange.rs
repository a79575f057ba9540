use std::rc::Rc;

use call_trace::{BspMachine, Superstep};

use super::own::Own;
use super::program::{Exchange, Messages};
use crate::obsp::Waits;

impl Exchange {
    /// Of the supersteps of all processors of a machine.
    pub fn of(
        machine: BspMachine,
        waits: Waits,
        has_common_clock: bool,
        recorded: &[&Superstep],
        own: &[Own],
    ) -> Exchange {
        let partners: Vec<Vec<u32>> = match waits {
            Waits::Barrier => Vec::new(),
            Waits::Oblivious => recorded.iter().map(|its| partners(its, machine)).collect(),
        };
        let latest_s = own.iter().map(|its| its.ready_s).fold(f64::NEG_INFINITY, f64::max);
        let cost = |(number, (its, own_of)): (usize, (&&Superstep, &Own))| {
            if !has_common_clock {
                return its.communicating_s;
            }
            let begin_s = match partners.get(number) {
                None => latest_s,
                Some(partners) => {
                    let ready_s = partners.iter().map(|partner| own[*partner as usize].ready_s);
                    ready_s.fold(own_of.ready_s, f64::max)
                }
            };
            (own_of.end_s - begin_s).max(0.0)
        };
        Exchange {
            waits,
            cost_s: recorded.iter().zip(own).enumerate().map(cost).collect(),
            sends: messages(&partners),
            in_bytes: recorded.iter().map(|its| its.in_bytes as f64).collect(),
            out_bytes: recorded.iter().map(|its| its.out_bytes as f64).collect(),
        }
    }
}

/// By their numbers in the machine.
fn partners(recorded: &Superstep, machine: BspMachine) -> Vec<u32> {
    let first = machine.processors.first;
    recorded.partners.iter().flat_map(|range| range.first - first..=range.last - first).collect()
}

/// Who sends to whom, from the partners of each processor.
fn messages(partners: &[Vec<u32>]) -> Messages {
    let processors = partners.len();
    let is_other = |own: usize, partner: &u32| *partner as usize != own;
    if processors > 1
        && partners
            .iter()
            .enumerate()
            .all(|(own, its)| its.len() == processors - 1 && its.iter().all(|partner| is_other(own, partner)))
    {
        return Messages::ToAll;
    }
    let nobody: Vec<u32> = (0..).take(processors).collect();
    let mut sent = vec![0; processors];
    let mut rows: Vec<Vec<u32>> = Vec::new();
    for (receiver, its) in (0..).zip(partners) {
        for sender in its {
            let row: &mut usize = &mut sent[*sender as usize];
            if *row == rows.len() {
                rows.push(nobody.clone());
            }
            rows[*row][*sender as usize] = receiver;
            *row += 1;
        }
    }
    Messages::Rows(rows.into_iter().map(Rc::from).collect())
}
