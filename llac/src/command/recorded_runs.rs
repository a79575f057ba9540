//! The runs that a word names, for commands about what was recorded of runs.

use call_bsp::recording::RecordingError;
use call_grammar::suggest;
use call_trace::Run;
use call_waiting::NoWaits;

use crate::error::code;
use crate::words::Word;
use crate::{Error, Session};

/// Those of a data set or of one trace, or without a word of all that is loaded.
pub fn named_runs<'a>(session: &'a Session, data: Option<&Word>) -> Result<Vec<&'a Run>, Error> {
    let state = session.state();
    let current = state.data().runs();
    let meant: Vec<&Run> = match data {
        None => current.iter().collect(),
        Some(word) => match state.sets().get(&word.text) {
            Some(set) => set.runs().iter().collect(),
            None => {
                let found: Vec<&Run> = current.iter().filter(|run| run.files.contains(&word.text)).collect();
                if found.is_empty() {
                    let labels = current.iter().map(Run::label);
                    let message = format!("there is no trace and no data set `{}`", word.text);
                    return Err(word.error(code::UNKNOWN_DATA_SET, message).suggesting(
                        suggest(&word.text, labels),
                        "`show` lists the traces, `data` the sets",
                    ));
                }
                found
            }
        },
    };
    if meant.is_empty() {
        return Err(
            Error::new(code::NOTHING_LOADED, "nothing is loaded").help("load traces first: `load FILE…`")
        );
    }
    Ok(meant)
}

/// Those of them that recorded supersteps.
pub fn runs_with_supersteps<'a>(session: &'a Session, data: Option<&Word>) -> Result<Vec<&'a Run>, Error> {
    let meant = named_runs(session, data)?;
    let recorded: Vec<&Run> = meant.iter().copied().filter(|run| !run.supersteps.is_empty()).collect();
    if let ([], Some(run)) = (&recorded[..], meant.iter().find(|run| !run.events.is_empty())) {
        let message =
            format!("{} recorded messages and no supersteps: it has waits, and no profile", run.label());
        let help = "`waits` tells them, `page TRACE` shows those of one run, `waits compare BEFORE AFTER` compares two";
        return Err(Error::new(RecordingError::NoSupersteps.code(), message).help(help));
    }
    if recorded.is_empty() {
        return Err(RecordingError::NoSupersteps.into());
    }
    Ok(recorded)
}

/// The one run among those that are named, or loaded, that has recorded events or supersteps. `what` is about one run, and asked for by `usage`.
pub fn one_recorded_run<'a>(
    session: &'a Session,
    data: Option<&Word>,
    what: &str,
    usage: &str,
) -> Result<&'a Run, Error> {
    let mut runs = named_runs(session, data)?;
    runs.retain(|run| !run.events.is_empty() || !run.supersteps.is_empty());
    match runs[..] {
        [run] => Ok(run),
        [] => Err(NoWaits::Nothing.into()),
        _ => Err(Error::new(
            code::SEVERAL_RUNS,
            format!("there are {} runs, and {what} is about one", runs.len()),
        )
        .help(format!("name it: `{usage}`; `show` lists the traces"))),
    }
}
