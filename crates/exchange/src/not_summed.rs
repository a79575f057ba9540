use std::fmt;

/// Why values are not added up along call paths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "`Display` says it")]
pub enum NotSummed {
    Inclusive,
    Extreme,
}

impl NotSummed {
    /// What the name of a metric says.
    pub(crate) fn of(metric: &str) -> Option<NotSummed> {
        let lower = metric.to_lowercase();
        let has =
            |wanted: &[&str]| lower.split(|c: char| !c.is_alphanumeric()).any(|word| wanted.contains(&word));
        match () {
            () if lower.contains("(i)") || has(&["inclusive", "incl", "inc"]) => Some(NotSummed::Inclusive),
            () if has(&["min", "max", "minimum", "maximum", "least", "most", "largest", "smallest"]) => {
                Some(NotSummed::Extreme)
            }
            () => None,
        }
    }
}

impl fmt::Display for NotSummed {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            NotSummed::Inclusive => "by their name they are inclusive in the file",
            NotSummed::Extreme => "the extreme of a call is no sum of those below it",
        })
    }
}
