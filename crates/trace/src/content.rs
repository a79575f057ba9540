//! Whether two files hold the same measurements.

use std::hash::{DefaultHasher, Hash, Hasher};

use crate::{Experiment, Header, Samples, Trace};

/// So few measurements may come out alike in two runs.
const FEW: usize = 5;

impl Trace {
    /// A number that copies of a file share and other runs do not; none where runs may well come out the same: counts without a header that says which
    /// run it was, and few measurements.
    pub fn content(&self) -> Option<u64> {
        let measured = || self.experiments.iter().filter(|its| !its.is_empty());
        let count: usize = measured().map(|its| its.samples.len() + its.summaries.len()).sum();
        let has_name = self.header.names_run();
        let are_times = measured().all(|its| its.unit.is_time());
        if count == 0 || !(has_name || are_times && count >= FEW) {
            return None;
        }
        let mut hasher = DefaultHasher::new();
        // Tables take the name of the program from that of their file, which a copy need not have.
        let header = match has_name {
            true => self.header.clone(),
            false => Header { program: String::new(), ..self.header.clone() },
        };
        format!("{header:?} {:?}", self.completeness).hash(&mut hasher);
        for Experiment { name, formula, samples, summaries, .. } in measured() {
            (name, formula).hash(&mut hasher);
            hasher.write_u64(of_samples(samples));
            hasher.write_u64(of_samples(&summaries.points));
            let sums = [&summaries.sum_s, &summaries.min_s, &summaries.max_s].into_iter().flatten();
            hasher.write_u64(mixed(sums));
        }
        Some(hasher.finish())
    }
}

impl Header {
    /// Whether it says which run it is of.
    pub(crate) fn names_run(&self) -> bool {
        !(self.run.is_empty() && self.date.is_empty())
    }
}

impl Experiment {
    /// A number that goes by the points and times alone, in any order: tables of a trace share it, whose headers are lost. None where runs may well come out the same.
    pub fn content(&self) -> Option<u64> {
        let (samples, summaries) = (&self.samples, &self.summaries);
        if !self.unit.is_time() || samples.len() + summaries.len() < FEW {
            return None;
        }
        let mut order: Vec<usize> = (0..samples.columns.len()).collect();
        order.sort_by_key(|at| &samples.names[*at]);
        let row = |of: &Samples, row: usize| {
            let values = order.iter().map(|at| &of.columns[*at][row]).chain([&of.time_s[row]]);
            mix(mixed(values), u64::from(of.processor[row]))
        };
        let names = order.iter().map(|at| samples.names[*at].as_str());
        let mut hasher = DefaultHasher::new();
        (&self.name, names.collect::<Vec<_>>()).hash(&mut hasher);
        let rows = (0..samples.len()).map(|at| row(samples, at)).fold(0, u64::wrapping_add);
        let sums = |at: usize| mix(row(&summaries.points, at), summaries.sum_s[at].to_bits());
        let sums = (0..summaries.len()).map(sums).fold(0, u64::wrapping_add);
        Some(mix(mix(hasher.finish(), rows), sums))
    }
}

/// All numbers, mixed fast, for there may be millions.
fn of_samples(samples: &Samples) -> u64 {
    let columns = samples.columns.iter().chain(&samples.counters).chain([&samples.time_s]);
    let mut found = mixed(columns.flatten());
    found = samples.processor.iter().fold(found, |found, value| mix(found, u64::from(*value)));
    samples.count.iter().fold(found, |found, value| mix(found, *value))
}

fn mixed<'a>(values: impl Iterator<Item = &'a f64>) -> u64 {
    values.fold(0, |found, value| mix(found, value.to_bits()))
}

fn mix(found: u64, word: u64) -> u64 {
    (found.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dataset, Unit};

    fn trace(times: &[f64], header: Header) -> Trace {
        let samples = Samples {
            names: vec!["P".to_owned()],
            columns: vec![vec![1.0; times.len()]],
            processor: vec![0; times.len()],
            run: vec![0; times.len()],
            time_s: times.to_vec(),
            ..Samples::default()
        };
        let experiment = Experiment { name: "f".to_owned(), samples, ..Experiment::default() };
        Trace { header, experiments: vec![experiment], ..Trace::default() }
    }

    #[test]
    fn copies_are_the_same_and_other_runs_are_not() {
        let times = [1.0, 2.0, 3.0, 4.0, 5.0];
        let table = trace(&times, Header::default());
        assert!(table.content().is_some() && table.content() == table.clone().content());
        assert_ne!(table.content(), trace(&[1.0, 2.0, 3.0, 4.0, 5.5], Header::default()).content());
        let of_file = |program: &str| Header { program: program.to_owned(), ..Header::default() };
        assert_eq!(table.content(), trace(&times, of_file("copy")).content());
        let of_run = |run: &str| Header { run: run.to_owned(), ..Header::default() };
        assert_ne!(trace(&times, of_run("a")).content(), trace(&times, of_run("b")).content());
        assert!(trace(&times[..1], of_run("a")).content().is_some());
    }

    #[test]
    fn tables_of_a_trace_hold_what_it_holds() {
        let run = Header { run: "a".to_owned(), ..Header::default() };
        let mut data = Dataset::default();
        data.add("t.parquet", trace(&[1.0, 2.0, 3.0, 4.0, 5.0], run.clone())).unwrap();
        let mut table = trace(&[5.0, 2.0, 3.0, 4.0, 1.0], Header::default());
        assert_eq!(data.leave_out_same(&mut table), Some((vec!["f".to_owned()], "t.parquet".to_owned())));
        assert!(table.experiments.is_empty());
        for mut other in [
            trace(&[5.0, 2.0, 3.0, 4.0, 1.5], Header::default()),
            trace(&[1.0, 2.0, 3.0, 4.0, 5.0], Header { run: "b".to_owned(), ..run }),
        ] {
            assert_eq!(data.leave_out_same(&mut other), None);
            assert_eq!(other.experiments.len(), 1);
        }
    }

    #[test]
    fn what_comes_out_alike_is_no_copy() {
        assert_eq!(trace(&[0.1, 0.2], Header::default()).content(), None);
        let mut counts = trace(&[7.0; 20], Header::default());
        counts.experiments[0].unit = Unit::Other("visits".to_owned());
        assert_eq!(counts.content(), None);
        assert_eq!(Trace::default().content(), None);
    }
}
