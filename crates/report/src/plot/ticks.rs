//! Where an axis has ticks: round numbers, as many as there is room for.

use super::axis_range::AxisRange;
use super::tick_label::{self, Decimal};
use crate::DisplayUnit;

/// More labels than this on a linear axis, or between powers of ten, are hard to read.
pub(super) const MOST_LABELS: usize = 9;

/// A tick with a label.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tick {
    pub(super) value: f64,
    pub(super) label: String,
}

/// The ticks of an axis.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Ticks {
    pub(super) labelled: Vec<Tick>,
    /// Places of small ticks without labels.
    pub(super) small: Vec<f64>,
}

/// What the values of an axis are.
#[derive(Debug, Clone)]
pub(super) struct TickKind {
    pub(super) unit: DisplayUnit,
    /// All values are whole: no ticks between whole numbers.
    pub(super) is_whole: bool,
    /// All values are powers of two.
    pub(super) is_binary: bool,
    /// The most labels on a linear axis, or between powers of ten.
    pub(super) most: usize,
}

/// The most ticks that there is room for.
pub(super) fn choose(range: &AxisRange, kind: &TickKind, has_room: impl Fn(&[Tick]) -> bool) -> Ticks {
    let mut last = Ticks::default();
    for candidate in candidates(range, kind) {
        if has_room(&candidate.labelled) {
            return candidate;
        }
        if !candidate.labelled.is_empty() {
            last = candidate;
        }
    }
    // Even the widest spacing is too narrow for its labels.
    last.labelled.truncate(1);
    last
}

/// From the narrowest to the widest spacing.
fn candidates(range: &AxisRange, kind: &TickKind) -> Vec<Ticks> {
    if range.is_logarithmic {
        let candidates = if kind.is_binary { binary(range, &kind.unit) } else { logarithmic(range, kind) };
        let most = candidates.first().map_or(0, |first| first.labelled.len());
        // On less than half a decade hardly any round number has one digit only.
        if most >= 3 {
            return candidates;
        }
    }
    linear(range, kind)
}

fn labelled(numbers: &[Decimal], labels: Vec<String>) -> Vec<Tick> {
    numbers.iter().zip(labels).map(|(number, label)| Tick { value: number.value(), label }).collect()
}

fn linear(range: &AxisRange, kind: &TickKind) -> Vec<Ticks> {
    /// Part of a step by which rounding may push a tick over the end.
    const SLACK: f64 = 1e-9;
    let span = range.high - range.low;
    let first_exponent = (span / 20.0).log10().floor() as i32;
    let steps =
        (first_exponent..=first_exponent + 2).flat_map(|exponent| [1, 2, 5].map(|digits| (digits, exponent)));
    let candidates =
        steps.filter(|(_, exponent)| !kind.is_whole || *exponent >= 0).map(|(digits, exponent)| {
            let step = Decimal { digits, exponent }.value();
            let multiples =
                (range.low / step - SLACK).ceil() as i64..=(range.high / step + SLACK).floor() as i64;
            let numbers: Vec<Decimal> =
                multiples.map(|multiple| Decimal { digits: digits * multiple, exponent }).collect();
            Ticks {
                labelled: labelled(&numbers, tick_label::linear(&numbers, &kind.unit)),
                small: Vec::new(),
            }
        });
    candidates.filter(|ticks| ticks.labelled.len() <= kind.most).collect()
}

