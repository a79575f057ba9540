use call_model::question::{Crossings, ValueRange, crossings};
use call_report::number::exact;
use call_report::{Column, Table, TableCell, number};

use super::question::{Question, SubjectCount, no};
use super::{Command, CommandArguments, units};
use crate::error::code;
use crate::remarks;
use crate::{AnswerStatus, CommandOutcome, Completion, Error, Markup, Message, Session, Style};

pub const CROSSOVER: Command = Command {
    name: "crossover",
    usage: "crossover SUBJECT [SUBJECT] VARIABLE=FROM..TO [VARIABLE=VALUE…] [on MACHINE…]",
    summary: "find where another one becomes faster",
    details: "`crossover bubble merge n=1..1e6`: all sizes at which the two predictions change places. Variables that only \
        one of them has need a value as well. A subject is an experiment or a program; one subject on two machines, `on \
        A,B`, is two.",
    completions: &[Completion::ExperimentOrProgram, Completion::ExperimentOrProgram, Completion::Value],
    run,
    ..Command::QUESTION
};

fn run(session: &mut Session, arguments: &CommandArguments) -> Result<CommandOutcome, Error> {
    let mut question = Question::of(session, arguments, SubjectCount::Two)?;
    if question.ranges.is_empty() {
        let word = question.next_word("the variable with its range", CROSSOVER.usage)?;
        return Err(match word.text.contains('=') || question.subjects.len() > 1 {
            true => Error::at(
                code::MISSING_VALUE,
                word.span,
                format!("`{}` is no variable with a range", word.text),
            )
            .help("write `N=1..1e6`"),
            false => session.no_subject(&word),
        });
    }
    let (asked, range) = question.ranges.remove(0);
    question.nothing_left()?;
    let [first, second] = &question.subjects[..] else {
        let message = format!("a crossover is of two, not of {}", question.subjects.len());
        return Err(Error::at(code::MISSING_WORD, arguments.end(), message)
            .help(format!("usage: {}", CROSSOVER.usage)));
    };
    let name = asked.name.as_str();
    let [one, other] = question.slices([first, second], &[&asked])?;
    let answer = match crossings([&one, &other], range, session.level()) {
        Ok(answer) => answer,
        Err(error) => return no(error, &question.unit()),
    };
    let labels = [first.label(), second.label()];
    let unit = question.unit();
    let faster = if unit.is_time() { "faster" } else { "smaller" };
    let mut markup = Markup::new();
    let at_start = if answer.first_is_faster_at_start { &labels[0] } else { &labels[1] };
    // Where one of them predicts nothing none is faster.
    let start = match answer.start == range.lowest {
        true => exact(range.lowest),
        false => number::significant(answer.start, 6),
    };
    if answer.crossings.is_empty() {
        let (lowest, highest) = (start, exact(range.highest));
        markup.line(Style::Plain, format!("{at_start} is {faster} everywhere from {lowest} to {highest}"));
        let mut outcome = CommandOutcome { answer: AnswerStatus::No, ..CommandOutcome::of(markup) };
        outcome.warnings.extend(undecided(&answer, &labels, (name, faster), session.level()));
        question.tell(&mut outcome, []);
        remarks::tell(&mut outcome, answer.remarks);
        return Ok(outcome);
    }
    markup.line(Style::Plain, format!("at {name} = {start} {at_start} is {faster}"));
    // One subject on two machines is one.
    let mut names = vec![first.predictor().name(), second.predictor().name()];
    names.dedup();
    let subjects = names.join(", ");
    let mut table = Table::new([
        Column::significant(name, 6),
        Column::code(format!("{faster} above")),
        units::column(labels[0].as_str(), &unit),
        units::column(labels[1].as_str(), &unit),
        Column::left("remark"),
    ])
    .named("crossings")
    .about(subjects);
    for crossing in &answer.crossings {
        let above = if crossing.first_is_faster_above { &labels[0] } else { &labels[1] };
        table.row([
            TableCell::from(crossing.value),
            above.as_str().into(),
            crossing.forecasts[0].prediction.time_s.into(),
            crossing.forecasts[1].prediction.time_s.into(),
            if crossing.is_jump { "a jump between intervals" } else { "" }.into(),
        ]);
    }
    markup.table(table);
    if answer.more > 0 {
        markup.line(Style::Plain, format!("  … {} more", answer.more));
    }
    let mut outcome = CommandOutcome::of(markup);
    outcome.warnings.extend(undecided(&answer, &labels, (name, faster), session.level()));
    question.tell(&mut outcome, answer.crossings.iter().flat_map(|crossing| &crossing.forecasts));
    remarks::tell(&mut outcome, answer.remarks);
    Ok(outcome)
}

/// So many stretches are told.
const MOST_STRETCHES: usize = 3;

/// Where both may be the faster one.
fn undecided(
    answer: &Crossings,
    labels: &[String; 2],
    (name, faster): (&str, &str),
    level: f64,
) -> Option<Message> {
    let stretch = |its: &ValueRange| match its.lowest == its.highest {
        true => format!("at {name} = {}", number::short(its.lowest)),
        false => format!("from {name} = {} to {}", number::short(its.lowest), number::short(its.highest)),
    };
    let told: Vec<String> = answer.undecided.iter().take(MOST_STRETCHES).map(stretch).collect();
    let more = if answer.undecided.len() > MOST_STRETCHES { ", …" } else { "" };
    (!told.is_empty()).then(|| {
        let text = format!(
            "which of {} and {} is {faster} is not known {}{more}: their {} % intervals overlap there",
            labels[0],
            labels[1],
            told.join(", "),
            number::percent(100.0 * level)
        );
        Message::new("undecided-crossover", text)
    })
}
