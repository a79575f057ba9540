use std::fmt;

/// The unit in which a tool wrote its times.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[allow(missing_docs, reason = "the names say it")]
pub enum TimeUnit {
    Nanoseconds,
    Microseconds,
    Milliseconds,
    #[default]
    Seconds,
    Minutes,
    Hours,
}

impl TimeUnit {
    /// The unit of a word such as `ms`, `usec` or `Seconds`.
    pub fn named(word: &str) -> Option<TimeUnit> {
        let word = word.trim().to_lowercase();
        let plural = word.strip_suffix('s').filter(|word| word.len() > 2).unwrap_or(&word);
        Some(match plural {
            "ns" | "nsec" | "nanosec" | "nanosecond" | "nano" => TimeUnit::Nanoseconds,
            // The micro sign and the Greek letter.
            "us" | "µs" | "μs" | "usec" | "µsec" | "μsec" | "microsec" | "microsecond" | "micro" => {
                TimeUnit::Microseconds
            }
            "ms" | "msec" | "millisec" | "millisecond" | "milli" => TimeUnit::Milliseconds,
            "s" | "sec" | "second" => TimeUnit::Seconds,
            "min" | "minute" => TimeUnit::Minutes,
            "h" | "hr" | "hour" => TimeUnit::Hours,
            _ => return None,
        })
    }

    /// A time of this unit in seconds. Powers of ten are divided by, which rounds once: 12.3 ms are the double 0.0123.
    pub fn seconds(self, time: f64) -> f64 {
        match self {
            TimeUnit::Nanoseconds => time / 1e9,
            TimeUnit::Microseconds => time / 1e6,
            TimeUnit::Milliseconds => time / 1e3,
            TimeUnit::Seconds => time,
            TimeUnit::Minutes => time * 60.0,
            TimeUnit::Hours => time * 3600.0,
        }
    }
}

impl fmt::Display for TimeUnit {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            TimeUnit::Nanoseconds => "nanoseconds",
            TimeUnit::Microseconds => "microseconds",
            TimeUnit::Milliseconds => "milliseconds",
            TimeUnit::Seconds => "seconds",
            TimeUnit::Minutes => "minutes",
            TimeUnit::Hours => "hours",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_have_many_spellings() {
        for (words, unit) in [
            ("ns nsec nanoseconds", TimeUnit::Nanoseconds),
            ("us µs usec Microseconds usecs", TimeUnit::Microseconds),
            ("ms MS msec milliseconds", TimeUnit::Milliseconds),
            ("s sec secs Seconds second", TimeUnit::Seconds),
            ("min mins minutes", TimeUnit::Minutes),
            ("h hours", TimeUnit::Hours),
        ] {
            for word in words.split(' ') {
                assert_eq!(TimeUnit::named(word), Some(unit), "{word}");
            }
        }
        for word in ["", "m", "mb", "size", "sss"] {
            assert_eq!(TimeUnit::named(word), None, "{word}");
        }
    }

    #[test]
    fn times_become_seconds_with_one_rounding() {
        assert_eq!(TimeUnit::Milliseconds.seconds(12.3), 0.0123);
        assert_eq!(TimeUnit::Microseconds.seconds(7.0), 7e-6);
        assert_eq!((TimeUnit::Minutes.seconds(1.5), TimeUnit::Hours.seconds(2.0)), (90.0, 7200.0));
    }
}
