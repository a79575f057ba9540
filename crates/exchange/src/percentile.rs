//! Names of percentiles: `p50`, `p99`, `q25`, `25%`.

/// Which words of the names of a table are percentiles.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Percentiles {
    /// Whether others beside them say that `p10` is one.
    has_others: bool,
}

/// Those behind a `p` that nobody takes for numbers of processors.
const CLEAR: &[&str] = &["50", "75", "90", "95", "99", "999", "9999"];
/// Those that may be either.
const UNCLEAR: &[&str] = &["1", "01", "5", "05", "10", "25"];

impl Percentiles {
    /// Those of a table with these names: `p25` beside `p50` is one, unless `p100` says that they are numbers of processors.
    pub(crate) fn of(headings: &[String]) -> Percentiles {
        Percentiles { has_others: are_percentiles(headings.iter().map(String::as_str)) }
    }

    /// Which share in percent lies below a value of that name.
    pub(crate) fn share(self, word: &str) -> Option<f64> {
        let (letter, digits) = word.split_at_checked(1)?;
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let is_one = match letter {
            "p" => CLEAR.contains(&digits) || self.has_others && UNCLEAR.contains(&digits),
            "q" => (2..=4).contains(&digits.len()),
            _ => false,
        };
        // `p999` is 99.9 %.
        let (whole, behind) = digits.split_at(digits.len().min(2));
        is_one.then(|| format!("{whole}.{behind}0").parse().ok())?
    }
}

/// Whether names of a letter `p` and a number are percentiles all together, and not numbers of processors.
pub(crate) fn are_percentiles<'a>(headings: impl Iterator<Item = &'a str>) -> bool {
    let numbers: Vec<&str> = headings.filter_map(number).collect();
    let is_one = |number: &&str| CLEAR.contains(number);
    numbers.iter().any(is_one) && numbers.iter().all(|number| is_one(number) || UNCLEAR.contains(number))
}

/// The number behind a `p` at the beginning of a name.
fn number(heading: &str) -> Option<&str> {
    let behind = heading.trim().strip_prefix(['p', 'P'])?;
    let end = behind.bytes().position(|byte| !byte.is_ascii_digit()).unwrap_or(behind.len());
    let is_whole = behind[end..].chars().next().is_none_or(|next| !next.is_alphanumeric());
    (end > 0 && is_whole).then_some(&behind[..end])
}

/// `25%`, as pandas calls quartiles: the share in percent.
pub(crate) fn percent(heading: &str) -> Option<f64> {
    let share = heading.trim().strip_suffix('%')?.trim_end().parse::<f64>().ok()?;
    (0.0..=100.0).contains(&share).then_some(share)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_told_from_processors() {
        let all = |names: &str| are_percentiles(names.split(','));
        for names in [
            "N,p50,p90,p99",
            "p50",
            "p10,p50,p90",
            "n,P50 (ms),P99 (ms)",
            "p95_ms,p99_ms",
            "p1,p5,p25,p50,p999",
        ] {
            assert!(all(names), "{names}");
        }
        for names in ["p1,p2,p4", "p25,p50,p100", "p1,p10", "N,P,time", "procs50", "p50x"] {
            assert!(!all(names), "{names}");
        }
        assert_eq!(Percentiles::default().share("p999"), Some(99.9));
        assert_eq!(Percentiles::default().share("q25"), Some(25.0));
        assert_eq!(
            (percent("25%"), percent(" 99.9 %"), percent("time %"), percent("250%")),
            (Some(25.0), Some(99.9), None, None)
        );
    }
}
