use crate::difference::Difference;
use crate::needed::RunsNeeded;
use crate::runs::{RunValue, TwoGroups, clipped, median, spike, unrounded};

/// What a check comes to, the better first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// Surely not worse by more than the tolerance.
    Fine,
    /// The runs do not say.
    CannotTell,
    /// Surely worse, and by more than the tolerance.
    Worse,
}

/// A number that is compared.
#[derive(Debug, Clone)]
pub(crate) struct ComparedNumber {
    pub before: Vec<RunValue>,
    pub after: Vec<RunValue>,
    pub same_design: bool,
    /// Rises up to this do not matter.
    pub tolerance: f64,
    /// Neither do those that are surely below this, for they change no time by more than the tolerance.
    pub negligible: f64,
}

impl ComparedNumber {
    /// The same as if the measurements had all digits.
    pub fn unrounded(&self) -> ComparedNumber {
        ComparedNumber { before: unrounded(&self.before), after: unrounded(&self.after), ..self.clone() }
    }
}

/// What comparing it has shown.
#[derive(Debug, Clone, PartialEq)]
pub struct NumberComparison {
    /// The value in the baseline.
    pub before: f64,
    /// That of the new runs.
    pub after: f64,
    /// The interval of the difference.
    pub lower: f64,
    /// Its upper end.
    pub upper: f64,
    /// How probable it is that chance alone makes the new runs take so much longer; with all that is compared it counts as `Finding::chance`.
    pub chance_worse: f64,
    /// The same of so much shorter.
    pub chance_better: f64,
    /// The new run that is a spike, and that the values do without.
    pub spike: Option<usize>,
    /// How many runs, of the new program and of that of the baseline, are expected to tell what these do not.
    pub needed: Option<RunsNeeded>,
    /// Whether these runs would tell it if their measurements had more digits.
    pub is_hidden_by_rounding: bool,
    is_larger: bool,
    is_surely_small: bool,
}

impl NumberComparison {
    /// Compares; intervals hold with the probability `level`.
    pub(crate) fn of(compared: &ComparedNumber, level: f64) -> Option<NumberComparison> {
        let before = clipped(&compared.before);
        let groups = TwoGroups { before: &before, after: &compared.after, same_design: compared.same_design };
        let all = Difference::of(&groups)?;
        let spike = spike(&TwoGroups { before: &compared.before, ..groups });
        let others: Vec<RunValue> = match spike {
            None => compared.after.clone(),
            Some(spike) => without(&compared.after, spike),
        };
        let rest = Difference::of(&TwoGroups { after: &others, ..groups })?;
        let upper = rest.quantile(0.5 + level / 2.0);
        let median_change = median(compared.after.iter().map(|run| run.value))
            - median(compared.before.iter().map(|run| run.value));
        let tolerance = compared.tolerance;
        let is_larger = [all.change, rest.change, median_change].iter().all(|change| *change > tolerance);
        Some(NumberComparison {
            before: rest.before,
            after: rest.before + rest.change,
            lower: rest.quantile(0.5 - level / 2.0),
            upper,
            chance_worse: all.below(0.0).max(rest.below(0.0)),
            chance_better: (1.0 - all.below(0.0)).max(1.0 - rest.below(0.0)),
            spike,
            needed: None,
            is_hidden_by_rounding: false,
            is_larger,
            is_surely_small: upper < tolerance.max(compared.negligible),
        })
    }

    /// The same of numbers that were turned round to be compared.
    pub(crate) fn turned(self) -> NumberComparison {
        let (before, after) = (-self.before, -self.after);
        NumberComparison { before, after, lower: -self.upper, upper: -self.lower, ..self }
    }

    /// The change.
    pub fn change(&self) -> f64 {
        self.after - self.before
    }

    /// The verdict, given whether the rise is significant beside all others.
    pub(crate) fn verdict(&self, is_significant: bool) -> Verdict {
        match (is_significant && self.is_larger, self.is_surely_small) {
            (true, _) => Verdict::Worse,
            (false, true) => Verdict::Fine,
            (false, false) => Verdict::CannotTell,
        }
    }
}

fn without(runs: &[RunValue], one: usize) -> Vec<RunValue> {
    runs.iter().enumerate().filter(|(index, _)| *index != one).map(|(_, run)| *run).collect()
}

/// Which of several tests are significant when all of them together shall alarm without reason at this rate at most (Holm 1979), and the
/// chances that this comes to: each as if its test were the only one.
pub fn holm(chances: &[f64], rate: f64) -> Vec<(f64, bool)> {
    let mut order: Vec<usize> = (0..chances.len()).collect();
    order.sort_by(|&a, &b| chances[a].total_cmp(&chances[b]));
    let mut found = vec![(1.0, false); chances.len()];
    let mut least = 0.0f64;
    for (rank, index) in order.into_iter().enumerate() {
        let tests_left = (chances.len() - rank) as f64;
        least = least.max((chances[index] * tests_left).min(1.0));
        found[index] = (least, least <= rate);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holm_goes_from_the_least_chance_on() {
        let found = holm(&[0.004, 0.5, 0.003, 0.02], 0.01);
        let chances: Vec<f64> = found.iter().map(|(chance, _)| *chance).collect();
        assert_eq!(chances, [0.012, 0.5, 0.012, 0.04]);
        assert!(found.iter().all(|(_, is_significant)| !is_significant));
        assert_eq!(holm(&[0.004, 0.001], 0.01), [(0.004, true), (0.002, true)]);
    }

    #[test]
    fn verdicts_are_ordered_by_what_they_are_worth() {
        assert!(Verdict::Fine < Verdict::CannotTell && Verdict::CannotTell < Verdict::Worse);
    }
}
