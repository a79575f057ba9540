use std::collections::{BTreeSet, HashMap};

use call_profile::{Cost, CostQuantity, CriticalPath, Node, NodeKind, Position, SumInterval, View};
use call_report::{
    PageAmount, PageCallPath, PageCosts, PageMetric, PageNode, PagePath, PageRun, ProfilePage, StyleSheet,
};
use call_trace::{CallSite, Run};

use super::introduction;
use super::predicted::{self, find};
use super::request::ProfileSelection;
use super::source::{LabelledProfile, circumstances};
use super::values::{Charged, name, unit};
use crate::command::archive::page_history;
use crate::command::recorded_runs::named_runs;
use crate::command::waits::{faults, page_waits, waits_of};
use crate::command::{Command, CommandArguments, wrote};
use crate::error::code;
use crate::remarks;
use crate::words::Word;
use crate::{CommandOutcome, Completion, Error, Session, Style};

/// Profiles as a page.
const USAGE: &str = "page [TRACE | SET | FILE.bsp] [AFTER] [on MACHINE] [history FOLDER] into FILE.html [style FILE.css] · \
    page [RUN …] P=… [VARIABLE=…] … [on MACHINE] [compare RUN] into FILE.html · page history FOLDER into FILE.html";

pub const PAGE: Command = Command {
    name: "page",
    usage: USAGE,
    summary: "profiles, waits and histories as one page for browsers",
    details: "The call graph, all 17 critical paths, and the numbers of each node with what each processor has; of one recorded run also its waits, \
        as a timeline with the chain of the chosen one; in one file that needs no \
        network: to be opened, sent or kept. With two profiles the page compares them. \
        `P=64` and `on MACHINE` predict a profile as `profile` does, `compare` puts a measured one beside it. Tables and picture are there without script, too. \
        `history FOLDER` adds how the constants of all experiments of an archive went, or makes a page of that alone. \
        `style FILE.css` puts the style sheet into a file beside the page, for servers that allow no other.",
    completions: &[Completion::DataSet, Completion::File],
    behind: &[("history", Completion::File), ("into", Completion::File)],
    loads_files: true,
    run,
    ..Command::PLAIN
};

fn run(session: &mut Session, arguments: &CommandArguments) -> Result<CommandOutcome, Error> {
    let words = PageWords::parse(arguments)?;
    let run = measured_run(session, &words.profiles);
    let mut outcome = CommandOutcome::default();
    let history = words.history.map(|folder| page_history(session, folder, &mut outcome)).transpose()?;
    let mut sources = Vec::new();
    // What calls of MPI recorded has waits and no profile.
    if run.is_none_or(|run| run.events.is_empty()) {
        for asked in &words.profiles {
            sources.push(find(session, asked)?);
        }
    }
    let mut facts = Vec::new();
    for source in &sources {
        let mut said = CommandOutcome { warnings: source.warnings.clone(), ..CommandOutcome::default() };
        remarks::tell(&mut said, source.remarks.iter().cloned());
        let told = said.notes.iter().chain(&said.warnings).map(|message| message.text.clone());
        // `load` told it in the terminal.
        facts.push(told.chain(source.circumstances.iter().cloned()).collect());
        outcome.notes.extend(said.notes);
        outcome.warnings.extend(said.warnings);
    }
    let style_sheet = words.style.map_or("", |style| file_name(&style.text));
    let style_sheet = match words.style {
        Some(_) => StyleSheet::Beside(style_sheet),
        None => StyleSheet::Inside,
    };
    let mut page = page(&sources, &facts);
    match run.map(|run| (run, waits_of(run))) {
        Some((run, Ok(waits))) => {
            let node_of = |site: &CallSite| node_of(&page, site);
            let found = page_waits(run, &waits, node_of);
            page.waits = Some(found);
            let faults = faults(run, &waits);
            page.facts.extend(faults.iter().map(|message| message.text.clone()));
            outcome.warnings.extend(faults);
        }
        Some((run, Err(error))) if !sources.is_empty() => {
            page.facts.push(format!("no waits of {}: {error}", run.label()));
        }
        Some((run, Err(error))) => return Err(Error::from(error).of(run.label())),
        None => {}
    }
    if let Some(run) = run.filter(|_| sources.is_empty()) {
        page.facts.extend(circumstances(run));
        page.title = file_name(run.label()).to_owned();
    }
    if let Some(folder) = words.history.filter(|_| page.title.is_empty()) {
        page.title = format!("history in {}", file_name(folder.text.trim_end_matches('/')));
    }
    page.history = history;
    let html =
        page.html(style_sheet).map_err(|error| Error::from(error).with_span(words.file.span.clone()))?;
    if let Some(style) = words.style {
        session.write(style, ProfilePage::style_sheet().as_bytes())?;
    }
    session.write(words.file, html.as_bytes())?;
    outcome.value = wrote(words.file);
    if let Some(style) = words.style {
        outcome.value.fragments([(Style::Plain, "wrote ".to_owned()), (Style::Name, style.text.clone())]);
    }
    Ok(outcome)
}

