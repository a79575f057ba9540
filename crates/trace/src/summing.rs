use std::collections::BTreeSet;

use crate::condenser::Condenser;
use crate::{Experiment, Samples, Summaries};

impl Experiment {
    /// The same with the measurements of each point of each processor of each run summed up, and at most 16 of them kept: what a trace
    /// takes whose program was told to summarise. Runs in which no point has more are as they were.
    pub fn summed_up(&self) -> Experiment {
        let summarised: BTreeSet<u32> = self.summaries.points.run.iter().copied().collect();
        let runs: BTreeSet<u32> = self.samples.run.iter().copied().collect();
        let (mut samples, mut summaries) = (Samples::default(), self.summaries.clone());
        for run in runs {
            let own = self.samples.select(|index| self.samples.run[index] == run);
            // Only single measurements can be added.
            let is_single = own.count.is_empty() || own.count.iter().all(|count| *count == 1);
            let summed = (is_single && !summarised.contains(&run)).then(|| sum_up(&own, run));
            match summed.filter(|(_, kept)| kept.len() < own.len()) {
                Some((sums, kept)) => {
                    summaries.append(sums);
                    samples.append(kept);
                }
                None => samples.append(own),
            }
        }
        let samples = if samples.is_empty() { self.samples.clone() } else { samples };
        Experiment { samples, summaries, ..self.clone() }
    }
}

fn sum_up(samples: &Samples, run: u32) -> (Summaries, Samples) {
    let mut condenser = Condenser::new(samples);
    condenser.take(&mut samples.clone(), usize::MAX);
    let (mut summaries, mut kept) = condenser.finish();
    summaries.points.run.fill(run);
    kept.run.fill(run);
    (summaries, kept)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Folding, Joining};

    #[test]
    fn means_and_counts_stay_and_short_runs_are_as_they_were() {
        let mut samples = Samples::named(vec!["N".to_owned()], Vec::new());
        for (run, repetitions) in [(0, 3), (1, 100)] {
            for index in 0..2 * repetitions {
                samples.columns[0].push(f64::from(index % 2));
                samples.processor.push(0);
                samples.run.push(run);
                samples.time_s.push(f64::from(index));
            }
        }
        let experiment = Experiment { samples, ..Experiment::default() };
        let summed = experiment.summed_up();
        assert_eq!(summed.summaries.points.count, [100, 100]);
        assert_eq!(summed.summaries.points.run, [1, 1]);
        assert_eq!(summed.samples.select(|index| summed.samples.run[index] == 0).len(), 6);
        assert!(summed.samples.len() <= 6 + 32);
        let mean =
            |experiment: &Experiment| experiment.of_runs(&[1]).condense(Joining::Each, Folding::Mean).time_s;
        assert_eq!(mean(&summed), mean(&experiment));
        assert_eq!(summed.summed_up(), summed);
    }
}
