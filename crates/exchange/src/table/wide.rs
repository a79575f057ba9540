//! Wide tables, with a column for each repetition, as `rep1` and `rep2` or `time_1` and `time_2`, or for each size, as `1000` and `2000`:
//! each of their rows becomes several.

use crate::ReadOptions;
use crate::heading::is_repetition;
use crate::response_name::{NameFit, time_name};

/// What the columns of a wide table are.
pub(super) struct Wide {
    /// Positions of the columns that are one.
    pub(super) columns: Vec<usize>,
    /// What that is called.
    pub(super) response: String,
    /// The size that each stands for, if they stand for sizes.
    pub(super) sizes: Option<Vec<f64>>,
}

/// What sizes are called.
pub(super) const SIZE: &str = "N";
/// What is called a time in tables that say no more.
const TIME: &str = "time";

impl Wide {
    /// Whether a table with these columns is one, and says so by nothing else: none of its columns is asked for, or a time by itself.
    pub(super) fn of(names: &[String], options: &ReadOptions) -> Option<Wide> {
        if options.response.is_some() {
            return None;
        }
        let is_free = |name: &str| {
            let listed = [&options.experiment_columns, &options.leave_out, &options.keep];
            listed.iter().all(|list| !list.iter().any(|known| known == name))
                && options.processors_column.as_deref() != Some(name)
        };
        let positions = |is_one: &dyn Fn(&str) -> bool| -> Vec<usize> {
            (0..names.len()).filter(|at| is_free(&names[*at]) && is_one(&names[*at])).collect()
        };
        let is_time = |name: &str| time_name(name).is_some_and(|time| time.fit < NameFit::Spread);
        let sizes = positions(&|name| name.parse::<f64>().is_ok_and(f64::is_finite));
        if sizes.len() >= 2 && !names.iter().any(|name| is_time(name) || name == SIZE) {
            let numbers = sizes.iter().filter_map(|at| names[*at].parse().ok()).collect();
            return Some(Wide { columns: sizes, response: TIME.to_owned(), sizes: Some(numbers) });
        }
        // The first name with a number, and those that differ in the number only.
        let first = names
            .iter()
            .find(|name| is_free(name) && numbered(name).is_some_and(|(stem, _)| is_one(&stem)))?;
        let (stem, unit) = numbered(first)?;
        let same = positions(&|name| numbered(name) == Some((stem.clone(), unit.clone())));
        let others = positions(&|name| is_time(name) && numbered(name) != Some((stem.clone(), unit.clone())));
        if same.len() < 2 || !others.is_empty() {
            return None;
        }
        let response = if is_time(&stem) { stem } else { TIME.to_owned() };
        let response = if unit.is_empty() { response } else { format!("{response} {unit}") };
        Some(Wide { columns: same, response, sizes: None })
    }
}

/// Whether a name is that of repetitions or times.
fn is_one(stem: &str) -> bool {
    is_repetition(stem)
        || time_name(stem).is_some_and(|time| time.fit <= NameFit::Time || time.fit == NameFit::Letter)
}

/// A name without the number at its end, and the unit in brackets behind that: of `time_1 (ms)`, `time` and `(ms)`.
fn numbered(name: &str) -> Option<(String, String)> {
    let name = name.trim();
    let (base, unit) = match name.find(['(', '[']) {
        Some(at) => (name[..at].trim_end(), name[at..].to_owned()),
        None => (name, String::new()),
    };
    let stem = base.trim_end_matches(|c: char| c.is_ascii_digit());
    let has_number = stem.len() < base.len();
    let stem = stem.trim_end_matches(['_', '-', ' ', '#', '.']);
    (has_number && !stem.is_empty()).then(|| (stem.to_owned(), unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_of_repetitions_and_sizes_are_seen() {
        let check = |names: &str, expected: Option<(&[usize], &str)>| {
            let names: Vec<String> = names.split(',').map(str::to_owned).collect();
            let found = Wide::of(&names, &ReadOptions::default());
            let found = found.as_ref().map(|wide| (wide.columns.as_slice(), wide.response.as_str()));
            assert_eq!(found, expected, "{names:?}");
        };
        check("N,rep1,rep2,rep3", Some((&[1, 2, 3], "time")));
        check("N,Run 1 (ms),Run 2 (ms)", Some((&[1, 2], "time (ms)")));
        check("time_1,time_2,N", Some((&[0, 1], "time")));
        check("N,t1,t2", Some((&[1, 2], "t")));
        check("kernel,1000,2000,4e3", Some((&[1, 2, 3], "time")));
        for none in [
            "N,time",
            "N,time_1",
            "N,x1,x2,time",
            "N,rep1,rep2,time",
            "1000,2000,time",
            "N,rep1 (s),rep2 (ms)",
            "L1,L2,N",
        ] {
            check(none, None);
        }
    }
}
