use call_report::{Column, Table, TableCell, number};
use call_trace::{CallSite, Run};
use call_waiting::{Code, CriticalStep, State, StepChange, Waits};

use super::site::{stands_at, state_name};
use super::tables::{efficiency_cells, efficiency_columns, others};
use super::{MOST_ROWS, percent, polled, seconds, text};
use crate::command::values;
use crate::error::code;
use crate::words::Word;
use crate::{Error, Markup};

/// A step that is to take its time divided by a factor.
pub struct Faster<'a> {
    word: &'a Word,
    name: &'a str,
    factor: f64,
}

/// `STEP=FACTOR` of each word.
pub fn parse<'a>(asked: &Word, words: &'a [Word]) -> Result<Vec<Faster<'a>>, Error> {
    if words.is_empty() {
        return Err(asked
            .error(code::MISSING_WORD, "which step is faster?")
            .help("`faster smooth=2`, `faster a.c:9=2`"));
    }
    let factors = values::factors(words, "STEP", "`faster smooth=2` makes smooth take half the time")?;
    Ok(factors.into_iter().map(|(word, name, factor)| Faster { word, name, factor }).collect())
}

/// The steps that a name means: as it stands in tables, of an experiment, of what leads to a place, of a call or procedure, or of what lies in a procedure.
pub fn steps_named(waits: &Waits, names: &[String], name: &str) -> Vec<(usize, State)> {
    let meanings: [&dyn Fn(&Code) -> bool; 4] = [
        &|code| matches!(code, Code::Experiment { name: experiment, .. } if experiment == name),
        &|code| leads_to(code).is_some_and(|site| stands_at(site, name)),
        &|code| matches!(code, Code::Region(site) if site.call == name),
        &|code| leads_to(code).is_some_and(|site| site.call_stack.iter().any(|function| function == name)),
    ];
    let found = |meaning: &&dyn Fn(&Code) -> bool| {
        let codes = waits.codes.iter().enumerate().filter(|(_, code)| meaning(code));
        // A call communicates, a procedure computes.
        codes
            .flat_map(|(number, code)| match code {
                Code::Region(_) => vec![(number, State::Computing), (number, State::Communicating)],
                _ => vec![(number, State::Computing)],
            })
            .collect::<Vec<_>>()
    };
    let in_tables = names.iter().enumerate().filter(|(_, known)| *known == name);
    let in_tables: Vec<(usize, State)> = in_tables
        .flat_map(|(code, _)| [State::Computing, State::Communicating].map(|state| (code, state)))
        .collect();
    if !in_tables.is_empty() {
        return in_tables;
    }
    meanings.iter().map(found).find(|found| !found.is_empty()).unwrap_or_default()
}

/// The call that computing leads to.
fn leads_to(code: &Code) -> Option<&CallSite> {
    match code {
        Code::Before(site) | Code::Experiment { before: Some(site), .. } => Some(site),
        Code::Start | Code::Experiment { before: None, .. } | Code::Region(_) | Code::End => None,
    }
}

/// The first of these steps that is a call of MPI, with its name.
pub fn first_call<'a>(waits: &Waits, names: &[String], faster: &'a [Faster]) -> Option<(&'a Word, &'a str)> {
    let is_call =
        |code: usize| matches!(&waits.codes[code], Code::Region(site) if site.call.starts_with("MPI_"));
    let has_call =
        |one: &&Faster| steps_named(waits, names, one.name).into_iter().any(|(code, _)| is_call(code));
    faster.iter().find(has_call).map(|one| (one.word, one.name))
}

/// Steps by code and state, each with its factor.
pub struct FasterSteps(Vec<(usize, State, f64)>);

impl FasterSteps {
    /// Those that are named, each once.
    pub fn of(waits: &Waits, names: &[String], faster: &[Faster]) -> Result<FasterSteps, Error> {
        let mut steps: Vec<(usize, State, f64)> = Vec::new();
        for one in faster {
            let named = steps_named(waits, names, one.name);
            if named.is_empty() {
                return Err(unknown_step(waits, one.word, one.name));
            }
            for (code, state) in named {
                if steps.iter().any(|(known, its, _)| (*known, *its) == (code, state)) {
                    let message = format!("`{}` means a step that another word makes faster, too", one.name);
                    return Err(one.word.error(code::GIVEN_TWICE, message));
                }
                steps.push((code, state, one.factor));
            }
        }
        Ok(FasterSteps(steps))
    }

    /// As a change, each with its factor.
    pub fn change(&self) -> StepChange {
        self.changed(|factor| factor)
    }

    fn changed(&self, of: impl Fn(f64) -> f64) -> StepChange {
        let steps = self.0.iter();
        steps.fold(StepChange::new(), |change, (code, state, factor)| {
            change.faster(*code, *state, of(*factor))
        })
    }
}

impl std::fmt::Display for Faster<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{} {} times", self.name, number::short(self.factor))
    }
}

