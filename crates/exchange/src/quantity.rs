//! What names of columns say of quantities that are no times.

use call_trace::Unit;

/// What is counted: the last word of a name, or what stands there in brackets.
pub(crate) fn counted_unit(heading: &str) -> Option<Unit> {
    let (base, inside) = bracket(heading.trim()).unwrap_or((heading, heading));
    let mut words = words(if inside.is_empty() { base } else { inside });
    let last = words.pop()?;
    // `time_per_byte` is a time, and so is `latency_64_bytes`.
    let is_of = |before: &String| before == "per" || before.bytes().all(|byte| byte.is_ascii_digit());
    let is_counted =
        COUNTED.contains(&last.as_str()) && !heading.contains('/') && !words.last().is_some_and(is_of);
    is_counted.then_some(Unit::Other(last))
}

/// Units of what is no time, as last words of names.
const COUNTED: &[&str] = &[
    "byte",
    "bytes",
    "kb",
    "mb",
    "gb",
    "kib",
    "mib",
    "gib",
    "flop",
    "flops",
    "mflops",
    "gflops",
    "visit",
    "visits",
    "joule",
    "joules",
    "watt",
    "watts",
    "cycle",
    "cycles",
    "tick",
    "ticks",
    "jiffies",
    "instruction",
    "instructions",
    "miss",
    "misses",
    "hits",
    "fault",
    "faults",
    "loads",
    "stores",
    "branches",
    "references",
    "switches",
    "migrations",
];
/// Quantities that are no times; their names stand for units that they do not say.
pub(crate) const QUANTITIES: &[&str] = &["energy", "power", "bandwidth", "throughput"];

/// What costs are counted in together with a time.
const HOLDERS: &[&str] = &["core", "node", "cpu", "gpu", "processor", "proc", "thread", "rank", "socket"];

/// The unit of a cost in processors and hours, `core-hours`, `node_h`: a time by its words, but of all processors together. Of `cpu_seconds`
/// nobody knows whether it is.
pub(crate) fn processor_hours(heading: &str) -> Option<Unit> {
    let words = words(heading);
    let is_long = |word: &str| matches!(word, "h" | "hr" | "hrs" | "hour" | "hours" | "day" | "days");
    let is_other = |word: &str| matches!(word, "minutes" | "seconds");
    let of = |holder: &str, time: &str| {
        let singular = holder.strip_suffix('s').unwrap_or(holder);
        let is_clear = !matches!(singular, "cpu" | "gpu");
        let is_cost = HOLDERS.contains(&singular) && (is_long(time) || is_clear && is_other(time));
        is_cost.then(|| Unit::Other(format!("{singular}-{time}")))
    };
    let pair = |at: usize| {
        let is_per = at > 0 && words[at - 1] == "per";
        words.get(at + 1).filter(|_| !is_per).and_then(|time| of(&words[at], time))
    };
    let joined = |word: &String| HOLDERS.iter().find_map(|holder| of(holder, word.strip_prefix(holder)?));
    (0..words.len()).find_map(pair).or_else(|| words.iter().find_map(joined))
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

/// A name that ends with something in brackets: what stands before them and inside.
pub(crate) fn bracket(name: &str) -> Option<(&str, &str)> {
    let parts = |(open, close)| name.strip_suffix(close)?.rsplit_once(open);
    let (base, inside) = [('(', ')'), ('[', ']'), ('{', '}'), ('<', '>')].into_iter().find_map(parts)?;
    Some((base.trim_end(), inside))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hours_of_processors_are_no_times() {
        for (heading, unit) in [
            ("core-hours", Some("core-hours")),
            ("core_hours", Some("core-hours")),
            ("NodeHours", Some("node-hours")),
            ("cpu_h", Some("cpu-h")),
            ("cost (core-hours)", Some("core-hours")),
            ("corehours", Some("core-hours")),
            ("gpu-hours used", Some("gpu-hours")),
            ("core-seconds", Some("core-seconds")),
            ("cpu_seconds", None),
            ("cpu time (h)", None),
            ("hours", None),
            ("cores", None),
            ("time_per_core_h", None),
        ] {
            assert_eq!(processor_hours(heading).as_ref().map(Unit::symbol), unit, "{heading}");
        }
    }
}
