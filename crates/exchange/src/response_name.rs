//! What the name of a column or metric says about what was measured.

use call_trace::Unit;

use crate::percentile::{Percentiles, percent};
use crate::quantity::{QUANTITIES, bracket, counted_unit, processor_hours, words};

/// How well a name fits that of the time; the smallest is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum NameFit {
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
    /// A time in another unit: `time (cycles)`.
    Counted,
    /// How far times are spread. Never taken for a time.
    Spread,
}

/// A name that speaks of time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TimeName {
    pub(crate) fit: NameFit,
    pub(crate) unit: Option<Unit>,
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
    "rsd",
    "quantile",
    "quantiles",
    "percentile",
    "percentiles",
    "quartile",
    "quartiles",
    "deviation",
    "sem",
    "mad",
    "iqr",
    "ci95",
    "ci99",
];
const STATISTICS: [&[&str]; 4] = [MEDIAN, MEAN, EXTREME, SPREAD];
/// The ends of an interval.
const ENDS: &[&str] = &["low", "high", "lower", "upper"];
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
    "hz",
    "khz",
    "mhz",
    "ghz",
];

/// What a name says about times; `None` if it says nothing.
pub(crate) fn time_name(heading: &str) -> Option<TimeName> {
    time_name_among(heading, Percentiles::default())
}

/// The same in a table whose names are percentiles or not.
fn time_name_among(heading: &str, percentiles: Percentiles) -> Option<TimeName> {
    if let Some(share) = percent(heading) {
        let fit = if share == 50.0 { NameFit::Median } else { NameFit::Spread };
        return Some(TimeName { fit, unit: None });
    }
    if heading == "time_s" {
        return Some(TimeName { fit: NameFit::Own, unit: Some(Unit::Seconds) });
    }
    // A share of a time is none.
    if heading.contains('%') {
        return None;
    }
    let (base, bracket_unit) = without_bracket(heading);
    let mut words = words(base);
    let is_in_bracket = bracket_unit.is_some();
    let mut unit = bracket_unit;
    if unit.is_none() && !is_rate(base) && unread_unit(heading).is_none() {
        unit = words.last().and_then(|word| unit_word(word, words.len() == 1));
        if unit.is_some() {
            words.pop();
        }
        if words.last().is_some_and(|word| word == "in") {
            words.pop();
        }
    }
    // Percentiles are statistics, as the words for them are.
    for word in &mut words {
        if let Some(share) = percentiles.share(word) {
            *word = if share == 50.0 { "median" } else { "percentile" }.to_owned();
        }
    }
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    if let Some(unit) = processor_hours(heading) {
        return Some(TimeName { fit: NameFit::Counted, unit: Some(unit) });
    }
    let only = |list: &[&str]| !words.is_empty() && words.iter().all(|word| list.contains(&word.as_str()));
    if has(OTHER) {
        return None;
    }
    let speaks =
        has(TIME) || has(&["walltime", "wallclock", "elapsed", "elapsedtime", "realtime", "cputime"]);
    if speaks
        && unit.is_none()
        && let Some(counted) = counted_unit(heading)
    {
        return Some(TimeName { fit: NameFit::Counted, unit: Some(counted) });
    }
    let is_number = |word: &String| word.bytes().all(|byte| byte.is_ascii_digit());
    let is_spread = words
        .iter()
        .all(|word| is_number(word) || [SPREAD, ENDS].iter().any(|list| list.contains(&word.as_str())));
    let is_statistic = !words.is_empty()
        && words.iter().all(|word| STATISTICS.iter().any(|list| list.contains(&word.as_str())));
    let says_unit = unit
        .as_ref()
        .is_some_and(|unit| is_in_bracket || is_clear(unit, heading, speaks || only(WALL) || is_statistic));
    let fit = if (speaks || says_unit || is_spread) && has(SPREAD) {
        NameFit::Spread
    } else if (speaks || says_unit || only(EXTREME)) && has(EXTREME) {
        NameFit::Extreme
    } else if (speaks || says_unit || only(MEDIAN)) && has(MEDIAN) {
        NameFit::Median
    } else if (speaks || says_unit || only(MEAN)) && has(MEAN) {
        NameFit::Mean
    } else if (speaks || says_unit || only(&["user", "sys", "system"])) && has(PROCESSOR) {
        NameFit::Processor
    } else if has(WALL) && (speaks || says_unit || only(WALL)) {
        NameFit::Wall
    } else if only(TIME) && !only(&["clock"]) || words.is_empty() && says_unit {
        NameFit::Time
    } else if speaks && !only(&["clock"]) {
        NameFit::Phrase
    } else if says_unit {
        NameFit::UnitOnly
    } else if matches!(heading.trim(), "t" | "T") {
        NameFit::Letter
    } else {
        return None;
    };
    Some(TimeName { fit, unit: unit.filter(|_| says_unit || speaks) })
}

