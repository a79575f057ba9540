//! Axes as they are drawn.

use super::range::Range;
use super::text;
use super::tick_label::Unit;
use super::ticks::{Kind, MOST_LABELS};

/// What an axis shows.
pub(super) struct View {
    /// Without the unit, if the ticks show it.
    pub(super) label: String,
    pub(super) range: Range,
    pub(super) kind: Kind,
    /// What stands at 0.5, 1.5 and so on instead of numbers.
    pub(super) names: Vec<String>,
}

impl View {
    pub(super) fn new(label: &str, range: Range) -> View {
        let (label, unit) = label_and_unit(label);
        let kind = Kind { unit, is_whole: false, is_binary: false, most: MOST_LABELS };
        View { label: text::allowed(label), range, kind, names: Vec::new() }
    }

    /// An axis of a variable: its ticks are whole or powers of two where all its values are.
    pub(super) fn of_variable(label: &str, range: Range, values: impl Iterator<Item = f64> + Clone) -> View {
        let is_power = |x: f64| x >= 1.0 && x.log2().fract() == 0.0;
        let mut view = View::new(label, range);
        if values.clone().next().is_some() {
            view.kind.is_whole = values.clone().all(|x| x.fract() == 0.0);
            view.kind.is_binary = values.clone().all(is_power);
        }
        view
    }
}

fn label_and_unit(label: &str) -> (&str, Unit) {
    let label = label.trim();
    let stripped = |unit: &[&str]| unit.iter().find_map(|unit| label.strip_suffix(unit)).map(str::trim_end);
    if let Some(label) = stripped(&["(s)", "[s]"]) {
        (label, Unit::Seconds)
    } else if let Some(label) = stripped(&["(%)", "[%]"]) {
        (label, Unit::Percent)
    } else if label.eq_ignore_ascii_case("time") {
        (label, Unit::Seconds)
    } else {
        (label, Unit::None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_lose_the_units_of_their_ticks() {
        assert_eq!(label_and_unit(" time (s) "), ("time", Unit::Seconds));
        assert_eq!(label_and_unit("Time"), ("Time", Unit::Seconds));
        assert_eq!(label_and_unit("error (%)"), ("error", Unit::Percent));
        assert_eq!(label_and_unit("speed-up"), ("speed-up", Unit::None));
    }
}
