use std::cmp::Ordering;

use call_model::Prepared;

/// Measured times that belong to one curve.
#[derive(Debug, Clone, Default)]
pub struct MeasuredCurve {
    /// Place and time, repetitions folded.
    pub points: Vec<(f64, f64)>,
    /// Place, shortest and longest time where there are several.
    pub spread: Vec<(f64, f64, f64)>,
}

/// Times at one place.
struct TimesAtPlace {
    place: f64,
    shortest_s: f64,
    longest_s: f64,
    count: usize,
}

impl MeasuredCurve {
    /// For each combination of the values of other variables the times over the variable at `axis`. Combinations are in
    /// ascending order.
    pub fn of_each(
        combinations: &[Vec<f64>],
        names: &[String],
        axis: usize,
        prepared: &Prepared,
    ) -> Vec<MeasuredCurve> {
        let samples = prepared.samples();
        let mut all = vec![MeasuredCurve::default(); combinations.len()];
        let mut times: Vec<Vec<TimesAtPlace>> = combinations.iter().map(|_| Vec::new()).collect();
        let columns: Vec<&[f64]> =
            names.iter().map(|name| samples.column(name).unwrap_or_default()).collect();
        for (row, (place, time_s)) in columns[axis].iter().zip(&samples.time_s).enumerate() {
            if let Some(combination) = position(combinations, axis, &columns, row) {
                all[combination].points.push((*place, *time_s));
            }
        }
        match prepared.repetitions() {
            None => {
                for (one, times) in all.iter().zip(&mut times) {
                    times.extend(
                        one.points.iter().map(|(place, time_s)| TimesAtPlace::of(*place, &[*time_s])),
                    );
                }
            }
            Some(repetitions) => {
                let position_of = |name: &String| samples.names.iter().position(|known| known == name);
                let column = |name| position_of(name).map(|at| repetitions.columns[at].as_slice());
                let columns: Vec<&[f64]> =
                    names.iter().map(|name| column(name).unwrap_or_default()).collect();
                for (row, times_s) in repetitions.times().enumerate() {
                    if let Some(combination) = position(combinations, axis, &columns, row) {
                        times[combination].push(TimesAtPlace::of(columns[axis][row], times_s));
                    }
                }
            }
        }
        for (one, times) in all.iter_mut().zip(times) {
            one.spread = spread(times);
        }
        all
    }
}

impl TimesAtPlace {
    fn of(place: f64, times_s: &[f64]) -> TimesAtPlace {
        TimesAtPlace {
            place,
            shortest_s: times_s.iter().copied().fold(f64::INFINITY, f64::min),
            longest_s: times_s.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            count: times_s.len(),
        }
    }
}

/// The combination that a row of columns has, whatever it has at `axis`.
fn position(combinations: &[Vec<f64>], axis: usize, columns: &[&[f64]], row: usize) -> Option<usize> {
    let order = |combination: &Vec<f64>| {
        let others = combination.iter().zip(columns).enumerate().filter(|(index, _)| *index != axis);
        let orders = others.map(|(_, (value, column))| value.total_cmp(&column[row]));
        orders.into_iter().find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    };
    combinations.binary_search_by(order).ok()
}

fn spread(mut times: Vec<TimesAtPlace>) -> Vec<(f64, f64, f64)> {
    times.sort_by(|one, other| one.place.total_cmp(&other.place));
    let several = times.chunk_by(|one, other| one.place == other.place);
    several
        .filter(|chunk| chunk.iter().map(|times| times.count).sum::<usize>() > 1)
        .map(|chunk| {
            let shortest_s = chunk.iter().map(|times| times.shortest_s).fold(f64::INFINITY, f64::min);
            let longest_s = chunk.iter().map(|times| times.longest_s).fold(f64::NEG_INFINITY, f64::max);
            (chunk[0].place, shortest_s, longest_s)
        })
        .collect()
}
