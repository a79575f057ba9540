//! The levels of the memory are the intervals of `load[0]`, the time of one access, over the size of the working set. Once the borders
//! are drawn, the time is fitted again to the working sets that a level serves.

use super::ProbeError;
use super::measured::{ProbeExperiments, constant, fit, points, select};
use call_model::Model;

/// Rather too many intervals: those between two levels, where some loads find their line and some do not, are left out.
const MOST_INTERVALS: usize = 12;

/// An interval that is not longer than this factor is such a transition, unless it is the first or the last.
const TRANSITION: f64 = 2.0;

/// The next level takes longer by more than this factor, and at its border rises by more than that with each doubling. Within a level,
/// some loads also miss the table of address translations or meet other programs.
const NEXT_LEVEL: f64 = 1.4;

/// A working set that is less than so many times a cache may still be served by it: it finds a part of its lines there.
const OVERFULL: f64 = 2.0;

/// What the probe's loads show.
pub struct Levels {
    pub levels: Vec<ProbedLevel>,
    /// Sizes of the caches of the system that are no level.
    pub missing_caches_bytes: Vec<u64>,
    /// Working sets in bytes, ascending, with the time of a load.
    points: Vec<(f64, f64)>,
}

/// Working sets whose loads take about the same time.
#[derive(Debug, Clone, Copy)]
struct Plateau {
    /// Working sets from here on are slower than on the plateau before.
    first_bytes: f64,
    /// The largest working set that it serves; of the last one the largest that was measured.
    last_bytes: f64,
    time_s: f64,
}

/// A level of the memory.
#[derive(Debug, Clone, PartialEq)]
pub struct ProbedLevel {
    /// That of the cache of the system that this is, else its size; `L` and its number where the system tells no caches.
    pub name: String,
    /// The smallest and the largest working set that it serves; of the main memory the largest that was measured.
    pub served_bytes: (f64, f64),
    /// That of the cache of the system that this is, else the largest working set that it serves: how much of a cache the probe saw
    /// depends on who else uses it.
    pub size_bytes: f64,
    /// The smallest and the largest working set away from the borders, near which some loads are served by a neighbour.
    core_bytes: (f64, f64),
    /// Of a load in the core.
    pub time_s: f64,
    pub standard_error_s: Option<f64>,
}

impl ProbedLevel {
    pub fn serves(&self, bytes: f64) -> bool {
        is_in(self.served_bytes, bytes)
    }

    /// Of the core, by the factor.
    pub fn middle_bytes(&self) -> f64 {
        (self.core_bytes.0 * self.core_bytes.1).sqrt()
    }
}

fn is_in((first, last): (f64, f64), bytes: f64) -> bool {
    first <= bytes && bytes <= last
}

/// Where a level rules, behind a cache of so many bytes: of the first cache up to half of what it serves, of others the octave from
/// twice the cache before on, of the main memory all from there on. All that it serves if that is not on the level.
fn core((first, last): (f64, f64), before_bytes: Option<f64>, is_main: bool) -> (f64, f64) {
    let (lower, upper) = match before_bytes {
        None => (first, last / 2.0),
        Some(before) if is_main => (2.0 * before, last),
        Some(before) => (2.0 * before, last.min(4.0 * before)),
    };
    if first <= lower && lower <= upper { (lower, upper) } else { (first, last) }
}

/// The cache of the system, by its place among them, in which the largest working set of a level lies: one that is hardly smaller,
/// else the smallest that is not smaller, of which others have a part. Of caches of one size the first.
fn cache(served_bytes: f64, caches_bytes: &[u64]) -> Option<usize> {
    let places = 0..caches_bytes.len();
    let overfull = places.clone().rev().filter(|place| {
        let bytes = caches_bytes[*place] as f64;
        bytes <= served_bytes && served_bytes < OVERFULL * bytes
    });
    let large_enough = places.filter(|place| caches_bytes[*place] as f64 >= served_bytes);
    let by_size = |place: &usize| caches_bytes[*place];
    overfull.max_by_key(by_size).or_else(|| large_enough.min_by_key(by_size))
}

