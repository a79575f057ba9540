//! Whether runs differ by more than what each of them measures scatters: then standard errors, which take all measurements for
//! independent, are those of these runs only.

use std::collections::BTreeMap;

use call_fit::median;

use super::JudgedCase;
use crate::Warning;
use crate::student::{chance_of_ratio, student_reach};

/// So seldom runs are told to differ that do not.
const LEVEL: f64 = 0.01;

/// Runs that differ by less differ by rounding, or as nobody asks.
const LEAST_SPREAD: f64 = 1e-4;

/// What the runs that measured the same points say: sums of squares with their degrees of freedom.
#[derive(Default)]
struct Sums {
    runs: usize,
    between: f64,
    freedom_between: f64,
    within: f64,
    freedom_within: f64,
    /// Degrees of freedom between runs, each times the points of a run.
    points: f64,
}

/// Analysis of variance of the medians of each run at each point, relative to the mean there: runs that shift all their points alike
/// against what single points are off by. Only runs that measured the same points, two or more, are set beside each other.
pub(super) fn warning(case: &JudgedCase, level: f64) -> Option<Warning> {
    let designs = designs(case)?;
    let mut sums = Sums::default();
    for runs in designs.values().filter(|runs| runs.len() > 1) {
        add(&mut sums, runs);
    }
    let [between, within] =
        [sums.between / sums.freedom_between, sums.within.max(f64::MIN_POSITIVE) / sums.freedom_within];
    let chance = chance_of_ratio(between / within, sums.freedom_between, sums.freedom_within);
    let spread = ((between - within) * sums.freedom_between / sums.points).max(0.0).sqrt();
    let is_certain = chance < LEVEL && spread > LEAST_SPREAD && sums.freedom_within > 0.0;
    let uncertainty = student_reach(level, sums.freedom_between) * spread / (sums.runs as f64).sqrt();
    is_certain.then_some(Warning::RunsDiffer { runs: sums.runs, spread, uncertainty, level })
}

/// The medians of each run, by the points that it measured; none of a single run, whose measurements may be many.
fn designs(case: &JudgedCase) -> Option<BTreeMap<Vec<usize>, Vec<Vec<f64>>>> {
    let repetitions = case.prepared.repetitions()?;
    let first = repetitions.runs.first()?;
    if repetitions.runs.iter().all(|run| run == first) {
        return None;
    }
    let mut runs: BTreeMap<u32, BTreeMap<usize, Vec<f64>>> = BTreeMap::new();
    for (point, times) in repetitions.times().enumerate() {
        for (time, run) in times.iter().zip(repetitions.runs_of(point)) {
            runs.entry(*run).or_default().entry(point).or_default().push(*time);
        }
    }
    let mut designs: BTreeMap<Vec<usize>, Vec<Vec<f64>>> = BTreeMap::new();
    for mut points in runs.into_values().filter(|points| points.len() > 1) {
        let medians = points.values_mut().map(|times| median(times)).collect();
        designs.entry(points.into_keys().collect()).or_default().push(medians);
    }
    Some(designs)
}

fn add(sums: &mut Sums, runs: &[Vec<f64>]) {
    let (count, points) = (runs.len() as f64, runs[0].len());
    let mean = |point: usize| runs.iter().map(|run| run[point]).sum::<f64>() / count;
    let means: Vec<f64> = (0..points).map(mean).collect();
    let used: Vec<usize> = (0..points).filter(|point| means[*point].abs() > 0.0).collect();
    if used.len() < 2 {
        return;
    }
    let size = used.len() as f64;
    for run in runs {
        let off: Vec<f64> = used.iter().map(|point| run[*point] / means[*point] - 1.0).collect();
        let shift = off.iter().sum::<f64>() / size;
        sums.between += size * shift * shift;
        sums.within += off.iter().map(|off| (off - shift).powi(2)).sum::<f64>();
    }
    sums.runs += runs.len();
    sums.freedom_between += count - 1.0;
    sums.freedom_within += (count - 1.0) * (size - 1.0);
    sums.points += (count - 1.0) * size;
}
