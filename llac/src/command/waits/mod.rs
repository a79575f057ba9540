//! Who waits for whom in a recorded run, and why.

mod allocation;
mod archive;
mod chain;
mod comparison;
mod delays;
mod design;
mod doubt;
mod faster;
mod list;
mod model;
mod model_tables;
mod model_words;
mod page;
mod request;
mod sampled_runs;
mod savings;
mod sentence;
mod site;
mod tables;
mod talp;

pub use allocation::best_allocation;
pub use design::advise_allocation;
pub use doubt::{doubts_of_change, taken_first};
pub use faster::parse as parse_faster;
pub use faster::{Faster, FasterSteps, efficiencies, first_call, steps_named, tell_paths, unknown_step};
pub use page::page_waits;
pub use sentence::code_names;
pub use site::state_name;

use call_exchange::grouped;
use call_grammar::counted;
use call_report::{PageEfficiency, number};
use call_trace::{CallSite, Run};
use call_waiting::{Chain, NoWaits, Site, Waits};

use super::call_site_view::{name_of, stack_of};
use super::recorded_runs::named_runs;
use super::{Command, CommandArguments, LineClauses};
use crate::error::code;
use crate::words::Word;
use crate::{CommandOutcome, Completion, Error, Markup, Message, Session, Style};
use request::{WaitsQuestion, WaitsRequest, WholeRunTable};

const USAGE: &str = "waits [TRACE | SET] [by processor | by delay | at SITE | chain [SITE] | faster STEP=FACTOR… | to FILE.otf2 | to FILE.json] \
    · waits compare [BEFORE AFTER] · waits model [SET] [VARIABLE=VALUES…]";

/// The word of a comparison, before the two runs.
const COMPARE: &str = "compare";

pub const WAITS: Command = Command {
    name: "waits",
    usage: USAGE,
    summary: "who waits for whom in a recorded run, and why",
    details: "For runs of MPI programs and, compiled by clang, of OpenMP programs that recorded events (CALL_EVENTS=1), and of BSP programs that recorded supersteps. Each site where processors wait, the longest first, with the name of the wait (those of Scalasca) \
        and its causes: what those that were waited for do longer since both were together last, less what the waiting ones do. What leads \
        to a synchronisation is called by it. Causes add up to the wait. The efficiency is that of POP: computing of all / time \
        of all = load balance × serialisation × transfer. `by processor` tells what each spends its time with, `by delay` what it costs others that one does something longer than they do (Scalasca's delay costs), `at` all causes and processors of one site: by its number, `FILE:LINE`, its call or a procedure. `chain` tells how the longest wait, of all or of a site, came about. `faster smooth=2` replays the run with a step twice as fast: an experiment, what leads to a `FILE:LINE`, what a call takes, or what lies in a procedure. `compare` has waits and efficiencies of two runs beside each other, matched by site. The critical path is the chain that takes as long as the run. \
        `model` is for runs at several values of the variables: it finds formulas of the steps, and what run time and waits are \
        made of, the maximum of sums of steps; with values it predicts both there. \
        `to FILE.otf2` writes the events of an MPI program as an archive of OTF2, which Scalasca and Vampir read, and `load`, too; `to FILE.json` the efficiencies as a report of TALP, which talp-pages reads.",
    completions: &[Completion::DataSet],
    behind: &[("to", Completion::File)],
    clauses: LineClauses::Own,
    run,
    ..Command::OF_SAMPLES
};

/// So many sites, and so many parts of the critical path, are told.
const MOST_ROWS: usize = 10;

