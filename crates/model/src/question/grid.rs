use super::NoAnswer;
use super::root::{NumberDomain, last_with_room};

/// From one value to another, both included.
#[derive(Debug, Clone, Copy, PartialEq)]
#[allow(missing_docs, reason = "the names say it")]
pub struct ValueRange {
    pub lowest: f64,
    pub highest: f64,
}

/// Values on each piece between two borders.
const VALUES: u32 = 400;

/// Beyond this, whole numbers have gaps.
const LARGEST_WHOLE: f64 = 9_007_199_254_740_992.0;

/// Values to look at, ascending, so that each piece between borders has its ends among them.
pub(super) struct QuestionGrid {
    pub(super) values: Vec<f64>,
    /// For each value whether a border lies between it and the next one.
    is_end: Vec<bool>,
    numbers: NumberDomain,
}

impl QuestionGrid {
    /// # Errors
    /// If no value is in the span.
    pub(super) fn new(
        span: ValueRange,
        borders: &[f64],
        numbers: NumberDomain,
    ) -> Result<QuestionGrid, NoAnswer> {
        let ValueRange { lowest, highest } = span;
        let empty = NoAnswer::EmptyRange { lowest, highest };
        if !(lowest.is_finite() && highest.is_finite() && lowest <= highest) {
            return Err(empty);
        }
        let mut grid = QuestionGrid { values: Vec::new(), is_end: Vec::new(), numbers };
        let inner = borders.iter().copied().filter(|border| (lowest..highest).contains(border));
        let ends: Vec<f64> = inner.chain([highest]).collect();
        let mut from = lowest;
        for to in ends {
            grid.add_piece(from, to);
            from = to.next_up();
        }
        if grid.values.is_empty() { Err(empty) } else { Ok(grid) }
    }

    fn add_piece(&mut self, from: f64, to: f64) {
        let (from, to) = match self.numbers {
            NumberDomain::Real => (from, to),
            NumberDomain::Whole => (from.ceil().max(-LARGEST_WHOLE), to.floor().min(LARGEST_WHOLE)),
        };
        if from > to {
            return;
        }
        let before = self.values.len();
        for step in 0..VALUES {
            let share = f64::from(step) / f64::from(VALUES - 1);
            // Steps by a factor where a variable has decades.
            let value = if from > 0.0 { from * (to / from).powf(share) } else { from + (to - from) * share };
            let value = match self.numbers {
                NumberDomain::Real => value,
                NumberDomain::Whole => value.round(),
            };
            let value = match step {
                0 => from,
                step if step == VALUES - 1 => to,
                _ => value.clamp(from, to),
            };
            if self.values.get(before..).and_then(<[f64]>::last).is_none_or(|last| value > *last) {
                self.values.push(value);
                self.is_end.push(false);
            }
        }
        if let Some(end) = self.is_end.last_mut() {
            *end = true;
        }
    }

    /// The same with so many whole numbers from a value on, as far as the grid reaches: each is looked at where the times may jump anywhere.
    pub(super) fn closely(mut self, from: f64, most: usize) -> QuestionGrid {
        let (Some(&first), Some(&last)) = (self.values.first(), self.values.last()) else { return self };
        let from = from.max(first).ceil();
        if last.abs().max(from.abs()) >= LARGEST_WHOLE {
            return self;
        }
        let wholes = (0..most).map(|step| from + step as f64).take_while(|value| *value < last);
        let mut wholes = wholes.peekable();
        let mut closer = QuestionGrid { values: Vec::new(), is_end: Vec::new(), numbers: self.numbers };
        // Pieces begin directly behind borders, so whole numbers lie within pieces.
        for (value, is_end) in std::mem::take(&mut self.values).into_iter().zip(self.is_end) {
            while let Some(whole) = wholes.next_if(|whole| *whole <= value) {
                if whole < value {
                    closer.values.push(whole);
                    closer.is_end.push(false);
                }
            }
            closer.values.push(value);
            closer.is_end.push(is_end);
        }
        closer
    }

    /// Whether all whole numbers of a part are among its values.
    pub(super) fn has_wholes(&self, part: ValueRange) -> bool {
        let (from, to) = (part.lowest.ceil(), part.highest.floor());
        let place = |value: f64| self.values.partition_point(|known| *known < value);
        let here = self.values.get(place(from)..place(to.next_up())).unwrap_or_default();
        here.iter().filter(|value| value.fract() == 0.0).count() as f64 >= to - from + 1.0
    }

    /// The largest value that has room (at least 0), and whether it is the end of the grid.
    pub(super) fn last_with_room(&self, room: impl Fn(f64) -> f64) -> Option<(f64, bool)> {
        let index = self.values.iter().rposition(|value| room(*value) >= 0.0)?;
        if index + 1 == self.values.len() {
            return Some((self.values[index], true));
        }
        let value = if self.is_end[index] {
            self.values[index]
        } else {
            last_with_room(self.values[index], self.values[index + 1], self.numbers, room)
        };
        Some((value, false))
    }

