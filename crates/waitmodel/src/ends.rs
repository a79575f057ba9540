use call_search::FoundFormulas;

/// A predicted time and its interval, seconds. Ends of a sum are the sums of the ends of its parts, so intervals are rather too wide.
#[derive(Debug, Clone, Copy, PartialEq)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Ends {
    pub value_s: f64,
    pub low_s: f64,
    pub high_s: f64,
}

/// A step at a point.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StepAt {
    pub(crate) ends: Ends,
    /// There are processors that can do it.
    pub(crate) is_there: bool,
}

pub(crate) const NOTHING: Ends = Ends { value_s: 0.0, low_s: 0.0, high_s: 0.0 };

pub(crate) fn found(finding: &FoundFormulas, point: &[f64], level: f64) -> Ends {
    let found = finding.predict(point, level);
    Ends { value_s: found.value, low_s: found.low, high_s: found.high }
}

pub(crate) fn plus(sum: Ends, times: f64, part: Ends) -> Ends {
    let (low_s, high_s) = if times < 0.0 { (part.high_s, part.low_s) } else { (part.low_s, part.high_s) };
    Ends {
        value_s: sum.value_s + times * part.value_s,
        low_s: sum.low_s + times * low_s,
        high_s: sum.high_s + times * high_s,
    }
}