fn run(session: &mut Session, arguments: &CommandArguments) -> Result<CommandOutcome, Error> {
    if arguments.condition().is_some() {
        let message = "`waits` has whole runs and no samples to choose from";
        return Err(Error::new(code::NOT_APPLICABLE, message).help("leave `where` out"));
    }
    let words = arguments.words();
    match words.split_first().map(|(first, behind)| (first.text.as_str(), behind)) {
        Some(("model", behind)) => return model::run(session, behind, arguments),
        Some((COMPARE, behind)) => return comparison::compare(session, behind),
        _ => {}
    }
    if let Some(place) = words.iter().position(|word| word.text == "to") {
        return archive::write(session, words, place, arguments.end());
    }
    let request = WaitsRequest::parse(words)?;
    let mut outcome = CommandOutcome::default();
    let analysed = analysed(session, request.data, &mut outcome)?;
    match request.asked {
        WaitsQuestion::All(what) => {
            for (run, waits) in &analysed {
                outcome.value.append(shown(run, waits, what));
                if what == WholeRunTable::Sites {
                    outcome.warnings.extend(doubt::doubts_of_savings(run, waits, &code_names(waits)));
                }
            }
        }
        WaitsQuestion::At(words) => {
            let told = of_sites(&analysed, words, |run, waits, sites| {
                let mut markup = Markup::new();
                markup.paragraph(introduction(run, waits));
                site::tell(&mut markup, run.label(), waits, &code_names(waits), sites);
                markup
            })?;
            outcome.value.append(told);
        }
        WaitsQuestion::Chain([]) => {
            analysed.iter().for_each(|(run, waits)| outcome.value.append(chained(run, waits, &[None])))
        }
        WaitsQuestion::Faster(faster) => {
            for (run, waits) in &analysed {
                let names = code_names(waits);
                let steps = FasterSteps::of(waits, &names, &faster)?;
                let after = waits.replay(&steps.change());
                outcome.value.append(faster::tell(run, [waits, &after], &names, &faster, &steps));
                outcome.warnings.extend(doubts_of_change(run, waits, &after, &steps.change()));
            }
        }
        WaitsQuestion::Chain(words) => {
            let told = of_sites(&analysed, words, |run, waits, sites| {
                chained(run, waits, &sites.iter().copied().map(Some).collect::<Vec<_>>())
            })?;
            outcome.value.append(told);
        }
    }
    Ok(outcome)
}

/// What is to be told of the sites that words name, in each run that has some.
fn of_sites(
    analysed: &[Analysed],
    words: &[Word],
    tell: impl Fn(&Run, &Waits, &[usize]) -> Markup,
) -> Result<Markup, Error> {
    let mut markup = Markup::new();
    for (run, waits) in analysed {
        let sites = site::named_sites(waits, words);
        if !sites.is_empty() {
            markup.append(tell(run, waits, &sites));
        }
    }
    if markup.blocks().is_empty() {
        let all: Vec<&Waits> = analysed.iter().map(|(_, waits)| waits).collect();
        return Err(site::unknown_site(&all, words));
    }
    Ok(markup)
}

/// How the longest wait came about, of each of these sites or of all.
fn chained(run: &Run, waits: &Waits, sites: &[Option<usize>]) -> Markup {
    let names = code_names(waits);
    let mut markup = Markup::new();
    markup.paragraph(introduction(run, waits));
    let chains: Vec<Chain> = sites.iter().filter_map(|site| waits.chain(*site)).collect();
    if chains.is_empty() {
        markup.line(Style::Plain, "no processor waits");
    }
    chains.iter().for_each(|chain| chain::tell(&mut markup, run.label(), waits, &names, chain));
    markup
}

type Analysed<'a> = (&'a Run, Waits);

/// The runs that are meant, and what they wait for; what is wrong with them is told.
fn analysed<'a>(
    session: &'a Session,
    data: Option<&Word>,
    outcome: &mut CommandOutcome,
) -> Result<Vec<Analysed<'a>>, Error> {
    let mut runs = named_runs(session, data)?;
    runs.retain(|run| !run.events.is_empty() || !run.supersteps.is_empty());
    if runs.is_empty() {
        return Err(NoWaits::Nothing.into());
    }
    let mut analysed = Vec::new();
    for run in &runs {
        match waits_of(run) {
            Ok(waits) => {
                analysed.push((*run, waits));
            }
            // Of several runs the others are told.
            Err(error) if runs.len() > 1 => {
                outcome.warnings.push(Message::from(&Error::from(error).of(run.label())));
            }
            Err(error) => return Err(Error::from(error).of(run.label())),
        }
    }
    outcome.warnings.extend(faults_of_all(analysed.iter().map(|(run, waits)| (*run, waits))));
    Ok(analysed)
}

/// The waits of a run that recorded events or supersteps.
pub fn waits_of(run: &Run) -> Result<Waits, NoWaits> {
    match run.events.is_empty() {
        true => Waits::of_supersteps(&run.supersteps),
        false => Waits::of_events(&run.events),
    }
}

