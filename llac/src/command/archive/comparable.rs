//! What has to be the same for constants of entries to be compared.

use super::entry::Entry;

/// What has to be the same for constants to be compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparableCircumstances {
    pub formula: String,
    /// What `let` made the variables of the formula.
    pub definitions: String,
    /// The counter that was taken as time.
    pub response: String,
    pub unit: String,
    pub machine: String,
    pub compiler: String,
}

impl ComparableCircumstances {
    pub fn of(entry: &Entry) -> ComparableCircumstances {
        let model = entry.model.forecaster.model();
        let formula = model.formula();
        ComparableCircumstances {
            // A model alone has its constants where its own terms are.
            formula: if entry.samples.is_some() {
                formula.in_order().to_string()
            } else {
                formula.to_string()
            },
            definitions: entry.model.definitions_in_use().join(", "),
            response: match &entry.model.response {
                Some(counter) if model.unit().is_time() => counter.clone(),
                _ => String::new(),
            },
            unit: model.unit().symbol().to_owned(),
            machine: entry.about.machine.clone(),
            compiler: entry.compiler(),
        }
    }

    /// Each of it with its name, and what it is called where there is none.
    fn named(&self) -> [(&'static str, &str, &'static str); 6] {
        [
            ("formula", &self.formula, "unknown"),
            ("let", &self.definitions, "nothing"),
            ("response", &self.response, "wall time"),
            ("unit", &self.unit, "unknown"),
            ("machine", &self.machine, "unknown"),
            ("compiler", &self.compiler, "unknown"),
        ]
    }

    /// What is not the same as in all others, in words: `machine m1`.
    pub fn among(&self, others: &[ComparableCircumstances]) -> String {
        let differs =
            |place: usize| others.iter().any(|other| other.named()[place].1 != self.named()[place].1);
        let words = self.named().into_iter().enumerate().filter(|(place, _)| differs(*place)).map(
            |(_, (what, text, without))| format!("{what} {}", if text.is_empty() { without } else { text }),
        );
        words.collect::<Vec<_>>().join(", ")
    }

    /// What differs from others, in words.
    pub fn differences(&self, other: &ComparableCircumstances) -> Vec<String> {
        let shown = |text: &str, without: &str| match text {
            "" => without.to_owned(),
            text => format!("`{text}`"),
        };
        let pairs = self.named().into_iter().zip(other.named());
        let differ = pairs.filter(|((_, one, _), (_, other, _))| one != other);
        differ
            .map(|((what, one, without), (_, other, _))| {
                format!("{what} {} instead of {}", shown(other, without), shown(one, without))
            })
            .collect()
    }
}
