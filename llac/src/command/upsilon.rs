use call_model::{Model, SourceMatch};
use call_report::{Column, Table, TableCell};
use call_trace::{CountQuality, SourceCounts, SourceTerm};

use super::constants_view::constant_columns;
use super::{Arguments, Command};
use crate::error::code;
use crate::found::FoundExperiment;
use crate::{CommandOutcome, Completion, Error, Markup, Message, Session, Style};

pub const UPSILON: Command = Command {
    name: "upsilon",
    usage: "upsilon [EXPERIMENT…]",
    summary: "show the statements behind each constant",
    details: "The set Υ of a constant is the statements that run as often as its term grows, by what the translator counted in \
        the source; under them what they do each time, by kinds of operations, and which arrays they reach with which strides. \
        Statements that grow as no term of the formula does have `none`. Counts are those of the C program; compilers do less.",
    completions: &[Completion::Experiment],
    run,
    ..Command::OF_SAMPLES
};

fn run(session: &mut Session, arguments: &Arguments) -> Result<CommandOutcome, Error> {
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

/// Why there are no numbers, and what they leave out.
fn unknown(found: &FoundExperiment, counts: &SourceCounts) -> Vec<Message> {
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
    if counts.quality == CountQuality::AtMost && !counts.terms.is_empty() {
        told.push(
            Message::new("at-most", "data decide how often some statements run: it is so often at most")
                .about(&found.name),
        );
    }
    told
}

/// A row for each constant of the model, and what its statements do.
fn of_formula(markup: &mut Markup, found: &FoundExperiment, model: &Model, counts: &SourceCounts) {
    let formula = model.formula();
    let Some(its) = SourceMatch::of(formula, counts, |name| found.was_loaded_with(name)) else {
        of_source(markup, found, counts);
        return;
    };
    let mut columns = constant_columns("constant", model.unit()).to_vec();
    columns.truncate(2);
    columns.extend([Column::code("term"), Column::code("statements")]);
    let mut table = Table::new(columns).named("upsilon");
    let mut work = Work::new();
    for (term, behind) in formula.terms().iter().zip(&its.behind) {
        let name = format!("{}[{}]", formula.experiment(), term.coefficient.0);
        let segments = model.aleph(term.coefficient).map(|aleph| aleph.segments).unwrap_or_default();
        let value = match &segments[..] {
            [only] => TableCell::from(only.value),
            _ => TableCell::Missing("several"),
        };
        let lines: Vec<&str> = behind.iter().flat_map(|term| &term.lines).map(String::as_str).collect();
        table.row([
            name.as_str().into(),
            value,
            formula.text_of(&term.basis).into(),
            lines.join(", ").into(),
        ]);
        behind.iter().for_each(|term| work.add(&name, term));
    }
    for term in &its.beside {
        let lines = term.lines.join(", ");
        table.row([
            TableCell::Missing("none"),
            TableCell::Missing("none"),
            term.basis.as_str().into(),
            lines.into(),
        ]);
        work.add("none", term);
    }
    markup.table(table.about(&found.name));
    work.show(markup, &found.name);
}

/// A row for each term of the source.
fn of_source(markup: &mut Markup, found: &FoundExperiment, counts: &SourceCounts) {
    let mut table = Table::new([Column::code("term"), Column::code("statements")]).named("upsilon");
    let mut work = Work::new();
    for term in &counts.terms {
        table.row([TableCell::from(term.basis.as_str()), term.lines.join(", ").into()]);
        work.add("none", term);
    }
    markup.table(table.about(&found.name));
    work.show(markup, &found.name);
}

/// What statements do, by kind, and the arrays that they reach.
struct Work {
    operations: Table,
    accesses: Table,
    has_accesses: bool,
}

impl Work {
    fn new() -> Work {
        let operations = [
            Column::left("constant"),
            Column::code("term"),
            Column::left("operation"),
            Column::significant("times", 4),
        ];
        let accesses = [
            Column::left("constant"),
            Column::code("term"),
            Column::code("array"),
            Column::significant("loads", 4),
            Column::significant("stores", 4),
            Column::code("stride"),
            Column::code("elements"),
            Column::right("bytes each").key("bytes"),
        ];
        Work {
            operations: Table::new(operations).named("operations"),
            accesses: Table::new(accesses).named("accesses"),
            has_accesses: false,
        }
    }

    fn add(&mut self, constant: &str, term: &SourceTerm) {
        for (operation, times) in &term.operations {
            self.operations.row([
                TableCell::from(constant),
                term.basis.as_str().into(),
                operation.as_str().into(),
                (*times).into(),
            ]);
        }
        for access in &term.accesses {
            self.has_accesses = true;
            self.accesses.row([
                TableCell::from(constant),
                term.basis.as_str().into(),
                access.array.as_str().into(),
                access.loads.into(),
                access.stores.into(),
                access.stride.as_str().into(),
                access.footprint.as_deref().map_or(TableCell::Missing("unknown"), TableCell::from),
                access.bytes.map_or(TableCell::Missing("unknown"), |bytes| f64::from(bytes).into()),
            ]);
        }
    }

    fn show(self, markup: &mut Markup, experiment: &str) {
        markup.table(self.operations.about(experiment));
        if self.has_accesses {
            markup.table(self.accesses.about(experiment));
        }
    }
}
