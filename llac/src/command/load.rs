use call_trace::Dataset;

use super::{Arguments, Command};
use crate::reading::{Options, Remarks, is_option};
use crate::words::Word;
use crate::{Completion, Error, Markup, Outcome, Session, Style};

pub struct Load;

impl Command for Load {
    fn name(&self) -> &'static str {
        "load"
    }

    fn usage(&self) -> &'static str {
        "load FILE… [OPTION=…] [as SET]"
    }

    fn summary(&self) -> &'static str {
        "read traces and tables"
    }

    fn details(&self) -> &'static str {
        "Samples are put beside those read before. FILE may have the wildcards * and ?. Experiments of the \
         same name become one; their formulas must agree. A file that is loaded already is skipped. Of a \
         file whose end is missing, all whole rows are read; files of one unfinished run are one run. \
         Beyond 16 million samples, measurements are summed up at each point. With \
         `as SET` they go into a data set of that name, which then is the current one (see `help data`).\n\
         Besides traces, also of CALL 1.0, it reads tables with a header line (CSV, TSV, blanks), JSON lines, \
         input of Extra-P, results of hyperfine and of Google Benchmark. What is taken as what is told; \
         options choose otherwise: `time=COLUMN` (or another response), `unit=ms` or `unit=bytes`, `decimal=,` (12,5) or \
         `decimal=.`, `experiment=COLUMN,COLUMN` (texts that name the \
         experiment), `name=NAME` (of an experiment without name), `processors=COLUMN` (becomes P), \
         `without=COLUMN,…`, `keep=COLUMN,…`."
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
        let (options, words): (Vec<Word>, Vec<Word>) = words.iter().cloned().partition(is_option);
        let options = Options::of(&options)?;
        if words.is_empty() {
            return Err(
                Error::at(arguments.end(), "a file is missing").help(format!("usage: {}", self.usage()))
            );
        }
        let mut outcome = Outcome::default();
        let mut data = session.state().data().loaded().clone();
        let (mut loaded, mut remarks) = (0, Remarks::default());
        for word in &words {
            for path in session.files(word)? {
                if data.runs.iter().any(|run| run.files.contains(&path)) {
                    remarks.is_known(path);
                    continue;
                }
                session.add(&mut data, &path, word, &options, &mut remarks)?;
                loaded += 1;
            }
        }
        remarks.tell(&mut outcome);
        outcome.value = summary(&data, loaded);
        let changed = session.state().data().with_loaded(data).map_err(Error::new)?;
        session.change().set_data(changed);
        Ok(outcome)
    }
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
        (Style::Name, call_grammar::listed(&names)),
    ]);
    markup
}
