//! What a formula describes: the time, or a counter that was recorded beside it.

use crate::error::listed;
use crate::{Experiment, Summaries, Unit};

/// The name of the time among the counters of an experiment that responds with another one.
pub const WALL_TIME: &str = "time";

/// Why a counter cannot be the response of an experiment.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum NoResponse {
    #[error("`{experiment}` has no counter `{counter}`; it has {}", listed(known))]
    Unknown { experiment: String, counter: String, known: Vec<String> },
    #[error(
        "`{counter}` was counted in no measurement of `{experiment}`; the header of the trace says why under `missing_counters`"
    )]
    NotCounted { experiment: String, counter: String },
}

impl NoResponse {
    /// Stable name of the cause, for programs.
    pub fn code(&self) -> &'static str {
        match self {
            NoResponse::Unknown { .. } => "unknown-counter",
            NoResponse::NotCounted { .. } => "not-counted",
        }
    }

    /// What to do.
    pub fn cure(&self) -> Option<&str> {
        matches!(self, NoResponse::Unknown { known, .. } if known.is_empty())
            .then_some("name some behind the formula: `counters task-clock`")
    }
}

/// The unit that a counter counts in; of events their name.
fn unit_of(counter: &str) -> Unit {
    match counter {
        WALL_TIME => Unit::Seconds,
        "task-clock" | "cpu-clock" | "process-clock" => Unit::Nanoseconds,
        _ if counter.ends_with("_NSEC") => Unit::Nanoseconds,
        _ if counter.ends_with("_USEC") => Unit::Microseconds,
        _ => Unit::Other(counter.to_owned()),
    }
}

impl Experiment {
    /// Lets a counter be the response, in its unit: times of processors in seconds, other counters in events. What responded before
    /// becomes a counter, the wall-clock time under the name [`WALL_TIME`]. Measurements in which the counter was not counted are left out. Of
    /// summaries, which have means of counters only, each point is one sample with its count.
    ///
    /// # Errors
    /// If there is no such counter, or it was never counted; then nothing changes.
    pub fn respond_with(&mut self, counter: &str) -> Result<(), NoResponse> {
        let experiment = || self.name.clone();
        let known = &self.samples.counter_names;
        let Some(column) = known.iter().position(|its| its == counter) else {
            let is_time = counter == WALL_TIME && self.unit == Unit::Seconds;
            let is_of_events = matches!(&self.unit, Unit::Other(symbol) if symbol == counter);
            // The time became a counter when this one became the response.
            let has_taken =
                self.observable.as_deref() == Some(counter) && known.iter().any(|its| its == WALL_TIME);
            if is_time || is_of_events || has_taken {
                return Ok(());
            }
            let (counter, known) = (counter.to_owned(), known.clone());
            return Err(NoResponse::Unknown { experiment: experiment(), counter, known });
        };
        let summed_up = self.summaries.points.counters.get(column).filter(|_| !self.summaries.is_empty());
        let samples = if summed_up.is_some() { &self.summaries.points } else { &self.samples };
        let is_counted = |index: usize| samples.counters[column][index].is_finite();
        let mut chosen = samples.select(is_counted);
        if chosen.is_empty() && !self.is_empty() {
            return Err(NoResponse::NotCounted { experiment: experiment(), counter: counter.to_owned() });
        }
        let unit = unit_of(counter);
        let before = match &self.unit {
            Unit::Other(symbol) => symbol.clone(),
            _ => WALL_TIME.to_owned(),
        };
        let responses = chosen.counters[column].iter().map(|value| unit.to_base(*value)).collect();
        chosen.counters[column] = std::mem::replace(&mut chosen.time_s, responses);
        chosen.counter_names[column] = before;
        self.summaries = Summaries { points: chosen.select(|_| false), ..Summaries::default() };
        self.samples = chosen;
        self.unit = unit.base();
        self.observable = (counter != WALL_TIME).then(|| counter.to_owned());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Samples;

    fn experiment() -> Experiment {
        let samples = Samples {
            names: vec!["P".to_owned(), "n".to_owned()],
            columns: vec![vec![1.0; 3], vec![10.0, 20.0, 30.0]],
            processor: vec![0; 3],
            run: vec![0; 3],
            time_s: vec![0.5, 0.25, 0.125],
            counter_names: vec!["task-clock".to_owned(), "page-faults".to_owned()],
            counters: vec![vec![1e8, 2e8, f64::NAN], vec![7.0, 8.0, 9.0]],
            ..Samples::default()
        };
        let summaries = Summaries { points: samples.select(|_| false), ..Summaries::default() };
        Experiment { name: "f".to_owned(), samples, summaries, ..Experiment::default() }
    }

    #[test]
    fn a_time_of_the_processor_is_in_seconds() {
        let mut f = experiment();
        f.respond_with("task-clock").unwrap();
        assert_eq!((f.unit.clone(), f.samples.time_s.clone()), (Unit::Seconds, vec![0.1, 0.2]));
        assert_eq!(f.observable.as_deref(), Some("task-clock"));
        assert_eq!(f.samples.counter_names, ["time", "page-faults"]);
        assert_eq!(f.samples.counters, [vec![0.5, 0.25], vec![7.0, 8.0]]);
        assert_eq!(f.samples.columns[1], [10.0, 20.0]);
    }

    #[test]
    fn events_are_their_own_unit_and_the_time_comes_back() {
        let mut f = experiment();
        f.respond_with("page-faults").unwrap();
        assert_eq!(f.unit, Unit::Other("page-faults".to_owned()));
        assert_eq!(
            (f.samples.time_s.clone(), f.samples.counters[1].clone()),
            (vec![7.0, 8.0, 9.0], vec![0.5, 0.25, 0.125])
        );
        f.respond_with(WALL_TIME).unwrap();
        let before = experiment();
        assert_eq!((f.unit, f.samples.time_s), (Unit::Seconds, before.samples.time_s));
        assert_eq!((f.samples.counter_names, f.observable), (before.samples.counter_names, None));
    }

    #[test]
    fn summaries_become_one_sample_a_point() {
        let mut f = experiment();
        let points = Samples { count: vec![4, 5, 6], ..f.samples.select(|index| index < 3) };
        f.summaries = Summaries {
            sum_s: vec![1.0; 3],
            sum_squares_s2: vec![1.0; 3],
            min_s: vec![0.1; 3],
            max_s: vec![1.0; 3],
            points,
        };
        f.respond_with("task-clock").unwrap();
        assert_eq!((f.samples.count.clone(), f.samples.time_s.clone()), (vec![4, 5], vec![0.1, 0.2]));
        assert!(f.summaries.is_empty());
    }

    #[test]
    fn counters_that_are_not_there_are_told() {
        let mut f = experiment();
        let before = f.clone();
        assert_eq!(
            f.respond_with("nosuch").unwrap_err().to_string(),
            "`f` has no counter `nosuch`; it has `task-clock`, `page-faults`"
        );
        f.samples.counters[0] = vec![f64::NAN; 3];
        assert_eq!(f.respond_with("task-clock").unwrap_err().code(), "not-counted");
        assert_eq!(f.samples.time_s, before.samples.time_s);
    }
}