/// The largest cache of the system with less than so many bytes.
fn smaller_cache_bytes(bytes: f64, caches_bytes: &[u64]) -> Option<f64> {
    caches_bytes.iter().map(|cache| *cache as f64).filter(|cache| *cache < bytes).max_by(f64::total_cmp)
}

/// A working set is on the plateau, rather than on the next one, up to the geometric mean of their times.
fn between(plateau: &Plateau, next: &Plateau) -> f64 {
    (plateau.time_s * next.time_s).sqrt()
}

impl Levels {
    /// `None` if no loads were measured or they took no time. `caches_bytes` are the sizes of the caches that the system tells.
    pub fn of(measured: &ProbeExperiments, caches_bytes: &[u64]) -> Result<Option<Levels>, ProbeError> {
        let Some(experiment) = measured.experiment("load") else { return Ok(None) };
        // All measurements have as many loads: the time of the first, over its constant, is their number.
        let model = fit(experiment, MOST_INTERVALS)?;
        let Some(position) = model.formula().variables().iter().position(|name| name.name() == "bytes")
        else {
            return Err(ProbeError::NotTheProbe { experiment: "load" });
        };
        let loads = loads(&model);
        let points: Vec<(f64, f64)> =
            points(experiment, ["bytes"]).iter().map(|([bytes], time_s)| (*bytes, time_s / loads)).collect();
        let plateaus: Vec<Plateau> = model
            .cells()
            .iter()
            .filter_map(|cell| {
                let interval = cell.intervals[position];
                let inside = points.iter().map(|(bytes, _)| *bytes);
                let mut inside = inside.filter(|bytes| interval.lower < *bytes && *bytes <= interval.upper);
                let first_bytes = inside.next()?;
                let last_bytes = inside.next_back().unwrap_or(first_bytes);
                Some(Plateau { first_bytes, last_bytes, time_s: cell.fit.coefficients[0] })
            })
            .collect();
        // A cache whose times rise slowly, as others use it, is several short intervals: joined they are no transition.
        let plateaus = joined(without_transitions(joined(plateaus, &points)), &points);
        let plateaus = divide(&plateaus, &points);
        let main = plateaus.len().saturating_sub(1);
        // Of two levels in one cache the larger is that cache.
        let own_cache = |index: usize| {
            let of = |index: usize| cache(plateaus[index].last_bytes, caches_bytes);
            of(index).filter(|own| index + 1 >= main || of(index + 1) != Some(*own))
        };
        let mut levels: Vec<ProbedLevel> = Vec::new();
        let mut is_level = vec![false; caches_bytes.len()];
        for (index, plateau) in plateaus.iter().enumerate() {
            let served_bytes = (plateau.first_bytes, plateau.last_bytes);
            let cache = own_cache(index).filter(|_| index != main);
            let size_bytes = cache.map_or(plateau.last_bytes, |cache| caches_bytes[cache] as f64);
            let name = match cache {
                _ if index == main => "main".to_owned(),
                Some(cache) => format!("L{}", cache + 1),
                None if caches_bytes.is_empty() => format!("L{}", index + 1),
                None => format!("{} KiB", size_bytes / 1024.0),
            };
            cache.into_iter().for_each(|cache| is_level[cache] = true);
            // Also one that no level shows serves loads.
            let limit_bytes = if index == main { plateau.last_bytes } else { size_bytes };
            let before_bytes = levels.last().map(|before| before.size_bytes);
            let smaller_bytes = smaller_cache_bytes(limit_bytes, caches_bytes);
            let before_bytes = before_bytes.into_iter().chain(smaller_bytes).max_by(f64::total_cmp);
            let core_bytes = core(served_bytes, before_bytes, index == main);
            let in_core = select(experiment, "bytes", |bytes| is_in(core_bytes, bytes));
            let (time_s, standard_error_s) = constant(&fit(&in_core, 1)?, 0, "load")?;
            levels.push(ProbedLevel { name, served_bytes, size_bytes, core_bytes, time_s, standard_error_s });
        }
        let missing = caches_bytes.iter().zip(is_level).filter(|(_, is_level)| !is_level);
        let missing_caches_bytes = missing.map(|(bytes, _)| *bytes).collect();
        let has_costs = levels.iter().all(|level| level.time_s > 0.0);
        Ok((has_costs && !levels.is_empty()).then_some(Levels { levels, missing_caches_bytes, points }))
    }