/// A single `s` behind a word that is no time is a plural or a size, as in `n_s`.
fn is_clear(unit: &Unit, heading: &str, speaks: bool) -> bool {
    let last = words(heading).pop().unwrap_or_default();
    let is_letter = last.chars().count() == 1;
    match unit {
        Unit::Minutes | Unit::Hours | Unit::Days => speaks || last.len() > 4,
        _ => speaks || !is_letter,
    }
}

fn unit_word(word: &str, is_alone: bool) -> Option<Unit> {
    let is_refused =
        matches!(word, "nano" | "micro" | "milli") || is_alone && matches!(word, "s" | "h" | "min" | "mins");
    if is_refused { None } else { Unit::of_time(word) }
}

/// What the names of the columns of a table say about times. `time_min` is in minutes, but the shortest one beside `time_max` or `time`.
pub(crate) fn time_names(headings: &[String]) -> Vec<Option<TimeName>> {
    let min = |heading: &String| {
        let mut words = words(without_bracket(heading).0);
        words.pop().filter(|last| last == "min").map(|_| words)
    };
    let is_statistic = |heading: &String| min(heading).is_none() && is_statistic(heading);
    let has_statistics = headings.iter().any(is_statistic);
    let percentiles = Percentiles::of(headings);
    let name = |heading: &String| {
        let time = time_name_among(heading, percentiles)?;
        let is_shortest = without_bracket(heading).1.is_none()
            && min(heading).is_some_and(|stem| {
                has_statistics || headings.iter().any(|other| words(without_bracket(other).0) == stem)
            });
        Some(if is_shortest { TimeName { fit: NameFit::Extreme, unit: None } } else { time })
    };
    headings.iter().map(name).collect()
}

/// Whether a name is that of a statistic of times: `mean`, `time_stddev (ms)`, `ci_low`.
pub(crate) fn is_statistic(heading: &str) -> bool {
    let (base, _) = without_bracket(heading);
    let words = words(base);
    let is_one = |word: &String| {
        STATISTICS.iter().any(|list| list.contains(&word.as_str()))
            || Percentiles::default().share(word).is_some()
    };
    percent(heading).is_some() || words.iter().any(is_one) && time_name(heading).is_some()
}

/// `bytes_per_second` and `items/s` are no times; `time/s` is one.
fn is_rate(base: &str) -> bool {
    let words = words(base);
    let before = words.len().checked_sub(2).map(|before| words[before].as_str());
    before == Some("per")
        || base.contains('/') && !before.is_some_and(|word| TIME.contains(&word) || WALL.contains(&word))
}

/// The name without a unit in brackets at its end.
fn without_bracket(heading: &str) -> (&str, Option<Unit>) {
    let trimmed = heading.trim();
    let unit = |(base, inside): (_, &str)| {
        let inside = inside.trim().trim_start_matches("in ");
        Unit::of_time(inside).or_else(|| scaled_unit(inside)).map(|unit| (base, Some(unit)))
    };
    bracket(trimmed).and_then(unit).unwrap_or((trimmed, None))
}