/// Digits 1 to 9 in each decade; 1, 2 and 5; decades; every third decade, and so on.
fn logarithmic(range: &AxisRange, TickKind { unit, most, .. }: &TickKind) -> Vec<Ticks> {
    const ALL: &[i64] = &[1, 2, 3, 4, 5, 6, 7, 8, 9];
    const STRIDES: [i32; 7] = [2, 3, 6, 12, 24, 48, 96];
    let candidate = |digits: &[i64], stride: i32, small: Vec<Decimal>| {
        let numbers = in_decades(range, digits, stride);
        let small = small.into_iter().map(Decimal::value).collect();
        Ticks { labelled: labelled(&numbers, tick_label::logarithmic(&numbers, unit)), small }
    };
    let all = || in_decades(range, ALL, 1);
    let dense = [candidate(ALL, 1, Vec::new()), candidate(&[1, 2, 5], 1, all())];
    let mut candidates: Vec<Ticks> =
        dense.into_iter().filter(|ticks| ticks.labelled.len() <= *most).collect();
    candidates.push(candidate(&[1], 1, all()));
    // Units change with every third decade.
    let strides = STRIDES.iter().filter(|stride| !unit.has_prefixes() || **stride != 2);
    candidates.extend(strides.map(|stride| candidate(&[1], *stride, in_decades(range, &[1], 1))));
    candidates
}

fn in_decades(range: &AxisRange, digits: &[i64], stride: i32) -> Vec<Decimal> {
    let decades = range.low.log10().floor() as i32..=range.high.log10().floor() as i32;
    decades
        .filter(|exponent| exponent.rem_euclid(stride) == 0)
        .flat_map(|exponent| digits.iter().map(move |&digits| Decimal { digits, exponent }))
        .filter(|number| range.contains(number.value()))
        .collect()
}

fn binary(range: &AxisRange, unit: &DisplayUnit) -> Vec<Ticks> {
    /// From here on numbers in full are long.
    const PREFIXES_FROM: u32 = 17;
    let lowest = range.low.log2().ceil().max(0.0) as u32;
    let highest = range.high.log2().floor().max(0.0) as u32;
    let value = |exponent: u32| 2_f64.powi(exponent as i32);
    let has_prefix = highest >= PREFIXES_FROM;
    let tick = |exponent: u32| Tick {
        value: value(exponent),
        label: tick_label::binary(exponent, has_prefix, unit),
    };
    let candidate = |stride: u32| {
        let (labelled, small): (Vec<u32>, Vec<u32>) =
            (lowest..=highest).partition(|exponent| exponent.is_multiple_of(stride));
        Ticks {
            labelled: labelled.into_iter().map(tick).collect(),
            small: small.into_iter().map(value).collect(),
        }
    };
    [1, 2, 5, 10, 20, 50, 100, 200, 500].map(candidate).into()
}

