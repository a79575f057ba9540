//! Wide tables: with a column for each repetition, as `rep1` and `rep2` or `time_1` and `time_2`, for each number of processors, as `T1`, `T2`
//! and `T4`, or for each value of another variable, as `1000` and `2000` or `N=1000` and `N=2000`: each of their rows becomes several.

use crate::ReadOptions;
use crate::heading::{experiment_rank, is_processors, is_repetition, is_row_number};
use crate::percentile::are_percentiles;
use crate::response_name::{NameFit, is_statistic, time_name};

/// What the columns of a wide table are.
pub(super) struct Wide {
    /// Positions of the columns that are one.
    pub(super) columns: Vec<usize>,
    /// What that is called.
    pub(super) response: String,
    /// The variable whose values they stand for, if they are no repetitions.
    pub(super) values: Option<HeaderValues>,
    /// Positions of statistics of repetitions.
    pub(super) statistics: Vec<usize>,
    /// Where a corner names what the rows are, its position and that name.
    pub(super) corner: Option<(usize, String)>,
}

/// The variable whose values the columns of a wide table stand for.
pub(super) struct HeaderValues {
    pub(super) variable: String,
    /// One for each column.
    pub(super) numbers: Vec<f64>,
    /// Whether it is not named in the table.
    pub(super) is_assumed: bool,
}

/// What sizes are called.
const SIZE: &str = "N";
const PROCESSORS: &str = "P";
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
        let bare = positions(&|name| number(name).is_some());
        if bare.len() >= 2 && !names.iter().any(|name| is_time(name)) {
            return of_numbers(names, bare, options);
        }
        let are_percentiles = are_percentiles(names.iter().map(String::as_str));
        let is_one =
            |its: &NameWithNumber| its.is_one() && !(are_percentiles && its.stem.eq_ignore_ascii_case("p"));
        // The first name with a number, and those that differ in the number only.
        let first = names
            .iter()
            .find_map(|name| NameWithNumber::of(name).filter(|its| is_free(name) && is_one(its)))?;
        let same = positions(&|name| NameWithNumber::of(name).is_some_and(|its| its.is_like(&first)));
        let is_same = |name: &str| NameWithNumber::of(name).is_some_and(|its| its.is_like(&first));
        let others = positions(&|name| is_time(name) && !is_same(name) && !is_statistic(name));
        if same.len() < 2 || !others.is_empty() {
            return None;
        }
        let numbers: Vec<f64> =
            same.iter().filter_map(|at| Some(NameWithNumber::of(&names[*at])?.number)).collect();
        let response = if is_time(&first.stem) { first.stem.clone() } else { TIME.to_owned() };
        let response = if first.unit.is_empty() { response } else { format!("{response} {}", first.unit) };
        if is_processors(&first.stem) && !first.is_value && is_counting(&numbers) {
            return None;
        }
        let values = first.variable(&numbers, names).map(|(variable, is_assumed)| HeaderValues {
            variable,
            numbers,
            is_assumed,
        });
        if values.as_ref().is_some_and(|values| names.contains(&values.variable)) {
            return None;
        }
        let statistics = positions(&|name| is_statistic(name) && !is_same(name));
        Some(Wide { columns: same, response, values, statistics, corner: None })
    }
}

/// A table whose columns are called by numbers alone: a corner says what they are, else the column beside them.
fn of_numbers(names: &[String], columns: Vec<usize>, options: &ReadOptions) -> Option<Wide> {
    let numbers: Vec<f64> = columns.iter().filter_map(|at| number(&names[*at])).collect();
    let stay = || (0..names.len()).filter(|at| !columns.contains(at));
    let corner = stay().find_map(|at| {
        let (rows, of_columns) = names[at].split_once('\\')?;
        let (rows, of_columns) = (rows.trim(), of_columns.trim());
        (!rows.is_empty() && !of_columns.is_empty()).then(|| (at, rows.to_owned(), of_columns.to_owned()))
    });
    let is_count = |name: &String| is_processors(name) || options.processors_column.as_ref() == Some(name);
    let is_size =
        |name: &String| !is_row_number(name) && experiment_rank(name).is_none() && !is_repetition(name);
    let has_size = stay().any(|at| is_size(&names[at]));
    let has_n = names.iter().any(|name| name == SIZE);
    let (variable, is_assumed) = match &corner {
        Some((_, _, of_columns)) if is_processors(of_columns) => (PROCESSORS.to_owned(), false),
        Some((_, _, of_columns)) => (of_columns.clone(), false),
        None if !stay().any(|at| is_count(&names[at]))
            && are_processors(&numbers)
            && has_size
            && (has_n || numbers[0] == 1.0) =>
        {
            (PROCESSORS.to_owned(), true)
        }
        None if has_n => return None,
        None => (SIZE.to_owned(), false),
    };
    if names.contains(&variable) {
        return None;
    }
    let values = Some(HeaderValues { variable, numbers, is_assumed });
    let corner = corner.map(|(at, rows, _)| (at, rows));
    Some(Wide { columns, response: TIME.to_owned(), values, statistics: Vec::new(), corner })
}

fn number(name: &str) -> Option<f64> {
    name.parse().ok().filter(|number: &f64| number.is_finite())
}

fn is_time(name: &str) -> bool {
    time_name(name).is_some_and(|time| time.fit < NameFit::Spread)
}

/// Whether processors can be so many, each number once.
fn are_processors(numbers: &[f64]) -> bool {
    let is_new = |at: usize| numbers[..at].iter().all(|before| *before != numbers[at]);
    (0..numbers.len())
        .all(|at| numbers[at] >= 1.0 && numbers[at] <= 1e7 && numbers[at].fract() == 0.0 && is_new(at))
}