/// A unit of time behind a power of ten: `10^-3 s`, `1e-6 s`, `10⁻³ s`.
fn scaled_unit(text: &str) -> Option<Unit> {
    const RAISED: &str = "⁰¹²³⁴⁵⁶⁷⁸⁹";
    let mut plain = String::new();
    for c in text.trim_start_matches(['x', '×', '*', '·', ' ']).replace("**", "^").chars() {
        let raised = RAISED.chars().position(|raised| raised == c);
        if (raised.is_some() || c == '⁻') && !plain.contains('^') {
            plain.push('^');
        }
        match (c, raised) {
            (_, Some(digit)) => plain.push_str(&digit.to_string()),
            ('⁻' | '−', _) => plain.push('-'),
            ('{' | '}' | ' ' | '*' | '·' | '×', _) => {}
            _ => plain.push(c),
        }
    }
    let end = plain.rfind(|c: char| c.is_ascii_digit())? + 1;
    let (power, unit) = plain.split_at(end);
    let power: i32 = power.strip_prefix("10^").or_else(|| power.strip_prefix("1e"))?.parse().ok()?;
    let of_unit = match Unit::of_time(unit)? {
        Unit::Seconds => 0,
        Unit::Milliseconds => -3,
        Unit::Microseconds => -6,
        Unit::Nanoseconds => -9,
        _ => return None,
    };
    match power.checked_add(of_unit)? {
        0 => Some(Unit::Seconds),
        -3 => Some(Unit::Milliseconds),
        -6 => Some(Unit::Microseconds),
        -9 => Some(Unit::Nanoseconds),
        _ => None,
    }
}

/// What a name gives as the unit of its times that is none of those that are read: `100 ns` in brackets, `ps`.
pub(crate) fn unread_unit(heading: &str) -> Option<String> {
    let is_small = |word: &String| {
        let unit = word.strip_suffix('s').filter(|unit| unit.len() > 2).unwrap_or(word);
        ["ps", "fs", "psec", "picosec", "picosecond", "femtosecond"].contains(&unit)
    };
    let Some((base, inside)) = bracket(heading.trim()) else {
        let words = words(heading);
        let last = words.last().filter(|last| is_small(last))?;
        let speaks = words.iter().any(|word| [TIME, WALL].iter().any(|list| list.contains(&word.as_str())));
        return speaks.then(|| last.clone());
    };
    let inside = inside.trim();
    let words = words(inside);
    let (last, before) = words.split_last()?;
    let is_number = |word: &String| word.starts_with(|c: char| c.is_ascii_digit());
    let is_scaled = !before.is_empty()
        && before.iter().all(is_number)
        && Unit::of_time(last).is_some()
        && scaled_unit(inside).is_none();
    let is_unit = before.is_empty() && is_small(last) && !base.is_empty();
    (is_scaled || is_unit).then(|| inside.to_owned())
}

