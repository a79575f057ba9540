use call_bsp::recording::{RecordedRun, RecordingError};
use call_profile::{Facts, Profile, oxford};
use call_trace::Run;

use crate::command::replay::recorded_runs;
use crate::error::code;
use crate::words::Word;
use crate::{Error, Message, Session};

/// A profile, and what it is called.
pub struct Source {
    pub label: String,
    pub profile: Profile,
    pub warnings: Vec<Message>,
}

impl Source {
    /// The profile of what a word names: a trace or set that is loaded, else a file. Without a word that of all loaded runs.
    pub fn find(session: &Session, word: Option<&Word>) -> Result<Source, Error> {
        let state = session.state();
        let is_loaded = |word: &Word| {
            state.sets().contains_key(&word.text)
                || state.data().runs().iter().any(|run| run.files.contains(&word.text))
        };
        match word.filter(|word| !is_loaded(word)) {
            None => Source::of_runs(&recorded_runs(session, word)?),
            Some(file) => Source::of_file(session, file),
        }
    }

    /// Each run by itself.
    pub fn of_each(session: &Session) -> Result<Vec<Source>, Error> {
        recorded_runs(session, None)?.into_iter().map(|run| Source::of_runs(&[run])).collect()
    }

    fn of_runs(runs: &[&Run]) -> Result<Source, Error> {
        let mut recorded = Vec::new();
        for run in runs {
            let about = |error: RecordingError| {
                let error = Error::from(error);
                if runs.len() == 1 {
                    error
                } else {
                    error.help(format!("name another trace than {}", run.label()))
                }
            };
            recorded.push(RecordedRun::rebuild(&run.supersteps).map_err(about)?);
        }
        let mut profile = Profile::of_runs(&recorded).ok_or_else(|| {
            let counts: Vec<String> = runs
                .iter()
                .zip(&recorded)
                .map(|(run, its)| format!("{} {}", run.label(), its.processors()))
                .collect();
            Error::new(
                code::SEVERAL_RUNS,
                format!("the runs have different numbers of processors: {}", counts.join(", ")),
            )
            .help("name one: `profile TRACE`; `show` lists the traces")
        })?;
        let label = match runs {
            [run] => {
                profile.facts = facts(run);
                run.label().to_owned()
            }
            several => format!("{} runs together", several.len()),
        };
        profile.facts.elapsed_s = Some(recorded.iter().map(RecordedRun::recorded_s).sum());
        Ok(Source::new(label, profile))
    }

    fn of_file(session: &Session, file: &Word) -> Result<Source, Error> {
        let fail = |code, text: String| Error::at(code, file.span.clone(), text);
        let bytes = session.workspace.read(&file.text).map_err(|error| {
            let message =
                format!("there is no loaded trace and no data set `{}`, and as a file: {error}", file.text);
            fail(code::CANNOT_READ, message).help("name a file, or a trace of those that `show` lists")
        })?;
        if bytes.starts_with(b"# call-trace") {
            let message = format!("`{}` is a trace that is not loaded", file.text);
            return Err(fail(code::NOTHING_LOADED, message).help(format!("`load {}` first", file.text)));
        }
        let profile = oxford::read(&bytes)
            .map_err(|error| Error::from(error).of(&file.text).with_span(file.span.clone()))?;
        let mut source = Source::new(file.text.clone(), profile);
        if source.profile.facts.elapsed_s.is_none() {
            let text =
                format!("{}: the line `E` at the end is missing: the trace may have been cut", file.text);
            source.warnings.push(Message::new("maybe-cut", text));
        }
        Ok(source)
    }

    fn new(label: String, profile: Profile) -> Source {
        let mut warnings = Vec::new();
        let divergent = profile.divergent_supersteps;
        if divergent > 0 {
            let text = format!(
                "{label}: {divergent} supersteps were ended at different places by different processors; each counts where most of them did"
            );
            warnings.push(Message::new("divergent-supersteps", text));
        }
        Source { label, profile, warnings }
    }
}

fn facts(run: &Run) -> Facts {
    let known = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let header = &run.header;
    Facts {
        date: known(&header.date),
        flags: known(&header.flags),
        machine: known(&header.host),
        device: known(&header.transport),
        elapsed_s: None,
    }
}
