use call_trace::Experiment;

use super::{Arguments, Clauses, Command};
use crate::{Completion, Error, Outcome, Session};

pub struct Export;

const ENDINGS: &str =
    "samples: .csv, .jsonl, .extra-p.txt, .extra-p.jsonl; models: .c, .gp (gnuplot), .tex (LaTeX)";

impl Command for Export {
    fn name(&self) -> &'static str {
        "export"
    }

    fn usage(&self) -> &'static str {
        "export [EXPERIMENT…] FILE"
    }

    fn summary(&self) -> &'static str {
        "write samples or models for other tools"
    }

    fn details(&self) -> &'static str {
        "The end of the file's name says what: of the samples `.csv`, `.jsonl` (an object a line), `.extra-p.txt` \
         and `.extra-p.jsonl` (input of Extra-P); of the fitted models `.c` (a C99 function each), `.gp` (gnuplot) \
         and `.tex` (a LaTeX formula each). Results of other commands are written by `into FILE` behind them."
    }

    fn completions(&self) -> &'static [Completion] {
        &[Completion::Experiment, Completion::File]
    }

    fn clauses(&self) -> Clauses {
        Clauses::Samples
    }

    fn writes_last_word(&self) -> bool {
        true
    }

    fn run(&self, session: &mut Session, arguments: &Arguments) -> Result<Outcome, Error> {
        let Some((file, words)) = arguments.words().split_last() else {
            return Err(
                Error::at(arguments.end(), "the file is missing").help(format!("usage: {}", self.usage()))
            );
        };
        let all = if words.is_empty() {
            session.all_experiments(arguments)?
        } else {
            words.iter().map(|word| session.experiment(word)).collect::<Result<_, _>>()?
        };
        let fail = |text: String| Error::at(file.span.clone(), text);
        let wrong = |error: call_exchange::WriteError| fail(error.to_string()).coded(error.code());
        let samples: Vec<&Experiment> = all.iter().map(|found| found.experiment()).collect();
        let mut models = |write: fn(&call_model::Model) -> String| -> Result<String, Error> {
            let texts = all.iter().map(|found| Ok(write(session.model(found.experiment())?.as_ref())));
            Ok(texts.collect::<Result<Vec<String>, Error>>()?.join("\n"))
        };
        let name = file.text.as_str();
        let text = if name.ends_with(".extra-p.jsonl") {
            call_exchange::write_extra_p_json_lines(&samples).map_err(wrong)?
        } else if name.ends_with(".extra-p.txt") {
            let [experiment] = samples[..] else {
                return Err(
                    fail("such a file holds one experiment".to_owned()).help("name one before the file")
                );
            };
            call_exchange::write_extra_p_text(experiment).map_err(wrong)?
        } else if name.ends_with(".csv") {
            call_exchange::write_csv(&samples)
        } else if name.ends_with(".jsonl") {
            call_exchange::write_json_lines(&samples)
        } else if name.ends_with(".c") {
            models(|model| model.c_function(model.formula().experiment()))?
        } else if name.ends_with(".gp") {
            models(|model| model.gnuplot_function())?
        } else if name.ends_with(".tex") {
            models(|model| model.latex())?
        } else {
            return Err(fail(format!("the end of `{name}` names no format")).help(ENDINGS));
        };
        session.write(file, text.as_bytes())?;
        Ok(Outcome::of(super::wrote(file)))
    }
}