/// 1, 2, 5, 10 and so on: of which things in a row to show every one, every second and so on.
pub(super) fn round_strides() -> impl Iterator<Item = usize> {
    (0..19).flat_map(|exponent| [1, 2, 5].map(|digit| digit * 10_usize.pow(exponent)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain() -> TickKind {
        TickKind { unit: DisplayUnit::default(), is_whole: false, is_binary: false, most: MOST_LABELS }
    }

    fn of(unit: &str) -> TickKind {
        TickKind { unit: DisplayUnit::parse(unit), ..plain() }
    }

    fn check(low: f64, high: f64, is_logarithmic: bool, kind: &TickKind, most: usize, expected: &str) {
        let range = AxisRange { low, high, is_logarithmic };
        let ticks = choose(&range, kind, |ticks| ticks.len() <= most);
        let labels: Vec<&str> = ticks.labelled.iter().map(|tick| tick.label.as_str()).collect();
        assert_eq!(labels.join(" | "), expected);
        let is_inside = |value: f64| (-1e-6..=1.0 + 1e-6).contains(&range.place(value));
        assert!(ticks.labelled.iter().all(|tick| is_inside(tick.value)));
        assert!(ticks.small.iter().all(|value| is_inside(*value)));
    }

    #[test]
    fn linear_ticks_are_round() {
        check(0.0, 10.3, false, &plain(), 9, "0 | 2 | 4 | 6 | 8 | 10");
        check(0.0, 10.3, false, &plain(), 5, "0 | 5 | 10");
        check(-0.3, 0.4, false, &plain(), 9, "-0.3 | -0.2 | -0.1 | 0 | 0.1 | 0.2 | 0.3 | 0.4");
        check(0.9, 4.1, false, &TickKind { is_whole: true, ..plain() }, 9, "1 | 2 | 3 | 4");
        check(
            0.0,
            0.0043,
            false,
            &of("s"),
            9,
            "0 | 0.5 ms | 1.0 ms | 1.5 ms | 2.0 ms | 2.5 ms | 3.0 ms | 3.5 ms | 4.0 ms",
        );
        check(-1e300, 1e300, false, &plain(), 5, "-1.0×10³⁰⁰ | -0.5×10³⁰⁰ | 0 | 0.5×10³⁰⁰ | 1.0×10³⁰⁰");
    }

    #[test]
    fn logarithmic_ticks_are_powers_or_one_digit() {
        check(0.95, 9.5, true, &plain(), 9, "1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9");
        check(0.9, 90.0, true, &plain(), 9, "1 | 2 | 5 | 10 | 20 | 50");
        check(1e-6, 1e-2, true, &of("s"), 9, "1 µs | 10 µs | 100 µs | 1 ms | 10 ms");
        check(1e-9, 1e3, true, &of("s"), 9, "1 ns | 1 µs | 1 ms | 1 s | 1000 s");
        check(1e-9, 1e3, true, &plain(), 9, "10⁻⁸ | 10⁻⁶ | 10⁻⁴ | 10⁻² | 10⁰ | 10²");
        check(3.0, 3.5, true, &plain(), 9, "3.0 | 3.1 | 3.2 | 3.3 | 3.4 | 3.5");
        check(1e-290, 1e300, true, &plain(), 9, "10⁻²⁸⁸ | 10⁻¹⁹² | 10⁻⁹⁶ | 10⁰ | 10⁹⁶ | 10¹⁹² | 10²⁸⁸");
    }

    #[test]
    fn powers_of_two_are_kept() {
        let kind = TickKind { is_whole: true, is_binary: true, ..plain() };
        check(0.9, 36.0, true, &kind, 9, "1 | 2 | 4 | 8 | 16 | 32");
        check(900.0, 72_000.0, true, &kind, 9, "1024 | 2048 | 4096 | 8192 | 16384 | 32768 | 65536");
        check(900.0, 2.2e6, true, &kind, 9, "1Ki | 4Ki | 16Ki | 64Ki | 256Ki | 1Mi");
        check(0.5, 3.0, true, &kind, 9, "1 | 2 | 3");
        let bytes = TickKind { is_binary: true, ..of("bytes") };
        check(900.0, 2.2e6, true, &bytes, 9, "1 KiB | 4 KiB | 16 KiB | 64 KiB | 256 KiB | 1 MiB");
    }

    #[test]
    fn other_units_have_prefixes_too() {
        check(
            0.0,
            4.3e6,
            false,
            &of("bytes"),
            9,
            "0 | 0.5 MB | 1.0 MB | 1.5 MB | 2.0 MB | 2.5 MB | 3.0 MB | 3.5 MB | 4.0 MB",
        );
        check(1e-3, 1e4, true, &of("J"), 9, "1 mJ | 10 mJ | 100 mJ | 1 J | 10 J | 100 J | 1 kJ | 10 kJ");
        check(
            1e3,
            1e10,
            true,
            &of("flop/s"),
            9,
            "1 kflop/s | 10 kflop/s | 100 kflop/s | 1 Mflop/s | 10 Mflop/s | 100 Mflop/s | 1 Gflop/s | 10 Gflop/s",
        );
    }

    #[test]
    fn small_ticks_stand_between_labels() {
        let range = AxisRange { low: 1.0, high: 1e4, is_logarithmic: true };
        let ticks = choose(&range, &plain(), |_| true);
        assert_eq!((ticks.labelled.len(), ticks.small.len()), (5, 37));
    }

    #[test]
    fn one_label_is_left_where_there_is_no_room() {
        check(0.0, 10.0, false, &plain(), 1, "0");
    }
}
