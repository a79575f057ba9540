//! What each run says of its points, of all that it measured.

use crate::point::{PointMembers, PointNumbers};
use crate::{Folding, Samples};

/// The mean of all measurements of a run at a point, processors joined. Columns of equal length.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RunMeans {
    /// The runs.
    pub run: Vec<u32>,
    /// Numbers of the points: equal ones have the same number.
    pub point: Vec<usize>,
    /// The means.
    pub mean_s: Vec<f64>,
}

impl RunMeans {
    /// Those of joined samples, which count as often as they were measured; none of a single run.
    pub(crate) fn of(joined: &Samples) -> Option<RunMeans> {
        if joined.run.windows(2).all(|pair| pair[0] == pair[1]) {
            return None;
        }
        let groups = PointMembers::of(joined, |index| u64::from(joined.run[index]));
        let mut numbers = PointNumbers::new(joined.columns.len());
        let (mut means, mut scratch) = (RunMeans::default(), Vec::new());
        for members in groups.iter() {
            means.run.push(joined.run[members[0]]);
            means.point.push(numbers.number(joined, members[0], 0));
            means.mean_s.push(joined.folded(&joined.time_s, members, Folding::Mean, &mut scratch));
        }
        Some(means)
    }
}
