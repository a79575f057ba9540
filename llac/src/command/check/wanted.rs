//! The words behind `check`.

use call_check::{CheckRequest, Requirement, TargetPoint, Tolerance};
use call_model::{Predictor, Slice};
use call_report::number::exact;

use super::document::{Format, format};
use crate::command::points::{GivenValues, given_again, missing_value};
use crate::command::values::{number, response};
use crate::command::{CommandArguments, units};
use crate::error::code;
use crate::loaded_model::LoadedModel;
use crate::words::Word;
use crate::{CommandOutcome, Error, Session, remarks};

/// The words, sorted by what they are about.
pub struct CheckWords<'a> {
    pub baseline: &'a Word,
    /// Files, and options that say how they are read.
    pub new: Vec<Word>,
    clauses: Vec<(&'a Word, Vec<&'a Word>)>,
    /// What `better=…` says.
    more_is_better: Option<bool>,
    end: std::ops::Range<usize>,
}

const CLAUSES: [&str; 6] = ["tolerance", "at", "require", "alarms", "looks", "as"];

pub fn words(arguments: &CommandArguments) -> Result<CheckWords<'_>, Error> {
    let usage = super::CHECK.usage;
    let baseline = arguments.required(0, "the baseline, a model file,", usage)?;
    arguments.required(1, "what was measured anew", usage)?;
    let more_is_better = units::more_is_better(arguments.words())?;
    let behind: Vec<&Word> = arguments.words()[1..].iter().filter(|word| !units::is_better(word)).collect();
    let is_clause = |word: &&Word| CLAUSES.contains(&word.text.as_str());
    let first = behind.iter().position(is_clause).unwrap_or(behind.len());
    let (new, rest) = behind.split_at(first);
    if new.is_empty() {
        let error =
            arguments.words()[1].error(code::MISSING_WORD, "what was measured anew is missing before this");
        return Err(error.help(format!("usage: {usage}")));
    }
    let mut clauses: Vec<(&Word, Vec<&Word>)> = Vec::new();
    for &word in rest {
        match clauses.last_mut() {
            Some((_, words)) if !is_clause(&word) => words.push(word),
            _ => clauses.push((word, Vec::new())),
        }
    }
    let new = new.iter().map(|word| (*word).clone()).collect();
    Ok(CheckWords { baseline, new, clauses, more_is_better, end: arguments.end() })
}

/// What is asked of the runs, and how it is written.
pub struct GateRequest {
    pub request: CheckRequest,
    pub format: Option<Format>,
    /// The points asked for, as names with values.
    points: Vec<Vec<(String, f64)>>,
}

impl GateRequest {
    pub fn of(words: &CheckWords, baseline: &LoadedModel, session: &Session) -> Result<GateRequest, Error> {
        let more_is_better = words.more_is_better.unwrap_or_else(|| baseline.model().unit().is_rate());
        let request = CheckRequest { level: session.level(), more_is_better, ..CheckRequest::default() };
        let mut wanted = GateRequest { request, format: None, points: Vec::new() };
        let mut looks = 1;
        for (clause, behind) in &words.clauses {
            let missing = |what: &str| {
                let message = format!("{what} is missing behind `{}`", clause.text);
                clause.error(code::MISSING_WORD, message)
            };
            match (clause.text.as_str(), &behind[..]) {
                ("tolerance", []) => return Err(missing("a share, as `5%`,")),
                ("tolerance", behind) => wanted.take_tolerance(behind, baseline)?,
                ("alarms", behind) => {
                    let share = share(behind, || missing("a share, as `1%`,"))?;
                    if !(share > 0.0 && share < 0.5) {
                        return Err(behind[0]
                            .error(code::WRONG_VALUE, "this is no rate of false alarms")
                            .help("between 0 and 50 %, such as `alarms 1%`"));
                    }
                    wanted.request.alarms = share;
                }
                ("looks", [count]) => {
                    let most = number(&count.text)
                        .filter(|most| (1.0..=100.0).contains(most) && most.fract() == 0.0);
                    looks = most.ok_or_else(|| {
                        count
                            .error(code::WRONG_VALUE, "this is no number of looks")
                            .help("a whole number from 1 to 100: `looks 4`")
                    })? as u32;
                }
                ("looks", []) => return Err(missing("how often you look at most, as `4`,")),
                ("looks", [_, extra, ..]) => {
                    let message = format!("`{}` is one word too many", extra.text);
                    return Err(extra.error(code::UNEXPECTED_WORD, message));
                }
                ("at", []) => return Err(missing("a point, as `N=1e6`,")),
                ("at", behind) => wanted.take_target(behind, baseline, session, words)?,
                ("require", [limit]) => wanted.take_requirement(limit, baseline, session)?,
                ("require", []) => return Err(missing("a limit, as `'f(N=1e6) < 2s'`,")),
                ("require", [first, ..]) => {
                    return Err(first
                        .error(code::UNEXPECTED_WORD, "a limit is one word: put it into quotes")
                        .help("`require 'f(N=1e6,P=64) < 2s'`"));
                }
                (_, [name]) if wanted.format.is_none() => wanted.format = Some(format(name)?),
                (_, []) => return Err(missing("a format, as `junit`,")),
                (_, [.., last]) => {
                    return Err(last.error(code::UNEXPECTED_WORD, "one format at a time"));
                }
            }
        }
        wanted.request = wanted.request.among_looks(looks);
        Ok(wanted)
    }

