use super::ValueRange;

/// A convex function at a place: its value there, and the slope of a line that touches it there and lies nowhere above it.
#[derive(Debug, Clone, Copy, PartialEq)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Tangent {
    pub value: f64,
    pub slope: f64,
}

/// A stretch on which a function is a straight line; it may be no more than a point of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StraightPiece {
    /// Where it is known to begin.
    pub from: f64,
    /// Where it is known to end.
    pub to: f64,
    /// The value at `from`.
    pub value: f64,
    /// What it changes by along 1.
    pub slope: f64,
}

impl StraightPiece {
    /// The line at a place.
    pub fn at(&self, place: f64) -> f64 {
        self.value + self.slope * (place - self.from)
    }
}

/// A convex function that consists of straight lines. Where one piece ends and the next begins at the same place, the function bends
/// there; between others it may have any number of bends.
#[derive(Debug, Clone, PartialEq)]
pub struct StraightPieces {
    /// In ascending order.
    pub pieces: Vec<StraightPiece>,
    /// By how much the function is at most below the chord between two pieces that do not meet.
    pub off: f64,
}

/// Values that differ by this part of the largest one are the same.
const ROUNDING: f64 = 1e-10;

/// Finds the pieces of a convex function: two lines that touch it meet below it or where it bends, so it is asked for its tangent there, at
/// `most` so many times, and until it is known within `enough` (M. Eisner, D. Severance, *Mathematical techniques for efficient record
/// segmentation in large shared databases*, 1976).
///
/// # Errors
/// Those of `tangent`.
pub fn straight_pieces<Failure>(
    range: ValueRange,
    most: usize,
    enough: f64,
    mut tangent: impl FnMut(f64) -> Result<Tangent, Failure>,
) -> Result<StraightPieces, Failure> {
    let mut touch = |place: f64| {
        let Tangent { value, slope } = tangent(place)?;
        Ok(StraightPiece { from: place, to: place, value, slope })
    };
    let mut pieces = vec![touch(range.lowest)?, touch(range.highest)?];
    let rounding = ROUNDING * pieces.iter().map(|piece| piece.value.abs()).fold(0.0, f64::max);
    for _ in 0..most {
        join(&mut pieces, rounding);
        let Some((place, open)) = widest(&pieces).filter(|(_, open)| open.off > enough.max(rounding)) else {
            break;
        };
        let found = touch(open.at)?;
        if found.value <= open.below + rounding {
            pieces[place].to = open.at;
            let next = &mut pieces[place + 1];
            (next.value, next.from) = (next.at(open.at), open.at);
        } else {
            pieces.insert(place + 1, found);
        }
    }
    join(&mut pieces, rounding);
    let off = widest(&pieces).map_or(0.0, |(_, open)| open.off);
    Ok(StraightPieces { pieces, off })
}

/// What is between two pieces that do not meet.
struct PieceGap {
    /// Where their lines meet, and at which value.
    at: f64,
    below: f64,
    /// How far that is below the chord.
    off: f64,
}

fn widest(pieces: &[StraightPiece]) -> Option<(usize, PieceGap)> {
    let open = pieces.windows(2).enumerate().filter(|(_, pair)| pair[0].to < pair[1].from);
    open.map(|(place, pair)| (place, between(&pair[0], &pair[1])))
        .max_by(|(_, left), (_, right)| left.off.total_cmp(&right.off))
}

fn between(left: &StraightPiece, right: &StraightPiece) -> PieceGap {
    let (from, to) = (left.to, right.from);
    let meeting = from + (right.at(from) - left.at(from)) / (left.slope - right.slope);
    let at = if meeting > from && meeting < to { meeting } else { 0.5 * (from + to) };
    let below = left.at(at).max(right.at(at));
    let chord = left.at(from) + (right.value - left.at(from)) * (at - from) / (to - from);
    PieceGap { at, below, off: chord - below }
}

/// A line that touches the function at two places is the function between them.
fn join(pieces: &mut Vec<StraightPiece>, rounding: f64) {
    let mut joined: Vec<StraightPiece> = Vec::with_capacity(pieces.len());
    for mut right in pieces.drain(..) {
        let Some(left) = joined.last_mut() else {
            joined.push(right);
            continue;
        };
        if left.to < right.from {
            if left.at(right.from) >= right.value - rounding {
                left.to = right.from;
            } else if right.at(left.to) >= left.at(left.to) - rounding {
                (right.value, right.from) = (right.at(left.to), left.to);
            }
        }
        let is_met = left.to >= right.from;
        if is_met && (left.at(right.to) - right.at(right.to)).abs() <= rounding {
            left.to = right.to;
        } else if is_met && left.from == left.to {
            // It only touches the corner where the next one begins, or begins with it.
            match joined.len() >= 2 && joined[joined.len() - 2].to < right.from {
                true => joined.push(right),
                false => {
                    joined.pop();
                    joined.push(right);
                }
            }
        } else {
            joined.push(right);
        }
    }
    if let [.., before, last] = &joined[..]
        && last.from == last.to
        && before.to >= last.from
    {
        joined.pop();
    }
    *pieces = joined;
}