/// Whether numbers count from 0 or 1, in any order.
fn is_counting(numbers: &[f64]) -> bool {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[0] <= 1.0 && sorted.windows(2).all(|pair| pair[1] == pair[0] + 1.0)
}

/// A name with a number: `time_1 (ms)`, `T(4)`, `N=1000`, `2 procs`.
struct NameWithNumber {
    /// The name without the number.
    stem: String,
    number: f64,
    /// The unit in brackets behind that, with them.
    unit: String,
    /// Whether the name says that it is the value of a variable.
    is_value: bool,
}

impl NameWithNumber {
    fn of(name: &str) -> Option<NameWithNumber> {
        let name = name.trim();
        let made = |stem: &str, digits: &str, unit: &str, is_value| {
            let (stem, number) = (stem.trim().to_owned(), number(digits.trim())?);
            (!stem.is_empty()).then(|| NameWithNumber { stem, number, unit: unit.to_owned(), is_value })
        };
        if let Some((variable, value)) = name.split_once('=') {
            return made(variable, value, "", true);
        }
        if let Some((value, word)) = name.split_once(' ')
            && number(value).is_some()
            && let Some(counted) =
                [word.to_owned(), format!("{word}s")].into_iter().find(|word| is_processors(word))
        {
            return made(&counted, value, "", true);
        }
        let (base, unit) = match name.find(['(', '[']) {
            Some(at) => (name[..at].trim_end(), &name[at..]),
            None => (name, ""),
        };
        let stem = base.trim_end_matches(|c: char| c.is_ascii_digit());
        let digits = &base[stem.len()..];
        if digits.is_empty() {
            return made(base, unit.get(1..unit.len().checked_sub(1)?)?, "", false);
        }
        made(stem.trim_end_matches(['_', '-', ' ', '#', '.']), digits, unit, false)
    }

    fn is_like(&self, other: &NameWithNumber) -> bool {
        (&self.stem, &self.unit, self.is_value) == (&other.stem, &other.unit, other.is_value)
    }

    /// Whether a table may have such columns in the place of rows.
    fn is_one(&self) -> bool {
        self.is_value || is_repetition(&self.stem) || is_processors(&self.stem) || self.is_named_time()
    }

    fn is_named_time(&self) -> bool {
        time_name(&self.stem).is_some_and(|time| time.fit <= NameFit::Time || time.fit == NameFit::Letter)
    }

    /// The variable whose values the numbers are, and whether that is assumed; of repetitions none. Those are counted without gaps: `T1`, `T2`,
    /// `T4` are the times on so many processors.
    fn variable(&self, numbers: &[f64], names: &[String]) -> Option<(String, bool)> {
        let is_free = |variable: &str| names.iter().all(|name| name != variable);
        let is_count = is_processors(&self.stem) && are_processors(numbers);
        if is_count {
            return Some((PROCESSORS.to_owned(), false));
        }
        if self.is_value {
            return Some((self.stem.clone(), false));
        }
        let has_processors = names.iter().any(|name| is_processors(name));
        if !self.is_named_time() || is_counting(numbers) {
            None
        } else if !has_processors && are_processors(numbers) {
            Some((PROCESSORS.to_owned(), true))
        } else {
            is_free(SIZE).then(|| (SIZE.to_owned(), true))
        }
    }
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
        check("N,run1,run2,mean_s,std", Some((&[1, 2], "time")));
        check("1000,2000,N=4", Some((&[0, 1], "time")));
        for none in [
            "N,time",
            "N,time_1",
            "N,x1,x2,time",
            "N,rep1,rep2,time",
            "1000,2000,time",
            "N,rep1 (s),rep2 (ms)",
            "L1,L2,N",
            "p1,p2,bytes",
            "N,P,1000,2000",
            "N,p50,p90,p99",
            "N,p50 (ms),p99 (ms)",
            "N,p25,p50,p75",
        ] {
            check(none, None);
        }
    }

    #[test]
    fn numbers_are_processors_or_values() {
        let check = |names: &str, expected: Option<(&str, bool)>| {
            let names: Vec<String> = names.split(',').map(str::to_owned).collect();
            let found = Wide::of(&names, &ReadOptions::default()).unwrap().values;
            let found = found.as_ref().map(|values| (values.variable.as_str(), values.is_assumed));
            assert_eq!(found, expected, "{names:?}");
        };
        check("n,T1,T2,T4,T8", Some(("P", true)));
        check("n,T(1),T(2),T(4)", Some(("P", true)));
        check("n,t_1,t_2,t_4", Some(("P", true)));
        check("n,p1,p2,p4", Some(("P", false)));
        check("n,p25,p50,p100", Some(("P", false)));
        check("n,p=1,p=2", Some(("P", false)));
        check("n,1 proc,2 procs,4 procs", Some(("P", false)));
        check("cores,N=1000,N=2000", Some(("N", false)));
        check("cores,time_1000,time_2000", Some(("N", true)));
        check("size\\cores,1,2,4", Some(("P", false)));
        check("N,1,2,4", Some(("P", true)));
        check("size,1,2,4", Some(("P", true)));
        check("cores,1000,2000", Some(("N", false)));
        for repetitions in ["n,t1,t2,t3", "n,t0,t1,t2", "n,run1,run2,run4", "N,cores,t1,t2,t4"] {
            check(repetitions, None);
        }
    }
}
