//! Whether constants may be negative.

use std::fmt;

use crate::fit::RelativeErrors;
use crate::points::Points;
use crate::search::{Found, Search, leaves};
use crate::{Error, Options, Sign};

/// Whether the coefficients of a segmentation were kept from being negative, and why.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SignReason {
    /// They might be, as was asked for.
    Free,
    /// They might not, as was asked for.
    NonNegative,
    /// Nobody asked, and none came out negative.
    NoneNegative,
    /// Nobody asked; a free fit has a negative coefficient, but is no better than one without: it fits noise.
    NegativeIsNoise,
    /// Nobody asked; a free fit has negative times at measured points, where real ones are positive.
    NegativeTimes,
    /// Nobody asked; a free fit has a negative coefficient in spite of several cells, and errors above the threshold all
    /// the same. It bends the formula to what happens within a cell, and would go astray beyond the samples.
    NegativeIsNoHelp,
    /// Nobody asked; a free fit needs several cells and a negative coefficient, and cells without one are not much less
    /// accurate. Costs are not negative: where several cells bend the formula to the data, such a coefficient bends it more.
    NegativeIsBending,
    /// Nobody asked; a free fit has a negative coefficient, and is better than one without beyond doubt. So it stays,
    /// and the formula is doubtful.
    NegativeIsReal,
}

impl SignReason {
    /// Whether the coefficients were kept from being negative.
    pub fn is_bounded(&self) -> bool {
        !matches!(self, SignReason::Free | SignReason::NoneNegative | SignReason::NegativeIsReal)
    }
}

impl fmt::Display for SignReason {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            SignReason::Free => "constants may be negative, as asked",
            SignReason::NonNegative => "constants are not negative, as asked",
            SignReason::NoneNegative => "constants may be negative, but none is",
            SignReason::NegativeIsNoise => {
                "constants are not negative: a negative one would fit noise, as the errors hardly grow without it"
            }
            SignReason::NegativeTimes => {
                "constants are not negative: a free fit gives negative times at measured points"
            }
            SignReason::NegativeIsNoHelp => {
                "constants are not negative: errors exceed the threshold with a negative one, too"
            }
            SignReason::NegativeIsBending => {
                "constants are not negative: costs are not, and errors are less than three times those of a free fit"
            }
            SignReason::NegativeIsReal => {
                "a constant is negative: without it the errors grow beyond doubt, so the formula is doubtful"
            }
        })
    }
}

/// By so much a free fit must be better for a negative coefficient to be real, in units of the information criterion: strong
/// evidence (Kass and Raftery 1995), about three standard errors for one coefficient.
const STRONG_EVIDENCE: f64 = 6.0;

/// A free fit in several cells is believed to need a negative coefficient if its error is smaller by this factor.
const MUCH_MORE_ACCURATE: f64 = 3.0;

/// The cells, with the sign that was asked for or that the data ask for.
pub(crate) fn decide(
    points: &Points,
    options: &Options,
    variables: usize,
) -> Result<(Found, SignReason), Error> {
    let run = |is_bounded| Search { points, options, is_bounded }.run(variables);
    match options.sign {
        Sign::Free => Ok((run(false)?, SignReason::Free)),
        Sign::NonNegative => Ok((run(true)?, SignReason::NonNegative)),
        Sign::Automatic => {
            let free = run(false)?;
            let coefficients = coefficients(&free)?;
            if coefficients.iter().flatten().all(|value| *value >= 0.0) {
                return Ok((free, SignReason::NoneNegative));
            }
            let bounded = run(true)?;
            let falls_below_zero = leaves(&free.partition)
                .iter()
                .zip(&coefficients)
                .any(|(piece, values)| points.falls_below_zero(&piece.points, values));
            Ok(if bounded.information <= free.information + STRONG_EVIDENCE {
                (bounded, SignReason::NegativeIsNoise)
            } else if falls_below_zero {
                (bounded, SignReason::NegativeTimes)
            } else if is_divided(&free) && worst_error(&free) > options.thresholds.error {
                (bounded, SignReason::NegativeIsNoHelp)
            } else if is_divided(&free) && error(&bounded) < MUCH_MORE_ACCURATE * error(&free) {
                (bounded, SignReason::NegativeIsBending)
            } else {
                (free, SignReason::NegativeIsReal)
            })
        }
    }
}

fn is_divided(found: &Found) -> bool {
    leaves(&found.partition).len() > 1
}

/// The largest rms relative error of a cell.
fn worst_error(found: &Found) -> f64 {
    let pieces = leaves(&found.partition);
    pieces.iter().map(|piece| piece.errors.root_mean_square()).fold(0.0, f64::max)
}

/// The rms relative error of all cells.
fn error(found: &Found) -> f64 {
    let mut errors = RelativeErrors::default();
    for piece in leaves(&found.partition) {
        errors.merge(&piece.errors);
    }
    errors.root_mean_square()
}

/// The coefficients of each cell with constants shared.
fn coefficients(found: &Found) -> Result<Vec<Vec<f64>>, Error> {
    let triangles: Vec<_> = leaves(&found.partition).iter().map(|piece| &piece.triangle).collect();
    let solved = crate::joint::solve(&triangles, &found.sets, false)?;
    Ok(solved.cells.into_iter().map(|cell| cell.coefficients).collect())
}