    /// The smallest value that has room (at least 0), and whether it is the start of the grid.
    pub(super) fn first_with_room(&self, room: impl Fn(f64) -> f64) -> Option<(f64, bool)> {
        let index = self.values.iter().position(|value| room(*value) >= 0.0)?;
        if index == 0 || self.is_end[index - 1] {
            return Some((self.values[index], index == 0));
        }
        Some((last_with_room(self.values[index], self.values[index - 1], self.numbers, room), false))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::root::strictly;

    fn grid(lowest: f64, highest: f64, borders: &[f64], numbers: NumberDomain) -> QuestionGrid {
        QuestionGrid::new(ValueRange { lowest, highest }, borders, numbers).unwrap()
    }

    #[test]
    fn searches_are_those_of_brute_force() {
        // Holds below 300 and between 5000 and 7123; the border at 5000 is a jump.
        let holds = |value: f64| value <= 300.0 || (value > 5000.0 && value <= 7123.0);
        let room = |value: f64| if value <= 5000.0 { 300.0 - value } else { 7123.0 - value };
        let whole = grid(1.0, 100_000.0, &[5000.0], NumberDomain::Whole);
        let brute: Vec<f64> = (1..=100_000).map(f64::from).filter(|value| holds(*value)).collect();
        assert_eq!(whole.last_with_room(room), brute.last().map(|last| (*last, false)));
        assert_eq!(whole.first_with_room(|value| strictly(-room(value))), Some((301.0, false)));
        assert_eq!(whole.first_with_room(|value| strictly(value - 5000.0)), Some((5001.0, false)));
        assert_eq!(whole.last_with_room(|value| 5000.0 - value), Some((5000.0, false)));
        let real = grid(1.0, 100_000.0, &[5000.0], NumberDomain::Real);
        assert_eq!(real.last_with_room(room), Some((7123.0, false)));
        assert_eq!(real.last_with_room(|value| 5000.0 - value), Some((5000.0, false)));
        assert_eq!(
            real.first_with_room(|value| strictly(value - 5000.0)),
            Some((5000.0_f64.next_up(), false))
        );
        assert_eq!(real.first_with_room(|_| 0.0), Some((1.0, true)));
        assert_eq!(real.last_with_room(|_| 0.0), Some((100_000.0, true)));
        assert_eq!(real.last_with_room(|_| f64::NAN), None);
    }

    #[test]
    fn every_whole_number_is_found() {
        for limit in 1..2000 {
            let found =
                grid(1.0, 3000.0, &[], NumberDomain::Whole).last_with_room(|value| f64::from(limit) - value);
            assert_eq!(found, Some((f64::from(limit), false)));
        }
        assert_eq!(grid(-5.0, 5.0, &[0.0], NumberDomain::Whole).values.len(), 11);
    }

    #[test]
    fn whole_numbers_are_looked_at_from_a_value_on() {
        let coarse = || grid(1.0, 100_000.0, &[5000.0], NumberDomain::Whole);
        let part = |lowest, highest| ValueRange { lowest, highest };
        assert!(!coarse().has_wholes(part(1000.0, 4000.0)));
        let close = coarse().closely(1000.0, 6000);
        assert!(close.has_wholes(part(1000.0, 6999.0)) && !close.has_wholes(part(1000.0, 7500.0)));
        assert!(close.values.is_sorted_by(|one, next| one < next));
        let ends = |grid: &QuestionGrid| -> Vec<f64> {
            grid.values
                .iter()
                .zip(&grid.is_end)
                .filter(|(_, is_end)| **is_end)
                .map(|(value, _)| *value)
                .collect()
        };
        assert_eq!(ends(&close), [5000.0, 100_000.0]);
        let room = |value: f64| if value == 6543.0 { 1.0 } else { -1.0 };
        assert_eq!(close.last_with_room(room), Some((6543.0, false)));
        assert_eq!(close.first_with_room(room), Some((6543.0, false)));
        assert_eq!(coarse().closely(1.0, 0).values, coarse().values);
        assert!(grid(0.5, 9.0, &[], NumberDomain::Real).closely(0.5, 99).has_wholes(part(0.5, 9.0)));
    }

    #[test]
    fn odd_spans_are_refused_or_small() {
        let new = |lowest, highest, numbers| QuestionGrid::new(ValueRange { lowest, highest }, &[], numbers);
        assert!(new(2.0, 1.0, NumberDomain::Real).is_err());
        assert!(new(f64::NAN, 1.0, NumberDomain::Real).is_err());
        assert!(new(0.0, f64::INFINITY, NumberDomain::Real).is_err());
        assert!(new(1.2, 1.8, NumberDomain::Whole).is_err());
        assert_eq!(new(3.0, 3.0, NumberDomain::Real).unwrap().values, [3.0]);
    }
}
