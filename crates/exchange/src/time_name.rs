//! What the name of a column says about its values.

use crate::TimeUnit;

/// How well a name fits that of the time; the smallest is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fit {
    /// `time_s`, as this project writes it.
    Own,
    /// Wall time: `elapsed`, `wall_ns`, `real_time`.
    Wall,
    /// `time`, `runtime (ms)`.
    Time,
    /// More words with a time among them: `time of solver`.
    Phrase,
    /// The middle of several times, which an outlier does not move: `median_time_s`.
    Median,
    /// Another middle: `mean`.
    Mean,
    /// Only the unit speaks of a time: `kernel_ms`.
    UnitOnly,
    /// Processor time: `cpu_time`, `user`.
    Processor,
    /// The shortest or longest of several.
    Extreme,
    /// `t`.
    Letter,
    /// How far times are spread. Never taken for a time.
    Spread,
}

/// A name that speaks of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TimeName {
    pub(crate) fit: Fit,
    pub(crate) unit: Option<TimeUnit>,
}

const WALL: &[&str] = &["wall", "walltime", "wallclock", "elapsed", "real", "realtime", "elapsedtime"];
const TIME: &[&str] = &[
    "time", "times", "runtime", "runtimes", "duration", "exectime", "latency", "timing", "clock", "makespan",
];
const MEDIAN: &[&str] = &["median"];
const MEAN: &[&str] = &["mean", "avg", "average"];
const EXTREME: &[&str] = &["min", "max", "minimum", "maximum", "best", "worst", "fastest", "slowest"];
const SPREAD: &[&str] = &[
    "std",
    "stddev",
    "stdev",
    "sd",
    "var",
    "variance",
    "err",
    "error",
    "stderr",
    "ci",
    "cv",
    "p50",
    "p90",
    "p95",
    "p99",
    "rsd",
    "deviation",
];
const PROCESSOR: &[&str] = &["cpu", "user", "sys", "system", "cputime", "usertime", "systime", "systemtime"];
/// With one of these, a name speaks of something else.
const OTHER: &[&str] = &[
    "step",
    "steps",
    "timestep",
    "timesteps",
    "stamp",
    "timestamp",
    "date",
    "datetime",
    "limit",
    "timeout",
    "start",
    "end",
    "begin",
    "started",
    "ended",
    "speedup",
    "rate",
    "throughput",
    "unit",
    "resolution",
    "frequency",
];

/// What a name says about times; `None` if it says nothing.
pub(crate) fn time_name(heading: &str) -> Option<TimeName> {
    if heading == "time_s" {
        return Some(TimeName { fit: Fit::Own, unit: Some(TimeUnit::Seconds) });
    }
    let (base, bracket_unit) = without_bracket(heading);
    let mut words = words(base);
    let mut unit = bracket_unit;
    if unit.is_none() && !is_rate(base) {
        unit = words.last().and_then(|word| unit_word(word, words.len() == 1));
        if unit.is_some() {
            words.pop();
        }
        if words.last().is_some_and(|word| word == "in") {
            words.pop();
        }
    }
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    let only = |list: &[&str]| !words.is_empty() && words.iter().all(|word| list.contains(&word.as_str()));
    if has(OTHER) {
        return None;
    }
    let speaks =
        has(TIME) || has(&["walltime", "wallclock", "elapsed", "elapsedtime", "realtime", "cputime"]);
    let says_unit = unit.is_some_and(|unit| bracket_unit.is_some() || is_clear(unit, heading, speaks));
    let fit = if (speaks || says_unit || only(SPREAD)) && has(SPREAD) {
        Fit::Spread
    } else if (speaks || says_unit || only(EXTREME)) && has(EXTREME) {
        Fit::Extreme
    } else if (speaks || says_unit || only(MEDIAN)) && has(MEDIAN) {
        Fit::Median
    } else if (speaks || says_unit || only(MEAN)) && has(MEAN) {
        Fit::Mean
    } else if (speaks || says_unit || only(&["user", "sys", "system"])) && has(PROCESSOR) {
        Fit::Processor
    } else if has(WALL) && (speaks || says_unit || only(WALL)) {
        Fit::Wall
    } else if only(TIME) && !only(&["clock"]) || words.is_empty() && says_unit {
        Fit::Time
    } else if speaks && !only(&["clock"]) {
        Fit::Phrase
    } else if says_unit {
        Fit::UnitOnly
    } else if matches!(heading.trim(), "t" | "T") {
        Fit::Letter
    } else {
        return None;
    };
    Some(TimeName { fit, unit: unit.filter(|_| says_unit || speaks) })
}

/// A single `s` behind a word that is no time is a plural or a size, as in `n_s`.
fn is_clear(unit: TimeUnit, heading: &str, speaks: bool) -> bool {
    let last = words(heading).pop().unwrap_or_default();
    let is_letter = last.chars().count() == 1;
    match unit {
        // `time_min` is the shortest one.
        TimeUnit::Minutes | TimeUnit::Hours => {
            !matches!(last.as_str(), "min" | "h") && speaks || last.len() > 4
        }
        _ => speaks || !is_letter,
    }
}

