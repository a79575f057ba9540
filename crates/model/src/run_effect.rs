//! Whether runs differ by more than what each of them scatters. Then measurements of one run are not independent: constants that were fitted to
//! several are off by what the mean of these is off by, however many measurements there are.

use std::collections::BTreeMap;

use call_fit::{Fit, median, variance_of_median};
use call_trace::Folding;

use crate::student::{chance_of_ratio, student_reach};
use crate::{Prepared, Warning};

/// So seldom runs are told to differ that do not.
const LEVEL: f64 = 0.01;

/// Runs that differ by less differ by rounding, or as nobody asks.
const LEAST_SPREAD: f64 = 1e-4;

/// Less would be told as ± 0.0 %.
const LEAST_TOLD: f64 = 5e-4;

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

/// How runs of the same points differ beyond their own scatter: each as if by a factor of its own.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct RunEffect {
    pub runs: usize,
    /// Standard deviation of the factors.
    pub spread: f64,
    freedom: f64,
    /// Variance of what all of them are folded to, over that of one.
    folded: f64,
}

impl RunEffect {
    /// Analysis of variance of the medians of each run at each point, or of its means where those are fitted, relative to the mean there: runs that shift all their points alike
    /// against what single points are off by. Only runs that measured the same points, two or more, are set beside each other; none
    /// where they differ by chance.
    pub fn of(prepared: &Prepared) -> Option<RunEffect> {
        let designs = designs(prepared)?;
        let mut sums = Sums::default();
        for runs in designs.values().filter(|runs| runs.len() > 1) {
            add(&mut sums, runs);
        }
        let [between, within] =
            [sums.between / sums.freedom_between, sums.within.max(f64::MIN_POSITIVE) / sums.freedom_within];
        let chance = chance_of_ratio(between / within, sums.freedom_between, sums.freedom_within);
        let spread = ((between - within) * sums.freedom_between / sums.points).max(0.0).sqrt();
        let is_certain = chance < LEVEL && spread > LEAST_SPREAD && sums.freedom_within > 0.0;
        let folded = match prepared.settings().folding {
            Folding::Median => variance_of_median(sums.runs),
            _ => 1.0 / sums.runs as f64,
        };
        is_certain.then_some(RunEffect { runs: sums.runs, spread, freedom: sums.freedom_between, folded })
    }

    /// So far what the runs say together may be off with a probability, as a share of each constant.
    pub fn uncertainty(&self, level: f64) -> f64 {
        student_reach(level, self.freedom) * self.spread * self.folded.sqrt()
    }

    /// What is said of it: nothing where there are so many runs that all of them together are off by next to nothing.
    pub fn warning(&self, level: f64) -> Option<Warning> {
        let uncertainty = self.uncertainty(level);
        (uncertainty >= LEAST_TOLD).then_some(Warning::RunsDiffer {
            runs: self.runs,
            spread: self.spread,
            uncertainty,
            level,
        })
    }

    /// Makes the errors of constants those of programs whose runs differ so: c² b b' is added to the covariance of the constants b. As intervals go
    /// by the degrees of freedom of the fit, c is such that those of [`USUAL_LEVEL`] are right for the few runs.
    pub fn widen(&self, fit: &mut Fit) {
        let reach = student_reach(USUAL_LEVEL, fit.degrees_of_freedom as f64);
        let deviation = self.uncertainty(USUAL_LEVEL) / reach;
        let constants = &fit.coefficients;
        for (row, one) in fit.covariance.chunks_exact_mut(constants.len().max(1)).zip(constants) {
            row.iter_mut()
                .zip(constants)
                .for_each(|(entry, other)| *entry += deviation.powi(2) * one * other);
        }
        for (error, constant) in fit.standard_errors.iter_mut().zip(constants) {
            *error = error.hypot(deviation * constant);
        }
    }
}

/// What `set level` is unless it is set.
const USUAL_LEVEL: f64 = 0.9;

/// What each run has at its points: its runs with as many values each.
type Designs = BTreeMap<Vec<usize>, Vec<Vec<f64>>>;

/// The medians or means of each run, by the points that it measured; none of a single run, whose measurements may be many.
fn designs(prepared: &Prepared) -> Option<Designs> {
    let mut runs: BTreeMap<u32, BTreeMap<usize, f64>> = BTreeMap::new();
    if let Some(means) = prepared.run_means() {
        for ((run, point), mean_s) in means.run.iter().zip(&means.point).zip(&means.mean_s) {
            runs.entry(*run).or_default().insert(*point, *mean_s);
        }
    } else {
        let repetitions = prepared.repetitions()?;
        let first = repetitions.runs.first()?;
        if repetitions.runs.iter().all(|run| run == first) {
            return None;
        }
        let mut of_run: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
        for (point, times) in repetitions.times().enumerate() {
            for (time, run) in times.iter().zip(repetitions.runs_of(point)) {
                of_run.entry(*run).or_default().push(*time);
            }
            for (run, mut times) in std::mem::take(&mut of_run) {
                runs.entry(run).or_default().insert(point, median(&mut times));
            }
        }
    }
    let mut designs = Designs::new();
    for points in runs.into_values().filter(|points| points.len() > 1) {
        let (points, values) = points.into_iter().unzip();
        designs.entry(points).or_default().push(values);
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
