use call_model::PROCESSORS;
use call_model::question::{ExtremeEnd, Limit, extreme};
use call_report::number::exact;
use call_report::{Column, Table, TableCell, number};

use super::forecast_view::{Intervals, common_name, machine_prefix, subject_cells, subject_columns};
use super::question::{Question, SubjectCount, no, numbers, reach};
use super::values::response;
use super::{Command, CommandArguments, units};
use crate::error::code;
use crate::words::Word;
use crate::{CommandOutcome, Completion, Error, Markup, Message, Session, Style};

pub const LARGEST: Command = Command {
    name: "largest",
    usage: "largest [EXPERIMENT | PROGRAM | replay] VARIABLE[=FROM..TO] TIME [VARIABLE=VALUE…] [on MACHINE…] [better=higher|lower]",
    summary: "find the largest size within a time",
    details: "`largest f N 1s P=16`: the largest N whose predicted time is at most a second, and the largest one whose \
        whole interval is. Times are 1s, 20ms, 5us, 2min, 1h. Without a range the search goes up to a million \
        times the largest sampled value. A variable whose samples are whole numbers gets one, and so does one of a \
        program. Whatever `predict` takes can be asked. Of rates (GFLOPS, MB/s) it is the largest N that gives at least as much; \
        `better=higher` or `better=lower` says so where the unit does not. `smallest` asks for the other end: how few processors do.",
    completions: COMPLETIONS,
    run: |session, arguments| run(session, arguments, &LARGEST_WORDS),
    ..Command::QUESTION
};

pub const SMALLEST: Command = Command {
    name: "smallest",
    usage: "smallest [EXPERIMENT | PROGRAM | replay] VARIABLE[=FROM..TO] TIME [VARIABLE=VALUE…] [on MACHINE…] [better=higher|lower]",
    summary: "find the fewest processors within a time",
    details: "`smallest f P 10s N=1e6`: the smallest P whose predicted time is at most ten seconds, and the smallest one whose \
        whole interval is. It says from where on larger ones take longer again. Without a range the search begins at 1, or \
        at the smallest sampled value if that is less. Else it is as `largest`.",
    completions: COMPLETIONS,
    run: |session, arguments| run(session, arguments, &SMALLEST_WORDS),
    ..Command::QUESTION
};

const COMPLETIONS: &[Completion] =
    &[Completion::ExperimentOrProgram, Completion::Variable, Completion::Nothing, Completion::Value];

/// What the answers for the two ends are told with.
struct EndWords {
    end: ExtremeEnd,
    name: &'static str,
    usage: &'static str,
    /// Values beyond the answer.
    beyond: &'static str,
    /// Values that should do if the answer does.
    inside: &'static str,
}

const LARGEST_WORDS: EndWords = EndWords {
    end: ExtremeEnd::Largest,
    name: LARGEST.name,
    usage: LARGEST.usage,
    beyond: "larger",
    inside: "smaller",
};

const SMALLEST_WORDS: EndWords = EndWords {
    end: ExtremeEnd::Smallest,
    name: SMALLEST.name,
    usage: SMALLEST.usage,
    beyond: "smaller",
    inside: "larger",
};