fn unit_word(word: &str, is_alone: bool) -> Option<TimeUnit> {
    let is_refused = matches!(word, "min" | "h" | "nano" | "micro" | "milli") || is_alone && word == "s";
    if is_refused { None } else { TimeUnit::named(word) }
}

/// `bytes_per_second` and `items/s` are no times; `time/s` is one.
fn is_rate(base: &str) -> bool {
    let words = words(base);
    let before = words.len().checked_sub(2).map(|before| words[before].as_str());
    before == Some("per")
        || base.contains('/') && !before.is_some_and(|word| TIME.contains(&word) || WALL.contains(&word))
}

/// The name without a unit in brackets at its end.
fn without_bracket(heading: &str) -> (&str, Option<TimeUnit>) {
    let trimmed = heading.trim();
    for (open, close) in [('(', ')'), ('[', ']'), ('{', '}'), ('<', '>')] {
        if let Some((base, inside)) = trimmed.strip_suffix(close).and_then(|text| text.rsplit_once(open))
            && let Some(unit) = TimeUnit::named(inside.trim().trim_start_matches("in "))
        {
            return (base.trim_end(), Some(unit));
        }
    }
    (trimmed, None)
}

/// The words of a name in small letters: `elapsedNs`, `wall-time`, `CPUTime`.
pub(crate) fn words(heading: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut is_open = false;
    let mut before = ' ';
    let mut letters = heading.chars().peekable();
    while let Some(c) = letters.next() {
        let is_next_small = letters.peek().is_some_and(|next| next.is_lowercase());
        let is_start = c.is_uppercase() && (before.is_lowercase() || before.is_uppercase() && is_next_small);
        is_open &= c.is_alphanumeric() && !is_start;
        if c.is_alphanumeric() {
            if !is_open {
                words.push(String::new());
            }
            is_open = true;
            if let Some(word) = words.last_mut() {
                word.extend(c.to_lowercase());
            }
        }
        before = c;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(heading: &str, fit: Fit, unit: Option<TimeUnit>) {
        assert_eq!(time_name(heading), Some(TimeName { fit, unit }), "{heading}");
    }

    #[test]
    fn times_are_known_by_their_names() {
        use TimeUnit::{
            Hours, Microseconds as Us, Milliseconds as Ms, Minutes, Nanoseconds as Ns, Seconds as S,
        };
        check("time_s", Fit::Own, Some(S));
        for (heading, unit) in [
            ("elapsed", None),
            ("wall_ns", Some(Ns)),
            ("Wall time [us]", Some(Us)),
            ("elapsedNs", Some(Ns)),
            ("real_time", None),
            ("real", None),
            ("elapsed seconds", Some(S)),
            ("walltime", None),
        ] {
            check(heading, Fit::Wall, unit);
        }
        for (heading, unit) in [
            ("time", None),
            ("Time", None),
            ("time_ms", Some(Ms)),
            ("time (s)", Some(S)),
            ("Time [us]", Some(Us)),
            ("time(µs)", Some(Us)),
            ("TimeMs", Some(Ms)),
            ("runtime/s", Some(S)),
            ("time in seconds", Some(S)),
            ("time (min)", Some(Minutes)),
            ("duration_hours", Some(Hours)),
            ("seconds", Some(S)),
            ("ms", Some(Ms)),
            ("usec", Some(Us)),
        ] {
            check(heading, Fit::Time, unit);
        }
        check("time_of_solver", Fit::Phrase, None);
        check("compute_time_us", Fit::Phrase, Some(Us));
        check("mean", Fit::Mean, None);
        check("median_time_ns", Fit::Median, Some(Ns));
        check("avg (ms)", Fit::Mean, Some(Ms));
        check("kernel_ms", Fit::UnitOnly, Some(Ms));
        check("PAPI_REAL_USEC", Fit::Wall, Some(Us));
        check("cpu_time", Fit::Processor, None);
        check("CPUTime_ns", Fit::Processor, Some(Ns));
        check("user", Fit::Processor, None);
        check("time_min", Fit::Extreme, None);
        check("max", Fit::Extreme, None);
        check("stddev", Fit::Spread, None);
        check("time_stddev_ms", Fit::Spread, Some(Ms));
        check("t", Fit::Letter, None);
    }

    #[test]
    fn other_names_say_nothing_of_times() {
        for heading in [
            "N",
            "size",
            "timesteps",
            "time_steps",
            "timestamp",
            "bytes_per_second",
            "items/s",
            "MB/s",
            "n_s",
            "s",
            "m",
            "cpu",
            "threads",
            "h",
            "clock",
            "min_size",
            "mean_degree",
            "items_per_ms",
            "time_limit",
            "",
            "frequency",
            "time_unit",
            "us states",
        ] {
            assert_eq!(time_name(heading), None, "{heading}");
        }
    }
}
