use super::grid::QuestionGrid;
use super::scaling::base_of;
use super::{NoAnswer, NumberDomain, Slice, ValueRange};
use crate::Forecast;
use crate::columns::ascending;

/// How a problem has to grow with the number of processors.
#[derive(Debug, Clone, PartialEq)]
pub struct Isoefficiency {
    /// The efficiency that is kept, or exceeded.
    pub efficiency: f64,
    /// The number of processors that the others are compared with.
    pub base: f64,
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

/// For each number of processors, the smallest size in a range at which the efficiency B T(B) / (P T(P)) is at least `efficiency`
/// (Grama, Gupta and Kumar 1993, with B = 1); the base B is that of [`speedup`](super::speedup). The slice goes along the number of processors and the size.
///
/// # Errors
/// An efficiency outside of (0, 1]; an empty range; numbers of processors that are not positive.
pub fn isoefficiency(
    slice: &Slice,
    processors: &[f64],
    base: Option<f64>,
    efficiency: f64,
    sizes: (ValueRange, NumberDomain),
    level: f64,
) -> Result<Isoefficiency, NoAnswer> {
    if efficiency.is_nan() || efficiency <= 0.0 || efficiency > 1.0 {
        return Err(NoAnswer::Efficiency { efficiency });
    }
    if !processors.iter().chain(&base).all(|value| *value > 0.0 && value.is_finite()) {
        return Err(NoAnswer::NotPositive { name: slice.name(0).to_owned() });
    }
    let (span, numbers) = sizes;
    QuestionGrid::new(span, &[], numbers)?;
    let base = base.unwrap_or_else(|| base_of(slice, processors, |base| slice.time_s(&[base, span.highest])));
    let size = |processors: f64| {
        let of_one = slice.borders(span, |size| vec![base, size]);
        let of_all = slice.borders(span, |size| vec![processors, size]);
        let most = slice.single_values();
        let grid = QuestionGrid::new(span, &ascending([of_one, of_all].concat()), numbers)?;
        let grid = grid.closely(span.lowest, most);
        let efficiency_at = |size: f64| {
            let (base_s, all_s) = (slice.time_s(&[base, size]), slice.time_s(&[processors, size]));
            if base_s > 0.0 && all_s > 0.0 { base * base_s / (processors * all_s) } else { f64::NAN }
        };
        // The base has efficiency 1 but for rounding.
        let enough = efficiency * (1.0 - 1e-12);
        match grid.first_with_room(|size| efficiency_at(size) - enough) {
            Some((size, is_start)) => {
                let mut forecast = slice.forecast(&[processors, size], level)?;
                // An efficiency is as far out as the time that it compares with.
                forecast.remarks.extend(slice.forecast(&[base, size], level)?.remarks);
                let smaller = ValueRange { highest: size, ..span };
                let has_all = most == 0 || (numbers == NumberDomain::Whole && grid.has_wholes(smaller));
                forecast.remarks.extend((!has_all).then(|| slice.not_all(1, numbers)));
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
    Ok(Isoefficiency { efficiency, base, sizes: sizes.collect() })
}
