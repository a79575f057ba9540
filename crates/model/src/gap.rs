//! Where intervals end, as far as samples tell: somewhere between the last sample on one side of a border and the first on the other.

use call_fit::{Interval, Segmentation};

use crate::SampledRange;

/// The part of the space between two samples in which one interval ends and the next begins, nobody knows where. The border of the
/// model is at its lower end, which belongs to the interval below; the upper end belongs to the one above.
#[derive(Debug, Clone, PartialEq)]
pub struct Gap {
    /// Position of the variable in a point.
    pub variable: usize,
    /// The last sampled value of the interval below.
    pub below: f64,
    /// The first one of the interval above.
    pub above: f64,
    /// A round number that about halves it, by the ratio of its ends where they are positive; whole where all samples are. None where
    /// there is none.
    pub middle: Option<f64>,
    /// For each variable where the border may be: what earlier borders leave in one piece.
    region: Vec<Interval>,
}

impl Gap {
    /// Whether nobody knows on which side of the border a point is.
    pub fn contains(&self, point: &[f64]) -> bool {
        let value = point[self.variable];
        let is_within = self.region.iter().zip(point).all(|(interval, &value)| interval.contains(value));
        self.below < value && value < self.above && is_within
    }

    /// The last value before the interval above.
    pub fn end(&self) -> f64 {
        self.above.next_down()
    }

    /// The same of a point that begins with other values.
    pub fn behind(self, first: usize) -> Gap {
        let before = std::iter::repeat_n(Interval::WHOLE, first);
        Gap { variable: first + self.variable, region: before.chain(self.region).collect(), ..self }
    }
}

/// The gaps of a segmentation.
#[derive(Debug, Clone)]
pub(crate) struct Gaps {
    /// For each border, in the order of [`Segmentation::splits`].
    pub(crate) all: Vec<Gap>,
    /// For each cell where it may hold: up to the samples of other cells.
    pub(crate) reach: Vec<Vec<Interval>>,
}

impl Gaps {
    /// Of the samples whose columns these are.
    pub(crate) fn of_samples(
        segmentation: &Segmentation,
        ranges: &[SampledRange],
        columns: &[&[f64]],
    ) -> Gaps {
        Gaps::new(segmentation, ranges, |_, variable, cells| {
            let samples = cells.iter().flat_map(|cell| &segmentation.cells[*cell].samples);
            samples.map(|sample| columns[variable][*sample]).fold(f64::INFINITY, f64::min)
        })
    }

    /// `above` has the first sampled value above each border: the border itself where it is not known, which leaves no gap.
    pub(crate) fn known(segmentation: &Segmentation, ranges: &[SampledRange], above: &[f64]) -> Gaps {
        Gaps::new(segmentation, ranges, |border, _, _| above[border])
    }

    fn new(
        segmentation: &Segmentation,
        ranges: &[SampledRange],
        above: impl Fn(usize, usize, &[usize]) -> f64,
    ) -> Gaps {
        let Segmentation { cells, splits, .. } = segmentation;
        let variables = ranges.len();
        let mut gaps = Gaps { all: Vec::new(), reach: vec![vec![Interval::WHOLE; variables]; cells.len()] };
        // A border divides what the earlier ones left in one piece, the part below comes before the part above.
        let mut waiting = vec![((0..cells.len()).collect::<Vec<usize>>(), vec![Interval::WHOLE; variables])];
        while let Some((part, region)) = waiting.pop() {
            if let [cell] = part[..] {
                gaps.reach[cell] = region;
                continue;
            }
            let border = gaps.all.len();
            let Some(split) = splits.get(border) else { break };
            let variable = split.variable;
            let is_below = |cell: &usize| cells[*cell].intervals[variable].upper <= split.at;
            let (lower, upper): (Vec<usize>, Vec<usize>) = part.into_iter().partition(is_below);
            let (below, above) = (split.at, above(border, variable, &upper).max(split.at));
            let middle = middle(below, above, ranges[variable].is_whole);
            let gap = Gap { variable, below, above, middle, region: region.clone() };
            let (mut under, mut over) = (region.clone(), region);
            under[variable].upper = if gap.above > gap.below { gap.end() } else { gap.below };
            over[variable].lower = gap.below;
            gaps.all.push(gap);
            waiting.push((upper, over));
            waiting.push((lower, under));
        }
        gaps
    }
}

fn middle(below: f64, above: f64, is_whole: bool) -> Option<f64> {
    let middle = if below > 0.0 { below * (above / below).sqrt() } else { below + (above - below) / 2.0 };
    let middle = if is_whole { middle.round() } else { middle };
    let rounded = (1..17).filter_map(|digits| format!("{middle:.digits$e}").parse().ok());
    rounded.chain([middle]).find(|middle| below < *middle && *middle < above)
}
