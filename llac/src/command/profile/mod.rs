//! Call-graph profiles of recorded supersteps.

mod comparison;
mod page;
mod picture;
mod predicted;
mod request;
mod source;
mod tables;
mod tree;
mod values;

use call_grammar::counted;
use call_profile::{Profile, View, oxford, tools};
use call_report::number;

use super::{Command, CommandArguments, LineClauses, wrote};
use crate::error::code;
use crate::remarks;
use crate::words::Word;
use crate::{CommandOutcome, Completion, Error, Markup, Message, Session, Style};
pub use page::PAGE;
use request::{CUBE, FIREFOX, HATCHET, ProfileAspect, ProfileRequest, SPEEDSCOPE};
use source::LabelledProfile;
use values::Charged;

const USAGE: &str = "profile [TRACE | SET | FILE.bsp] [on MACHINE] [by CRITERION] [hide PERCENT] [node NAME | pies NAME | centres] \
    [original] [to FILE] · profile [RUN …] P=… [VARIABLE=…] … · profile compare [BEFORE AFTER]";

pub const PROFILE: Command = Command {
    name: "profile",
    usage: USAGE,
    summary: "where the time of recorded supersteps goes, by call stack",
    details: "For runs that recorded supersteps, and traces of the Oxford BSP Toolset (.bsp). A tree of calls: for computation, communication, \
        idle time and h-relation the sum of the largest of each superstep, and what average|minimum are of it in percent. `by` shades \
        it: `sync`, or `comp`, `comm`, `wait`, `hrel` with `/absolute`, `/absdelta`, `/reldelta` or `/weightdelta`. `hide 1`, unless \
        given, leaves out what has below 1 % of the time, of waiting and of what `by` weighs. `node` tells who calls a procedure for how much, `pies` what each \
        processor has, `centres` what balance would save at most. `original` charges recursion for each frame, as the toolset does. `on` computes communication as g h + L of a machine. `P=64` predicts the profile of other processors, \
        or of other values of the program's variables, from three runs at least. `to` \
        writes a .bsp file, the graph as .svg or .png, what each processor did for speedscope (.speedscope.json) or the Firefox Profiler (.firefox.json), or the tree of calls for Cube and Extra-P (.cubex) or for Hatchet and Thicket (.hatchet.json). `into x.nodes.csv`, `.shades.` and `.edges.` are the whole graph.",
    completions: &[Completion::DataSet, Completion::File],
    clauses: LineClauses::Own,
    run,
    ..Command::OF_SAMPLES
};

fn run(session: &mut Session, arguments: &CommandArguments) -> Result<CommandOutcome, Error> {
    if arguments.condition().is_some() {
        let message = "`profile` has whole runs and no samples to choose from";
        return Err(Error::new(code::NOT_APPLICABLE, message).help("leave `where` out"));
    }
    if let Some(("compare", rest)) =
        arguments.words().split_first().map(|(first, rest)| (first.text.as_str(), rest))
    {
        return comparison::compare(session, rest);
    }
    let request = ProfileRequest::parse(arguments.words(), arguments.end())?;
    let source = predicted::find(session, &request.asked)?;
    let mut outcome = CommandOutcome { warnings: source.warnings.clone(), ..CommandOutcome::default() };
    remarks::tell(&mut outcome, source.remarks.iter().cloned());
    if let Some(file) = &request.written {
        let (contents, warning) = written(&source, &request, file)?;
        session.write(file, &contents)?;
        outcome.warnings.extend(warning);
        outcome.value = wrote(file);
        return Ok(outcome);
    }
    outcome.value = shown(&source, &request)?;
    predicted::tell(&mut outcome.value, &source, &request.hidden);
    Ok(outcome)
}

