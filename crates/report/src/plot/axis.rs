//! The values that an axis shows, and how.

use super::axis_range::AxisRange;
use super::text;
use super::ticks::{MOST_LABELS, TickKind};
use crate::DisplayUnit;

/// What an axis shows.
pub(super) struct DrawnAxis {
    /// Without the unit, if the ticks show it.
    pub(super) label: String,
    pub(super) range: AxisRange,
    pub(super) kind: TickKind,
    /// What stands at 0.5, 1.5 and so on instead of numbers.
    pub(super) names: Vec<String>,
}

impl DrawnAxis {
    pub(super) fn new(label: &str, range: AxisRange) -> DrawnAxis {
        let (label, unit) = label_and_unit(label);
        let kind = TickKind { unit, is_whole: false, is_binary: false, most: MOST_LABELS };
        DrawnAxis { label: text::harmless(label), range, kind, names: Vec::new() }
    }

    /// An axis of a variable: its ticks are whole or powers of two where all its values are.
    pub(super) fn of_variable(
        label: &str,
        range: AxisRange,
        values: impl Iterator<Item = f64> + Clone,
    ) -> DrawnAxis {
        let is_power = |x: f64| x >= 1.0 && x.log2().fract() == 0.0;
        let mut view = DrawnAxis::new(label, range);
        if values.clone().next().is_some() {
            view.kind.is_whole = values.clone().all(|x| x.fract() == 0.0);
            let has_powers = view.kind.unit.is_none() || view.kind.unit.symbol() == "B";
            view.kind.is_binary = has_powers && values.clone().all(is_power);
        }
        view
    }
}

/// The label without a unit that the ticks show.
fn label_and_unit(label: &str) -> (&str, DisplayUnit) {
    let label = label.trim();
    if label.eq_ignore_ascii_case("time") {
        return (label, DisplayUnit::seconds());
    }
    let in_brackets = [('(', ')'), ('[', ']')].into_iter().find_map(|(open, close)| {
        let (label, unit) = label.strip_suffix(close)?.rsplit_once(open)?;
        Some((label.trim_end(), DisplayUnit::parse(unit)))
    });
    let shown = |unit: &DisplayUnit| unit.has_prefixes() || *unit == DisplayUnit::percent();
    in_brackets.filter(|(_, unit)| shown(unit)).unwrap_or((label, DisplayUnit::default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_lose_the_units_of_their_ticks() {
        assert_eq!(label_and_unit(" time (s) "), ("time", DisplayUnit::seconds()));
        assert_eq!(label_and_unit("Time"), ("Time", DisplayUnit::seconds()));
        assert_eq!(label_and_unit("error (%)"), ("error", DisplayUnit::percent()));
        assert_eq!(label_and_unit("speed-up"), ("speed-up", DisplayUnit::default()));
        assert_eq!(label_and_unit("energy [J]"), ("energy", DisplayUnit::parse("joules")));
        assert_eq!(label_and_unit("calls (visits)"), ("calls (visits)", DisplayUnit::default()));
    }
}