/// The recorded run that the page is of, if it is one and nothing is predicted or compared.
fn measured_run<'a>(session: &'a Session, asked: &[ProfileSelection]) -> Option<&'a Run> {
    let [only] = asked else { return None };
    let is_measured = only.point.is_empty() && only.machine.is_none();
    let runs = is_measured.then(|| named_runs(session, only.sources.first()).ok())??;
    let mut recorded = runs.into_iter().filter(|run| !run.events.is_empty() || !run.supersteps.is_empty());
    recorded.next().filter(|_| recorded.next().is_none())
}

/// The superstep that ends at a call.
fn node_of(page: &ProfilePage, site: &CallSite) -> Option<usize> {
    let position = site.position.as_ref()?;
    let label = Position::new(&position.file, position.line).to_string();
    page.nodes.iter().position(|node| node.is_superstep && node.label == label)
}

/// The words of the command.
struct PageWords<'a> {
    /// One, two that are compared, or none beside a history.
    profiles: Vec<ProfileSelection>,
    /// The folder of an archive.
    history: Option<&'a Word>,
    file: &'a Word,
    style: Option<&'a Word>,
}

impl PageWords<'_> {
    fn parse(arguments: &CommandArguments) -> Result<PageWords<'_>, Error> {
        let words = arguments.words();
        let usage = |error: Error| error.help(format!("usage: {USAGE}"));
        let missing = |what: &str| usage(Error::at(code::MISSING_WORD, arguments.end(), what));
        let Some(at) = words.iter().position(|word| word.text == "into") else {
            return Err(missing("`into FILE.html` is missing"));
        };
        let (history, before) = history(&words[..at], &missing)?;
        let profiles = match history.is_some() && before.is_empty() {
            true => Vec::new(),
            false => profiles(&before, &missing)?,
        };
        let rest = &words[at + 1..];
        let (file, style) = match rest {
            [] => return Err(missing("the file is missing behind `into`")),
            [file] => (file, None),
            [file, word, style] if word.text == "style" => (file, Some(style)),
            [_, extra, ..] => {
                let message = format!("`page` does not know `{}`", extra.text);
                return Err(usage(extra.error(code::UNEXPECTED_WORD, message)));
            }
        };
        let ends = [Some((file, ".html")), style.map(|style| (style, ".css"))];
        for (word, ending) in ends.into_iter().flatten() {
            if !word.text.ends_with(ending) {
                let message = format!("`{}` does not end in {ending}", word.text);
                return Err(usage(word.error(code::UNKNOWN_FORMAT, message)));
            }
        }
        Ok(PageWords { profiles, history, file, style })
    }
}

