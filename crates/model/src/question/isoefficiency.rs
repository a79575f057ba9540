use super::grid::QuestionGrid;
use super::{NoAnswer, NumberDomain, Slice, ValueRange};
use crate::Forecast;
use crate::columns::ascending;

/// How a problem has to grow with the number of processors.
#[derive(Debug, Clone, PartialEq)]
pub struct Isoefficiency {
    /// The efficiency that is kept, or exceeded.
    pub efficiency: f64,
    /// An entry for each number of processors, in the order given.
    pub sizes: Vec<SizeNeeded>,
}

/// The size that one number of processors needs.
#[derive(Debug, Clone, PartialEq)]
pub struct SizeNeeded {
    /// Number of processors.
    pub processors: f64,
    /// The smallest size, or why there is none.
    pub size: Result<SmallestSize, NoAnswer>,
}

/// The smallest size with an efficiency.
#[derive(Debug, Clone, PartialEq)]
pub struct SmallestSize {
    /// The size.
    pub size: f64,
    /// Its efficiency.
    pub efficiency: f64,
    /// Its predicted time.
    pub forecast: Forecast,
    /// Whether it is the start of the range, so that a smaller one might do as well.
    pub is_start: bool,
}

/// For each number of processors, the smallest size in a range at which the efficiency T(1) / (P T(P)) is at least `efficiency`
/// (Grama, Gupta and Kumar 1993). The slice goes along the number of processors and the size.
///
/// # Errors
/// An efficiency outside of (0, 1]; an empty range; numbers of processors that are not positive.
pub fn isoefficiency(
    slice: &Slice,
    processors: &[f64],
    efficiency: f64,
    sizes: (ValueRange, NumberDomain),
    level: f64,
) -> Result<Isoefficiency, NoAnswer> {
    if efficiency.is_nan() || efficiency <= 0.0 || efficiency > 1.0 {
        return Err(NoAnswer::Efficiency { efficiency });
    }
    if !processors.iter().all(|value| *value > 0.0 && value.is_finite()) {
        return Err(NoAnswer::NotPositive { name: slice.name(0).to_owned() });
    }
    let (span, numbers) = sizes;
    QuestionGrid::new(span, &[], numbers)?;
    let size = |processors: f64| {
        let of_one = slice.borders(span, |size| vec![1.0, size]);
        let of_all = slice.borders(span, |size| vec![processors, size]);
        let grid = QuestionGrid::new(span, &ascending([of_one, of_all].concat()), numbers)?;
        let efficiency_at = |size: f64| {
            let (one_s, all_s) = (slice.time_s(&[1.0, size]), slice.time_s(&[processors, size]));
            if one_s > 0.0 && all_s > 0.0 { one_s / (processors * all_s) } else { f64::NAN }
        };
        // One processor has efficiency 1 but for rounding.
        let enough = efficiency * (1.0 - 1e-12);
        match grid.first_with_room(|size| efficiency_at(size) - enough) {
            Some((size, is_start)) => {
                let mut forecast = slice.forecast(&[processors, size], level)?;
                // An efficiency is as far out as the time that it compares with.
                forecast.remarks.extend(slice.forecast(&[1.0, size], level)?.remarks);
                Ok(SmallestSize { size, efficiency: efficiency_at(size), forecast, is_start })
            }
            None => {
                let reached = grid.values.iter().map(|size| efficiency_at(*size)).fold(0.0, f64::max);
                if let Some(failure) = slice.failure().filter(|_| reached == 0.0) {
                    return Err(failure.into());
                }
                Err(NoAnswer::NotReached { variable: slice.name(1).to_owned(), value: span.highest, reached })
            }
        }
    };
    let sizes = processors.iter().map(|&processors| SizeNeeded { processors, size: size(processors) });
    Ok(Isoefficiency { efficiency, sizes: sizes.collect() })
}
