mod change;
mod editor;
mod source_text;
mod written;

use std::collections::BTreeSet;
use std::sync::Arc;

use call_model::{Model, Portion, SourceMatch};
use call_report::{Column, Table, TableCell};
use call_trace::{CountQuality, SourceCounts, SourceLine};

use editor::Editor;

use super::constants_view::constant_columns;
use super::{Command, CommandArguments};
use crate::error::code;
use crate::found::SessionExperiment;
use crate::words::Word;
use crate::{CommandOutcome, Completion, Error, Markup, Message, Session, Style};

pub const UPSILON: Command = Command {
    name: "upsilon",
    usage: "upsilon [EXPERIMENT… | EXPERIMENT edit | CONSTANT = LINES | none | auto]",
    summary: "show or change the statements behind each constant",
    details: "The set Υ of a constant is the statements that run as often as its term grows, by what the translator counted in \
        the source; under them what they do each time, by kinds of operations, and which arrays they reach with which strides. \
        Statements that grow as no term of the formula does have `none`. Counts are those of the C program; compilers do less.\n\
        `upsilon f[1] = 34-36, 41` puts the statements that begin in these lines behind f[1], and no others; those of other files are \
        `solver.c:7`. Each statement is behind one constant: it is taken from the one that had it. `= none` leaves f[1] without \
        statements, `= auto` goes back to what the source says.\n\
        `upsilon f edit` opens a page, for this computer alone, with the source beside the constants: statements are moved there by \
        mouse or keys, and saved as a script beside the source.",
    completions: &[Completion::Constant],
    run,
    ..Command::OF_SAMPLES
};

fn run(session: &mut Session, arguments: &CommandArguments) -> Result<CommandOutcome, Error> {
    if let Some(found) = change::change(session, arguments)? {
        return Ok(CommandOutcome::of(changed(session, &found)));
    }
    if let Some((found, word)) = to_be_edited(session, arguments)? {
        return edit(session, &found, &word);
    }
    let mut outcome = CommandOutcome::default();
    for found in session.experiments_or_all(arguments)? {
        let Some(counts) = found.experiment().source_counts.clone() else {
            let text = "the traces do not say how often its statements run: translate it with this `call`, in one block";
            outcome.notes.push(Message::new("no-counts", text).about(&found.name));
            continue;
        };
        outcome.notes.extend(unknown(&found, &counts));
        let mut markup = Markup::new();
        markup.fragments([(Style::Name, found.name.clone())]);
        match session.model(found.experiment()) {
            Ok(model) => of_formula(&mut markup, &found, &model, &counts),
            Err(_) => of_source(&mut markup, &found, &counts),
        }
        outcome.value.append(markup);
    }
    if outcome.value.blocks().is_empty() && !outcome.notes.is_empty() {
        let text = "no experiment has counts of its statements";
        return Err(Error::new(code::NO_ANSWER, text.to_owned()).help(outcome.notes[0].to_string()));
    }
    Ok(outcome)
}

/// The words that open the page.
const EDIT: [&str; 2] = ["edit", "--edit"];

/// The experiment before the word that opens the page, and that word.
fn to_be_edited(
    session: &Session,
    arguments: &CommandArguments,
) -> Result<Option<(SessionExperiment, Word)>, Error> {
    let Some((word, before)) = arguments.words().split_last() else { return Ok(None) };
    if !EDIT.contains(&word.text.as_str()) || (before.is_empty() && session.find(&word.text).is_some()) {
        return Ok(None);
    }
    let found = match before {
        [] => session.only_experiment().ok_or_else(|| session.nothing_named(word.span.clone()))?,
        [name] => session.experiment(name)?,
        [_, extra, ..] => return Err(extra.error(code::UNEXPECTED_WORD, "a page is about one experiment")),
    };
    if arguments.condition().is_some() {
        let message = "the statements behind a constant are the same for all samples";
        return Err(Error::at(code::NOT_APPLICABLE, arguments.end(), message).help("leave `where` out"));
    }
    Ok(Some((found, word.clone())))
}

