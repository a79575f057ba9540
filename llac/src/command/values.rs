//! Values in the words of a command: numbers, lists and ranges of them, times.

use std::ops::Range;

use call_bsp::obsp::InOut;
use call_grammar::Quantity;
use call_model::question::ValueRange;
use call_trace::Unit;

use super::units;
use crate::Error;
use crate::error::code;
use crate::words::Word;

/// At most this many points in one table.
pub const MOST_POINTS: usize = 10_000;

/// `8`, `1,2,4`, `1:32:2` (1, 2, 4, … 32) or `10:50:+10` (10, 20, … 50); each number may be an expression such as `2*1024`.
pub fn values(text: &str, span: Range<usize>) -> Result<Vec<f64>, Error> {
    const FORMS: &str = "write 8, or 1,2,4, or 1:32:2 (1, 2, 4, … 32), or 10:50:+10 (10, 20, … 50)";
    let number = |part: &str| {
        number(part).ok_or_else(|| {
            Error::at(code::WRONG_VALUE, span.clone(), format!("`{part}` is not a number")).help(FORMS)
        })
    };
    let parts: Vec<&str> = text.split(':').collect();
    match parts[..] {
        [first, last, step] => {
            let (first, last) = (number(first)?, number(last)?);
            let is_sum = step.starts_with('+');
            let step = number(step.strip_prefix('+').unwrap_or(step))?;
            if is_sum && (step <= 0.0 || last < first) {
                return Err(Error::at(
                    code::WRONG_VALUE,
                    span,
                    "FIRST:LAST:+STEP wants FIRST <= LAST and STEP > 0",
                ));
            }
            if !is_sum && (step <= 1.0 || first <= 0.0 || last < first) {
                return Err(Error::at(
                    code::WRONG_VALUE,
                    span,
                    "FIRST:LAST:FACTOR wants 0 < FIRST <= LAST and FACTOR > 1",
                ));
            }
            let at = |index: usize| {
                if is_sum { first + step * index as f64 } else { first * step.powi(index as i32) }
            };
            // 0.1 + 2 · 0.1 is above 0.3 in binary.
            let rounding = 1e-12 * first.abs().max(last.abs());
            let values = (0..=MOST_POINTS).map(at).take_while(|value| *value <= last + rounding);
            let values: Vec<f64> = values.map(|value| value.min(last)).collect();
            if values.len() > MOST_POINTS {
                let message = format!("`{text}` is more than {MOST_POINTS} values");
                return Err(Error::at(code::TOO_LARGE, span, message).help("take larger steps"));
            }
            Ok(values)
        }
        [list] => list.split(',').map(number).collect(),
        _ => Err(Error::at(code::WRONG_VALUE, span, "expected FIRST:LAST:FACTOR").help(FORMS)),
    }
}

/// Factors behind numbers: `4Ki` is 4096, `2M` two million.
const PREFIXES: [(&str, f64); 7] = [
    ("Ki", 1024.0),
    ("Mi", 1_048_576.0),
    ("Gi", 1_073_741_824.0),
    ("Ti", 1_099_511_627_776.0),
    ("k", 1e3),
    ("M", 1e6),
    ("G", 1e9),
];

/// `NAME=FACTOR` of each word: how many times as fast `things` are to be. `help` has an example.
pub fn factors<'a>(
    words: impl IntoIterator<Item = &'a Word>,
    things: &str,
    help: &str,
) -> Result<Vec<(&'a Word, &'a str, f64)>, Error> {
    let mut found: Vec<(&Word, &str, f64)> = Vec::new();
    for word in words {
        let factor = |text: &str| number(text).filter(|factor| *factor > 0.0);
        let (name, factor) =
            word.assignment().and_then(|(name, text)| Some((name, factor(text)?))).ok_or_else(|| {
                word.error(code::WRONG_VALUE, format!("expected {things}=FACTOR with a factor above 0"))
                    .help(help.to_owned())
            })?;
        if found.iter().any(|(_, known, _)| *known == name) {
            return Err(word.error(code::GIVEN_TWICE, format!("`{name}` is given twice")));
        }
        found.push((word, name, factor));
    }
    Ok(found)
}

/// A number, one with a prefix, or an expression without variables.
pub fn number(text: &str) -> Option<f64> {
    let prefixed = |(prefix, factor): &(&str, f64)| {
        let digits = text.strip_suffix(prefix)?;
        digits.parse::<f64>().ok().map(|value| value * factor)
    };
    let value = match text.parse::<f64>().ok().or_else(|| PREFIXES.iter().find_map(prefixed)) {
        Some(value) => value,
        None => {
            let quantity = Quantity::parse(text).ok().filter(|quantity| quantity.variables().is_empty())?;
            quantity.evaluate(&[])
        }
    };
    value.is_finite().then_some(value)
}

/// A time with its unit: `1s`, `20ms`, `0.5` (seconds).
pub fn seconds(word: &Word) -> Result<f64, Error> {
    time(word, &word.text)
}

