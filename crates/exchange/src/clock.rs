//! Times as clocks show them.

use call_trace::Unit;

use crate::PlaceInText;
use crate::quantity::bracket;

/// Seconds of `1:02:03.5`, of `1:40.5` as GNU time writes it, of `1-02:03:04` as Slurm does, and of `1m40.7s` as shells do.
pub(crate) fn clock_s(field: &str) -> Option<f64> {
    let number = |digits: &str| -> Option<f64> {
        digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())?
    };
    if let Some(spelt) = field.strip_suffix('s') {
        let (before, seconds) = spelt.split_once('m')?;
        let (hours, minutes) = before.split_once('h').unwrap_or(("0", before));
        return clock_s(&format!("{hours}:{minutes}:{seconds}"));
    }
    let (days, clock) = match field.split_once('-') {
        Some((days, clock)) => (number(days)?, clock),
        None => (0.0, field),
    };
    let parts: Vec<&str> = clock.split(':').collect();
    let (hours, minutes, seconds) = match parts[..] {
        [hours, minutes, seconds] => (hours, minutes, seconds),
        [minutes, seconds] if days == 0.0 => ("0", minutes, seconds),
        _ => return None,
    };
    let seconds = seconds.replace(',', ".");
    let is_seconds = seconds.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let (hours, minutes, seconds) = (number(hours)?, number(minutes)?, seconds.parse::<f64>().ok()?);
    // GNU time writes hours where there are sixty minutes.
    let is_clock = is_seconds && minutes < 60.0 && seconds < 60.0;
    is_clock.then_some(((days * 24.0 + hours) * 60.0 + minutes) * 60.0 + seconds)
}

/// What the fields of a column say about clocks of two parts: `1:40` is minutes and seconds, or hours and minutes.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct ClockEvidence {
    /// A field tells: it has three parts, a fraction of a second, or units.
    pub(crate) is_decided: bool,
    /// The first field that can be both.
    first: Option<(PlaceInText, String)>,
}

impl ClockEvidence {
    /// Takes a field that [`clock_s`] reads.
    pub(crate) fn take(&mut self, field: &str, place: PlaceInText) {
        if self.is_decided || field.matches(':').count() != 1 || field.contains(['.', ',']) {
            self.is_decided = true;
        } else if self.first.is_none() {
            self.first = Some((place, field.to_owned()));
        }
    }

    /// The first field that can be both, if no field tells which it is.
    pub(crate) fn undecided(self) -> Option<(PlaceInText, String)> {
        self.first.filter(|_| !self.is_decided)
    }
}

/// Whether the first part of clocks counts hours, if that is said: by a unit, which is that of the first part, or as `time (h:mm)`.
pub(crate) fn counts_hours(heading: &str, unit: Option<&Unit>) -> Option<bool> {
    if let Some((first, _)) = bracket(heading.trim()).and_then(|(_, inside)| inside.split_once(':')) {
        return Some(first.trim().starts_with(['h', 'H']));
    }
    unit.map(|unit| *unit == Unit::Hours)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_seconds() {
        for (field, time_s) in [
            ("00:00:06.5", Some(6.5)),
            ("1:02:03", Some(3723.0)),
            ("1-02:03:04", Some(93_784.0)),
            ("100:00:00", Some(360_000.0)),
            ("12:30", Some(750.0)),
            ("1:40.50", Some(100.5)),
            ("1m40.700s", Some(100.7)),
            ("0m1,5s", Some(1.5)),
            ("1h2m3s", Some(3723.0)),
            ("61:00", None),
            ("1-02:03", None),
            ("1m", None),
            ("ms", None),
            ("1:60:00", None),
            ("2026-01-01", None),
            (":1:2", None),
            ("a:1:2", None),
        ] {
            assert_eq!(clock_s(field), time_s, "{field}");
        }
    }
}
