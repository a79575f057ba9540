use std::collections::{BTreeSet, HashMap};

use call_profile::{Cost, CriticalPath, NodeKind, Quantity, View};
use call_report::{PageAmount, PageCosts, PageMetric, PageNode, PagePath, PageRun, ProfilePage, StyleSheet};

use super::introduction;
use super::source::Source;
use super::values::{Charged, name, unit};
use crate::command::{Arguments, Command, wrote};
use crate::error::code;
use crate::words::Word;
use crate::{CommandOutcome, Completion, Error, Session, Style};

/// Profiles as a page.
const USAGE: &str = "page [TRACE | SET | FILE.bsp] [AFTER] into FILE.html [style FILE.css]";

pub const PAGE: Command = Command {
    name: "page",
    usage: USAGE,
    summary: "a profile as one page for browsers",
    details: "The call graph, all 17 critical paths, and the numbers of each node with what each processor has, in one file that needs no \
        network: to be opened, sent or kept. With two profiles the page compares them. Tables and picture are there without script, too. \
        `style FILE.css` puts the style sheet into a file beside the page, for servers that allow no other.",
    completions: &[Completion::DataSet, Completion::File],
    loads_files: true,
    run,
    ..Command::PLAIN
};

fn run(session: &mut Session, arguments: &Arguments) -> Result<CommandOutcome, Error> {
    let words = PageWords::parse(arguments)?;
    let sources: Vec<Source> = match words.sources {
        [] => vec![Source::find(session, None)?],
        words => words.iter().map(|word| Source::find(session, Some(word))).collect::<Result<_, _>>()?,
    };
    let style_sheet = words.style.map_or("", |style| file_name(&style.text));
    let style_sheet = match words.style {
        Some(_) => StyleSheet::Beside(style_sheet),
        None => StyleSheet::Inside,
    };
    let html = page(&sources)
        .html(style_sheet)
        .map_err(|error| Error::from(error).with_span(words.file.span.clone()))?;
    if let Some(style) = words.style {
        session.write(style, ProfilePage::style_sheet().as_bytes())?;
    }
    session.write(words.file, html.as_bytes())?;
    let warnings = sources.into_iter().flat_map(|source| source.warnings).collect();
    let mut value = wrote(words.file);
    if let Some(style) = words.style {
        value.fragments([(Style::Plain, "wrote ".to_owned()), (Style::Name, style.text.clone())]);
    }
    Ok(CommandOutcome { value, warnings, ..CommandOutcome::default() })
}

/// The words of the command.
struct PageWords<'a> {
    sources: &'a [Word],
    file: &'a Word,
    style: Option<&'a Word>,
}

impl PageWords<'_> {
    fn parse<'a>(arguments: &'a Arguments) -> Result<PageWords<'a>, Error> {
        let words = arguments.words();
        let usage = |error: Error| error.help(format!("usage: {USAGE}"));
        let Some(at) = words.iter().position(|word| word.text == "into") else {
            return Err(usage(Error::at(code::MISSING_WORD, arguments.end(), "`into FILE.html` is missing")));
        };
        let (sources, rest) = (&words[..at], &words[at + 1..]);
        if let Some(extra) = sources.get(2) {
            let message = format!("`{}` is one profile too many", extra.text);
            return Err(usage(extra.error(code::UNEXPECTED_WORD, message)));
        }
        let (file, style) = match rest {
            [] => {
                return Err(usage(Error::at(
                    code::MISSING_WORD,
                    arguments.end(),
                    "the file is missing behind `into`",
                )));
            }
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
        Ok(PageWords { sources, file, style })
    }
}

/// Without folders: a page lies beside its style sheet, and its title is short.
fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// One profile, or two that are matched by procedures and positions.
fn page(sources: &[Source]) -> ProfilePage {
    let graphs: Vec<Charged> = sources
        .iter()
        .map(|source| Charged::new(&source.profile, View::by_procedure(&source.profile)))
        .collect();
    let mut number_of: HashMap<(bool, &str), usize> = HashMap::new();
    let mut nodes: Vec<PageNode> = Vec::new();
    let mut weights: Vec<f64> = Vec::new();
    let mut calls = BTreeSet::new();
    for (run, graph) in graphs.iter().enumerate() {
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
            nodes[number].runs[run] = Some(costs(cost, &graph.total));
            weights[number] = weights[number].max(cost.time_s().max(cost.of(Quantity::Waiting).maximum));
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
    let labels: Vec<&str> = sources.iter().map(|source| file_name(&source.label)).collect();
    ProfilePage {
        title: labels.join(" → "),
        facts: sources.iter().zip(&graphs).map(|(source, graph)| introduction(source, graph)).collect(),
        runs: sources
            .iter()
            .map(|source| PageRun {
                name: file_name(&source.label).to_owned(),
                processors: source.profile.processors,
            })
            .collect(),
        metrics: Quantity::ALL
            .map(|it| PageMetric { name: name(it).to_owned(), unit: unit(it).to_owned() })
            .to_vec(),
        paths: CriticalPath::all().map(path).collect(),
        nodes: order.into_iter().map(|old| std::mem::take(&mut nodes[old])).collect(),
        calls: calls.into_iter().map(|(from, to)| (place[from], place[to])).collect(),
    }
}

fn path(path: CriticalPath) -> PagePath {
    let (metric, criterion) = match path {
        CriticalPath::Synchronisations => (None, ""),
        CriticalPath::Of(quantity, scale) => (Some(quantity as usize), scale.title()),
    };
    PagePath { name: path.title(), metric, criterion: criterion.to_owned() }
}

fn costs(cost: &Cost, total: &Cost) -> PageCosts {
    let amount = |quantity| {
        let its = cost.of(quantity);
        PageAmount {
            maximum: its.maximum,
            average: its.average,
            minimum: its.minimum,
            by_processor: its.by_processor.clone(),
        }
    };
    PageCosts {
        syncs: cost.synchronisations,
        amounts: Quantity::ALL.map(amount).to_vec(),
        shades: CriticalPath::all().map(|path| path.shade(cost, total)).collect(),
    }
}
