use crate::RunValue;
use crate::difference::Difference;
use crate::runs::unrounded;
use crate::verdict::{ComparedNumber, NumberComparison, Verdict};

/// How many runs tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunsNeeded {
    /// Further runs of the new program.
    pub after: usize,
    /// Further runs of the program of the baseline.
    pub before: usize,
}

/// What is tried. More runs nobody makes.
const COUNTS: [usize; 19] = [1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 70, 85, 100];

/// So many new runs are made rather than fewer of both programs.
const FEW: usize = 10;

/// How many runs are expected to tell if the difference stays as it is and further runs scatter as these: by the rule of the verdict itself, given whether a chance
/// is significant beside all others. New runs alone if these can do it, else as many of both; none if a hundred of each would not.
pub(crate) fn runs_needed(
    compared: &ComparedNumber,
    (level, is_significant): (f64, impl Fn(&NumberComparison) -> bool),
) -> Option<RunsNeeded> {
    let before = usable(&compared.before);
    let after = usable(&compared.after);
    let groups = crate::TwoGroups { before: &before, after: &after, same_design: compared.same_design };
    let found = Difference::of(&groups)?;
    // Further runs scatter as these do, and are rounded alike.
    let [exact_before, exact_after] = [&before, &after].map(|runs| unrounded(runs));
    let exact = crate::TwoGroups { before: &exact_before, after: &exact_after, ..groups };
    let deviation = Difference::of(&exact)?.deviation_of_run(before.len(), after.len());
    // The first further run is one that says less.
    let sign = if found.change > compared.tolerance { -1.0 } else { 1.0 };
    let tells = |more_before: usize, more_after: usize| {
        let further = ComparedNumber {
            before: with_more(&before, more_before, -sign * deviation),
            after: with_more(&after, more_after, sign * deviation),
            ..compared.clone()
        };
        let comparison = NumberComparison::of(&further, level);
        comparison.is_some_and(|it| it.verdict(is_significant(&it)) != Verdict::CannotTell)
    };
    let new_alone =
        COUNTS.into_iter().find(|&more| tells(0, more)).map(|after| RunsNeeded { after, before: 0 });
    let both = || {
        COUNTS
            .into_iter()
            .find(|&more| tells(more, more))
            .map(|more| RunsNeeded { after: more, before: more })
    };
    match new_alone {
        // Where the baseline is what is uncertain, few more of both do more than many of one.
        Some(needed) if needed.after <= FEW => Some(needed),
        alone => both().or(alone),
    }
}

fn usable(runs: &[RunValue]) -> Vec<RunValue> {
    runs.iter().copied().filter(|run| run.value.is_finite()).collect()
}

/// With further runs about their mean, a deviation away on the one side, twice on the other, and so on.
fn with_more(runs: &[RunValue], more: usize, deviation: f64) -> Vec<RunValue> {
    let count = runs.len() as f64;
    let mean = runs.iter().map(|run| run.value).sum::<f64>() / count;
    let variance = runs.iter().map(|run| run.variance).sum::<f64>() / count;
    let sign = |index: usize| if matches!(index % 4, 0 | 3) { 1.0 } else { -1.0 };
    let rounding = runs.iter().map(|run| run.rounding).sum::<f64>() / count;
    let further =
        (0..more).map(|index| RunValue { value: mean + sign(index) * deviation, variance, rounding });
    runs.iter().copied().chain(further).collect()
}
