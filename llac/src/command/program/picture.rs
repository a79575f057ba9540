use call_bsp::obsp::InOut;
use call_bsp::program::ProgramModel;
use call_model::{Predictor, Slice};
use call_report::number;

use crate::command::diagram;
use crate::command::forecast_view::place;
use crate::command::known_names::check;
use crate::command::question::Question;
use crate::error::code;
use crate::{CommandOutcome, Error, Picture};

/// By which network times are predicted, as far as it is one; that of a machine is told for one number of processors.
pub fn setting(model: &ProgramModel, processors: Option<f64>) -> Option<String> {
    let mut parts = Vec::new();
    let machine = model.target().machine();
    parts.extend(machine.map(|machine| format!("on {}", machine.name)));
    let processors = processors.or_else(|| machine.is_none().then_some(1.0));
    let network = processors.and_then(|processors| model.target().network(processors as u32));
    parts.extend(network.map(|network| diagram::network(network.g_s_per_byte, network.latency_s)));
    if model.in_out() == Some(InOut::Maximum) {
        parts.push("relation=max".to_owned());
    }
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// `plot PROGRAM …` at a point: a diagram of its supersteps.
pub fn diagram(
    question: &Question,
    model: &ProgramModel,
    outcome: &mut CommandOutcome,
) -> Result<Picture, Error> {
    let subjects: Vec<_> = question.subjects.iter().collect();
    check(&subjects, &question.given.iter().collect::<Vec<_>>(), &question.end)?;
    let values: Vec<(&str, f64)> =
        question.given.iter().map(|one| (one.name.as_str(), one.values[0])).collect();
    let point = Slice::new(model, &[], &values).point(&[]);
    let processors = point.last().copied();
    if let Some(processors) = processors {
        diagram::check_rows(processors, "several values of P make a curve")?;
    }
    let mut evaluated = model.evaluate(&point)?;
    crate::remarks::tell(outcome, evaluated.remarks.clone());
    let at = place(model.name(), model.variables(), &point);
    if evaluated.total_s <= 0.0 {
        return Err(Error::new(
            code::NOTHING_TO_DRAW,
            format!("{at} takes no time: there is nothing to draw"),
        )
        .help("give a point at which it computes or communicates"));
    }
    diagram::check_bars(&evaluated.instance.task)?;
    let bsp_s = evaluated.bsp_s();
    let arena = &mut evaluated.instance.arena;
    let chain = evaluated.evaluation.chain(arena);
    let title = format!("{at} = {}", number::seconds(evaluated.total_s));
    let mut timeline = diagram::timeline(title, 0, &evaluated.evaluation.diagram(arena), &chain);
    // Where plain BSP says the same there is nothing to be marked.
    if !diagram::is_same(bsp_s, evaluated.total_s) {
        timeline.marks.push(diagram::mark("plain BSP", bsp_s));
    }
    timeline.notes.extend(setting(model, processors));
    Ok(Picture::Timeline(timeline))
}