/// The unit of a response by its name alone: of a time, as `PAPI_REAL_USEC`; in brackets, as `energy (J)`; of what is counted, as
/// `bytes`, `cache-misses`, `PAPI_L1_DCM` and `bytes_per_second`. `None` if the name does not say it.
pub(crate) fn metric_unit(heading: &str) -> Option<Unit> {
    let name = heading.trim();
    let its = |name: &str| Unit::named(name);
    if let Some(time) = time_name(name).filter(|time| time.fit != NameFit::Letter) {
        return time.unit;
    }
    if let Some((base, inside)) = bracket(name)
        && !base.is_empty()
        && !name.ends_with('>')
    {
        return its(inside.trim().trim_start_matches("in "));
    }
    if is_rate(name) || name.starts_with("PAPI_") {
        return its(name);
    }
    let words = words(name);
    let is_alone = words.len() == 1;
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    match counted_unit(name) {
        Some(_) if is_alone => its(name),
        None if has(QUANTITIES) => its(name),
        counted => counted,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(heading: &str, fit: NameFit, unit: Option<Unit>) {
        assert_eq!(time_name(heading), Some(TimeName { fit, unit }), "{heading}");
    }

    #[test]
    fn times_are_known_by_their_names() {
        use Unit::{Hours, Microseconds as Us, Milliseconds as Ms, Minutes, Nanoseconds as Ns, Seconds as S};
        check("time_s", NameFit::Own, Some(S));
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
            check(heading, NameFit::Wall, unit);
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
            ("time_h", Some(Hours)),
            ("runtime_h", Some(Hours)),
            ("time/h", Some(Hours)),
            ("time [min]", Some(Minutes)),
            ("time_min", Some(Minutes)),
            ("duration_days", Some(Unit::Days)),
            ("seconds", Some(S)),
            ("ms", Some(Ms)),
            ("usec", Some(Us)),
        ] {
            check(heading, NameFit::Time, unit);
        }
        check("time_of_solver", NameFit::Phrase, None);
        check("time_m", NameFit::Phrase, None);
        check("compute_time_us", NameFit::Phrase, Some(Us));
        check("mean", NameFit::Mean, None);
        check("median_time_ns", NameFit::Median, Some(Ns));
        check("avg (ms)", NameFit::Mean, Some(Ms));
        check("kernel_ms", NameFit::UnitOnly, Some(Ms));
        check("PAPI_REAL_USEC", NameFit::Wall, Some(Us));
        check("cpu_time", NameFit::Processor, None);
        check("CPUTime_ns", NameFit::Processor, Some(Ns));
        check("user", NameFit::Processor, None);
        check("min_time", NameFit::Extreme, None);
        check("walltime_min", NameFit::Wall, Some(Minutes));
        check("mean_s", NameFit::Mean, Some(S));
        check("ci_low", NameFit::Spread, None);
        check("p50", NameFit::Median, None);
        check("p50 (ms)", NameFit::Median, Some(Ms));
        check("latency_p50_us", NameFit::Median, Some(Us));
        check("50%", NameFit::Median, None);
        for spread in
            ["p75", "p90", "p95", "p99", "p999", "25%", "75%", "99.9 %", "q25", "q95", "quantile_0.9"]
        {
            check(spread, NameFit::Spread, None);
        }
        check("p99_ms", NameFit::Spread, Some(Ms));
        check("max", NameFit::Extreme, None);
        check("stddev", NameFit::Spread, None);
        check("time_stddev_ms", NameFit::Spread, Some(Ms));
        check("t", NameFit::Letter, None);
    }

    #[test]
    fn minutes_are_told_from_minima() {
        let of = |headings: &[&str]| {
            let headings: Vec<String> = headings.iter().map(|&heading| heading.to_owned()).collect();
            time_names(&headings)[1].clone()
        };
        let minutes = Some(TimeName { fit: NameFit::Time, unit: Some(Unit::Minutes) });
        let least = Some(TimeName { fit: NameFit::Extreme, unit: None });
        assert_eq!(of(&["N", "time_min"]), minutes);
        assert_eq!(of(&["time_max", "time_min"]), least);
        assert_eq!(of(&["time", "time_min"]), least);
        assert_eq!(of(&["time_std_min", "time_min"]), minutes);
    }

    #[test]
    fn metrics_have_units_in_their_names() {
        for (heading, unit) in [
            ("energy (J)", Some("J")),
            ("energy [kJ]", Some("kJ")),
            ("memory (in MB)", Some("MB")),
            ("bytes", Some("bytes")),
            ("total_bytes", Some("bytes")),
            ("visits", Some("visits")),
            ("GFLOPS", Some("GFLOPS")),
            ("cache-misses", Some("misses")),
            ("PAPI_L1_DCM", Some("PAPI_L1_DCM")),
            ("PAPI_REAL_USEC", Some("us")),
            ("bytes_per_second", Some("bytes_per_second")),
            ("MB/s", Some("MB/s")),
            ("Clock [MHz]", Some("MHz")),
            ("Uncore Clock [MHz]", Some("MHz")),
            ("energy", Some("energy")),
            ("time_ms", Some("ms")),
            ("time (cycles)", Some("cycles")),
            ("elapsed_cycles", Some("cycles")),
            ("time", None),
            ("y", None),
            ("t", None),
            ("time_per_byte", None),
            ("latency_64_bytes", None),
        ] {
            assert_eq!(metric_unit(heading).as_ref().map(Unit::symbol), unit, "{heading}");
        }
        check("time (cycles)", NameFit::Counted, Some(Unit::Other("cycles".to_owned())));
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
            "Clock [MHz]",
            "clock_ghz",
            "time_unit",
            "us states",
            "p1",
            "p10",
            "p100",
            "q1",
            "p",
            "q",
            "Time (%)",
            "time %",
        ] {
            assert_eq!(time_name(heading), None, "{heading}");
        }
    }
}