/// Lets the user move statements on a page, and does to the session what was done there.
fn edit(session: &mut Session, found: &SessionExperiment, word: &Word) -> Result<CommandOutcome, Error> {
    let workspace = Arc::clone(&session.workspace);
    let mut editor = Editor::new(session, found)?;
    let opened = workspace.open_page(&mut |request| editor.answer(request));
    opened.map_err(|error| word.error(code::NO_PAGE, format!("no page can be opened: {error}")))?;
    let lines = if editor.is_changed() { editor.lines() } else { Vec::new() };
    let mut markup = Markup::new();
    for line in lines {
        session.run(&line)?;
        markup.line(Style::Plain, line);
    }
    if let Some(found) = session.find(&found.name) {
        markup.append(changed(session, &found));
    }
    Ok(CommandOutcome::of(markup))
}

/// The sets after a change.
fn changed(session: &mut Session, found: &SessionExperiment) -> Markup {
    let mut markup = Markup::new();
    markup.fragments([(Style::Name, found.name.clone())]);
    let counts = found.experiment().source_counts.as_ref();
    let model = session.model(found.experiment()).ok();
    let matched = counts.zip(model.as_deref()).and_then(|(counts, model)| {
        Some((model, SourceMatch::of(model.formula(), counts, |name| found.was_loaded_with(name))?))
    });
    if let Some((model, its)) = matched {
        markup.table(sets(model, &its).about(&found.name));
    }
    markup
}

/// Why there are no numbers, and what they leave out.
fn unknown(found: &SessionExperiment, counts: &SourceCounts) -> Vec<Message> {
    let mut told = Vec::new();
    let mut tell = |what: &str, all: &[String]| {
        if !all.is_empty() {
            told.push(Message::new("not-counted", format!("{what}{}", all.join("; "))).about(&found.name));
        }
    };
    tell("not known: ", &counts.unknown);
    tell("not counted: ", &counts.uncounted);
    tell("no measurement takes along ", &counts.unrecorded);
    tell("what they have to do with the counts is not known: ", &counts.unseen);
    told.extend(worth(found, counts));
    told
}

/// What counts are worth that are not exact.
pub(super) fn worth(found: &SessionExperiment, counts: &SourceCounts) -> Vec<Message> {
    let mut told = Vec::new();
    match counts.quality {
        _ if counts.terms.is_empty() => {}
        CountQuality::Exact => {}
        CountQuality::Rounded => told.push(Message::new(
            "rounded",
            "counts are about right: they grow so, and constant factors and fractions may be left out",
        )),
        CountQuality::AtMost => told.push(Message::new(
            "at-most",
            "data decide how often some statements run: it is so often at most",
        )),
    }
    let statements = counts.terms.iter().flat_map(|term| &term.statements).filter(|its| its.at_most);
    let places: BTreeSet<&SourceLine> = statements.map(|its| &its.place).collect();
    if !places.is_empty() {
        let noun = if places.len() == 1 { "line" } else { "lines" };
        let lines = SourceLine::ranges(places).join(", ");
        let text = format!(
            "of `?:`, `&&` and `||` all parts are counted: what is done in {noun} {lines} is so much at most"
        );
        told.push(Message::new("parts-at-most", text));
    }
    told.into_iter().map(|message| message.about(&found.name)).collect()
}

/// A row for each constant of the model, and what its statements do.
fn of_formula(markup: &mut Markup, found: &SessionExperiment, model: &Model, counts: &SourceCounts) {
    let formula = model.formula();
    let Some(its) = SourceMatch::of(formula, counts, |name| found.was_loaded_with(name)) else {
        of_source(markup, found, counts);
        return;
    };
    markup.table(sets(model, &its).about(&found.name));
    let behind = its.behind.iter().flat_map(|set| &set.portions);
    let mut work = Work::new(behind.chain(&its.beside));
    for (term, set) in formula.terms().iter().zip(&its.behind) {
        let name = format!("{}[{}]", formula.experiment(), term.coefficient.0);
        set.portions.iter().for_each(|portion| work.add(&name, portion));
    }
    its.beside.iter().for_each(|portion| work.add("none", portion));
    work.show(markup, &found.name);
}

