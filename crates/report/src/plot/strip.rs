//! Rows of bars in little room: what is too narrow to be seen is added up.

use crate::timeline::{ProcessorRow, TimelineActivity};

/// Parts of the time for computing, waiting and communicating; what they lack of 1 is nothing.
pub(super) type ActivityShares = [f64; 3];

/// What a row shows from one place to another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct StripPiece {
    pub(super) left: f64,
    pub(super) right: f64,
    pub(super) shares: ActivityShares,
}

pub(super) fn index(activity: TimelineActivity) -> usize {
    match activity {
        TimelineActivity::Computing => 0,
        TimelineActivity::Waiting => 1,
        TimelineActivity::Communicating => 2,
    }
}

/// So many times the least width are a bar that can be seen beside others.
const MUCH_WIDER: f64 = 4.0;

/// What processors that share a row do. Pieces narrower than `least` are added up until they are as wide.
pub(super) fn pieces(rows: &[ProcessorRow], x_place: impl Fn(f64) -> f64, least: f64) -> Vec<StripPiece> {
    /// More are added up in columns, which takes less time than to sort them.
    const MOST_BARS: usize = 200_000;
    let ends = rows.iter().filter_map(|row| Some((row.bars.first()?, row.bars.last()?)));
    let ends = ends.map(|(first, last)| (x_place(first.start_s), x_place(last.end_s)));
    let (left, right) =
        ends.fold((f64::INFINITY, f64::NEG_INFINITY), |all, row| (all.0.min(row.0), all.1.max(row.1)));
    if left >= right {
        Vec::new()
    } else if rows.iter().map(|row| row.bars.len()).sum::<usize>() > MOST_BARS {
        columns(rows, x_place, (left, right), least)
    } else {
        added_up(&exact(rows, x_place), least)
    }
}

/// Shares in columns of this width, from one place to another; the last may be narrower.
pub(super) fn columns(
    rows: &[ProcessorRow],
    x_place: impl Fn(f64) -> f64,
    (left, right): (f64, f64),
    width: f64,
) -> Vec<StripPiece> {
    /// Of a column, by which rounding makes one more.
    const SLACK: f64 = 1e-6;
    let count = ((right - left) / width - SLACK).ceil().max(1.0) as usize;
    let column = |index: usize| {
        let start = left + index as f64 * width;
        StripPiece { left: start, right: (start + width).min(right), shares: [0.0; 3] }
    };
    let mut columns: Vec<StripPiece> = (0..count).map(column).collect();
    for bar in rows.iter().flat_map(|row| &row.bars) {
        let (start, end) = (x_place(bar.start_s), x_place(bar.end_s));
        let first = ((start - left) / width).floor().max(0.0) as usize;
        for piece in columns.iter_mut().skip(first).take_while(|piece| piece.left < end) {
            let overlap = (end.min(piece.right) - start.max(piece.left)).max(0.0);
            piece.shares[index(bar.activity)] += overlap;
        }
    }
    for piece in &mut columns {
        let all = (piece.right - piece.left) * rows.len() as f64;
        piece.shares = piece.shares.map(|share| share / all);
    }
    columns
}

/// From each end of a bar to the next.
fn exact(rows: &[ProcessorRow], x_place: impl Fn(f64) -> f64) -> Vec<StripPiece> {
    let bars = rows.iter().flat_map(|row| &row.bars);
    let mut changes: Vec<(f64, usize, f64)> = bars
        .map(|bar| (x_place(bar.start_s), x_place(bar.end_s), index(bar.activity)))
        .filter(|(left, right, _)| left < right)
        .flat_map(|(left, right, activity)| [(left, activity, 1.0), (right, activity, -1.0)])
        .collect();
    changes.sort_by(|a, b| a.0.total_cmp(&b.0));
    let count = rows.len() as f64;
    let mut running: ActivityShares = [0.0; 3];
    let mut pieces = Vec::new();
    for (number, &(left, activity, change)) in changes.iter().enumerate() {
        running[activity] += change;
        if let Some(next) = changes.get(number + 1).filter(|next| next.0 > left) {
            // Rounded ends may overlap a little.
            let all = running.iter().sum::<f64>().max(count);
            pieces.push(StripPiece { left, right: next.0, shares: running.map(|share| share / all) });
        }
    }
    pieces
}