/// The folder behind `history`, and the other words.
fn history<'a>(
    words: &'a [Word],
    missing: &dyn Fn(&str) -> Error,
) -> Result<(Option<&'a Word>, Vec<Word>), Error> {
    let Some(at) = words.iter().position(|word| word.text == "history") else {
        return Ok((None, words.to_vec()));
    };
    let folder =
        words.get(at + 1).ok_or_else(|| missing("the folder of an archive is missing behind `history`"))?;
    Ok((Some(folder), [&words[..at], &words[at + 2..]].concat()))
}

/// What the words before `into` ask for: a run, two, or one that is predicted, and what it is compared with.
fn profiles(words: &[Word], missing: &dyn Fn(&str) -> Error) -> Result<Vec<ProfileSelection>, Error> {
    let mut asked = ProfileSelection::default();
    let mut compared = None;
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match word.text.as_str() {
            "on" => {
                asked.machine =
                    Some(words.next().ok_or_else(|| missing("the machine is missing behind `on`"))?.clone());
            }
            // As in `profile compare BEFORE AFTER`, both may be named already.
            "compare"
                if words.as_slice().is_empty() && asked.sources.len() == 2 && asked.point.is_empty() => {}
            "compare" => {
                compared =
                    Some(words.next().ok_or_else(|| missing("the profile is missing behind `compare`"))?);
            }
            _ => asked.take(word)?,
        }
    }
    let is_single = asked.point.is_empty();
    let others = if is_single && asked.sources.len() > 1 { asked.sources.split_off(1) } else { Vec::new() };
    let mut others = others.iter().chain(compared);
    let machine = asked.machine.clone().filter(|_| is_single && compared.is_none());
    let other = others.next().map(|other| ProfileSelection {
        sources: vec![other.clone()],
        point: Vec::new(),
        machine,
    });
    if let Some(extra) = others.next() {
        let message = format!("`{}` is one profile too many", extra.text);
        let help = format!("two are compared, and `P=…` predicts one from several; usage: {USAGE}");
        return Err(extra.error(code::UNEXPECTED_WORD, message).help(help));
    }
    Ok(std::iter::once(asked).chain(other).collect())
}

/// Without folders: a page lies beside its style sheet, and its title is short.
fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Their files without folders, unless these tell them apart.
fn labels(sources: &[LabelledProfile]) -> Vec<&str> {
    let short: Vec<&str> = sources.iter().map(|source| file_name(&source.label)).collect();
    let is_clear = short.iter().enumerate().all(|(at, label)| !short[..at].contains(label));
    if is_clear { short } else { sources.iter().map(|source| source.label.as_str()).collect() }
}

