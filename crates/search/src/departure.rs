use crate::Measurements;
use crate::beyond::BREAKS;
use crate::families::DISTURBED;
use crate::fitted::Fitted;

/// That a point which a model leaves out was not disturbed: something else holds there, and beyond it, if it is the last one.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Departure {
    /// How probable that is, given the model.
    pub probability: f64,
    /// The logarithm of the value is then larger by so much,
    pub shift: f64,
    /// give or take so much.
    pub uncertainty: f64,
}

impl Departure {
    /// What the points that a model leaves out say about a point; none if nothing. Values in units of `unit`.
    ///
    /// At the point itself one measurement is as likely disturbed as it tells what is there; of several that agree each would have to be
    /// disturbed by as much. Behind the last value of a variable the odds are those of a break to a disturbance; there may be another
    /// factor then, or another exponent, which goes on as from the value before to that one.
    pub fn of(model: &Fitted, measurements: &Measurements, unit: f64, point: &[f64]) -> Option<Departure> {
        let departures = model.disturbed.iter().filter_map(|&row| {
            let steps = steps_behind(model, measurements, row, point)?;
            let left_out = measurements.point(row);
            let value = model.piece(&left_out).value(&left_out).0;
            let shift = (measurements.values[row] / unit / value).ln();
            let repetitions = measurements.repetitions[row] as f64;
            shift.is_finite().then_some(Departure {
                probability: match left_out == point[..left_out.len()] {
                    true => repetitions / (1.0 + repetitions),
                    false => BREAKS / (BREAKS + DISTURBED),
                },
                shift: shift * (1.0 + steps / 2.0),
                uncertainty: shift.abs() * steps / 2.0,
            })
        });
        departures.max_by(|one, other| one.shift.abs().total_cmp(&other.shift.abs()))
    }
}

/// How far a point lies behind one that was left out, in steps as from the last value that was not to that one, on the logarithmic scale: 0 at the
/// point itself; none if it does not lie behind.
fn steps_behind(model: &Fitted, measurements: &Measurements, row: usize, point: &[f64]) -> Option<f64> {
    let left_out = measurements.point(row);
    if left_out == point[..left_out.len()] {
        return Some(0.0);
    }
    let of_variable = |variable: usize| {
        let column = &measurements.points[variable];
        let (level, value) = (column[row], point[variable]);
        let kept =
            (0..measurements.len()).filter(|row| !model.disturbed.contains(row)).map(|row| column[row]);
        let nearest = match value > level {
            true => kept.fold(f64::NEG_INFINITY, f64::max),
            false => kept.fold(f64::INFINITY, f64::min),
        };
        let is_behind = (nearest < level && level <= value) || (value <= level && level < nearest);
        let steps = (value / level).ln() / (level / nearest).ln();
        (is_behind && steps.is_finite() && steps >= 0.0).then_some(steps)
    };
    (0..left_out.len()).filter_map(of_variable).reduce(f64::max)
}