/// Pieces that are wide enough stay as they are. A narrower one is added up with those behind it, until the sum is wide enough and
/// what it began with begins again: what repeats itself has the same shares everywhere. Of a piece that is much wider only so
/// much is taken as the sum lacks.
fn added_up(pieces: &[StripPiece], least: f64) -> Vec<StripPiece> {
    let mut added: Vec<StripPiece> = Vec::new();
    let mut sum: Option<MergedPieces> = None;
    for piece in pieces {
        if let Some(narrow) = sum.take_if(|sum| sum.ends_before(piece, least)) {
            added.push(narrow.average());
        }
        match &mut sum {
            None if piece.width() >= least => added.push(*piece),
            None => sum = Some(MergedPieces::of(piece)),
            Some(narrow) if piece.width() < MUCH_WIDER * least => narrow.add(piece),
            Some(_) => {
                added.extend(sum.take().map(MergedPieces::average));
                added.push(*piece);
                let narrow = added.len() - 2;
                widen(&mut added, narrow, least);
            }
        }
    }
    if let Some(narrow) = sum {
        added.push(narrow.average());
        let narrow = added.len() - 1;
        widen(&mut added, narrow, least);
    }
    added
}

/// Gives a piece the least width, half of it from each neighbour if both have so much.
fn widen(pieces: &mut [StripPiece], index: usize, least: f64) {
    let lacking = least - pieces[index].width();
    if lacking <= 0.0 {
        return;
    }
    let room = |piece: Option<&StripPiece>| piece.map_or(0.0, |piece| (piece.width() - least).max(0.0));
    let before = room(index.checked_sub(1).and_then(|before| pieces.get(before)));
    let behind = room(pieces.get(index + 1));
    let from_before = (lacking / 2.0).max(lacking - behind).min(before);
    let from_behind = (lacking - from_before).min(behind);
    let mut sum = MergedPieces::of(&pieces[index]);
    for (neighbour, taken) in [(index.wrapping_sub(1), from_before), (index + 1, from_behind)] {
        if taken > 0.0 {
            for (sum, share) in sum.shares.iter_mut().zip(pieces[neighbour].shares) {
                *sum += share * taken;
            }
        }
    }
    if from_before > 0.0 {
        sum.left -= from_before;
        pieces[index - 1].right = sum.left;
    }
    if from_behind > 0.0 {
        sum.right += from_behind;
        pieces[index + 1].left = sum.right;
    }
    pieces[index] = sum.average();
}

/// Pieces that become one.
struct MergedPieces {
    left: f64,
    right: f64,
    /// Widths.
    shares: ActivityShares,
    /// What it began with.
    first: Option<usize>,
}

impl MergedPieces {
    fn of(piece: &StripPiece) -> MergedPieces {
        let shares = piece.shares.map(|share| share * piece.width());
        MergedPieces { left: piece.left, right: piece.right, shares, first: piece.most() }
    }

    fn add(&mut self, piece: &StripPiece) {
        self.right = piece.right;
        for (sum, share) in self.shares.iter_mut().zip(piece.shares) {
            *sum += share * piece.width();
        }
    }

    fn ends_before(&self, piece: &StripPiece, least: f64) -> bool {
        let width = self.right - self.left;
        let is_turn = piece.width() >= least || piece.most() == self.first;
        width >= MUCH_WIDER * least || (width >= least && is_turn)
    }

    /// Widths become shares.
    fn average(self) -> StripPiece {
        let width = self.right - self.left;
        StripPiece { left: self.left, right: self.right, shares: self.shares.map(|part| part / width) }
    }
}

impl StripPiece {
    fn width(&self) -> f64 {
        self.right - self.left
    }