/// Others would take threads for ranks.
fn of_threads(what: &str) -> Error {
    let message = format!("{what} would call these threads of OpenMP processes of MPI");
    Error::new(code::NOT_APPLICABLE, message).help("leave `to` out")
}

/// What is wrong with a recording, and what its analysis leaves out.
pub fn faults(run: &Run, waits: &Waits) -> Vec<Message> {
    faults_of_all([(run, waits)])
}

/// The same of several runs; what is said of many is said once.
pub fn faults_of_all<'a>(analysed: impl IntoIterator<Item = (&'a Run, &'a Waits)> + Clone) -> Vec<Message> {
    let of_all = |texts: fn(&Run, &Waits) -> Vec<String>| {
        let of_run = |(run, waits): (&Run, &Waits)| {
            texts(run, waits).into_iter().map(|text| (run.label().to_owned(), text)).collect::<Vec<_>>()
        };
        grouped(analysed.clone().into_iter().flat_map(of_run))
            .into_iter()
            .map(|reported| reported.to_string())
    };
    let remarks = of_all(|_, waits| waits.remarks.iter().map(ToString::to_string).collect());
    let remarks = remarks.map(|text| Message::new("recording-fault", text));
    let unknown = of_all(|run, waits| unknown(run, waits).collect());
    remarks.chain(unknown.map(|text| Message::new("not-analysed", text))).collect()
}

/// Calls that take at least this share of all time are told where nobody knows who waits in them.
const TOLD_SHARE: f64 = 0.001;

/// What the answer leaves out: calls that are not analysed, and positions that were not recorded.
fn unknown(run: &Run, waits: &Waits) -> impl Iterator<Item = String> {
    let all_ns = waits.efficiency.run_time_ns as f64 * waits.processors.len() as f64;
    let calls: Vec<String> = waits
        .unanalysed
        .iter()
        .filter(|its| its.time_ns as f64 >= TOLD_SHARE * all_ns && its.time_ns > 0)
        .map(|its| format!("{} ({} in {})", its.call, text(its.time_ns), counted(its.calls as usize, "call")))
        .collect();
    let calls = (!calls.is_empty()).then(|| {
        format!(
            "who waits in these calls is not analysed, they count as communicating, and neither the critical path nor what is saved knows \
             whom they wait for: {}",
            calls.join(", ")
        )
    });
    let inner: Vec<String> = waits
        .unexplained
        .iter()
        .filter(|its| its.time_ns as f64 >= TOLD_SHARE * all_ns && its.time_ns > 0)
        .map(|its| format!("{} before {}", text(its.time_ns), name_of(&its.before)))
        .collect();
    let inner = (!inner.is_empty()).then(|| {
        format!(
            "processors wait within supersteps, in collectives and direct gets, and nobody recorded for whom, so these waits have no cause and stand at no site: {}",
            inner.join(", ")
        )
    });
    let polled = polled(waits).map(|places| {
        format!(
            "a processor tests again and again whether something has come, and what it computes between the tests counts as computing, but may be waiting for that: {places}"
        )
    });
    // The end of a run has none.
    let nowhere = waits.sites.iter().filter(|site| site.site.position.is_none());
    let nowhere = nowhere.filter(|site| !call_waiting::is_end_of_threads(&site.site.call));
    let nowhere = nowhere.count();
    // What archives of other tools lack, no compiler adds.
    let is_archive = run.label().ends_with(".otf2");
    let why = if is_archive { "the archive has none" } else { "compile the program with -g" };
    let positions = (nowhere > 0).then(|| match nowhere {
        1 => format!("the line of a call where processors wait is not known: {why}"),
        many => format!("the lines of {many} calls where processors wait are not known: {why}"),
    });
    calls.into_iter().chain(inner).chain(polled).chain(positions)
}

/// How long processors compute between tests that find nothing, and where, if that is worth telling.
fn polled(waits: &Waits) -> Option<String> {
    let all_ns = waits.efficiency.run_time_ns as f64 * waits.processors.len() as f64;
    let told = waits.polled.iter().filter(|its| its.time_ns as f64 >= TOLD_SHARE * all_ns && its.time_ns > 0);
    let places: Vec<String> = told
        .map(|its| {
            let whose = sentence::processors(waits, &its.processors);
            format!(
                "{} on {whose} in {} at {}",
                text(its.time_ns),
                counted(its.tests as usize, "test"),
                place(&its.site)
            )
        })
        .collect();
    (!places.is_empty()).then(|| places.join(", "))
}