/// A row for each constant with its statements, and for those that are behind none.
fn sets(model: &Model, its: &SourceMatch) -> Table {
    let formula = model.formula();
    let has_given = its.behind.iter().any(|set| set.is_given);
    let mut columns = constant_columns("constant", model.unit()).to_vec();
    columns.truncate(2);
    columns.extend([Column::code("term"), Column::code("statements")]);
    columns.extend(has_given.then(|| Column::left("by")));
    let mut table = Table::new(columns).named("upsilon");
    for (term, set) in formula.terms().iter().zip(&its.behind) {
        let name = format!("{}[{}]", formula.experiment(), term.coefficient.0);
        let segments = model.aleph(term.coefficient).map(|aleph| aleph.segments).unwrap_or_default();
        let value = match &segments[..] {
            [only] => TableCell::from(only.value),
            _ => TableCell::Missing("several"),
        };
        let mut row = vec![
            name.as_str().into(),
            value,
            formula.text_of(&term.basis).into(),
            set.lines_by_conditions().join(", ").into(),
        ];
        row.extend(has_given.then(|| TableCell::from(if set.is_given { "you" } else { "the source" })));
        table.row(row);
    }
    for portion in &its.beside {
        let mut row = vec![
            TableCell::Missing("none"),
            TableCell::Missing("none"),
            portion.term.basis.as_str().into(),
            portion.lines_by_conditions().join(", ").into(),
        ];
        row.extend(has_given.then(|| TableCell::from("")));
        table.row(row);
    }
    table
}

/// A row for each term of the source.
fn of_source(markup: &mut Markup, found: &SessionExperiment, counts: &SourceCounts) {
    let mut table = Table::new([Column::code("term"), Column::code("statements")]).named("upsilon");
    let portions: Vec<Portion> = counts.terms.iter().filter_map(|term| Portion::of(term, |_| true)).collect();
    let mut work = Work::new(&portions);
    for portion in &portions {
        let lines = portion.lines_by_conditions().join(", ");
        table.row([TableCell::from(portion.term.basis.as_str()), lines.into()]);
        work.add("none", portion);
    }
    markup.table(table.about(&found.name));
    work.show(markup, &found.name);
}

/// What statements do, by kind, and the arrays that they reach.
struct Work {
    operations: Table,
    accesses: Table,
    has_accesses: bool,
    has_conditions: bool,
}

impl Work {
    /// For these statements: only where some run under conditions there is a column for these.
    fn new<'p, 's: 'p>(portions: impl IntoIterator<Item = &'p Portion<'s>>) -> Work {
        let mut statements = portions.into_iter().flat_map(|portion| &portion.statements);
        let has_conditions = statements.any(|its| !its.conditions.is_empty());
        let mut first = vec![Column::left("constant"), Column::code("term")];
        first.extend(has_conditions.then(|| Column::code("where")));
        let mut operations = first.clone();
        operations.extend([Column::left("operation"), Column::significant("times", 4)]);
        let mut accesses = first;
        accesses.extend([
            Column::code("array"),
            Column::significant("loads", 4),
            Column::significant("stores", 4),
            Column::code("stride"),
            Column::code("elements"),
            Column::right("bytes each").key("bytes"),
        ]);
        Work {
            operations: Table::new(operations).named("operations"),
            accesses: Table::new(accesses).named("accesses"),
            has_accesses: false,
            has_conditions,
        }
    }

    fn add(&mut self, constant: &str, portion: &Portion) {
        portion.by_conditions().iter().for_each(|its| self.add_part(constant, its));
    }

    /// Statements that run under the same conditions.
    fn add_part(&mut self, constant: &str, portion: &Portion) {
        let mut first = vec![TableCell::from(constant), portion.term.basis.as_str().into()];
        first.extend(self.has_conditions.then(|| portion.conditions().join(" and ").into()));
        for (operation, times) in portion.operations() {
            let mut row = first.clone();
            row.extend([operation.into(), times.into()]);
            self.operations.row(row);
        }
        for access in portion.accesses() {
            self.has_accesses = true;
            let mut row = first.clone();
            row.extend([
                access.array.as_str().into(),
                access.loads.into(),
                access.stores.into(),
                access.stride.as_str().into(),
                access.footprint.as_deref().map_or(TableCell::Missing("unknown"), TableCell::from),
                access.bytes.map_or(TableCell::Missing("unknown"), |bytes| f64::from(bytes).into()),
            ]);
            self.accesses.row(row);
        }
    }

    fn show(self, markup: &mut Markup, experiment: &str) {
        markup.table(self.operations.about(experiment));
        if self.has_accesses {
            markup.table(self.accesses.about(experiment));
        }
    }
}
