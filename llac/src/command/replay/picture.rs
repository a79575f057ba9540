use call_report::number;

use super::request::ReplayRequest;
use super::{RecordedAndReplayed, check_condition};
use crate::command::{CommandArguments, diagram};
use crate::error::code;
use crate::words::Word;
use crate::{CommandOutcome, Error, Picture, Session};

/// `plot replay …`: what the processors of a run do when, as it was or with the changes that the words ask for.
pub fn picture(
    session: &Session,
    arguments: &CommandArguments,
    words: &[Word],
    outcome: &mut CommandOutcome,
) -> Result<Picture, Error> {
    check_condition(arguments)?;
    let request = ReplayRequest::parse(session, words, arguments.end())?;
    let runs = request.runs(session)?;
    let [run] = runs[..] else {
        return Err(Error::new(
            code::SEVERAL_RUNS,
            format!("there are {} runs, and a picture shows one", runs.len()),
        )
        .help("name it: `plot replay TRACE`; `show` lists the traces"));
    };
    let mut compared = RecordedAndReplayed::of(run, &request)?;
    diagram::check_rows(f64::from(compared.recorded.processors()), "`replay` tells the waits of any number")?;
    outcome.warnings.extend(compared.warning());
    let (before_s, replay) = (compared.before.total_s(), &mut compared.after);
    diagram::check_bars(replay.task())?;
    let total_s = replay.total_s();
    let title = format!("{}: {}", changed(&compared.label, &request), number::seconds(total_s));
    let links = replay.links();
    let mut timeline = diagram::timeline(title, replay.first_processor(), &replay.diagram(), &links);
    timeline.notes.push(format!("synchronisations: {}", compared.costs));
    let bsp_s = replay.bsp_cost_s();
    if request.is_change() {
        timeline.marks.push(diagram::mark("before", before_s));
    }
    if !diagram::is_same(bsp_s, total_s) {
        timeline.marks.push(diagram::mark("plain BSP", bsp_s));
    }
    Ok(Picture::Timeline(timeline))
}

/// The name of a run, and what is changed in it.
fn changed(label: &str, request: &ReplayRequest) -> String {
    let faster = request
        .faster
        .iter()
        .map(|(name, factor)| format!("{name} {} times as fast", number::exact(*factor)));
    let network = match &request.machine {
        Some((machine, _)) => Some(format!("on {}", machine.name)),
        None => request.is_network().then(|| "another network".to_owned()),
    };
    let parts: Vec<String> = std::iter::once(label.to_owned()).chain(faster).chain(network).collect();
    parts.join(", ")
}
