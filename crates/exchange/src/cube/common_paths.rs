//! What profiles of a set have of the same call paths.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::{OfProfile, ProfileSet, add_to};
use crate::Error;

impl ProfileSet {
    /// Adds what profiles do not write: a call that one has without a value of a metric, and another one with it, has 0 of it there.
    pub(super) fn add_zeros(&mut self) -> Result<(), Error> {
        let of = |its: &OfProfile| (its.metric, its.region);
        let known: HashSet<(usize, (u32, u32))> =
            self.values.iter().map(|its| (its.profile, of(its))).collect();
        let somewhere: BTreeSet<(u32, u32)> = self.values.iter().map(of).collect();
        for (metric, region) in somewhere {
            let path = self.paths.known(self.metrics.regions.name(region));
            for (profile, has) in self.has.iter().enumerate() {
                if !has.metrics.contains(&metric)
                    || !path.is_some_and(|path| has.paths.contains(&path))
                    || known.contains(&(profile, (metric, region)))
                {
                    continue;
                }
                let values = vec![0.0; has.locations];
                super::count(&mut self.count, values.len())?;
                self.values.push(OfProfile { profile, region, metric, values });
            }
        }
        self.values.sort_by_key(|its| its.profile);
        Ok(())
    }

    /// The values of call paths that all points have, with those of others in the nearest path that led to them; and the paths that none did.
    pub(super) fn with_common_paths(&mut self, points: &[Vec<f64>]) -> (Vec<OfProfile>, Vec<String>) {
        let mut number_of_point: HashMap<Vec<u64>, usize> = HashMap::new();
        let point_of: Vec<usize> = points
            .iter()
            .map(|point| {
                // Two runs with other numbers of locations are at one point for who names the parameters.
                let bits = point[..point.len() - 1].iter().map(|value| value.to_bits()).collect();
                let next = number_of_point.len();
                *number_of_point.entry(bits).or_insert(next)
            })
            .collect();
        let mut seen: HashMap<(u32, u32), Vec<usize>> = HashMap::new();
        for its in &self.values {
            let at = seen.entry((its.metric, its.region)).or_default();
            // Profiles come in any order, and a path has one entry in each.
            at.push(point_of[its.profile]);
        }
        let mut is_common = |metric: u32, region: u32| {
            seen.get_mut(&(metric, region)).is_some_and(|at| {
                at.sort_unstable();
                at.dedup();
                at.len() == number_of_point.len()
            })
        };
        let mut kept: Vec<OfProfile> = Vec::new();
        let mut others = Vec::new();
        let mut place_of: HashMap<(usize, u32, u32), usize> = HashMap::new();
        for its in std::mem::take(&mut self.values) {
            if is_common(its.metric, its.region) {
                place_of.insert((its.profile, its.metric, its.region), kept.len());
                kept.push(its);
            } else {
                others.push(its);
            }
        }
        let mut lost: Vec<String> = Vec::new();
        for its in others {
            let mut path = self.metrics.regions.name(its.region).to_owned();
            let caller = loop {
                let Some((caller, _)) = path.rsplit_once("->") else { break None };
                path.truncate(caller.len());
                if let Some(region) = self.metrics.regions.known(&path)
                    && is_common(its.metric, region)
                {
                    break Some(region);
                }
            };
            let Some(region) = caller else {
                let name = self.metrics.regions.name(its.region);
                if lost.len() < 100 && !lost.iter().any(|known| known == name) {
                    lost.push(name.to_owned());
                }
                continue;
            };
            match place_of.get(&(its.profile, its.metric, region)) {
                Some(place) => add_to(&mut kept[*place].values, &its.values),
                None => {
                    place_of.insert((its.profile, its.metric, region), kept.len());
                    kept.push(OfProfile { region, ..its });
                }
            }
        }
        (kept, lost)
    }
}
