use super::grid::Grid;
use super::line::{Line, sorted};
use super::{NoAnswer, Numbers, Span};
use crate::Forecast;

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
    /// The smallest size, with its efficiency and its predicted time; or why there is none.
    pub size: Result<(f64, f64, Forecast), NoAnswer>,
}

/// For each number of processors, the smallest size in a range at which the efficiency T(1) / (P T(P)) is at least `efficiency`
/// (Grama, Gupta and Kumar 1993). The line goes along the number of processors and the size, whose names are `variables`.
///
/// # Errors
/// An efficiency outside of (0, 1]; an empty range; numbers of processors that are not positive.
pub fn isoefficiency(
    line: &Line,
    variables: [&str; 2],
    processors: &[f64],
    efficiency: f64,
    sizes: (Span, Numbers),
    level: f64,
) -> Result<Isoefficiency, NoAnswer> {
    if efficiency.is_nan() || efficiency <= 0.0 || efficiency > 1.0 {
        return Err(NoAnswer::Efficiency { efficiency });
    }
    if !processors.iter().all(|value| *value > 0.0 && value.is_finite()) {
        return Err(NoAnswer::NotPositive { name: variables[0].to_owned() });
    }
    let (span, numbers) = sizes;
    Grid::new(span, &[], numbers)?;
    let size = |processors: f64| {
        let of_one = line.borders(span, |size| vec![1.0, size]);
        let of_all = line.borders(span, |size| vec![processors, size]);
        let grid = Grid::new(span, &sorted([of_one, of_all].concat()), numbers)?;
        let efficiency_at = |size: f64| {
            let (one_s, all_s) = (line.time_s(&[1.0, size]), line.time_s(&[processors, size]));
            if one_s > 0.0 && all_s > 0.0 { one_s / (processors * all_s) } else { f64::NAN }
        };
        // One processor has efficiency 1 but for rounding.
        let enough = efficiency * (1.0 - 1e-12);
        match grid.first_where(|size| efficiency_at(size) >= enough) {
            Some(size) => Ok((size, efficiency_at(size), line.forecast(&[processors, size], level))),
            None => {
                let reached = grid.values.iter().map(|size| efficiency_at(*size)).fold(0.0, f64::max);
                Err(NoAnswer::NotReached { variable: variables[1].to_owned(), value: span.highest, reached })
            }
        }
    };
    let sizes = processors.iter().map(|&processors| SizeNeeded { processors, size: size(processors) });
    Ok(Isoefficiency { efficiency, sizes: sizes.collect() })
}
