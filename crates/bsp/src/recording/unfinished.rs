//! What processors recorded of a run that did not come to its end.

use call_trace::ProcessorSupersteps;

/// The supersteps of the outermost machine that all processors recorded, with their parts; and how many more some processor has.
///
/// Processors save what they recorded at different times, so when a run is killed some are further than others.
pub fn common_beginning(sections: &[ProcessorSupersteps]) -> (Vec<ProcessorSupersteps>, usize) {
    let ends = |section: &ProcessorSupersteps| -> Vec<usize> {
        let outermost = section.supersteps.iter().enumerate().filter(|(_, its)| its.depth == 0);
        outermost.map(|(at, _)| at + 1).collect()
    };
    let all_ends: Vec<Vec<usize>> = sections.iter().map(ends).collect();
    let common = all_ends.iter().map(Vec::len).min().unwrap_or(0);
    let most = all_ends.iter().map(Vec::len).max().unwrap_or(0);
    let beginning = sections.iter().zip(&all_ends).map(|(section, ends)| {
        let count = common.checked_sub(1).map_or(0, |last| ends[last]);
        let supersteps = section.supersteps[..count].to_vec();
        ProcessorSupersteps {
            supersteps,
            places: section.places.clone(),
            experiments: section.experiments.clone(),
            ..*section
        }
    });
    (beginning.collect(), most - common)
}
