use call_trace::Dataset;

use super::{Arguments, Command};
use crate::{Completion, Error, Markup, Outcome, Session, Style};

pub struct Load;

impl Command for Load {
    fn name(&self) -> &'static str {
        "load"
    }

    fn usage(&self) -> &'static str {
        "load FILE…"
    }

    fn summary(&self) -> &'static str {
        "read traces"
    }

    fn details(&self) -> &'static str {
        "Samples are put beside those read before. FILE may have the wildcards * and ?. Experiments of the \
         same name become one; their formulas must agree. A file that is loaded already is skipped. Of a \
         file whose end is missing, all whole rows are read; files of one unfinished run are one run. \
         Models fitted before are forgotten, as there are new samples."
    }

    fn completions(&self) -> &'static [Completion] {
        &[Completion::File]
    }

    fn run(&self, session: &mut Session, arguments: &Arguments) -> Result<Outcome, Error> {
        arguments.required(0, "a file", self.usage())?;
        let mut outcome = Outcome::default();
        let mut data = session.data.clone();
        let mut loaded = 0;
        for word in arguments.words() {
            for path in session.files(word)? {
                if data.runs.iter().any(|run| run.files.contains(&path)) {
                    outcome.warnings.push(format!("{path} is loaded already"));
                    continue;
                }
                outcome.warnings.extend(session.add(&mut data, &path, word)?);
                loaded += 1;
            }
        }
        session.data = data;
        session.models.clear();
        outcome.value = summary(&session.data, loaded);
        Ok(outcome)
    }
}

fn summary(data: &Dataset, loaded: usize) -> Markup {
    let mut markup = Markup::new();
    let samples: usize = data.experiments.iter().map(|experiment| experiment.samples.len()).sum();
    let summaries: usize = data.experiments.iter().map(|experiment| experiment.summaries.len()).sum();
    let summaries = if summaries > 0 { format!(" and {summaries} summaries") } else { String::new() };
    let plural = if loaded == 1 { "" } else { "s" };
    let names: Vec<&str> = data.experiments.iter().map(|experiment| experiment.name.as_str()).collect();
    markup.fragments([
        (Style::Plain, format!("{loaded} trace{plural} read; now {samples} samples{summaries} of ")),
        (Style::Name, names.join(", ")),
    ]);
    markup
}