    /// The time of a load in a working set: that of the measured one that is nearest by its factor.
    pub fn time_s(&self, bytes: f64) -> f64 {
        let distance = |point: &(f64, f64)| (point.0 / bytes).ln().abs();
        let nearest = self.points.iter().min_by(|one, other| distance(one).total_cmp(&distance(other)));
        nearest.map_or(f64::NAN, |(_, time_s)| *time_s)
    }
}

/// How many loads a measurement has, of which the formula says the same for all points.
pub fn loads(model: &Model) -> f64 {
    let ones = vec![1.0; model.formula().variables().len()];
    model.formula().terms()[0].basis.evaluate(&ones)
}

fn without_transitions(plateaus: Vec<Plateau>) -> Vec<Plateau> {
    let last = plateaus.len().saturating_sub(1);
    let is_long =
        |(index, plateau): &(usize, Plateau)| *index == 0 || *index == last || factor(plateau) > TRANSITION;
    plateaus.into_iter().enumerate().filter(is_long).map(|(_, plateau)| plateau).collect()
}

/// With neighbours that are as fast joined into one with the time of the longer one. Those that rise step by step or on one slope are
/// one, too.
fn joined(plateaus: Vec<Plateau>, points: &[(f64, f64)]) -> Vec<Plateau> {
    let mut levels: Vec<Plateau> = Vec::new();
    let mut last_time_s = 0.0;
    for plateau in plateaus {
        let step_s = std::mem::replace(&mut last_time_s, plateau.time_s);
        match levels.last_mut() {
            Some(before)
                if plateau.time_s <= NEXT_LEVEL * before.time_s.max(step_s)
                    || rise_per_doubling(before.last_bytes, plateau.first_bytes, points) <= NEXT_LEVEL =>
            {
                let longer = if factor(&plateau) > factor(before) { plateau } else { *before };
                *before =
                    Plateau { first_bytes: before.first_bytes, last_bytes: plateau.last_bytes, ..longer };
            }
            _ => levels.push(plateau),
        }
    }
    levels
}

/// How much longer a load takes with each doubling of the working set between these two.
fn rise_per_doubling(first_bytes: f64, last_bytes: f64, points: &[(f64, f64)]) -> f64 {
    let time_s = |bytes: f64| points.iter().find(|point| point.0 == bytes).map_or(f64::NAN, |point| point.1);
    (time_s(last_bytes) / time_s(first_bytes)).powf((last_bytes / first_bytes).log2().recip())
}

fn factor(plateau: &Plateau) -> f64 {
    plateau.last_bytes / plateau.first_bytes
}

/// Draws the borders between levels through the transitions.
fn divide(plateaus: &[Plateau], points: &[(f64, f64)]) -> Vec<Plateau> {
    let mut levels = plateaus.to_vec();
    for index in 1..levels.len() {
        let limit_s = between(&levels[index - 1], &levels[index]);
        let first_bytes = levels[index - 1].first_bytes;
        let mut sets = points.iter().filter(|(bytes, _)| *bytes > first_bytes).peekable();
        while let Some((bytes, _)) = sets.next_if(|(_, time_s)| *time_s <= limit_s) {
            levels[index - 1].last_bytes = *bytes;
        }
        if let Some((bytes, _)) = sets.next() {
            levels[index].first_bytes = *bytes;
        }
    }
    levels
}
