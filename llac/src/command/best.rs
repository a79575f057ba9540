use call_model::PROCESSORS;
use call_model::question::{Objective, best};
use call_report::{Column, Table, TableCell, number};

use super::forecast_view::{Intervals, common_name, machine_prefix, subject_cells, subject_columns};
use super::points::is_value;
use super::question::{Question, SubjectCount, no_answer};
use super::subject;
use super::waits::best_allocation;
use super::{Command, CommandArguments, units};
use crate::error::code;
use crate::words::Word;
use crate::{CommandOutcome, Error, Markup, Message, Session, Style};

/// What is to be small.
const OBJECTIVES: [(&str, Objective); 2] = [("time", Objective::Time), ("cost", Objective::ProcessorSeconds)];

pub const BEST: Command = Command {
    name: "best",
    usage: "best [EXPERIMENT | PROGRAM | replay] [time | cost] VARIABLE=VALUES VARIABLE=VALUE… [on MACHINE…] [better=higher|lower] · best allocation [SET] total=COUNT [VARIABLE=VALUES…]",
    summary: "find the value with the least time or cost",
    details: "`best f P=1:1024:2 N=65536`: the number of processors with the shortest predicted time; with `cost` the one \
        with the fewest processor-seconds, P times the time, which the column `cost` has. The variable in question is the one with several \
        values. It also says within which values the result is at most a tenth worse. With `on A,B` it says so for \
        each machine. Whatever `predict` takes can be asked. Of rates (GFLOPS, MB/s) it finds the largest; `better=higher` or `better=lower` says so \
        where the unit does not. \
        `best allocation total=12` shares processors out among groups that do different things, as `waits model` knows them: all \
        allocations that cannot be told from the best one, those with the fewest processors first.",
    run,
    ..Command::QUESTION
};

fn run(session: &mut Session, arguments: &CommandArguments) -> Result<CommandOutcome, Error> {
    if let Some(("allocation", behind)) =
        arguments.words().split_first().map(|(first, behind)| (first.text.as_str(), behind))
    {
        return best_allocation(session, behind, arguments);
    }
    let better = units::more_is_better(arguments.words())?;
    let asked: Vec<Word> = arguments.words().iter().filter(|word| !units::is_better(word)).cloned().collect();
    let (objective, words) = take_objective(session, &asked);
    let (title, objective) = *objective.unwrap_or(&OBJECTIVES[0]);
    let mut question = Question::of_words(session, &words, arguments.end(), SubjectCount::One)?;
    question.nothing_left()?;
    let unit = question.unit();
    if objective == Objective::ProcessorSeconds {
        subject::check_time("costs of processors are", &question.subjects, &question.end)?;
    }
    let title = if unit.is_time() { title } else { units::noun(&unit) };
    let position = question.given.iter().position(|one| one.values.len() > 1).ok_or_else(|| {
        Error::at(code::MISSING_VALUE, arguments.end(), "no variable has several values to choose from")
            .help("for example `P=1:64:2`")
    })?;
    let asked = question.given.remove(position);
    let fixed = question.given.iter().find(|one| one.name == PROCESSORS).map(|one| one.values[0]);
    let is_processors = asked.name == PROCESSORS;
    let has_cost = unit.is_time() && (is_processors || fixed.is_some());
    if objective == Objective::ProcessorSeconds && !has_cost {
        let message = format!("costs are {PROCESSORS} times the time, and no `{PROCESSORS}` is given");
        return Err(Error::at(code::MISSING_VALUE, arguments.end(), message)
            .help(format!("for example `{PROCESSORS}=1:64:2`")));
    }
    // With one number of processors the least cost is the least time.
    let is_rate = better.unwrap_or_else(|| unit.is_rate());
    let sought = match (is_rate, is_processors) {
        (true, _) => Objective::Rate,
        (false, true) => objective,
        (false, false) => Objective::Time,
    };
    let (least_word, worse) = if is_rate { ("largest", "less") } else { ("least", "more") };
    let level = session.level();
    let mut markup = Markup::new();
    let mut outcome = CommandOutcome::default();
    let mut answers = Vec::new();
    for subject in &question.subjects {
        let slice = question.slice(subject, &[&asked])?;
        let answer = best(&slice, &asked.values, sought, level).map_err(no_answer)?;
        let processors = if is_processors { answer.value } else { fixed.unwrap_or(1.0) };
        let cost = processors * answer.forecast.prediction.time_s;
        let least = if objective == Objective::Time { answer.cost } else { cost };
        let (lowest, highest) = (number::exact(answer.nearly.lowest), number::exact(answer.nearly.highest));
        let machine = subject.machine.as_ref().map_or(String::new(), |machine| format!(" on {machine}"));
        markup.fragments([
            (
                Style::Plain,
                format!(
                    "the {least_word} {title}{machine}, {}, with {} = ",
                    units::shown(&unit).text(least),
                    asked.name
                ),
            ),
            (Style::Strong, number::significant(answer.value, 6)),
            (Style::Plain, format!("; at most a tenth {worse} from {lowest} to {highest}")),
        ]);
        if answer.is_end {
            let warning = "this is the end of what was asked for: others may be better still";
            let text = format!("{}{warning}", machine_prefix(&subject.machine));
            outcome.warnings.push(Message::new("end-of-range", text));
        }
        answers.push((subject, answer, cost));
    }
    let forecasts = || answers.iter().map(|(_, answer, _)| &answer.forecast);
    let intervals = Intervals::of(level, question.unit(), forecasts());
    let mut columns = subject_columns(&question.subjects);
    columns.push(Column::right(asked.name.as_str()));
    columns.extend(intervals.columns());
    columns.extend(has_cost.then(|| units::column("cost", &unit)));
    let mut table = Table::new(columns).named("best").about(common_name(&question.subjects));
    for (subject, answer, cost) in &answers {
        let mut row = subject_cells(&question.subjects, subject);
        row.push(answer.value.into());
        row.extend(intervals.cells(&answer.forecast));
        row.extend(has_cost.then(|| TableCell::from(*cost)));
        table.row(row);
    }
    markup.table(table);
    outcome.value = markup;
    question.tell(&mut outcome, forecasts());
    Ok(outcome)
}

/// Takes the first word that gives no value, if it says what is to be small; a subject of that name stands before it.
fn take_objective(
    session: &Session,
    words: &[Word],
) -> (Option<&'static (&'static str, Objective)>, Vec<Word>) {
    let mut words = words.to_vec();
    let objective = |word: &Word| OBJECTIVES.iter().find(|(name, _)| *name == word.text);
    let is_subject = |word: &Word| {
        let state = session.state();
        session.find(&word.text).is_some()
            || state.program(&word.text).is_some()
            || state.model(&word.text).is_some()
    };
    let plain: Vec<usize> = (0..words.len()).filter(|place| !is_value(&words[*place])).take(2).collect();
    let is_named = plain.first().is_some_and(|first| is_subject(&words[*first]));
    let Some(place) = plain.get(usize::from(is_named)).copied() else { return (None, words) };
    let found = objective(&words[place]);
    words.drain(place..place + usize::from(found.is_some()));
    (found, words)
}