/// One profile, or two that are matched by procedures and positions.
fn page(sources: &[LabelledProfile], remarks: &[Vec<String>]) -> ProfilePage {
    let graphs: Vec<Charged> = sources
        .iter()
        .map(|source| Charged::new(&source.profile, View::by_procedure(&source.profile)))
        .collect();
    let mut number_of: HashMap<(bool, &str), usize> = HashMap::new();
    let mut nodes: Vec<PageNode> = Vec::new();
    let mut weights: Vec<f64> = Vec::new();
    let mut calls = BTreeSet::new();
    for (run, (graph, source)) in graphs.iter().zip(sources).enumerate() {
        let mut numbers = Vec::with_capacity(graph.costs.len());
        for (node, cost) in graph.view.nodes.iter().zip(&graph.costs) {
            let is_superstep = node.kind == NodeKind::Leaf;
            let number = *number_of.entry((is_superstep, &node.label)).or_insert_with(|| {
                nodes.push(PageNode {
                    label: node.label.clone(),
                    is_superstep,
                    runs: vec![None; graphs.len()],
                });
                weights.push(0.0);
                nodes.len() - 1
            });
            nodes[number].runs[run] = Some(costs(cost, &graph.total, source.interval(&node.centres)));
            weights[number] = weights[number].max(cost.time_s().max(cost.of(CostQuantity::Waiting).maximum));
            numbers.push(number);
        }
        calls.extend(graph.view.edges.iter().map(|edge| (numbers[edge.from], numbers[edge.to])));
    }
    let mut order: Vec<usize> = (0..nodes.len()).collect();
    order.sort_by(|one, other| weights[*other].total_cmp(&weights[*one]));
    let mut place = vec![0; nodes.len()];
    for (new, old) in order.iter().enumerate() {
        place[*old] = new;
    }
    let call_paths =
        call_paths(sources, &|node| place[number_of[&(node.kind == NodeKind::Leaf, node.label.as_str())]]);
    let labels = labels(sources);
    ProfilePage {
        title: labels.join(" → "),
        facts: sources
            .iter()
            .zip(&graphs)
            .zip(remarks)
            .flat_map(|((source, graph), remarks)| {
                let about = std::iter::once(introduction(source, graph)).chain(predicted::facts(source));
                about.chain(remarks.iter().cloned())
            })
            .collect(),
        runs: sources
            .iter()
            .zip(&labels)
            .map(|(source, label)| PageRun {
                name: (*label).to_owned(),
                processors: source.profile.processors,
                predicted: source.prediction.as_ref().map(|_| predicted::PROBABILITY),
            })
            .collect(),
        metrics: CostQuantity::ALL
            .map(|it| PageMetric { name: name(it).to_owned(), unit: unit(it).to_owned() })
            .to_vec(),
        paths: CriticalPath::all().map(path).collect(),
        nodes: order.into_iter().map(|old| std::mem::take(&mut nodes[old])).collect(),
        calls: calls.into_iter().map(|(from, to)| (place[from], place[to])).collect(),
        call_paths,
        waits: None,
        history: None,
    }
}

/// Those of all profiles; `place` is that of a node in the page.
fn call_paths(sources: &[LabelledProfile], place: &dyn Fn(&Node) -> usize) -> Vec<PageCallPath> {
    let mut paths: Vec<PageCallPath> = Vec::new();
    let mut number_of: HashMap<(Option<usize>, usize), usize> = HashMap::new();
    for (run, source) in sources.iter().enumerate() {
        let tree = Charged::new(&source.profile, View::by_call_path(&source.profile));
        let mut above = vec![None; tree.costs.len()];
        tree.view.edges.iter().for_each(|edge| above[edge.to] = Some(edge.from));
        let mut numbers: Vec<usize> = Vec::with_capacity(tree.costs.len());
        for ((node, cost), above) in tree.view.nodes.iter().zip(&tree.costs).zip(above) {
            let (node, above) = (place(node), above.map(|above| numbers[above]));
            let number = *number_of.entry((above, node)).or_insert_with(|| {
                paths.push(PageCallPath { node, above, times_s: vec![None; sources.len()] });
                paths.len() - 1
            });
            paths[number].times_s[run] = Some(cost.time_s());
            numbers.push(number);
        }
    }
    paths
}

fn path(path: CriticalPath) -> PagePath {
    let (metric, criterion) = match path {
        CriticalPath::Synchronisations => (None, ""),
        CriticalPath::Of(quantity, scale) => (Some(quantity as usize), scale.title()),
    };
    PagePath { name: path.title(), metric, criterion: criterion.to_owned() }
}

fn costs(cost: &Cost, total: &Cost, intervals: Option<[SumInterval; 4]>) -> PageCosts {
    let amount = |quantity| {
        let its = cost.of(quantity);
        PageAmount {
            maximum: its.maximum,
            average: its.average,
            minimum: its.minimum,
            // JSON has no open end.
            interval: intervals
                .map(|of| of[quantity as usize])
                .filter(|interval| !interval.is_open())
                .map(|interval| [interval.low, interval.high]),
            by_processor: its.by_processor.clone(),
        }
    };
    PageCosts {
        syncs: cost.synchronisations,
        amounts: CostQuantity::ALL.map(amount).to_vec(),
        shades: CriticalPath::all().map(|path| path.shade(cost, total)).collect(),
    }
}
