use std::collections::BTreeMap;

use call_bsp::recording::{RecordedMachine, RecordedRun, RecordedSuperstep};
use call_trace::{CallSite, SuperstepEnd};

use crate::{Centre, MachineSuperstep, Position, Profile, ProfileBuilder};

impl Profile {
    /// The profile of recorded runs of so many processors each, added up. `None` if their numbers of processors differ, or there is
    /// none.
    ///
    /// Computing of a superstep is what lies outside of parts. Parts of a machine run at the same time: the n-th supersteps that they
    /// end at a cost centre count as one, in which processors of other parts have zeros.
    pub fn of_runs(runs: &[RecordedRun]) -> Option<Profile> {
        let processors = runs.first()?.processors();
        if runs.iter().any(|run| run.processors() != processors) {
            return None;
        }
        let mut builder = ProfileBuilder::new(processors as usize);
        for run in runs {
            let charger = Charger {
                run,
                superstep: MachineSuperstep::new(processors as usize),
                numbers: vec![None; run.call_sites().len()],
                builder,
            };
            builder = charger.charged();
        }
        Some(builder.finish())
    }
}

/// Charges the supersteps of a run.
struct Charger<'a> {
    run: &'a RecordedRun,
    /// The one that is put together.
    superstep: MachineSuperstep,
    /// For each call site of the run the cost centre.
    numbers: Vec<Option<usize>>,
    builder: ProfileBuilder,
}

/// A superstep of some processors, and the first of them.
type Placed<'a> = (usize, &'a RecordedSuperstep);

/// What the parts of a division did: the n-th supersteps that they ended at a cost centre.
#[derive(Default)]
struct Division<'a> {
    together: BTreeMap<(usize, usize), Vec<Placed<'a>>>,
    /// How often a processor ended one at a cost centre.
    ended: BTreeMap<(usize, usize), usize>,
}

impl<'a> Charger<'a> {
    fn charged(mut self) -> ProfileBuilder {
        for step in &self.run.machine().supersteps {
            for round in &step.rounds {
                let mut division = Division::default();
                self.collect(0, &round.parts, &mut division);
                for ((centre, _), placed) in division.together {
                    self.charge(centre, &placed);
                }
            }
            let centre = self.centre(step);
            self.charge(centre, &[(0, step)]);
        }
        self.builder
    }

    /// The supersteps of parts and of the parts in them, as deep as a recording can be.
    fn collect(&mut self, first: usize, parts: &'a [RecordedMachine], division: &mut Division<'a>) {
        let mut first = first;
        for part in parts {
            let end = first + part.processors as usize;
            for step in &part.supersteps {
                for round in &step.rounds {
                    self.collect(first, &round.parts, division);
                }
                let centre = self.centre(step);
                let times = |processor| division.ended.get(&(centre, processor)).copied().unwrap_or(0);
                let before = (first..end).map(times).max().unwrap_or(0);
                for processor in first..end {
                    division.ended.insert((centre, processor), before + 1);
                }
                division.together.entry((centre, before)).or_default().push((first, step));
            }
            first = end;
        }
    }

    fn charge(&mut self, centre: usize, placed: &[Placed<'a>]) {
        let superstep = &mut self.superstep;
        superstep.clear();
        superstep.is_synchronised = placed.iter().any(|(_, step)| step.synchronisation.is_some());
        for (first, step) in placed {
            let end = first + step.computing.len();
            let own_s = step.computing.iter().map(|its| its.own_s);
            superstep.computation_s[*first..end].iter_mut().zip(own_s).for_each(|(to, its)| *to = its);
            superstep.communication_s[*first..end].copy_from_slice(&step.communicating_s);
            superstep.waiting_s[*first..end].copy_from_slice(&step.waiting_s);
            if let Some(synchronisation) = &step.synchronisation {
                superstep.in_bytes[*first..end].copy_from_slice(&synchronisation.in_bytes);
                superstep.out_bytes[*first..end].copy_from_slice(&synchronisation.out_bytes);
                superstep.tell_latency(*first, end, self.run.in_transit_s(step));
            }
        }
        self.builder.add(centre, superstep);
    }

    /// The cost centre at which most processors ended a superstep; of equal ones the first by name.
    fn centre(&mut self, step: &RecordedSuperstep) -> usize {
        let run = self.run;
        let sites = &run.superstep_names()[step.centre].call_sites;
        let first = sites.first().copied().unwrap_or(0);
        if sites.iter().all(|site| *site == first) {
            return self.number(first);
        }
        self.builder.tell_divergence();
        let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
        sites.iter().for_each(|site| *counts.entry(*site).or_default() += 1);
        let most = counts.values().copied().max().unwrap_or(0);
        let of_most = counts.into_iter().filter(|(_, count)| *count == most).map(|(site, _)| site);
        let chosen = of_most.min_by_key(|site| centre_of(&run.call_sites()[*site])).unwrap_or(first);
        self.number(chosen)
    }

    fn number(&mut self, site: usize) -> usize {
        let builder = &mut self.builder;
        *self.numbers[site].get_or_insert_with(|| builder.centre(centre_of(&self.run.call_sites()[site])))
    }
}

/// What ends without a synchronisation has the name of the call before that of the file, and so has a synchronisation at no known place.
fn centre_of(site: &CallSite) -> Centre {
    let is_synchronisation = site.superstep_end() != SuperstepEnd::Nothing;
    let position = match &site.position {
        Some(position) if is_synchronisation => Position::new(&position.file, position.line),
        Some(position) => Position::of_call(&site.call, Some(&position.file), position.line),
        None => Position::of_call(&site.call, None, 0),
    };
    Centre::new(position, site.call_stack.iter().cloned())
}