/// The replayed run beside the recorded one, and how it goes on with the factor.
pub fn tell(
    run: &Run,
    [waits, after]: [&Waits; 2],
    names: &[String],
    faster: &[Faster],
    steps: &FasterSteps,
) -> Markup {
    let (before_ns, after_ns) = (waits.efficiency.run_time_ns, after.efficiency.run_time_ns);
    let mut markup = Markup::new();
    let told = faster.iter().map(Faster::to_string);
    markup.paragraph(format!(
        "{}: with {} faster the run takes {}, not {}; they wait {} of their time, not {}",
        run.label(),
        told.collect::<Vec<_>>().join(" and "),
        text(after_ns),
        text(before_ns),
        percent(after.efficiency.waiting),
        percent(waits.efficiency.waiting)
    ));
    tell_paths(&mut markup, run.label(), waits, after, names);
    if let [only] = faster {
        let replay = |factor: f64| waits.replay(&steps.changed(|_| factor));
        markup.paragraph(format!(
            "{} with other factors; what is not on the critical path gains nothing more:",
            only.name
        ));
        markup.table(curve(&steps.0, before_ns, replay).about_the("trace", run.label()));
    }
    if let Some(places) = polled(waits) {
        markup.paragraph(format!(
            "what is computed between tests that find nothing takes as long as before here, and whether it would end earlier is not known, so the run may gain more than this: {places}"
        ));
    }
    markup.data(efficiencies(waits, after).about_the("trace", run.label()));
    markup
}

fn curve(steps: &[(usize, State, f64)], before_ns: i64, replay: impl Fn(f64) -> Waits) -> Table {
    let columns = [
        Column::right("factor"),
        Column::seconds("run time"),
        Column::percent("gain"),
        Column::seconds("on the critical path").key("on_path_s"),
    ];
    let mut table = Table::new(columns).named("curve");
    for factor in FACTORS {
        let one = replay(factor);
        let run_time_ns = one.efficiency.run_time_ns;
        let on_path = one.critical_path.iter().filter(|part| is_of(steps, part));
        table.row([
            if factor == NOTHING { "none left".into() } else { TableCell::from(factor) },
            seconds(run_time_ns).into(),
            TableCell::number_or(100.0 * (before_ns - run_time_ns) as f64 / before_ns as f64, "none"),
            seconds(on_path.map(|part| part.time_ns).sum()).into(),
        ]);
    }
    table
}

/// Both runs as wholes.
pub fn efficiencies(before: &Waits, after: &Waits) -> Table {
    let mut table =
        Table::new([Column::left("run")].into_iter().chain(efficiency_columns())).named("replayed");
    for (name, waits) in [("before", before), ("after", after)] {
        table.row([TableCell::from(name)].into_iter().chain(efficiency_cells(waits)));
    }
    table
}

/// For these the curve is told; the last one leaves nothing.
const FACTORS: [f64; 5] = [1.25, 1.5, 2.0, 4.0, NOTHING];
const NOTHING: f64 = 1e18;

fn is_of(steps: &[(usize, State, f64)], part: &CriticalStep) -> bool {
    steps.iter().any(|(code, state, _)| (*code, *state) == (part.step.code, part.step.state))
}

/// The critical path before and after: the steps of both, the longest first.
pub fn tell_paths(markup: &mut Markup, trace: &str, before: &Waits, after: &Waits, names: &[String]) {
    let columns = [
        Column::right("processor"),
        Column::left("critical path").key("what"),
        Column::left("state"),
        Column::seconds("before"),
        Column::seconds("after"),
    ];
    let time_ns = |of: &Waits, part: &CriticalStep| {
        of.critical_path.iter().find(|its| its.step == part.step).map_or(0, |its| its.time_ns)
    };
    let mut parts: Vec<&CriticalStep> = before.critical_path.iter().collect();
    parts.extend(after.critical_path.iter().filter(|part| time_ns(before, part) == 0));
    parts.sort_by_key(|part| (std::cmp::Reverse(time_ns(before, part).max(time_ns(after, part))), part.step));
    let mut table = Table::new(columns).named("critical_paths");
    for part in &parts {
        table.row([
            TableCell::from(f64::from(part.step.processor)),
            names[part.step.code].as_str().into(),
            state_name(part.step.state).into(),
            seconds(time_ns(before, part)).into(),
            seconds(time_ns(after, part)).into(),
        ]);
    }
    markup.table(table.about_the("trace", trace).showing(MOST_ROWS));
    if let Some(rest @ [_, ..]) = parts.get(MOST_ROWS..) {
        let [was, is] = [before, after].map(|waits| text(rest.iter().map(|part| time_ns(waits, part)).sum()));
        markup.item(format!("and {}, {was} before and {is} after", others(rest.len())));
    }
}

/// That nothing is called so, with what there is.
pub fn unknown_step(waits: &Waits, word: &Word, name: &str) -> Error {
    let mut known: Vec<String> = Vec::new();
    for code in &waits.codes {
        let name = match code {
            Code::Experiment { name, .. } => Some(name.clone()),
            Code::Before(site) => match &site.position {
                Some(position) => Some(format!("{}:{}", position.file, position.line)),
                None => site.call_stack.first().cloned(),
            },
            Code::Start | Code::Region(_) | Code::End => None,
        };
        known.extend(name.filter(|name| !known.contains(name)).into_iter().collect::<Vec<_>>());
    }
    let names = known.iter().take(MOST_NAMES).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let message = format!("there is no step `{name}`");
    word.error(code::UNKNOWN_SITE, message).suggesting(
        call_grammar::suggest(name, known.iter().map(String::as_str)),
        match known.is_empty() {
            true => "nothing was recorded that computes".to_owned(),
            false => format!(
                "steps are experiments, places that they lead to, calls and procedures, such as {names}"
            ),
        },
    )
}

/// So many steps are told of where an unknown one was asked for.
const MOST_NAMES: usize = 8;
