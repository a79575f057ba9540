use crate::Measurements;

/// More points than this are not looked at.
const MOST_POINTS: usize = 4096;

/// So many steps beyond the largest value.
const STEPS: usize = 2;

/// Two steps are the same if they differ by less than this share: people measure 10, 20, 30, or 1, 2, 4, or 1000, 2150, 4640.
const SAME: f64 = 0.1;

/// The measured values of a variable, in order, and those that continue their pattern: doubling goes on doubling, steps of 10 go on by
/// 10; of an irregular pattern the last ratio goes on. Below the smallest one value goes on too if it stays positive. Whole numbers stay whole.
pub(crate) fn continued(levels: &[f64]) -> Vec<f64> {
    let mut all = levels.to_vec();
    let (Some(&first), Some(&last)) = (levels.first(), levels.last()) else { return all };
    if levels.len() < 2 {
        // One value has no pattern; doubling is what people do.
        return if first > 0.0 { vec![first, 2.0 * first, 4.0 * first] } else { all };
    }
    let (second, before) = (levels[1], levels[levels.len() - 2]);
    let same = |left: f64, right: f64| (left - right).abs() <= SAME * right.abs();
    let is_arithmetic =
        levels.windows(2).all(|pair| same(pair[1] - pair[0], last - before)) && levels.len() > 2;
    let is_geometric = first > 0.0 && !is_arithmetic;
    let mut next = last;
    for _ in 0..STEPS {
        next = if is_geometric { next * (last / before) } else { next + (last - before) };
        all.push(next);
    }
    let smaller = if is_geometric { first * (first / second) } else { first - (second - first) };
    if smaller > 0.0 {
        all.insert(0, smaller);
    }
    all.retain(|value| value.is_finite());
    // Nobody has half a processor.
    if levels.iter().all(|value| value.fract() == 0.0) {
        all.iter_mut().for_each(|value| *value = value.round());
        all.retain(|value| *value >= 1.0 || levels.contains(value));
        all.dedup();
    }
    all
}

/// The next value of every variable.
pub(crate) fn beyond(levels: &[Vec<f64>]) -> Vec<f64> {
    let next = |levels: &Vec<f64>| {
        let last = levels.last().copied().unwrap_or(f64::NAN);
        continued(levels).into_iter().find(|value| *value > last).unwrap_or(last)
    };
    levels.iter().map(next).collect()
}

/// Points that could be measured: all combinations of the continued values; if these are too many, those that differ from a measured
/// point in one variable.
pub(crate) fn candidates(measurements: &Measurements, levels: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let continued: Vec<Vec<f64>> = levels.iter().map(|levels| continued(levels)).collect();
    let count = continued.iter().map(Vec::len).try_fold(1usize, usize::checked_mul).unwrap_or(usize::MAX);
    let mut points: Vec<Vec<f64>> = Vec::new();
    if count <= MOST_POINTS {
        points.push(Vec::new());
        for values in &continued {
            let extend = |point: Vec<f64>| {
                values.iter().map(move |value| point.iter().copied().chain([*value]).collect::<Vec<f64>>())
            };
            points = points.into_iter().flat_map(extend).collect();
        }
    } else {
        // The largest points come first, as they tell most.
        for row in (0..measurements.len()).rev() {
            for (variable, values) in continued.iter().enumerate() {
                for value in values {
                    let mut point = measurements.point(row);
                    point[variable] = *value;
                    points.push(point);
                }
            }
            if points.len() >= MOST_POINTS {
                break;
            }
        }
        let order =
            |left: &Vec<f64>, right: &Vec<f64>| left.partial_cmp(right).unwrap_or(std::cmp::Ordering::Equal);
        points.sort_by(order);
        points.dedup();
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_go_on() {
        assert_eq!(continued(&[2.0, 4.0, 8.0]), [1.0, 2.0, 4.0, 8.0, 16.0, 32.0]);
        assert_eq!(continued(&[10.0, 20.0, 30.0]), [10.0, 20.0, 30.0, 40.0, 50.0]);
        assert_eq!(continued(&[1.0, 10.0, 50.0]), [1.0, 10.0, 50.0, 250.0, 1250.0]);
        assert_eq!(continued(&[0.5, 1.0, 2.0]), [0.25, 0.5, 1.0, 2.0, 4.0, 8.0]);
        assert_eq!(continued(&[3.0, 4.0, 6.0]), [2.0, 3.0, 4.0, 6.0, 9.0, 14.0]);
        assert_eq!(continued(&[3.0]), [3.0, 6.0, 12.0]);
        assert_eq!(continued(&[]), Vec::<f64>::new());
        assert_eq!(beyond(&[vec![2.0, 4.0, 8.0], vec![10.0, 20.0, 30.0], vec![-1.0]]), [16.0, 40.0, -1.0]);
    }

    #[test]
    fn many_variables_have_candidates_along_the_axes() {
        let columns: Vec<Vec<f64>> = (0..6).map(|_| vec![1.0, 2.0, 4.0, 8.0]).collect();
        let names: Vec<String> = (0..6).map(|index| format!("v{index}")).collect();
        let slices: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
        let points = candidates(&Measurements::new(&names, &slices, &[1.0; 4]), &columns);
        assert!(!points.is_empty() && points.len() <= MOST_POINTS + 64);
        assert!(points.iter().all(|point| point.len() == 6));
    }
}
