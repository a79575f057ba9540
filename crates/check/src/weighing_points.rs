use call_model::{Gap, Model};

/// Values of a variable within a cell, if there are few variables and cells.
const MOST_VALUES: usize = 9;

/// So many points are looked at, or only the corners of each cell where these are more.
const MOST_POINTS: usize = 1 << 14;

/// So many variables have corners that are all looked at.
const MOST_VARIABLES: usize = 8;

/// Points of what was sampled: for each cell its corners, and a grid between them. A constant may weigh most anywhere, one of a middle interval at no
/// corner of all cells together, and one that a lesser and a greater term surround in the midst of a cell.
pub(crate) fn weighing_points(model: &Model) -> Vec<Vec<f64>> {
    let digits = model.ranges().len().min(MOST_VARIABLES);
    let cells = model.cells().len();
    let points = |values: usize| cells.saturating_mul(values.saturating_pow(digits as u32));
    let values = (2..=MOST_VALUES).rev().find(|&values| points(values) <= MOST_POINTS).unwrap_or(2);
    (0..cells).flat_map(|cell| grid(&sampled_box(model, cell), values)).collect()
}

/// The first and the last value of each variable that a cell has of what was sampled.
fn sampled_box(model: &Model, cell: usize) -> Vec<[f64; 2]> {
    let ranges = model.ranges().iter().zip(&model.cells()[cell].intervals).enumerate();
    ranges
        .map(|(variable, (range, interval))| {
            let last = interval.upper.min(range.highest);
            let is_here = |gap: &&Gap| gap.variable == variable && gap.below == interval.lower;
            let behind =
                model.gaps().iter().filter(is_here).map(|gap| gap.above).fold(f64::INFINITY, f64::min);
            let next = interval.lower.next_up();
            [if behind <= last { behind.max(next) } else { range.lowest.max(next) }, last]
        })
        .collect()
}

fn grid(ranges: &[[f64; 2]], values: usize) -> Vec<Vec<f64>> {
    let along: Vec<Vec<f64>> = ranges.iter().map(|range| along(*range, values)).collect();
    let points = values.pow(ranges.len().min(MOST_VARIABLES) as u32);
    // All variables beyond the last one that counts alone go along with it.
    let digit =
        |point: usize, variable: usize| point / values.pow(variable.min(MOST_VARIABLES - 1) as u32) % values;
    let point =
        |point| along.iter().enumerate().map(|(variable, along)| along[digit(point, variable)]).collect();
    (0..points).map(point).collect()
}

/// Values from the first to the last one, in equal ratios, which from 0 or less on are those of the way.
fn along([first, last]: [f64; 2], values: usize) -> Vec<f64> {
    /// The shortest way that differs from none.
    const SHORTEST: f64 = 1e-4;
    let way = |part: f64| if part == 0.0 { 0.0 } else { SHORTEST.powf(1.0 - part) };
    let value = |step: usize| match (step, step as f64 / (values - 1) as f64) {
        (0, _) => first,
        (_, 1.0) => last,
        (_, part) if first > 0.0 => first * (last / first).powf(part),
        (_, part) => first + (last - first) * way(part),
    };
    (0..values).map(value).collect()
}