    /// What takes more than half of it.
    fn most(&self) -> Option<usize> {
        self.shares.iter().position(|share| *share > 0.5)
    }
}

/// Neighbours whose shares, rounded to multiples of a step, are equal become one.
pub(super) fn joined(pieces: &[StripPiece], step: f64) -> Vec<StripPiece> {
    let mut joined: Vec<StripPiece> = Vec::new();
    for piece in pieces {
        let piece = StripPiece { shares: rounded(piece.shares, step), ..*piece };
        match joined.last_mut() {
            Some(last) if last.shares == piece.shares && last.right == piece.left => last.right = piece.right,
            _ => joined.push(piece),
        }
    }
    joined
}

/// The sums from communicating upwards are rounded, so that full rows stay full.
fn rounded([computing, waiting, communicating]: ActivityShares, step: f64) -> ActivityShares {
    let round = |share: f64| (share / step).round() * step;
    let (low, middle, high) =
        (round(communicating), round(communicating + waiting), round(communicating + waiting + computing));
    [high - middle, middle - low, low]
}

/// The activities of consecutive places, one each. Where several share a place, the one that had too few places so far
/// gets it.
pub(super) fn dominant(pieces: &[StripPiece]) -> Vec<Option<usize>> {
    /// Less than this is nothing.
    const LEAST: f64 = 0.05;
    let mut debts = [0.0; 3];
    let mut choose = |piece: &StripPiece| {
        let all: f64 = piece.shares.iter().sum();
        if all < 0.5 {
            debts = [0.0; 3];
            return None;
        }
        for (debt, share) in debts.iter_mut().zip(piece.shares) {
            *debt = if share < LEAST { 0.0 } else { *debt + share };
        }
        let chosen = (0..3).filter(|index| piece.shares[*index] >= LEAST).max_by(|a, b| {
            // Of equals the first.
            debts[*a].total_cmp(&debts[*b]).then(b.cmp(a))
        })?;
        debts[chosen] -= 1.0;
        Some(chosen)
    };
    pieces.iter().map(&mut choose).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timeline::TimelineBar;

    fn row(bars: &[(TimelineActivity, f64, f64)]) -> ProcessorRow {
        let bar = |&(activity, start_s, end_s): &(TimelineActivity, f64, f64)| TimelineBar {
            activity,
            start_s,
            end_s,
            superstep: 0,
        };
        ProcessorRow { label: String::new(), bars: bars.iter().map(bar).collect() }
    }

    const W: TimelineActivity = TimelineActivity::Computing;
    const O: TimelineActivity = TimelineActivity::Waiting;
    const C: TimelineActivity = TimelineActivity::Communicating;

    fn shown(pieces: &[StripPiece]) -> Vec<(f64, f64, ActivityShares)> {
        pieces.iter().map(|piece| (piece.left, piece.right, piece.shares)).collect()
    }

    #[test]
    fn wide_bars_keep_their_ends() {
        let pieces = pieces(&[row(&[(W, 0.0, 2.5), (O, 2.5, 4.0), (C, 5.0, 7.0)])], |time| time, 1.0);
        let expected = [
            (0.0, 2.5, [1.0, 0.0, 0.0]),
            (2.5, 4.0, [0.0, 1.0, 0.0]),
            (4.0, 5.0, [0.0; 3]),
            (5.0, 7.0, [0.0, 0.0, 1.0]),
        ];
        assert_eq!(shown(&pieces), expected);
    }

    #[test]
    fn narrow_bars_become_shares() {
        let bars = [(W, 0.0, 0.5), (C, 0.5, 0.75), (W, 0.75, 1.0), (C, 1.0, 1.25), (O, 1.25, 4.0)];
        let pieces = pieces(&[row(&bars)], |time| time, 1.0);
        let expected = [(0.0, 1.25, [0.6, 0.0, 0.4]), (1.25, 4.0, [0.0, 1.0, 0.0])];
        assert_eq!(shown(&pieces), expected);
    }

    #[test]
    fn what_repeats_itself_has_the_same_shares() {
        for (work, count) in [(0.25, 96), (0.75, 48), (2.75, 20)] {
            let bars = |turn: i32| {
                let start = f64::from(turn) * (work + 0.25);
                [(W, start, start + work), (C, start + work, start + work + 0.25)]
            };
            let bars: Vec<_> = (0..count).flat_map(bars).collect();
            let pieces = pieces(&[row(&bars)], |time| time, 1.0);
            assert!(pieces.len() > 10, "{pieces:?}");
            // At its ends a row may have what is wide enough.
            for piece in &pieces[1..pieces.len() - 1] {
                assert_eq!(piece.shares, [work / (work + 0.25), 0.0, 0.25 / (work + 0.25)], "{work}");
            }
        }
    }

    #[test]
    fn narrow_bars_between_wide_ones_take_what_they_lack() {
        let bars = [(W, 0.0, 8.0), (C, 8.0, 8.25), (W, 8.25, 16.0), (C, 16.0, 16.25)];
        let pieces = pieces(&[row(&bars)], |time| time, 1.0);
        let expected = [
            (0.0, 7.625, [1.0, 0.0, 0.0]),
            (7.625, 8.625, [0.75, 0.0, 0.25]),
            (8.625, 15.25, [1.0, 0.0, 0.0]),
            (15.25, 16.25, [0.75, 0.0, 0.25]),
        ];
        assert_eq!(shown(&pieces), expected);
    }

    #[test]
    fn several_processors_are_added_up() {
        let rows = [row(&[(W, 0.0, 2.0)]), row(&[(W, 0.0, 1.0), (O, 1.0, 1.5)])];
        let expected =
            [(0.0, 1.0, [1.0, 0.0, 0.0]), (1.0, 1.5, [0.5, 0.5, 0.0]), (1.5, 2.0, [0.5, 0.0, 0.0])];
        assert_eq!(shown(&pieces(&rows, |time| time, 0.5)), expected);
        let expected = [(0.0, 1.0, [1.0, 0.0, 0.0]), (1.0, 2.0, [0.5, 0.25, 0.0])];
        assert_eq!(shown(&pieces(&rows, |time| time, 1.0)), expected);
        assert_eq!(shown(&columns(&rows, |time| time, (0.0, 2.0), 1.0)), expected);
    }

    #[test]
    fn equal_neighbours_are_joined() {
        let piece =
            |left: f64, share: f64| StripPiece { left, right: left + 1.0, shares: [1.0 - share, 0.0, share] };
        let joined = joined(&[piece(0.0, 0.24), piece(1.0, 0.26), piece(2.0, 0.5), piece(4.0, 0.5)], 0.25);
        let expected =
            [(0.0, 2.0, [0.75, 0.0, 0.25]), (2.0, 3.0, [0.5, 0.0, 0.5]), (4.0, 5.0, [0.5, 0.0, 0.5])];
        assert_eq!(shown(&joined), expected);
    }

    #[test]
    fn mixed_places_keep_the_proportions() {
        let mixed = StripPiece { left: 0.0, right: 1.0, shares: [0.6, 0.1, 0.3] };
        let chosen = dominant(&[mixed; 100]);
        let count = |index| chosen.iter().filter(|chosen| **chosen == Some(index)).count();
        assert_eq!([0, 1, 2].map(count), [60, 10, 30]);
    }

    #[test]
    fn what_is_elsewhere_is_not_chosen() {
        let pure = |index: usize| {
            let mut shares = [0.0; 3];
            shares[index] = 1.0;
            StripPiece { left: 0.0, right: 1.0, shares }
        };
        let mixed = StripPiece { shares: [0.6, 0.4, 0.0], ..pure(0) };
        let none = StripPiece { shares: [0.1, 0.0, 0.0], ..pure(0) };
        let chosen = dominant(&[mixed, pure(0), pure(2), none, pure(1)]);
        assert_eq!(chosen, [Some(0), Some(0), Some(2), None, Some(1)]);
    }
}