/// The same in a part of a word.
pub fn time(word: &Word, text: &str) -> Result<f64, Error> {
    let digits = text.trim_end_matches(|c: char| c.is_alphabetic());
    let unit = match &text[digits.len()..] {
        "" | "s" => 1.0,
        "ms" => 1e-3,
        "us" | "µs" => 1e-6,
        "ns" => 1e-9,
        "min" => 60.0,
        "h" => 3600.0,
        "d" => 86400.0,
        _ => f64::NAN,
    };
    number(digits).map(|value| value * unit).filter(|value| *value > 0.0).ok_or_else(|| {
        word.error(code::WRONG_VALUE, format!("`{text}` is no time")).help("write 1s, 20ms, 5min or 2h")
    })
}

/// A value of what was measured: of times as [`seconds`], else a number, which may have the unit behind it: `1e6`, `1MB`.
pub fn response(word: &Word, unit: &Unit) -> Result<f64, Error> {
    if unit.is_time() {
        return seconds(word);
    }
    let (text, shown) = (word.text.as_str(), units::shown(unit));
    let parts = text.char_indices().map(|(place, _)| text.split_at(place)).chain([(text, "")]);
    let value = |(digits, symbol): (&str, &str)| {
        let factor = match symbol.is_empty() {
            true => Some(1.0),
            false => shown.factor(symbol).or_else(|| prefixed(symbol, unit.symbol())),
        };
        Some(factor? * number(digits)?)
    };
    parts.filter_map(value).find(|value| *value > 0.0).ok_or_else(|| {
        let what = if seconds(word).is_ok() { "a time" } else { "no such value" };
        word.error(code::WRONG_VALUE, format!("`{text}` is {what}, and what was measured is in {unit}"))
            .help(format!("write a number, `1e6` or `1e6{}`", shown.symbol()))
    })
}

/// How many of one unit another one is that differs in the prefix: a GB is 1000 MB.
fn prefixed(symbol: &str, unit: &str) -> Option<f64> {
    // Longer ones first: `GiB` is no `G` of `iB`.
    const PREFIXES: [(&str, f64); 12] = [
        ("Ki", 1024.0),
        ("Mi", 1_048_576.0),
        ("Gi", 1_073_741_824.0),
        ("Ti", 1_099_511_627_776.0),
        ("Pi", 1_125_899_906_842_624.0),
        ("k", 1e3),
        ("K", 1e3),
        ("M", 1e6),
        ("G", 1e9),
        ("T", 1e12),
        ("P", 1e15),
        ("", 1.0),
    ];
    let split = |text: &'static str, of: f64, whole: &str| Some((whole.strip_prefix(text)?.to_owned(), of));
    let parts = |whole: &str| -> Vec<(String, f64)> {
        PREFIXES
            .iter()
            .filter_map(|(text, of)| split(text, *of, whole))
            .filter(|(rest, _)| !rest.is_empty())
            .collect()
    };
    let (asked, own) = (parts(symbol), parts(unit));
    asked.iter().find_map(|(rest, factor)| {
        let (_, other) = own.iter().find(|(other, _)| other == rest)?;
        Some(factor / other)
    })
}

/// `FROM..TO`.
pub fn span(text: &str) -> Option<ValueRange> {
    let (lowest, highest) = text.split_once("..")?;
    Some(ValueRange { lowest: number(lowest)?, highest: number(highest)? })
}

/// The value of `g=VALUE` or `L=VALUE`.
pub fn cost(word: &Word, text: &str) -> Result<f64, Error> {
    number(text).filter(|value| *value >= 0.0).ok_or_else(|| {
        word.error(code::WRONG_VALUE, format!("`{text}` is no cost"))
            .help("g is in seconds a byte, L in seconds: `g=1e-9 L=2e-6`")
    })
}

/// The value of `relation=VALUE`.
pub fn relation(word: &Word, text: &str) -> Result<InOut, Error> {
    match text {
        "max" => Ok(InOut::Maximum),
        "sum" => Ok(InOut::Sum),
        _ => Err(word
            .error(code::WRONG_VALUE, format!("there is no h-relation `{text}`"))
            .help("`relation=max` or `relation=sum` of bytes in and out")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_four_forms() {
        let check =
            |text: &str, expected: &[f64]| assert_eq!(values(text, 0..1).unwrap(), expected, "{text}");
        check("8", &[8.0]);
        check("1,2,2*1024", &[1.0, 2.0, 2048.0]);
        check("1:32:2", &[1.0, 2.0, 4.0, 8.0, 16.0, 32.0]);
        check("10:50:+20", &[10.0, 30.0, 50.0]);
        check("0.1:0.3:+0.1", &[0.1, 0.2, 0.3]);
        check("1:1.331:1.1", &[1.0, 1.1, 1.1 * 1.1, 1.331]);
        check("1Ki,2M,1.5Gi", &[1024.0, 2e6, 1.5 * 1_073_741_824.0]);
        for wrong in
            ["x", "1:2", "4:1:2", "1:4:1", "1:4:+0", "", "1e999", "1:1e300:1.0000001", "1e300:2e300:+1"]
        {
            assert!(values(wrong, 0..1).is_err(), "{wrong}");
        }
    }
}
