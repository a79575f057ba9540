use std::ops::Range;

use super::{WAITS, of_threads, talp};
use crate::command::recorded_runs::named_runs;
use crate::command::wrote;
use crate::error::code;
use crate::words::Word;
use crate::{CommandOutcome, Error, Message, Session};

/// `waits [TRACE | SET] to FILE.otf2`: the events of one run as an archive of OTF2; `to FILE.json`: its efficiencies. `to` stands at this
/// place of the words.
pub fn write(
    session: &Session,
    words: &[Word],
    place: usize,
    end: Range<usize>,
) -> Result<CommandOutcome, Error> {
    let usage = || format!("usage: {}", WAITS.usage);
    let file = match &words[place + 1..] {
        [] => return Err(Error::at(code::MISSING_WORD, end, "the file is missing behind `to`").help(usage())),
        [file] => file,
        [_, extra, ..] => {
            return Err(extra.error(code::UNEXPECTED_WORD, "nothing stands behind the file").help(usage()));
        }
    };
    if let Some(extra) = words[..place].get(1) {
        let message = "one trace or data set stands before `to`";
        return Err(extra.error(code::UNEXPECTED_WORD, message).help(usage()));
    }
    if file.text.ends_with(".json") {
        return talp::write(session, words[..place].first(), file);
    }
    let mut runs = named_runs(session, words[..place].first())?;
    runs.retain(|run| !run.events.is_empty());
    let of_file = |error: call_otf2::Error| Error::from(error).with_span(file.span.clone());
    let run = match runs[..] {
        [] => return Err(of_file(call_otf2::Error::NoEvents)),
        [run] => run,
        _ => {
            return Err(Error::new(code::SEVERAL_RUNS, format!("{} runs have recorded events", runs.len()))
                .help("name one: `waits TRACE to FILE.otf2`; `show` lists the traces"));
        }
    };
    if call_waiting::are_threads(&run.events) {
        return Err(of_threads("an archive").with_span(file.span.clone()));
    }
    let remarks = session.workspace.write_archive(&file.text, &run.events).map_err(of_file)?;
    let warnings = remarks.iter().map(|remark| Message::new("archive", format!("{}: {remark}", file.text)));
    Ok(CommandOutcome { warnings: warnings.collect(), ..CommandOutcome::of(wrote(file)) })
}
