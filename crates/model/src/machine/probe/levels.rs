//! The levels of the memory are the intervals of `load[0]`, the time of one access, over the size of the working set. Once the borders
//! are drawn, the time is fitted again to the working sets that a level serves.

use super::ProbeError;
use super::measured::{Measured, constant, fit, known, points, select};
use crate::Model;

/// Rather too many intervals: those between two levels, where some loads find their line and some do not, are left out.
const MOST_INTERVALS: usize = 12;

/// An interval that is not longer than this factor is such a transition, unless it is the first or the last.
const TRANSITION: f64 = 2.0;

/// The next level takes longer by more than this factor. Within one, some loads also miss the table of address translations or meet other
/// programs.
const NEXT_LEVEL: f64 = 1.4;

/// What the probe's loads show.
pub struct Levels {
    pub levels: Vec<Level>,
    /// Working sets in bytes, ascending, with the time of a load.
    points: Vec<(f64, f64)>,
}

/// A level with the time of its loads.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Level {
    /// Working sets from here on are slower than on the level before.
    pub first_bytes: f64,
    /// The largest working set that the level serves; of the last one the largest that was measured.
    pub last_bytes: f64,
    pub time_s: f64,
    pub standard_error_s: Option<f64>,
}

/// A working set is on the level, rather than on the next one, up to the geometric mean of their times.
fn between(level: &Level, next: &Level) -> f64 {
    (level.time_s * next.time_s).sqrt()
}

impl Levels {
    /// `None` if no loads were measured or they took no time.
    pub fn of(measured: &Measured) -> Result<Option<Levels>, ProbeError> {
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
        let plateaus: Vec<Level> = model
            .cells()
            .iter()
            .filter_map(|cell| {
                let interval = cell.intervals[position];
                let inside = points.iter().map(|(bytes, _)| *bytes);
                let mut inside = inside.filter(|bytes| interval.lower < *bytes && *bytes <= interval.upper);
                let first_bytes = inside.next()?;
                let (time_s, error) = (cell.fit.coefficients[0], cell.fit.standard_errors[0]);
                let last_bytes = inside.next_back().unwrap_or(first_bytes);
                Some(Level { first_bytes, last_bytes, time_s, standard_error_s: known(error) })
            })
            .collect();
        let mut levels = divide(&joined(plateaus), &points);
        for level in &mut levels {
            let served = |bytes: f64| level.first_bytes <= bytes && bytes <= level.last_bytes;
            (level.time_s, level.standard_error_s) = constant(&select(experiment, "bytes", served))?;
        }
        let has_costs = levels.iter().all(|level| level.time_s > 0.0);
        Ok((has_costs && !levels.is_empty()).then_some(Levels { levels, points }))
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

/// Without the transitions, and with neighbours that are as fast joined into one with the time of the longer one.
fn joined(plateaus: Vec<Level>) -> Vec<Level> {
    let last = plateaus.len().saturating_sub(1);
    let octaves = |level: &Level| level.last_bytes / level.first_bytes;
    let mut levels: Vec<Level> = Vec::new();
    for (index, plateau) in plateaus.into_iter().enumerate() {
        if index > 0 && index < last && octaves(&plateau) <= TRANSITION {
            continue;
        }
        match levels.last_mut() {
            Some(before) if plateau.time_s <= NEXT_LEVEL * before.time_s => {
                let longer = if octaves(&plateau) > octaves(before) { plateau } else { *before };
                *before = Level { first_bytes: before.first_bytes, last_bytes: plateau.last_bytes, ..longer };
            }
            _ => levels.push(plateau),
        }
    }
    levels
}

/// Draws the borders between levels through the transitions.
fn divide(plateaus: &[Level], points: &[(f64, f64)]) -> Vec<Level> {
    let mut levels = plateaus.to_vec();
    for index in 1..levels.len() {
        let limit_s = between(&levels[index - 1], &levels[index]);
        let level = &mut levels[index - 1];
        let beyond = points.iter().filter(|(bytes, _)| *bytes > level.first_bytes);
        let served = beyond.take_while(|(_, time_s)| *time_s <= limit_s).last();
        if let Some((bytes, _)) = served {
            level.last_bytes = *bytes;
        }
    }
    levels
}
