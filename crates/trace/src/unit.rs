use std::fmt;

/// The unit of a response, that is of what an experiment measured.
///
/// Times are kept in seconds, whatever unit a tool wrote them in: [`Unit::base`] and [`Unit::to_base`] convert. Any other unit
/// is kept under its own symbol, of which nothing else is known, so that `kB` and `bytes` are two units.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Unit {
    Nanoseconds,
    Microseconds,
    Milliseconds,
    #[default]
    Seconds,
    Minutes,
    Hours,
    Days,
    /// No time: the symbol of the unit, as `bytes` or `J`.
    Other(String),
}

/// More of these is better, whatever stands before them.
const RATES: &[&str] = &["speedup", "efficiency", "throughput", "bandwidth"];

/// The same of whole words.
const RATE_WORDS: &[&str] = &[
    "ipc", "iops", "teps", "mteps", "gteps", "mlups", "glups", "mups", "gups", "fps", "qps", "tps", "rps",
    "kbps", "mbps", "gbps",
];

/// The same where they stand as they do here, with a prefix at most.
const SHORT_RATES: &[&str] = &["FLOPS", "OPS", "Flop/s", "FLOP/s", "bps", "Hz"];

/// Of these fewer are better, in each second, too.
const BAD_EVENTS: &[&str] = &[
    "miss",
    "fault",
    "fail",
    "error",
    "stall",
    "loss",
    "lost",
    "inefficiency",
    "evict",
    "drop",
    "switch",
    "interrupt",
    "retry",
    "retries",
    "retrans",
    "abort",
    "conflict",
    "collision",
    "timeout",
    "spill",
    "swap",
    "migration",
    "flush",
    "invalid",
    "reject",
    "leak",
    "crash",
    "kill",
];

/// What is spent, in each hour, too: energy, money, mass.
const SPENT: &[&str] = &[
    "j", "joule", "wh", "cal", "ev", "eur", "usd", "gbp", "chf", "$", "€", "£", "g", "gco2", "gco2e", "gram",
];

/// Longer words are no symbols.
const LONGEST_SYMBOL: usize = 60;

/// Whether what stands before `/` or `per` is spent, with a prefix at most.
fn is_spent(symbol: &str) -> bool {
    let small = symbol.to_lowercase();
    let Some(what) = ["/", " per ", "_per_"].iter().find_map(|per| Some(small.split_once(per)?.0.trim()))
    else {
        return false;
    };
    let is_its = |spent: &str| {
        let plain = what.strip_suffix(spent).or_else(|| what.strip_suffix(&format!("{spent}s")));
        plain.is_some_and(|prefix| {
            matches!(prefix, "" | "n" | "u" | "µ" | "m" | "k" | "g" | "t" | "kilo" | "mega" | "giga")
        })
    };
    SPENT.iter().any(|spent| is_its(spent))
}

impl Unit {
    /// The unit of a word such as `ms`, `usec`, `Seconds`, `bytes` or `J`; `None` if the word cannot be a symbol.
    pub fn named(word: &str) -> Option<Unit> {
        let symbol = word.trim();
        let is_symbol = !symbol.is_empty()
            && symbol.chars().count() <= LONGEST_SYMBOL
            && !symbol.chars().any(char::is_control);
        Unit::of_time(word).or_else(|| is_symbol.then(|| Unit::Other(symbol.to_owned())))
    }

    /// The unit of time of a word such as `ms`, `usec` or `Seconds`.
    pub fn of_time(word: &str) -> Option<Unit> {
        let word = word.trim().to_lowercase();
        let plural = word.strip_suffix('s').filter(|word| word.len() > 2).unwrap_or(&word);
        Some(match plural {
            "ns" | "nsec" | "nanosec" | "nanosecond" | "nano" => Unit::Nanoseconds,
            // The micro sign and the Greek letter.
            "us" | "µs" | "μs" | "usec" | "µsec" | "μsec" | "microsec" | "microsecond" | "micro" => {
                Unit::Microseconds
            }
            "ms" | "msec" | "millisec" | "millisecond" | "milli" => Unit::Milliseconds,
            "s" | "sec" | "second" => Unit::Seconds,
            "min" | "minute" => Unit::Minutes,
            "h" | "hr" | "hour" => Unit::Hours,
            // A single `d` is a number of dimensions rather.
            "day" => Unit::Days,
            _ => return None,
        })
    }

    /// Whether it is a unit of time.
    pub fn is_time(&self) -> bool {
        !matches!(self, Unit::Other(_))
    }

    /// Whether more of it is better, as its symbol says: rates, as `GFLOPS`, `MB/s`, `IPC` or `speed-up`. Of times, bytes or joules less is better, and so
    /// it counts of what nothing is known of.
    pub fn is_rate(&self) -> bool {
        let Unit::Other(symbol) = self else { return false };
        let small = symbol.to_lowercase();
        let words: Vec<&str> =
            small.split(|it: char| !it.is_alphanumeric() && it != '/').filter(|it| !it.is_empty()).collect();
        let is_bad = |word: &&str| BAD_EVENTS.iter().any(|bad| word.contains(bad));
        if words.iter().any(is_bad) || is_spent(symbol) {
            return false;
        }
        let joined: String = small.chars().filter(|it| it.is_alphanumeric()).collect();
        let plain = joined.strip_suffix("perwatt").unwrap_or(&joined);
        let is_named = RATES.iter().any(|rate| plain.ends_with(rate))
            || RATE_WORDS.iter().any(|rate| words.contains(rate));
        // `flops` alone are operations, `FLOPS` those of a second.
        let is_short = SHORT_RATES.iter().any(|rate| {
            let start = symbol.strip_suffix(rate).or_else(|| symbol.strip_suffix(&format!("{rate}/W")));
            start.is_some_and(|start| matches!(start, "" | "k" | "K" | "M" | "G" | "T" | "P" | "E"))
        });
        let is_prefixed = ["kflops", "mflops", "gflops", "tflops", "pflops", "eflops"]
            .iter()
            .any(|rate| words.iter().any(|word| word.split('/').next() == Some(rate)));
        let per = small
            .rsplit_once('/')
            .map(|(_, per)| per.trim())
            .or_else(|| small.rsplit_once("per ").map(|(_, per)| per.trim()))
            .or_else(|| small.rsplit_once("_per_").map(|(_, per)| per));
        let is_per_time =
            per.is_some_and(|per| Unit::of_time(per).is_some() || matches!(per, "cycle" | "clock"));
        is_named || is_short || is_prefixed || is_per_time
    }

