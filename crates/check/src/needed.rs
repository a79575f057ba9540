use call_model::student_quantile;

use crate::difference::Difference;

/// How many runs tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunsNeeded {
    /// Further runs of the new program.
    pub after: usize,
    /// Further runs of the program of the baseline.
    pub before: usize,
}

/// More runs nobody makes.
const MOST: usize = 100;

/// How many runs are expected to tell if they go on as they are: that a change is above the tolerance as it seems, or that it is not. New runs
/// alone if these can do it, else as many of both; none if a hundred of each would not.
pub(crate) fn runs_needed(
    found: &Difference,
    (before, after): (usize, usize),
    tolerance: f64,
    (level, alarm): (f64, f64),
) -> Option<RunsNeeded> {
    let deviation = found.deviation_of_run(before, after);
    let tells = |more_before: usize, more_after: usize| {
        let (old, new) = ((before + more_before) as f64, (after + more_after) as f64);
        let error = deviation * (1.0 / old + 1.0 / new).sqrt();
        let freedom = old + new - 2.0;
        match found.change > tolerance {
            true => found.change > error * student_quantile(1.0 - alarm, freedom),
            false => found.change + error * student_quantile(0.5 + level / 2.0, freedom) < tolerance,
        }
    };
    let new_alone = (1..=MOST).find(|&more| tells(0, more)).map(|after| RunsNeeded { after, before: 0 });
    let both =
        || (1..=MOST).find(|&more| tells(more, more)).map(|more| RunsNeeded { after: more, before: more });
    match new_alone {
        // Where the baseline is what is uncertain, few more of both do more than many of one.
        Some(needed) if needed.after <= 10 => Some(needed),
        alone => both().or(alone),
    }
}