    fn take_tolerance(&mut self, behind: &[&Word], baseline: &LoadedModel) -> Result<(), Error> {
        let [first, rest @ ..] = behind else { return Ok(()) };
        let missing = || first.error(code::MISSING_WORD, "a share, as `5%`, is missing behind this");
        let tolerance: &mut Tolerance = &mut self.request.tolerance;
        if !first.text.contains('[') {
            tolerance.usual = share(behind, missing)?;
            return Ok(());
        }
        let formula = baseline.model().formula();
        let name = |term: &call_grammar::Term| format!("{}[{}]", formula.experiment(), term.coefficient.0);
        let term = formula.terms().iter().position(|term| name(term) == first.text);
        let term = term.ok_or_else(|| {
            let known: Vec<String> = formula.terms().iter().map(name).collect();
            first
                .error(code::UNKNOWN_CONSTANT, format!("the baseline has no constant `{}`", first.text))
                .help(format!("it has {}", call_grammar::listed(&known)))
        })?;
        tolerance.of_terms.push((term, share(rest, missing)?));
        Ok(())
    }

    fn take_target(
        &mut self,
        behind: &[&Word],
        baseline: &LoadedModel,
        session: &Session,
        words: &CheckWords,
    ) -> Result<(), Error> {
        let given: Vec<(Word, GivenValues)> = behind
            .iter()
            .map(|word| Ok(((*word).clone(), GivenValues::of(word)?)))
            .collect::<Result<_, Error>>()?;
        let end = behind.last().map_or(words.end.clone(), |word| word.span.end..word.span.end);
        let (values, point) = point(&given, end, baseline, session)?;
        let name = in_words(&values);
        self.points.push(values);
        self.request.targets.push(TargetPoint { name, point });
        Ok(())
    }

    /// `f(N=1e6,P=64) < 2s`.
    fn take_requirement(
        &mut self,
        limit: &Word,
        baseline: &LoadedModel,
        session: &Session,
    ) -> Result<(), Error> {
        let wrong = |message: String| {
            limit.error(code::WRONG_VALUE, message).help("write `require 'f(N=1e6,P=64) < 2s'`")
        };
        let (call, bound, is_upper) = limit
            .text
            .split_once('<')
            .map(|(call, bound)| (call, bound, true))
            .or_else(|| limit.text.split_once('>').map(|(call, bound)| (call, bound, false)))
            .ok_or_else(|| wrong("this is no limit".to_owned()))?;
        let bound = bound.trim_start_matches('=').trim();
        let (name, values) = call
            .trim()
            .strip_suffix(')')
            .and_then(|call| call.split_once('('))
            .ok_or_else(|| wrong(format!("`{}` is no time at a point", call.trim())))?;
        if name.trim() != baseline.name {
            return Err(wrong(format!("the baseline is of `{}`, not of `{}`", baseline.name, name.trim())));
        }
        let part = |text: &str| Word::bare(text, limit.span.clone());
        let values = values.split(',').map(str::trim).filter(|text| !text.is_empty());
        let given: Vec<(Word, GivenValues)> = values
            .map(|text| Ok((part(text), GivenValues::of(&part(text))?)))
            .collect::<Result<_, Error>>()?;
        let (values, point) = point(&given, limit.span.clone(), baseline, session)?;
        let value = response(&part(bound), baseline.model().unit())?;
        self.points.push(values);
        let text = limit.text.clone();
        self.request.requirements.push(Requirement { text, point, limit: value, is_upper });
        Ok(())
    }

