//! Who waits for whom in a recorded run, and why.

mod chain;
mod request;
mod sentence;
mod site;
mod tables;

use call_grammar::counted;
use call_report::number;
use call_trace::{CallSite, Run};
use call_waiting::{Chain, NoWaits, Site, Waits};

use super::call_site_view::{name_of, stack_of};
use super::recorded_runs::named_runs;
use super::{Arguments, Command, LineClauses};
use crate::error::code;
use crate::words::Word;
use crate::{CommandOutcome, Completion, Error, Markup, Message, Session, Style};
use request::{Asked, WaitsRequest};

const USAGE: &str = "waits [TRACE | SET] [by processor | at SITE | chain [SITE]]";

pub const WAITS: Command = Command {
    name: "waits",
    usage: USAGE,
    summary: "who waits for whom in a recorded run, and why",
    details: "For runs of MPI programs that recorded events (CALL_EVENTS=1), and of BSP programs that recorded supersteps. Each site where processors wait, the longest first, with the name of the wait (those of Scalasca) \
        and its causes: what those that were waited for do longer since both were together last, less what the waiting ones do. What leads \
        to a synchronisation is called by it. Causes add up to the wait. The efficiency is that of POP: computing of all / time \
        of all = load balance × serialisation × transfer. `by processor` tells what each spends its time with, `at` all causes and processors of one site: by its number, `FILE:LINE`, its call or a procedure. `chain` tells how the longest wait, of all or of a site, came about. The critical path is the chain that takes as long as the run.",
    completions: &[Completion::DataSet],
    clauses: LineClauses::Own,
    run,
    ..Command::OF_SAMPLES
};

/// So many sites, and so many parts of the critical path, are told.
const MOST_ROWS: usize = 10;

fn run(session: &mut Session, arguments: &Arguments) -> Result<CommandOutcome, Error> {
    if arguments.condition().is_some() {
        let message = "`waits` has whole runs and no samples to choose from";
        return Err(Error::new(code::NOT_APPLICABLE, message).help("leave `where` out"));
    }
    let request = WaitsRequest::parse(arguments.words())?;
    let mut outcome = CommandOutcome::default();
    let analysed = analysed(session, request.data, &mut outcome)?;
    match request.asked {
        Asked::Sites => {
            analysed.iter().for_each(|(run, waits)| outcome.value.append(shown(run, waits, false)))
        }
        Asked::ByProcessor => {
            analysed.iter().for_each(|(run, waits)| outcome.value.append(shown(run, waits, true)));
        }
        Asked::At(words) => {
            let told = of_sites(&analysed, words, |run, waits, sites| {
                let mut markup = Markup::new();
                markup.paragraph(introduction(run, waits));
                site::tell(&mut markup, run.label(), waits, &sentence::code_names(waits), sites);
                markup
            })?;
            outcome.value.append(told);
        }
        Asked::Chain([]) => {
            analysed.iter().for_each(|(run, waits)| outcome.value.append(chained(run, waits, &[None])))
        }
        Asked::Chain(words) => {
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
    let names = sentence::code_names(waits);
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
        let waits = match run.events.is_empty() {
            true => Waits::of_supersteps(&run.supersteps),
            false => Waits::of_events(&run.events),
        };
        match waits {
            Ok(waits) => {
                let messages = waits
                    .remarks
                    .iter()
                    .map(|remark| Message::new("recording-fault", format!("{}: {remark}", run.label())));
                outcome.warnings.extend(messages);
                analysed.push((*run, waits));
            }
            // Of several runs the others are told.
            Err(error) if runs.len() > 1 => {
                outcome.warnings.push(Message::from(&Error::from(error).of(run.label())));
            }
            Err(error) => return Err(Error::from(error).of(run.label())),
        }
    }
    Ok(analysed)
}

fn seconds(time_ns: i64) -> f64 {
    time_ns as f64 * 1e-9
}

fn text(time_ns: i64) -> String {
    number::seconds(seconds(time_ns))
}

fn shown(run: &Run, waits: &Waits, is_by_processor: bool) -> Markup {
    let mut markup = Markup::new();
    let names = sentence::code_names(waits);
    let efficiency = &waits.efficiency;
    markup.paragraph(introduction(run, waits));
    markup.paragraph(format!(
        "parallel efficiency {} = load balance {} × serialisation {} × transfer {}",
        percent(efficiency.parallel),
        percent(efficiency.load_balance),
        percent(efficiency.serialisation),
        percent(efficiency.transfer)
    ));
    if is_by_processor {
        markup.table(tables::by_processor(waits).about_the("trace", run.label()));
    } else {
        sites(&mut markup, waits, &names);
        markup.data(tables::by_processor(waits).about_the("trace", run.label()));
    }
    markup.data(tables::sites(waits).about_the("trace", run.label()));
    markup.data(tables::causes(waits, &names).about_the("trace", run.label()));
    let path = tables::critical_path(waits, &names).about_the("trace", run.label());
    if is_by_processor {
        markup.data(path)
    } else {
        markup.table(path)
    }
    markup.data(tables::efficiency(waits).about_the("trace", run.label()));
    markup
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

fn percent(share: f64) -> String {
    format!("{} %", number::percent(100.0 * share))
}

/// A paragraph for each site, a sentence for each class of its waits.
fn sites(markup: &mut Markup, waits: &Waits, names: &[String]) {
    if waits.sites.is_empty() {
        markup.line(Style::Plain, "no processor waits");
    }
    let shown = most(&waits.sites, |site| site.waiting_ns, 0.99);
    for (index, site) in shown.iter().enumerate() {
        markup.paragraph(headline(index, site));
        let classes = most(&site.classes, |class| class.waiting_ns, 0.95);
        for class in classes {
            markup.paragraph(format!("– {}", sentence::sentence(waits, names, site, class)));
        }
        tell_more(markup, &site.classes[classes.len()..], |class| class.waiting_ns, "of other causes");
    }
    tell_more(markup, &waits.sites[shown.len()..], |site| site.waiting_ns, "at other sites");
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

/// The first ones that have this share of all, of which no more than people read.
fn most<Part>(parts: &[Part], waiting_ns: impl Fn(&Part) -> i64, share: f64) -> &[Part] {
    let all: f64 = parts.iter().map(|part| waiting_ns(part) as f64).sum();
    let mut sum = 0.0;
    let is_enough = |part: &Part| {
        sum += waiting_ns(part) as f64;
        sum >= share * all
    };
    let count = parts.iter().position(is_enough).map_or(parts.len(), |last| last + 1);
    &parts[..count.min(MOST_ROWS)]
}

fn tell_more<Part>(markup: &mut Markup, parts: &[Part], waiting_ns: impl Fn(&Part) -> i64, which: &str) {
    let rest_ns: i64 = parts.iter().map(waiting_ns).fold(0, i64::saturating_add);
    if rest_ns > 0 {
        markup.paragraph(format!("– {} {which}", text(rest_ns)));
    }
}

fn place(site: &CallSite) -> String {
    match stack_of(site) {
        stack if stack.is_empty() => name_of(site),
        stack => format!("{} in {stack}", name_of(site)),
    }
}
