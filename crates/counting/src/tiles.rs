//! Loops over the tiles of an interval, and those over the values in each tile: together they are one loop over the interval.

use std::iter::once;

use crate::level::Level;
use crate::polynomial::{Atom, Polynomial};

/// Levels in which a loop over tiles and the loop inside of one are one loop over all that the tiles cover, where nothing else asks
/// which tile it is; and the steps from tile to tile that went.
///
/// `for (i = a; i <= e; i += b) for (j = i; j <= min(i + b - 1, e); j++)` comes to each whole number from `a` to `e` once. `asks` are
/// the polynomials beside the levels that must not mention the variable of the tiles.
pub fn joined(levels: &[Level], asks: &[&Polynomial]) -> (Vec<Level>, Vec<Polynomial>) {
    let (mut levels, mut steps) = (levels.to_vec(), Vec::new());
    while let Some((outer, inner, level, step)) = first_pair(&levels, asks) {
        levels[inner] = level;
        levels.remove(outer);
        steps.push(step);
    }
    (levels, steps)
}

fn first_pair(levels: &[Level], asks: &[&Polynomial]) -> Option<(usize, usize, Level, Polynomial)> {
    levels.iter().enumerate().find_map(|(outer, level)| {
        let tiles = Tiles::of(level)?;
        let asked = |variable: &Atom, but: usize| {
            let others = levels.iter().enumerate().filter(|(at, _)| *at != but);
            let polynomials = others.flat_map(|(_, level)| level.polynomials());
            polynomials.chain(asks.iter().copied()).any(|its| its.mentions(variable))
        };
        let variable = Atom::Index(tiles.index);
        (outer + 1..levels.len()).filter(|inner| !asked(&variable, *inner)).find_map(|inner| {
            let Level::Range { index, from, to } = &levels[inner] else { return None };
            // The variable inside may count from the begin of its tile, if nobody reads it.
            let is_read = asked(&Atom::Index(*index), inner);
            let shifts = to.iter().filter(|_| !is_read).filter_map(|bound| {
                let (factor, _) = bound.linear_in(&variable)?;
                factor.constant()?.is_negative().then(|| &-&factor * &Polynomial::from(variable.clone()))
            });
            once(Polynomial::default()).chain(shifts).find_map(|shift| {
                let moved =
                    |bounds: &[Polynomial]| bounds.iter().map(|bound| bound + &shift).collect::<Vec<_>>();
                let level = tiles.all(*index, &moved(from), &moved(to))?;
                Some((outer, inner, level, tiles.step.clone()))
            })
        })
    })
}

/// A loop over the first values of tiles, as wide as its step.
struct Tiles<'a> {
    index: u32,
    /// The first value of the first tile.
    from: Polynomial,
    step: Polynomial,
    /// Where the variable counts the tiles: the last one of them.
    last: Option<&'a Polynomial>,
    /// Where the variable is the first value of a tile: what it is not above.
    to: Option<&'a Polynomial>,
}

impl<'a> Tiles<'a> {
    fn of(level: &'a Level) -> Option<Tiles<'a>> {
        match level {
            Level::Steps { index, from, to, step } if !step.has_index() => Some(Tiles {
                index: *index,
                from: from.clone(),
                step: step.clone(),
                last: None,
                to: Some(to),
            }),
            // The step and the first value are found in the bounds of the loop inside.
            Level::Range { index, from, to } => match (&from[..], &to[..]) {
                ([from], [last]) if from.is_zero() => Some(Tiles {
                    index: *index,
                    from: Polynomial::default(),
                    step: Polynomial::default(),
                    last: Some(last),
                    to: None,
                }),
                _ => None,
            },
            _ => None,
        }
    }

    /// The loop over the values of all tiles.
    fn all(&self, index: u32, from: &[Polynomial], to: &[Polynomial]) -> Option<Level> {
        let variable = Atom::Index(self.index);
        let of_tile = |bounds: &[Polynomial]| {
            bounds.iter().cloned().partition::<Vec<_>, _>(|bound| bound.mentions(&variable))
        };
        let ((begins, mut lower), (ends, mut upper)) = (of_tile(from), of_tile(to));
        let ([begin], [end]) = (&begins[..], &ends[..]) else { return None };
        let (factor, first) = begin.linear_in(&variable)?;
        let (first, step) = if self.last.is_some() {
            factor.integer().filter(|step| *step > 1)?;
            (first, factor)
        } else {
            (factor.integer() == Some(1) && first.is_zero())
                .then(|| (self.from.clone(), self.step.clone()))?
        };
        if &(end - begin) + &Polynomial::from(1) != step {
            return None;
        }
        // Tiles begin up to one of the ends of the loop inside: else there are values in none of them.
        let is_covered = |upper: &Polynomial| match (self.last, self.to) {
            (Some(last), _) => {
                let by = step.integer().and_then(|step| u32::try_from(step).ok());
                by.is_some_and(|by| (upper - &first).floor(by) == *last)
            }
            (None, Some(to)) => (to - upper).integer().is_some_and(|beyond| beyond >= 0),
            (None, None) => false,
        };
        if !upper.iter().any(is_covered) {
            return None;
        }
        lower.push(first);
        upper.sort();
        Some(Level::Range { index, from: lower, to: upper })
    }
}

/// Whether it is a number that no interval is divided by.
pub fn is_no_step(step: &Polynomial) -> bool {
    step.constant().is_some_and(|step| !step.is_positive())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(index: u32, from: Polynomial, to: Vec<Polynomial>) -> Level {
        Level::Range { index, from: vec![from], to }
    }

    #[test]
    fn only_what_covers_an_interval_is_one_loop() {
        let (i, j, n, b) =
            (Polynomial::index(0), Polynomial::index(1), Polynomial::name("n"), Polynomial::name("b"));
        let (one, zero) = (Polynomial::from(1), Polynomial::default());
        let last = &n - &one;
        let tiles = Level::Steps { index: 0, from: zero.clone(), to: last.clone(), step: b.clone() };
        let end = &(&i + &b) - &one;
        let inside =
            |from: &Polynomial, end: &Polynomial| range(1, from.clone(), vec![end.clone(), last.clone()]);
        let is_joined = |inside: &Level, asks: &[&Polynomial]| {
            let (levels, steps) = joined(&[tiles.clone(), inside.clone()], asks);
            assert_eq!(levels.len(), 2 - steps.len());
            levels == [range(1, zero.clone(), vec![last.clone()])]
        };
        assert!(is_joined(&inside(&i, &end), &[&j]));
        // From the begin of the tile.
        let shifted = range(1, zero.clone(), vec![&b - &one, &last - &i]);
        assert!(is_joined(&shifted, &[]));
        assert!(!is_joined(&shifted, &[&j]));
        // Which tile it is, is asked; tiles overlap, or leave something out; they end elsewhere.
        assert!(!is_joined(&inside(&i, &end), &[&i]));
        assert!(!is_joined(&inside(&i, &(&end + &one)), &[]));
        assert!(!is_joined(&inside(&(&i + &one), &end), &[]));
        assert!(!is_joined(&range(1, i.clone(), vec![end, Polynomial::name("m")]), &[]));
        assert!(!is_joined(&inside(&i, &i), &[]));
    }
}
