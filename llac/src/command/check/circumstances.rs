//! Under what else than the baseline the new runs were measured.

use std::collections::BTreeSet;

use call_model::RunFacts;

use crate::{CommandOutcome, Message};

/// What may make times differ, beside the machine: each with where its words end that are not about one run alone.
const CIRCUMSTANCES: [(&str, &[&str]); 5] =
    [(PROGRAM, &[" (", ","]), ("compiler", &[]), ("kind", &[","]), ("MPI", &[]), ("clock", &[" of ", ","])];

const PROGRAM: &str = "program";

/// Tells what no run of the baseline has and new ones do, where both say what they have.
pub fn compare(old: &[RunFacts], new: &[RunFacts], experiment: &str, outcome: &mut CommandOutcome) {
    for (name, ends) in CIRCUMSTANCES {
        let of = |runs: &[RunFacts]| -> BTreeSet<String> {
            // A table is called a program by the name of its file.
            let texts = runs
                .iter()
                .filter_map(|run| run.facts.get(name))
                .filter(|text| name != PROGRAM || text.contains(" ("));
            texts
                .map(|text| ends.iter().fold(text.as_str(), |text, end| before(text, end)).to_owned())
                .collect()
        };
        let (known, mut others) = (of(old), of(new));
        others.retain(|text| !known.contains(text));
        if let (Some(known), Some(other)) = (known.first(), others.first()) {
            let text = format!(
                "new runs have the {name} `{other}`, and none of the baseline has, but `{known}`: what differs may be that"
            );
            outcome.warnings.push(Message::new("other-circumstances", text).about(experiment));
        }
    }
}

fn before<'a>(text: &'a str, end: &str) -> &'a str {
    text.split_once(end).map_or(text, |(before, _)| before)
}
