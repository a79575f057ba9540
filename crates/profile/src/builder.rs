use std::collections::HashMap;

use crate::{Centre, Cost, CostQuantity, Facts, Profile};

/// Makes a profile of one superstep after another. Memory grows with cost centres, not with supersteps.
#[derive(Debug, Clone)]
pub struct ProfileBuilder {
    profile: Profile,
    numbers: HashMap<Centre, usize>,
    /// The h-relation of the superstep that is added; kept for its memory.
    h_bytes: Vec<f64>,
}

/// A superstep of all processors: an entry for each in every vector. Processors that had no part in it have zeros.
#[derive(Debug, Clone, Default)]
pub struct MachineSuperstep {
    /// Local computation, seconds.
    pub computation_s: Vec<f64>,
    /// Communication with the latency, seconds.
    pub communication_s: Vec<f64>,
    /// Waiting without the latency, seconds.
    pub waiting_s: Vec<f64>,
    /// What came from other processors, bytes.
    pub in_bytes: Vec<f64>,
    /// What went to other processors, bytes.
    pub out_bytes: Vec<f64>,
    /// How much of the communication is latency, seconds.
    pub latency_s: f64,
    /// Whether it ended with a synchronisation.
    pub is_synchronised: bool,
}

impl MachineSuperstep {
    /// A synchronised superstep in which nothing happens.
    pub fn new(processors: usize) -> MachineSuperstep {
        let zeros = || vec![0.0; processors];
        MachineSuperstep {
            computation_s: zeros(),
            communication_s: zeros(),
            waiting_s: zeros(),
            in_bytes: zeros(),
            out_bytes: zeros(),
            latency_s: 0.0,
            is_synchronised: true,
        }
    }

    /// The same again, without allocating.
    pub fn clear(&mut self) {
        let vectors = [
            &mut self.computation_s,
            &mut self.communication_s,
            &mut self.waiting_s,
            &mut self.in_bytes,
            &mut self.out_bytes,
        ];
        vectors.into_iter().for_each(|vector| vector.fill(0.0));
        self.latency_s = 0.0;
        self.is_synchronised = true;
    }

    /// The rule for latency, for the processors from `first` to before `end`, who synchronised with each other: as long as all of them
    /// wait, nobody waits for anybody. That is taken from their waiting and added to their communication, and so is before what is known
    /// to be the way of the data to each of them.
    pub fn tell_latency(&mut self, first: usize, end: usize, in_transit_s: Option<&[f64]>) {
        let least_in_transit_s =
            in_transit_s.map_or(0.0, |in_transit_s| self.communicate(first, end, |at| in_transit_s[at]));
        let least_s = self.waiting_s[first..end].iter().copied().reduce(f64::min).unwrap_or(0.0).max(0.0);
        let latency_s = least_in_transit_s + self.communicate(first, end, |_| least_s);
        self.latency_s = self.latency_s.max(latency_s);
    }

    /// So much of the waiting of each is communication; the least of all.
    fn communicate(&mut self, first: usize, end: usize, of_processor: impl Fn(usize) -> f64) -> f64 {
        let waiting_s = self.waiting_s[first..end].iter_mut();
        let moved =
            waiting_s.zip(&mut self.communication_s[first..end]).enumerate().map(|(at, (waiting_s, its))| {
                let moved_s = of_processor(at);
                *waiting_s -= moved_s;
                *its += moved_s;
                moved_s
            });
        moved.reduce(f64::min).unwrap_or(0.0)
    }
}

impl ProfileBuilder {
    /// An empty profile of so many processors.
    pub fn new(processors: usize) -> ProfileBuilder {
        let profile = Profile { processors, ..Profile::default() };
        ProfileBuilder { profile, numbers: HashMap::new(), h_bytes: Vec::new() }
    }

    /// The number of a cost centre, new or known.
    pub fn centre(&mut self, centre: Centre) -> usize {
        let profile = &mut self.profile;
        *self.numbers.entry(centre).or_insert_with_key(|centre| {
            profile.centres.push(centre.clone());
            profile.costs.push(Cost::new(profile.processors));
            profile.first_passes.push(profile.costs.len() as u64 - 1);
            profile.costs.len() - 1
        })
    }

    /// The known cost centre of that number.
    pub fn centre_of(&self, number: usize) -> &Centre {
        &self.profile.centres[number]
    }

    /// Charges a superstep to a cost centre.
    pub fn add(&mut self, centre: usize, superstep: &MachineSuperstep) {
        let cost = &mut self.profile.costs[centre];
        cost.synchronisations += u64::from(superstep.is_synchronised);
        cost.latency_s += superstep.latency_s;
        let times = [
            (CostQuantity::Computation, &superstep.computation_s),
            (CostQuantity::Communication, &superstep.communication_s),
            (CostQuantity::Waiting, &superstep.waiting_s),
        ];
        for (quantity, values) in times {
            cost.of_mut(quantity).add_superstep(values);
        }
        let both = superstep.in_bytes.iter().zip(&superstep.out_bytes);
        self.h_bytes.clear();
        self.h_bytes.extend(both.map(|(come, gone)| if come > gone { *come } else { *gone }));
        cost.of_mut(CostQuantity::H).add_superstep(&self.h_bytes);
        for (sums, values) in
            [(&mut cost.in_bytes, &superstep.in_bytes), (&mut cost.out_bytes, &superstep.out_bytes)]
        {
            sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
        }
    }

    /// Charges what supersteps cost that were added up elsewhere.
    pub(crate) fn add_cost(&mut self, centre: usize, first_pass: u64, cost: &Cost) {
        self.profile.costs[centre].add(cost);
        self.profile.first_passes[centre] = first_pass;
    }

    /// One more superstep that its processors ended at different places.
    pub fn tell_divergence(&mut self) {
        self.profile.divergent_supersteps += 1;
    }

    /// Says where the profile comes from.
    pub fn facts(&mut self, facts: Facts) {
        self.profile.facts = facts;
    }

    /// The profile.
    pub fn finish(self) -> Profile {
        self.profile
    }
}