    /// Points beyond what the baseline was measured with.
    pub fn tell_extrapolation(
        &self,
        baseline: &LoadedModel,
        session: &Session,
        outcome: &mut CommandOutcome,
    ) {
        let forecaster = baseline.forecaster(session.machine_in_use());
        for values in &self.points {
            let names: Vec<&str> = values.iter().map(|(name, _)| name.as_str()).collect();
            let values: Vec<f64> = values.iter().map(|(_, value)| *value).collect();
            let slice = Slice::new(&*forecaster, &names, &[]);
            if let Ok(forecast) = slice.forecast(&values, self.request.level) {
                remarks::tell(outcome, forecast.remarks);
            }
        }
    }
}

/// A share: `5%`, `5 %`, or 5, which are per cent, too.
pub fn share(words: &[&Word], missing: impl Fn() -> Error) -> Result<f64, Error> {
    let (first, rest) = match words {
        [first, sign, rest @ ..] if sign.text == "%" => (first, rest),
        [first, rest @ ..] => (first, rest),
        [] => return Err(missing()),
    };
    if let Some(extra) = rest.first() {
        return Err(extra.error(code::UNEXPECTED_WORD, format!("`{}` is one word too many", extra.text)));
    }
    let value = number(first.text.trim_end_matches('%'));
    value.filter(|value| *value >= 0.0).map(|value| value / 100.0).ok_or_else(|| {
        let (why, cure) = match value {
            Some(_) => ("is below 0", "say how large a change may be, whatever its direction: `5%`"),
            None => ("is no share", "write it in per cent: `5%`"),
        };
        first.error(code::WRONG_VALUE, format!("`{}` {why}", first.text)).help(cure)
    })
}

type NamedValues = Vec<(String, f64)>;

/// The values that were given, and the point of the formula that they come to.
fn point(
    given: &[(Word, GivenValues)],
    end: std::ops::Range<usize>,
    baseline: &LoadedModel,
    session: &Session,
) -> Result<(NamedValues, Vec<f64>), Error> {
    let mut values: NamedValues = Vec::new();
    for (word, one) in given {
        let [value] = one.values[..] else {
            return Err(word.error(code::WRONG_VALUE, "a point has one value of each variable"));
        };
        if values.iter().any(|(name, _)| *name == one.name) {
            return Err(given_again(&one.name, word.span.clone()));
        }
        values.push((one.name.clone(), value));
    }
    let forecaster = baseline.forecaster(session.machine_in_use());
    let names: Vec<&str> = values.iter().map(|(name, _)| name.as_str()).collect();
    let needed = forecaster.definitions().needed(forecaster.variables(), &names);
    let needed = needed.map_err(|name| missing_value(&name, end))?;
    if let Some(((word, one), _)) = given.iter().zip(needed).find(|(_, is_needed)| !is_needed) {
        let message = format!("the formula of the baseline does not depend on `{}`", one.name);
        return Err(word.error(code::UNKNOWN_VARIABLE, message));
    }
    let asked: Vec<f64> = values.iter().map(|(_, value)| *value).collect();
    let point = Slice::new(&*forecaster, &names, &[]).point(&asked);
    Ok((values, point))
}

fn in_words(values: &[(String, f64)]) -> String {
    let one = |(name, value): &(String, f64)| format!("{name} = {}", exact(*value));
    values.iter().map(one).collect::<Vec<_>>().join(", ")
}
