//! Points that have changed their interval, as its border moved: as ones of the old interval they would make other constants of it.

use call_check::MovedBorder;
use call_grammar::listed;
use call_report::number::exact;
use call_trace::{Experiment, Samples};

/// An experiment without the points between both places of borders.
pub fn without_between(experiment: &Experiment, borders: &[MovedBorder]) -> Experiment {
    let stays = |samples: &Samples, row: usize| {
        !borders.iter().any(|border| {
            samples.column(&border.variable).is_some_and(|column| border.is_between(column[row]))
        })
    };
    let (samples, summaries) = (&experiment.samples, &experiment.summaries);
    Experiment {
        samples: samples.select(|row| stays(samples, row)),
        summaries: summaries.select(|row| stays(&summaries.points, row)),
        ..experiment.clone()
    }
}

/// `N = 8000 is at 32000`.
pub fn in_words(borders: &[MovedBorder]) -> String {
    let moved = |border: &MovedBorder| {
        format!("{} = {} is at {}", border.variable, exact(border.before), exact(border.after))
    };
    listed(&borders.iter().map(moved).collect::<Vec<_>>())
}