    /// The unit in which values of this one are kept: seconds for times, else the unit itself.
    #[must_use]
    pub fn base(&self) -> Unit {
        if self.is_time() { Unit::Seconds } else { self.clone() }
    }

    /// A value of this unit in its [`Unit::base`]. Powers of ten are divided by, which rounds once: 12.3 ms are the double
    /// 0.0123.
    pub fn to_base(&self, value: f64) -> f64 {
        match self {
            Unit::Nanoseconds => value / 1e9,
            Unit::Microseconds => value / 1e6,
            Unit::Milliseconds => value / 1e3,
            Unit::Seconds | Unit::Other(_) => value,
            Unit::Minutes => value * 60.0,
            Unit::Hours => value * 3600.0,
            Unit::Days => value * 86_400.0,
        }
    }

    /// What stands behind a number: `s`, `ms`, `bytes`.
    pub fn symbol(&self) -> &str {
        match self {
            Unit::Nanoseconds => "ns",
            Unit::Microseconds => "us",
            Unit::Milliseconds => "ms",
            Unit::Seconds => "s",
            Unit::Minutes => "min",
            Unit::Hours => "h",
            Unit::Days => "days",
            Unit::Other(symbol) => symbol,
        }
    }
}

impl fmt::Display for Unit {
    /// In a sentence: `seconds`, `milliseconds`, `bytes`.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Unit::Nanoseconds => "nanoseconds",
            Unit::Microseconds => "microseconds",
            Unit::Milliseconds => "milliseconds",
            Unit::Seconds => "seconds",
            Unit::Minutes => "minutes",
            Unit::Hours => "hours",
            Unit::Days => "days",
            Unit::Other(symbol) => symbol,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_many_spellings() {
        for (words, unit) in [
            ("ns nsec nanoseconds", Unit::Nanoseconds),
            ("us µs usec Microseconds usecs", Unit::Microseconds),
            ("ms MS msec milliseconds", Unit::Milliseconds),
            ("s sec secs Seconds second", Unit::Seconds),
            ("min mins minutes", Unit::Minutes),
            ("h hours", Unit::Hours),
            ("day days", Unit::Days),
        ] {
            for word in words.split(' ') {
                assert_eq!(
                    (Unit::of_time(word), Unit::named(word)),
                    (Some(unit.clone()), Some(unit.clone()))
                );
            }
        }
        for word in ["", "m", "mb", "size", "sss"] {
            assert_eq!(Unit::of_time(word), None, "{word}");
        }
    }

    #[test]
    fn any_other_word_is_a_unit_under_its_own_symbol() {
        let joules = Unit::named(" J ").unwrap();
        assert_eq!((joules.symbol(), joules.to_string().as_str(), joules.is_time()), ("J", "J", false));
        assert_eq!((joules.to_base(2.5), joules.base()), (2.5, joules));
        assert_ne!(Unit::named("kB"), Unit::named("bytes"));
        for word in ["", " ", "a\nb", &"x".repeat(61)] {
            assert_eq!(Unit::named(word), None, "{word}");
        }
    }

    #[test]
    fn of_rates_more_is_better() {
        for word in [
            "GFLOPS",
            "Gflops",
            "GFlop/s",
            "FLOPS",
            "MFLOPS/W",
            "ops/s",
            "B/s",
            "GB/s",
            "MiB/sec",
            "req/s",
            "IPC",
            "speedup",
            "speed-up",
            "parallel efficiency",
            "iterations per second",
            "updates_per_second",
            "MLUPS",
            "elements/cycle",
            "IOPS",
            "MHz",
            "cells/hour",
            "events/s",
            "messages/s",
            "programs per hour",
            "retrievals/s",
        ] {
            assert!(Unit::named(word).unwrap().is_rate(), "{word}");
        }
        for word in [
            "s",
            "ms",
            "bytes",
            "flops",
            "J",
            "W",
            "J/s",
            "misses/s",
            "kJ/h",
            "J/min",
            "Wh/day",
            "kWh per day",
            "EUR/h",
            "kg/h",
            "failures/s",
            "evictions/s",
            "context-switches/s",
            "drops/s",
            "page_faults_per_second",
            "cycles/element",
            "B",
            "ops",
            "value",
            "visits",
            "steps",
            "s/iteration",
            "cost",
        ] {
            assert!(!Unit::named(word).unwrap().is_rate(), "{word}");
        }
    }

    #[test]
    fn times_become_seconds_with_one_rounding() {
        assert_eq!(Unit::Milliseconds.to_base(12.3), 0.0123);
        assert_eq!(Unit::Microseconds.to_base(7.0), 7e-6);
        assert_eq!((Unit::Minutes.to_base(1.5), Unit::Hours.to_base(2.0)), (90.0, 7200.0));
        assert_eq!((Unit::Hours.base(), Unit::default()), (Unit::Seconds, Unit::Seconds));
    }
}
