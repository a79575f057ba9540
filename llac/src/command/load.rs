use std::io::{self, Read};

use call_trace::{Condensation, Dataset, Limits, Reader, Trace};

use super::{Arguments, Command};
use crate::words::Word;
use crate::{Completion, Error, Markup, Outcome, Session, Style};

/// So much of a file is read at once; the cache of a processor holds it.
const WINDOW_BYTES: usize = 1 << 20;

pub struct Load;

impl Command for Load {
    fn name(&self) -> &'static str {
        "load"
    }

    fn usage(&self) -> &'static str {
        "load FILE… [as SET]"
    }

    fn summary(&self) -> &'static str {
        "read traces"
    }

    fn details(&self) -> &'static str {
        "Samples are put beside those read before. FILE may have the wildcards * and ?. Experiments of the \
         same name become one; their formulas must agree. A file that is loaded already is skipped. Of a \
         file whose end is missing, all whole rows are read; files of one unfinished run are one run. \
         Beyond 16 million samples, measurements are summed up at each point. With `as SET` they go into a \
         data set of that name, which then is the current one (see `help data`)."
    }

    fn completions(&self) -> &'static [Completion] {
        &[Completion::File]
    }

    fn run(&self, session: &mut Session, arguments: &Arguments) -> Result<Outcome, Error> {
        arguments.required(0, "a file", self.usage())?;
        let (words, set) = match arguments.words() {
            [words @ .., as_word, set] if as_word.text == "as" && !words.is_empty() => (words, Some(set)),
            words => (words, None),
        };
        if let Some(set) = set {
            super::data::check_name(set)?;
            session.change().use_set(&set.text);
        }
        let mut outcome = Outcome::default();
        let mut data = session.state().data().loaded().clone();
        let mut loaded = 0;
        for word in words {
            for path in session.files(word)? {
                if data.runs.iter().any(|run| run.files.contains(&path)) {
                    outcome.warnings.push(format!("{path} is loaded already"));
                    continue;
                }
                outcome.warnings.extend(session.add(&mut data, &path, word)?);
                loaded += 1;
            }
        }
        outcome.value = summary(&data, loaded);
        let changed = session.state().data().with_loaded(data).map_err(Error::new)?;
        session.change().set_data(changed);
        Ok(outcome)
    }
}

impl Session {
    /// The files that a word of the command line means; at least one.
    pub(crate) fn files(&self, word: &Word) -> Result<Vec<String>, Error> {
        let fail = |text: String| Error::at(word.span.clone(), text);
        let files = self
            .workspace
            .matching(&word.text)
            .map_err(|error| fail(format!("cannot look for {}: {error}", word.text)))?;
        if files.is_empty() {
            return Err(fail(format!("no file matches {}", word.text)));
        }
        Ok(files)
    }

    /// Reads a trace into `data` and tells what is remarkable about it.
    pub(crate) fn add(&self, data: &mut Dataset, path: &str, word: &Word) -> Result<Vec<String>, Error> {
        let fail = |text: String| Error::at(word.span.clone(), text);
        let held = data.experiments.iter().map(|known| known.samples.len()).sum();
        let trace = self.read_trace(path, Limits::default().beside(held)).map_err(fail)?;
        let mut warnings: Vec<String> = crate::incompleteness::incompleteness(&trace.completeness)
            .map(|text| format!("{path} {text}"))
            .into_iter()
            .collect();
        warnings.extend(trace.condensations.iter().map(|its| format!("{path}: {}", condensation(its))));
        let header = &trace.header;
        if header.abandoned > 0 {
            warnings.push(format!("{path}: {} measurements were begun and never ended", header.abandoned));
        }
        if header.cores.is_some_and(|cores| header.processors > cores) && header.transport == "embedded" {
            let cores = header.cores.unwrap_or_default();
            warnings.push(format!(
                "{path}: {} processors shared {cores} cores: their times mean little",
                header.processors
            ));
        }
        data.add(path, trace).map_err(|error| fail(error.to_string()))?;
        Ok(warnings)
    }

    /// Reads a trace without having the whole file in memory.
    fn read_trace(&self, path: &str, limits: Limits) -> Result<Trace, String> {
        let cannot_read = |error| format!("cannot read {path}: {error}");
        let mut file = self.workspace.open(path).map_err(cannot_read)?;
        let mut reader = Reader::new(limits);
        let mut window = vec![0; WINDOW_BYTES];
        loop {
            let length = match file.read(&mut window) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                length => length.map_err(cannot_read)?,
            };
            let result = match &window[..length] {
                [] => return reader.finish().map_err(|error| format!("{path}: {error}")),
                bytes => reader.push(bytes),
            };
            result.map_err(|error| format!("{path}: {error}"))?;
        }
    }
}

/// What is to be known of measurements that were too many.
fn condensation(of: &Condensation) -> String {
    let Condensation { experiment, measurements, points_per_kept } = of;
    let points = match points_per_kept {
        1 => String::new(),
        several => format!(", and so are the points: one in {several} is left, whole"),
    };
    format!(
        "the {measurements} measurements of `{experiment}` are too many to keep each{points}; they are summed up at each \
         point: counts, means and minima are exact, medians come from up to 16 measurements"
    )
}

fn summary(data: &Dataset, loaded: usize) -> Markup {
    let mut markup = Markup::new();
    let samples: usize = data.experiments.iter().map(|experiment| experiment.samples.len()).sum();
    let summaries: usize = data.experiments.iter().map(|experiment| experiment.summaries.len()).sum();
    let summaries = if summaries > 0 { format!(" and {summaries} summaries") } else { String::new() };
    let plural = if loaded == 1 { "" } else { "s" };
    let names: Vec<String> = data.experiments.iter().map(|experiment| experiment.name.clone()).collect();
    markup.fragments([
        (Style::Plain, format!("{loaded} file{plural} read; now {samples} samples{summaries} of ")),
        (Style::Name, crate::experiments::listed(&names)),
    ]);
    markup
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_of_too_many_measurements_is_told() {
        let of = |points_per_kept| {
            condensation(&Condensation {
                experiment: "f".to_owned(),
                measurements: 100_000_000,
                points_per_kept,
            })
        };
        assert_eq!(
            of(1),
            "the 100000000 measurements of `f` are too many to keep each; they are summed up at each point: counts, means \
             and minima are exact, medians come from up to 16 measurements"
        );
        assert!(
            of(8).contains("keep each, and so are the points: one in 8 is left, whole; they are summed up")
        );
    }
}