fn seconds(time_ns: i64) -> f64 {
    time_ns as f64 * 1e-9
}

fn text(time_ns: i64) -> String {
    number::seconds(seconds(time_ns))
}

fn shown(run: &Run, waits: &Waits, what: WholeRunTable) -> Markup {
    let mut markup = Markup::new();
    let names = code_names(waits);
    markup.paragraph(introduction(run, waits));
    tell_efficiencies(&mut markup, waits);
    let delays = waits.delays();
    if what == WholeRunTable::Sites {
        list::sites(&mut markup, waits, &names, &sentence::Blame::of(&delays));
    }
    let is_passed_on = delays.sites.iter().any(|states| states.indirect_ns > 0.0);
    if what == WholeRunTable::Delays || what == WholeRunTable::Sites && is_passed_on {
        delays::summary(waits, &delays).into_iter().for_each(|summary| markup.paragraph(summary));
    }
    if what == WholeRunTable::Sites {
        savings::tell(&mut markup, run.label(), waits, &names);
    }
    let tables = [
        (WholeRunTable::Sites, tables::critical_path(waits, &names), tables::rest_of_critical_path(waits)),
        (WholeRunTable::Processors, tables::by_processor(waits), None),
        (WholeRunTable::Delays, delays::costs(waits, &names, &delays), delays::rest_of_costs(&delays)),
    ];
    for (of, table, rest) in tables {
        let table = table.about_the("trace", run.label());
        match what {
            _ if of != what => markup.data(table),
            // The sites are told in words.
            WholeRunTable::Sites => markup.table(table),
            WholeRunTable::Processors | WholeRunTable::Delays => markup.table(table.main()),
        }
        rest.into_iter().filter(|_| of == what).for_each(|rest| markup.item(rest));
    }
    let sites = tables::sites(waits);
    let others = [
        if what == WholeRunTable::Sites { sites.main() } else { sites },
        tables::causes(waits, &names),
        delays::states(waits, &delays),
        tables::efficiency(waits),
    ];
    // TALP has other names for threads.
    let talp = (!call_waiting::are_threads(&run.events)).then(|| talp::table(waits));
    others.into_iter().chain(talp).for_each(|table| markup.data(table.about_the("trace", run.label())));
    markup
}

/// The parallel efficiency, and the factors of it that have none of their own, each with its definition.
fn tell_efficiencies(markup: &mut Markup, waits: &Waits) {
    let all = page::efficiencies(waits);
    let told = |its: &PageEfficiency| format!("{} {}: {}", its.name, percent(its.share), its.definition);
    markup.paragraph(format!("{}, the product of", told(&all[0])));
    let is_factor = |place: &usize| all.get(place + 1).is_none_or(|next| next.level <= all[*place].level);
    (1..all.len()).filter(is_factor).for_each(|place| markup.item(told(&all[place])));
}

/// How many there were, how long the run took and how much of it was waiting.
fn introduction(run: &Run, waits: &Waits) -> String {
    format!(
        "{}: {}, {}; they wait {} of their time",
        run.label(),
        counted(waits.processors.len(), "processor"),
        text(waits.efficiency.run_time_ns),
        percent(waits.efficiency.waiting)
    )
}

/// `12.50 %` of a share.
pub fn percent(share: f64) -> String {
    format!("{} %", number::percent(100.0 * share))
}

/// `1. 4 s in 2 waits at bsp_sync a.c:9 in main (wait at barrier)`.
fn headline(index: usize, site: &Site) -> String {
    let kinds: Vec<&str> = site.kinds.iter().map(|kind| kind.kind.name()).collect();
    format!(
        "{}. {} in {} at {} ({})",
        index + 1,
        text(site.waiting_ns),
        counted(site.waits as usize, "wait"),
        place(&site.site),
        kinds.join(", ")
    )
}

fn place(site: &CallSite) -> String {
    match stack_of(site) {
        stack if stack.is_empty() => name_of(site),
        stack => format!("{} in {stack}", name_of(site)),
    }
}
