//! What can have been done to a file between two runs.

/// What speaks against a history of changes, as bits: with one more it is half as likely. Lines come or go between two places, the more the less
/// likely up to [`MOST_LINES`]; a place comes or goes.
pub(super) const CHANGE: f64 = 2.0;
const MOST_LINES: f64 = 4.0;
const PLACE: f64 = 3.0;
/// Over how many places that came or went lines are counted. Over more they count as many.
const WINDOW: usize = 16;

/// What speaks against the likeliest histories that end with a place before, and one after, being the same, with the pair in front of it.
pub(super) struct Histories {
    pub against: Vec<Vec<f64>>,
    pub from: Vec<Vec<Option<(usize, usize)>>>,
}

/// The likeliest history that ends with any of the pairs up to one, but for the places that come or go behind it.
type InFront = (f64, Option<(usize, usize)>);

/// Lines before and after, in order.
pub(super) struct Lines {
    pub old: Vec<i64>,
    pub new: Vec<i64>,
    /// Whether it is known where lines in front of them begin.
    pub has_start: bool,
}

impl Lines {
    /// From the end, where nobody knows how many lines follow.
    pub fn turned(&self) -> Lines {
        let turned = |lines: &[i64]| lines.iter().rev().map(|line| -line).collect();
        Lines { old: turned(&self.old), new: turned(&self.new), has_start: false }
    }

    fn moved(&self, before: usize, after: usize) -> i64 {
        self.new[after] - self.old[before]
    }
}

impl Histories {
    /// `own` is what speaks against a pair itself; infinite if it cannot be the same.
    pub fn of(lines: &Lines, own: impl Fn(usize, usize) -> f64) -> Histories {
        let empty = || vec![f64::INFINITY; lines.new.len()];
        let mut found =
            Histories { against: vec![], from: vec![vec![None; lines.new.len()]; lines.old.len()] };
        let mut in_front: Vec<Vec<InFront>> = Vec::new();
        for before in 0..lines.old.len() {
            found.against.push(empty());
            in_front.push(vec![(f64::INFINITY, None); lines.new.len()]);
            for after in 0..lines.new.len() {
                if own(before, after).is_finite() {
                    let (against, from) = found.likeliest_before(lines, &in_front, (before, after));
                    found.against[before][after] = against + own(before, after);
                    found.from[before][after] = from;
                }
                let behind = PLACE * (before + after) as f64;
                let its = (found.against[before][after] - behind, Some((before, after)));
                let above = before.checked_sub(1).map(|above| in_front[above][after]);
                let left = after.checked_sub(1).map(|left| in_front[before][left]);
                in_front[before][after] = [above, left]
                    .into_iter()
                    .flatten()
                    .fold(its, |least, other| if other.0 < least.0 { other } else { least });
            }
        }
        found
    }

    fn likeliest_before(
        &self,
        lines: &Lines,
        in_front: &[Vec<InFront>],
        (before, after): (usize, usize),
    ) -> InFront {
        let start = lines.has_start.then(|| lines.moved(before, after));
        let mut best = (change(start, [before, after]), None);
        for before_last in before.saturating_sub(WINDOW)..before {
            for after_last in after.saturating_sub(WINDOW)..after {
                let moved = lines.moved(before, after) - lines.moved(before_last, after_last);
                let places = [before - before_last - 1, after - after_last - 1];
                let against = self.against[before_last][after_last] + change(Some(moved), places);
                if against < best.0 {
                    best = (against, Some((before_last, after_last)));
                }
            }
        }
        if before > 0 && after > 0 {
            let (against, pair) = in_front[before - 1][after - 1];
            let against = against + PLACE * (before + after - 2) as f64 + 2.0 * CHANGE + MOST_LINES;
            if against < best.0 {
                best = (against, pair);
            }
        }
        best
    }
}

/// What speaks against that so many lines came (`None`: nobody knows), less those that went, and that these places went and came between two places. Each may
/// have a line of its own.
pub(super) fn change(lines: Option<i64>, [gone, new]: [usize; 2]) -> f64 {
    let own = -(gone as i64)..=new as i64;
    let lines = match lines.map(|lines| lines - lines.clamp(*own.start(), *own.end())) {
        None | Some(0) => 0.0,
        Some(others) => CHANGE + (1.0 + others.unsigned_abs() as f64).log2().min(MOST_LINES),
    };
    // What goes and comes at once may as well be the same.
    let replaced = if gone > 0 && new > 0 { CHANGE } else { 0.0 };
    lines + replaced + PLACE * (gone + new) as f64
}