fn run(
    session: &mut Session,
    arguments: &CommandArguments,
    words: &EndWords,
) -> Result<CommandOutcome, Error> {
    let better = units::more_is_better(arguments.words())?;
    let asked: Vec<Word> = arguments.words().iter().filter(|word| !units::is_better(word)).cloned().collect();
    let mut question = Question::of_words(session, &asked, arguments.end(), SubjectCount::One)?;
    let (asked, range) = question.take_asked("the variable", words.usage)?;
    let unit = question.unit();
    let limit_s = response(&question.next_word(&format!("the {}", units::noun(&unit)), words.usage)?, &unit)?;
    question.nothing_left()?;
    let is_rate = better.unwrap_or_else(|| unit.is_rate());
    let limit = if is_rate { Limit::AtLeast(limit_s) } else { Limit::AtMost(limit_s) };
    let (name, level) = (asked.name.as_str(), session.level());
    let mut markup = Markup::new();
    let mut outcome = CommandOutcome::default();
    let mut answers = Vec::new();
    for subject in &question.subjects {
        let slice = question.slice(subject, &[&asked])?;
        let span = range.unwrap_or_else(|| reach(subject.predictor(), name));
        let numbers = numbers(subject, name);
        let answer = match extreme(&slice, words.end, limit, numbers, span, level) {
            Ok(answer) => answer,
            Err(error) => return no(error, &unit),
        };
        if words.end == ExtremeEnd::Largest && answer.is_end && range.is_none() {
            let (value, time_s) = (exact(answer.value), answer.forecast.prediction.time_s);
            let reached = units::shown(&unit).text(time_s);
            let message = match is_rate {
                true => format!("even {name} = {value} gives {reached}"),
                false => format!("even {name} = {value} takes only {reached}"),
            };
            return Err(Error::at(code::NO_ANSWER, asked.span.clone(), message)
                .help(match name == PROCESSORS {
                    true => format!("`smallest` in the place of `largest` tells how few do; give a range if more may be the answer: `{name}=FROM..TO`"),
                    false => format!("give a range if more may be the answer: `{name}=FROM..TO`"),
                }));
        }
        let machine = subject.machine.as_ref().map_or(String::new(), |machine| format!(" on {machine}"));
        let keeps = if is_rate { "with at least" } else { "within" };
        markup.fragments([
            (
                Style::Plain,
                format!("the {} {name} {keeps} {}{machine}: ", words.name, units::shown(&unit).text(limit_s)),
            ),
            (Style::Strong, number::significant(answer.value, 6)),
        ]);
        let prefix = machine_prefix(&subject.machine);
        // There are no fewer processors than one.
        if answer.is_end && (name != PROCESSORS || answer.value > 1.0) {
            let beyond = words.beyond;
            let text = format!("{prefix}this is the end of the range: a {beyond} {name} may do as well");
            outcome.warnings.push(Message::new("end-of-range", text));
        }
        if let Some(longer) = answer.longer_from {
            let more = match (is_rate, unit.is_time()) {
                (true, _) => "give less",
                (false, true) => "take longer",
                (false, false) => "take more",
            };
            let (inside, from) = (words.inside, exact(longer));
            let text = format!("{prefix}some {inside} {name} {more}, from {from} on");
            outcome.warnings.push(
                Message::new("not-monotone", text)
                    .with(serde_json::json!({ "variable": name, "longer_from": longer })),
            );
        }
        answers.push((subject, answer));
    }
    if words.end == ExtremeEnd::Largest && name == PROCESSORS {
        let text = "`smallest` tells how few processors do";
        outcome.notes.push(Message::new("fewest-processors", text));
    }
    let forecasts = || answers.iter().map(|(_, answer)| &answer.forecast);
    let intervals = Intervals::of(level, question.unit(), forecasts());
    let mut columns = subject_columns(&question.subjects);
    columns.push(Column::right(name));
    columns.extend(intervals.columns());
    // Without intervals nothing is surer than the answer.
    let has_safe = intervals.are_known;
    columns.extend(
        has_safe
            .then(|| Column::significant(if is_rate { "surely with as much" } else { "surely within" }, 6)),
    );
    let is_open = answers.iter().any(|(_, answer)| answer.possible.is_some());
    if is_open {
        columns.push(Column::significant(if is_rate { "perhaps with as much" } else { "perhaps within" }, 6));
    }
    let mut table = Table::new(columns).named(words.name).about(common_name(&question.subjects));
    for (subject, answer) in &answers {
        let mut row = subject_cells(&question.subjects, subject);
        row.push(answer.value.into());
        row.extend(intervals.cells(&answer.forecast));
        row.extend(has_safe.then(|| answer.safe.map_or(TableCell::Missing("none"), TableCell::from)));
        if is_open {
            row.push(answer.possible.unwrap_or(answer.value).into());
        }
        table.row(row);
    }
    markup.table(table);
    outcome.value = markup;
    question.tell(&mut outcome, forecasts());
    Ok(outcome)
}
