use argmin::core::{CostFunction, Executor};
use argmin::solver::brent::BrentRoot;

/// Which values a variable may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NumberDomain {
    /// Whole numbers.
    Whole,
    /// All numbers.
    Real,
}

/// Between a value that has room and one that has none, the last one that has: the root of the room by Brent's method. Of several
/// roots it is one of them; a jump is a root, too. Room of 0 is room, NaN is none.
pub(super) fn last_with_room(yes: f64, no: f64, numbers: NumberDomain, room: impl Fn(f64) -> f64) -> f64 {
    let room = Room { room, numbers };
    let solver = BrentRoot::new(yes, no, 0.0);
    let solved =
        Executor::new(&room, solver).configure(|state| state.max_iters(MOST_STEPS)).timer(false).run();
    let root = solved.ok().and_then(|solved| solved.state.param).unwrap_or(yes);
    room.border(yes, room.at(root).clamp(yes.min(no), yes.max(no)), no)
}

/// Room that 0 is none of.
pub(super) fn strictly(room: f64) -> f64 {
    if room == 0.0 { -TINY } else { room }
}

const TINY: f64 = f64::MIN_POSITIVE;

/// Interpolation that never helps costs some 60 steps for each of 60 halvings.
const MOST_STEPS: u64 = 10_000;

/// What is left at a value until something no longer holds.
struct Room<F> {
    room: F,
    numbers: NumberDomain,
}

impl<F: Fn(f64) -> f64> Room<F> {
    /// The value that stands for all around it.
    fn at(&self, value: f64) -> f64 {
        match self.numbers {
            NumberDomain::Whole => value.round(),
            NumberDomain::Real => value,
        }
    }

    fn is_left(&self, value: f64) -> bool {
        (self.room)(value) >= 0.0
    }

    /// The last value with room on the way to one without, near a root that is known but for rounding: away from the root in steps that
    /// double, as there may be no slope to go by, then by halves.
    fn border(&self, yes: f64, root: f64, no: f64) -> f64 {
        let [yes, mut near, no] = [yes, root, no].map(|value| self.number(value));
        let has_room = |number| self.is_left(self.value(number));
        let is_root_left = has_room(near);
        let end = if is_root_left { no } else { yes };
        let mut step = 1;
        let far = loop {
            let looked = near + (end - near).clamp(-step, step);
            if looked == end || has_room(looked) != is_root_left {
                break looked;
            }
            near = looked;
            step *= 2;
        };
        let (mut has, mut lacks) = if is_root_left { (near, far) } else { (far, near) };
        while has.abs_diff(lacks) > 1 {
            let middle = has.midpoint(lacks);
            *(if has_room(middle) { &mut has } else { &mut lacks }) = middle;
        }
        self.value(has)
    }

    /// Values that follow each other have numbers that do.
    fn number(&self, value: f64) -> i128 {
        match self.numbers {
            NumberDomain::Whole => value as i128,
            NumberDomain::Real => in_order(value.to_bits().cast_signed()).into(),
        }
    }

    fn value(&self, number: i128) -> f64 {
        match self.numbers {
            NumberDomain::Whole => number as f64,
            NumberDomain::Real => f64::from_bits(in_order(number as i64).cast_unsigned()),
        }
    }
}

/// From the bits of a number to its place among all, as in [`f64::total_cmp`], and back.
fn in_order(bits: i64) -> i64 {
    bits ^ ((bits >> 63).cast_unsigned() >> 1).cast_signed()
}

impl<F: Fn(f64) -> f64> CostFunction for &Room<F> {
    type Param = f64;
    type Output = f64;

    /// Neither 0 nor NaN: 0 would end the search far from where the room ends.
    fn cost(&self, value: &f64) -> Result<f64, argmin::core::Error> {
        let room = (self.room)(self.at(*value));
        Ok(match room {
            0.0.. => room.clamp(TINY, f64::MAX),
            ..0.0 => room.clamp(f64::MIN, -TINY),
            _ => f64::MIN,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn real(yes: f64, no: f64, room: impl Fn(f64) -> f64) -> f64 {
        last_with_room(yes, no, NumberDomain::Real, room)
    }

    #[test]
    fn roots_are_exact_from_both_sides() {
        assert_eq!(real(0.0, 2.0, |x| 2.0 - x * x), 2.0_f64.sqrt().next_down());
        assert_eq!(real(2.0, 0.0, |x| x * x - 2.0), 2.0_f64.sqrt());
        assert_eq!(real(1.0, 1e300, |x| 1e150 - x), 1e150);
        assert_eq!(last_with_room(1.0, 1e6, NumberDomain::Whole, |x| 1e9 - x * x), 31_622.0);
        assert_eq!(last_with_room(1e6, 1.0, NumberDomain::Whole, |x| x * x - 1e9), 31_623.0);
    }

    /// A jump, a plateau of no room, a plateau of as much as there is, values without any.
    #[test]
    fn what_is_no_smooth_function_has_a_place_where_it_ends() {
        assert_eq!(real(1.0, 9.0, |x| if x <= 4.5 { 1e-300 } else { -1e300 }), 4.5);
        assert_eq!(real(1.0, 9.0, |x| if x <= 4.5 { 0.0 } else { -1.0 }), 4.5);
        assert_eq!(real(1.0, 9.0, |x| if x <= 4.5 { f64::INFINITY } else { f64::NAN }), 4.5);
        assert_eq!(real(9.0, 1.0, |x| strictly(if x > 4.5 { 1.0 } else { 0.0 })), 4.5_f64.next_up());
    }

    /// Neither side of the root has a slope for thousands of millions of values.
    #[test]
    fn plateaus_without_height_have_an_end() {
        assert_eq!(real(1.0, 1e9, |x| if x <= 1e6 { 0.0 } else { -0.0 - f64::MIN_POSITIVE }), 1e6);
        assert_eq!(real(-1e9, 1e9, |x| (3.0 - x).max(0.0).powi(99) - if x > 2.9 { 1e-99 } else { 0.0 }), 2.9);
        assert_eq!(
            last_with_room(1.0, 9e15, NumberDomain::Whole, |x| if x < 4e12 { 0.0 } else { f64::NAN }),
            4e12 - 1.0
        );
    }

    /// A function that interpolation helps least with.
    #[test]
    fn few_values_are_asked_for() {
        let asked = std::cell::Cell::new(0);
        let flat = |x: f64| {
            asked.set(asked.get() + 1);
            (3.0 - x).powi(9)
        };
        assert!((real(0.0, 1e6, flat) - 3.0).abs() < 1e-9);
        assert!(asked.get() < 500, "{}", asked.get());
    }
}