/// The tangent of a convex function that only tells values: its chord to a place inside of the range, so near that the middle lies on it.
///
/// # Errors
/// Those of `value`.
pub fn tangent_by_chords<Failure>(
    range: ValueRange,
    at: f64,
    value: impl Fn(f64) -> Result<f64, Failure>,
) -> Result<Tangent, Failure> {
    const NEAREST: f64 = 1e-6;
    const STRAIGHT: f64 = 1e-13;
    let here = value(at)?;
    let width = range.highest - range.lowest;
    let towards = if at + 0.5 * width <= range.highest { 1.0 } else { -1.0 };
    let mut distance = width / 8.0;
    loop {
        let [middle, there] = [value(at + 0.5 * towards * distance)?, value(at + towards * distance)?];
        let off = (0.5 * (here + there) - middle).abs();
        if off <= STRAIGHT * here.abs().max(there.abs()) || distance <= NEAREST * width {
            return Ok(Tangent { value: here, slope: towards * (there - here) / distance });
        }
        distance /= 4.0;
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use proptest::prelude::*;

    use super::*;

    const RANGE: ValueRange = ValueRange { lowest: 0.0, highest: 1.0 };

    fn of_lines(lines: &[(f64, f64)], place: f64) -> Tangent {
        let at = |(value, slope): &(f64, f64)| Tangent { value: value + slope * place, slope: *slope };
        let highest = lines.iter().map(at).max_by(|left, right| left.value.total_cmp(&right.value));
        highest.unwrap_or(Tangent { value: 0.0, slope: 0.0 })
    }

    fn found(lines: &[(f64, f64)], most: usize) -> StraightPieces {
        let of_tangents = |place: f64| Ok::<Tangent, Infallible>(of_lines(lines, place));
        straight_pieces(RANGE, most, 0.0, of_tangents).unwrap_or_else(|never| match never {})
    }

    fn bends(found: &StraightPieces) -> Vec<f64> {
        found.pieces.windows(2).map(|pair| pair[1].from).collect()
    }

    #[test]
    fn bends_are_where_lines_cross() {
        let near = |found: &[f64], expected: &[f64]| {
            assert_eq!(found.len(), expected.len(), "{found:?}");
            found
                .iter()
                .zip(expected)
                .for_each(|(found, expected)| assert!((found - expected).abs() < 1e-12));
        };
        near(&bends(&found(&[(10.0, -5.0), (8.0, 0.0)], 9)), &[0.4]);
        near(&bends(&found(&[(10.0, -5.0), (9.0, -2.5), (8.0, -0.5)], 9)), &[0.4, 0.5]);
        near(&bends(&found(&[(10.0, -5.0)], 9)), &[]);
        // Lines that touch a corner only, at an end or between, are no pieces.
        near(&bends(&found(&[(10.0, -5.0), (10.0, -9.0), (4.0, 1.0), (5.0, 0.0), (8.0, -3.0)], 9)), &[]);
        near(&bends(&found(&[(10.0, -8.0), (8.0, -3.0), (6.0, 0.0)], 9)), &[0.4, 2.0 / 3.0]);
    }

    #[test]
    fn what_is_not_known_is_told() {
        // Tangents of x² from 0 to 1.
        let of = |number: i32| f64::from(number) / 199.0;
        let lines: Vec<(f64, f64)> = (0..200).map(of).map(|at| (-at * at, 2.0 * at)).collect();
        let part = found(&lines, 5);
        assert!(part.off > 1e-4 && part.pieces.windows(2).any(|pair| pair[0].to < pair[1].from), "{part:?}");
        let whole = found(&lines, 1000);
        assert_eq!((whole.off, whole.pieces.len()), (0.0, 200));
    }

    proptest! {
        #[test]
        fn pieces_are_the_function(lines in prop::collection::vec((0.0..9.0_f64, -9.0..9.0_f64), 1..9), place in 0.0..1.0_f64, by_chords: bool) {
            let of_tangents = |at: f64| match by_chords {
                true => tangent_by_chords(RANGE, at, |at| Ok(of_lines(&lines, at).value)),
                false => Ok::<Tangent, Infallible>(of_lines(&lines, at)),
            };
            let Ok(found) = straight_pieces(RANGE, 99, 0.0, of_tangents);
            prop_assert_eq!((found.pieces[0].from, found.pieces[found.pieces.len() - 1].to), (0.0, 1.0));
            for pair in found.pieces.windows(2) {
                prop_assert!(pair[0].to <= pair[1].from && pair[0].slope < pair[1].slope);
            }
            let value = of_lines(&lines, place).value;
            if let Some(piece) = found.pieces.iter().find(|piece| piece.from <= place && place <= piece.to) {
                prop_assert!((piece.at(place) - value).abs() < 1e-6, "{} at {}, {:?}", value, place, found);
            } else {
                prop_assert!(by_chords, "{:?}", found);
            }
        }
    }
}