/// What `to FILE` writes, and what is to be said of it.
fn written(
    source: &LabelledProfile,
    request: &ProfileRequest,
    file: &Word,
) -> Result<(Vec<u8>, Option<Message>), Error> {
    let is_bsp = file.text.ends_with(".bsp");
    let is_speedscope = file.text.ends_with(SPEEDSCOPE);
    let is_firefox = file.text.ends_with(FIREFOX);
    let is_cube = file.text.ends_with(CUBE);
    if (is_bsp || is_cube || is_speedscope || is_firefox)
        && (source.prediction.is_some() || request.asked.machine.is_some())
    {
        let message = "such files have what was recorded of each processor";
        return Err(file
            .error(code::NOT_APPLICABLE, message)
            .help("`to FILE.svg` draws what is predicted, `into FILE.csv` has its numbers"));
    }
    if is_cube {
        let contents = tools::cube(&source.profile, &source.label);
        let fail = |error| file.error(code::CANNOT_WRITE, format!("cannot write {}: {error}", file.text));
        return contents.map(|contents| (contents, None)).map_err(fail);
    }
    if is_speedscope || is_firefox || file.text.ends_with(HATCHET) {
        let value = match (is_speedscope, is_firefox) {
            (true, _) => tools::speedscope(&source.profile, &source.label),
            (_, true) => tools::firefox(&source.profile, &source.label),
            _ => tools::hatchet(&source.profile),
        };
        return Ok(((value.to_string() + "\n").into_bytes(), None));
    }
    if !is_bsp {
        let graph = picture::graph(source, request);
        let contents = match file.text.ends_with(".png") {
            true => graph.png(),
            false => graph.svg().map(String::into_bytes),
        };
        return contents
            .map(|contents| (contents, None))
            .map_err(|error| Error::from(error).with_span(file.span.clone()));
    }
    let written = oxford::write(&source.profile);
    let warning = (written.changed_names > 0).then(|| {
        let text = format!(
            "{}: {} names have characters that .bsp files cannot have; `_` stands for each",
            file.text, written.changed_names
        );
        Message::new("names-changed", text)
    });
    Ok((written.text.into_bytes(), warning))
}

fn shown(source: &LabelledProfile, request: &ProfileRequest) -> Result<Markup, Error> {
    let profile = &source.profile;
    let graph = Charged::new(profile, View::call_graph(profile, request.charging));
    let mut markup = Markup::new();
    markup.line(Style::Plain, introduction(source, &graph));
    match &request.shown {
        ProfileAspect::Tree => {
            markup.line(Style::Plain, request.criterion.title());
            tree::tell(&mut markup, profile, request);
        }
        ProfileAspect::Node(word) => tables::node(&mut markup, &graph, source, word)?,
        ProfileAspect::Pies(word) if source.prediction.is_some() => {
            let message = "what single processors need is not predicted";
            return Err(word
                .error(code::NOT_APPLICABLE, message)
                .help("`pies` of a recorded run shows it; `node` has averages and minima"));
        }
        ProfileAspect::Pies(word) => tables::pies(&mut markup, &graph, word)?,
        ProfileAspect::Centres => tables::centres(&mut markup, profile, request.hidden.share),
    }
    let nodes = tables::nodes(&graph);
    // The tree is a drawing.
    markup.data(if matches!(request.shown, ProfileAspect::Tree) { nodes.main() } else { nodes });
    markup.data(tables::edges(&graph));
    markup.data(tables::shades(&graph));
    Ok(markup)
}

/// What was run, and how long it took.
fn introduction(source: &LabelledProfile, graph: &Charged) -> String {
    let Profile { processors, facts, .. } = &source.profile;
    let total = &graph.total;
    let machine = facts.machine.iter().map(|machine| format!(", {machine}"));
    let date = facts.date.iter().map(|date| format!(", {date}"));
    let mut text = format!("{}: {}", source.label, counted(*processors, "processor"));
    machine.chain(date).for_each(|fact| text.push_str(&fact));
    text.push_str(&format!(
        "; {}, BSP time {}",
        counted(total.synchronisations as usize, "synchronisation"),
        number::seconds(total.time_s())
    ));
    if let Some(elapsed_s) = facts.elapsed_s {
        text.push_str(&format!("; {} passed", number::seconds(elapsed_s)));
    }
    text
}
