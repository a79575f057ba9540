use std::ops::RangeInclusive;

use call_trace::{BspMachine, Superstep};

use super::own::Own;
use super::program::Exchange;
use crate::obsp::{Exchanged, PerProcessorArena, Synchronisation, SynchronisationCost, Waits};

impl Exchange {
    /// Of the supersteps of all processors of a machine.
    pub fn of(waits: Waits, has_common_clock: bool, recorded: &[&Superstep], own: &[Own]) -> Exchange {
        let mut exchange = Exchange {
            waits,
            cost_s: recorded.iter().map(|its| its.communicating_s).collect(),
            in_bytes: recorded.iter().map(|its| its.in_bytes as f64).collect(),
            out_bytes: recorded.iter().map(|its| its.out_bytes as f64).collect(),
        };
        if has_common_clock {
            let begins_s = exchange.begins_s(own);
            exchange.cost_s =
                own.iter().zip(begins_s).map(|(its, begin_s)| (its.end_s - begin_s).max(0.0)).collect();
        }
        exchange
    }

    /// When what each processor waits for was there.
    fn begins_s(&self, own: &[Own]) -> Vec<f64> {
        let mut arena = PerProcessorArena::new();
        let ready_s: Vec<f64> = own.iter().map(|its| its.ready_s).collect();
        let processors = ready_s.len() as u32;
        let ready_s = arena.of_slice(&ready_s);
        let cost = SynchronisationCost::Given(arena.same(0.0));
        let synchronisation = self.synchronisation(&mut arena, cost, 0);
        let begins_s = synchronisation.over_partners(&mut arena, processors, ready_s);
        arena.values(begins_s, processors)
    }

    pub fn synchronisation(
        &self,
        arena: &mut PerProcessorArena,
        cost: SynchronisationCost,
        centre: usize,
    ) -> Synchronisation {
        let exchanged = Exchanged {
            in_bytes: arena.of_slice(&self.in_bytes),
            out_bytes: arena.of_slice(&self.out_bytes),
        };
        let (waits, exchanged) = (self.waits.clone(), Some(exchanged));
        Synchronisation { waits, sends: Vec::new(), exchanged, cost, centre }
    }
}

/// The partners of all processors of a machine, by their numbers in it.
pub(super) fn partners(machine: BspMachine, recorded: &[&Superstep]) -> Waits {
    let first = machine.processors.first;
    let ranges = |its: &&Superstep| -> Box<[RangeInclusive<u32>]> {
        its.partners.iter().map(|range| range.first - first..=range.last - first).collect()
    };
    Waits::Partners(recorded.iter().map(ranges).collect())
}
