//! What a question asks: `SUBJECT… WORD… VARIABLE=VALUES… [on MACHINE… [scale CONSTANT=RESOURCE…]]`. Each question is parsed here.

use std::collections::BTreeSet;
use std::ops::Range;

use call_bsp::program::Evaluated;
use call_model::question::{NoAnswer, NumberDomain, ValueRange};
use call_model::{Forecast, Predictor, Remark, Slice};
use call_report::number::exact;
use call_trace::Unit;

use super::CommandArguments;
use super::known_names::{check, knows, processors_cure};
pub use super::named::SubjectCount;
use super::named::{NamedSubject, NamedSubjects, QuestionWords, set_options};
use super::points::{
    GivenValues, PointValues, check_processors, combinations, expected_value, given_again, name_of,
};
use super::subject::{self, Formulas, Subject, SubjectKind, TargetSetting};
use super::units;
use super::values::{MOST_POINTS, span};
use crate::error::code;
use crate::words::Word;
use crate::{AnswerStatus, CommandOutcome, Error, Message, Session, remarks};
use call_model::PROCESSORS;

/// So many of the experiments that were left out are named.
const MOST_NAMED: usize = 10;

/// A question, taken apart.
pub struct Question {
    /// What it is about; on several machines, one for each.
    pub subjects: Vec<Subject>,
    /// Words that are neither subjects nor values, in their order.
    pub words: Vec<Word>,
    /// `NAME=VALUES`, no two of the same name.
    pub given: Vec<GivenValues>,
    /// `NAME=FROM..TO`.
    pub ranges: Vec<(GivenValues, ValueRange)>,
    /// Which of `all` experiments are not among the subjects, and why.
    left_out: Vec<String>,
    /// Where a missing word would stand.
    pub end: Range<usize>,
}

impl Question {
    /// Takes the words of a command apart.
    pub fn of(
        session: &mut Session,
        arguments: &CommandArguments,
        count: SubjectCount,
    ) -> Result<Question, Error> {
        Question::of_words(session, arguments.words(), arguments.end(), count)
    }

    /// The same for words of which a command has taken some.
    pub fn of_words(
        session: &mut Session,
        all: &[Word],
        end: Range<usize>,
        count: SubjectCount,
    ) -> Result<Question, Error> {
        Question::parse(session, all, end, count, &Formulas::Found)
    }

    /// The same of what is to be drawn.
    pub fn of_plot(
        session: &mut Session,
        all: &[Word],
        end: Range<usize>,
        formulas: Formulas,
    ) -> Result<Question, Error> {
        Question::parse(session, all, end, SubjectCount::Any, &formulas)
    }

    fn parse(
        session: &mut Session,
        all: &[Word],
        end: Range<usize>,
        count: SubjectCount,
        formulas: &Formulas,
    ) -> Result<Question, Error> {
        let QuestionWords { mut words, valued, mut setting } = QuestionWords::of(all)?;
        let named = NamedSubjects::take(session, &mut words, count, end.clone())?;
        let options = valued.iter().filter(|word| named.has_option(name_of(word)));
        named.check_network(&valued)?;
        set_options(&mut setting, &options.collect::<Vec<_>>())?;
        let mut question = Question {
            subjects: Vec::new(),
            words,
            given: Vec::new(),
            ranges: Vec::new(),
            left_out: Vec::new(),
            end,
        };
        let mut names = BTreeSet::new();
        for word in valued.iter().filter(|word| !named.has_option(name_of(word))) {
            question.add_value(word)?;
            if !names.insert(name_of(word)) {
                return Err(given_again(name_of(word), word.span.clone()));
            }
        }
        let has_value = |name: &str| names.contains(name);
        match named.are_all {
            true => question.add_all(session, named.subjects, &setting, formulas)?,
            false => {
                for one in named.subjects {
                    question.subjects.extend(one.subjects(session, &setting, &has_value, formulas)?);
                }
            }
        }
        subject::check_same(&question.subjects, &question.end)?;
        Ok(question)
    }

    /// Adds all experiments for whose variables there are values; others are noted.
    fn add_all(
        &mut self,
        session: &mut Session,
        experiments: Vec<NamedSubject>,
        setting: &TargetSetting,
        formulas: &Formulas,
    ) -> Result<(), Error> {
        let names: Vec<String> = self.names().into_iter().map(str::to_owned).collect();
        let given: Vec<&str> = names.iter().map(String::as_str).collect();
        let has_value = |name: &str| given.contains(&name);
        let missing = |subject: &Subject| {
            let predictor = subject.predictor();
            predictor.definitions().needed(predictor.variables(), &given).err()
        };
        let unit = experiments.first().and_then(NamedSubject::unit).cloned();
        let is_further_metric = |its: &NamedSubject| {
            its.name().contains(':') && its.unit().is_some_and(|its| Some(its) != unit.as_ref())
        };
        for experiment in experiments {
            let name = experiment.name().to_owned();
            if is_further_metric(&experiment) {
                self.left_out.push(format!("{name} is left out: it is in another unit"));
                continue;
            }
            match experiment.subjects(session, setting, &has_value, formulas) {
                Err(error) => self.left_out.push(format!("{name} is left out: {}", error.message())),
                Ok(subjects) => match subjects.iter().find_map(missing) {
                    Some(variable) => {
                        self.left_out.push(format!("{name} is left out: it needs a value of `{variable}`"));
                    }
                    None => self.subjects.extend(subjects),
                },
            }
        }
        match self.subjects.is_empty() {
            true => Err(Error::at(
                code::UNKNOWN_VARIABLE,
                self.end.clone(),
                "no experiment has values for all of its variables",
            )
            .help(self.left_out.iter().take(MOST_NAMED).cloned().collect::<Vec<_>>().join("; "))),
            false => Ok(()),
        }
    }

    fn add_value(&mut self, word: &Word) -> Result<(), Error> {
        let (name, text) = word.assignment().unwrap_or((&word.text, ""));
        match span(text) {
            None => self.given.push(GivenValues::of(word)?),
            Some(range) => {
                if name == PROCESSORS {
                    check_processors(range.lowest, |message| word.error(code::WRONG_VALUE, message))?;
                }
                self.ranges.push((GivenValues::asked(name, word.span.clone()), range));
            }
        }
        Ok(())
    }

    /// The names that have values or a range.
    pub fn names(&self) -> Vec<&str> {
        let ranges = self.ranges.iter().map(|(one, _)| one.name.as_str());
        ranges.chain(self.given.iter().map(|one| one.name.as_str())).collect()
    }

    /// The unit of all subjects.
    pub fn unit(&self) -> Unit {
        self.subjects.first().map_or(Unit::Seconds, |subject| subject.predictor().unit().clone())
    }

    /// The only subject of a question for one.
    pub fn one(&self) -> Result<&Subject, Error> {
        match &self.subjects[..] {
            [one] => Ok(one),
            _ => Err(Error::at(code::NOT_APPLICABLE, self.end.clone(), "this question is for one machine")),
        }
    }

    /// Takes the next word that is no subject and no value.
    pub fn next_word(&mut self, what: &str, usage: &str) -> Result<Word, Error> {
        match self.words.is_empty() {
            false => Ok(self.words.remove(0)),
            true => Err(Error::at(code::MISSING_WORD, self.end.clone(), format!("{what} is missing"))
                .help(format!("usage: {usage}"))),
        }
    }

    /// Takes what is looked for out of the words: `NAME=FROM..TO`, else a word that is a name.
    pub fn take_asked(
        &mut self,
        what: &str,
        usage: &str,
    ) -> Result<(GivenValues, Option<ValueRange>), Error> {
        if !self.ranges.is_empty() {
            let (asked, range) = self.ranges.remove(0);
            return Ok((asked, Some(range)));
        }
        let word = self.next_word(what, usage)?;
        Ok((GivenValues::asked(&word.text, word.span), None))
    }

    /// Takes the values of a name out of those given.
    pub fn take_given(&mut self, name: &str) -> Result<GivenValues, Error> {
        match self.given.iter().position(|one| one.name == name) {
            Some(position) => Ok(self.given.remove(position)),
            None => Err(Error::at(
                code::MISSING_VALUE,
                self.end.clone(),
                format!("values of `{name}` are missing"),
            )
            .help(
                match self.subjects.iter().any(|subject| knows(subject, name)) {
                    false => processors_cure(&self.subjects.iter().collect::<Vec<_>>(), name),
                    true => None,
                }
                .unwrap_or_else(|| format!("for example `{name}=1:64:2` (1, 2, 4, … 64)")),
            )),
        }
    }

    /// Takes `base=COUNT`, the number of processors that speed-ups are relative to, unless a subject has such a variable.
    pub fn take_base(&mut self) -> Result<Option<f64>, Error> {
        const BASE: &str = "base";
        let is_base =
            |one: &GivenValues| one.name == BASE && !self.subjects.iter().any(|its| knows(its, BASE));
        let Some(position) = self.given.iter().position(is_base) else { return Ok(None) };
        let given = self.given.remove(position);
        let base = single(&given)?;
        check_processors(base, |message| Error::at(code::WRONG_VALUE, given.span, message))?;
        Ok(Some(base))
    }

    /// An error if words are left that nobody has taken. Ranges that nobody has taken are all whole numbers in them: `P=1..4`.
    pub fn nothing_left(&mut self) -> Result<(), Error> {
        if let Some(word) = self.words.first() {
            return Err(expected_value(word));
        }
        for (mut one, ValueRange { lowest, highest }) in std::mem::take(&mut self.ranges) {
            let count = highest - lowest + 1.0;
            let name = &one.name;
            if lowest.fract() != 0.0 || count.is_nan() || count < 1.0 {
                let message = format!("`{name}` needs values here, and this range is none of whole numbers");
                return Err(Error::at(code::MISSING_VALUE, one.span, message)
                    .help(format!("for example `{name}=1:64:2` (1, 2, 4, … 64)")));
            }
            if count > MOST_POINTS as f64 {
                let message = format!("these are more than {MOST_POINTS} values of `{name}`");
                let steps = format!("{name}={}:{}:2", exact(lowest.max(1.0)), exact(highest));
                return Err(Error::at(code::TOO_LARGE, one.span, message)
                    .help(format!("take steps: `{steps}` doubles, `:+100` in the place of `:2` adds")));
            }
            one.values = (0..count as usize).map(|step| lowest + step as f64).collect();
            self.given.push(one);
        }
        Ok(())
    }

    /// A subject along the `asked` names; the others that are given have one value each.
    pub fn slice<'a>(&'a self, subject: &'a Subject, asked: &[&'a GivenValues]) -> Result<Slice<'a>, Error> {
        let names: Vec<&GivenValues> = asked.iter().copied().chain(&self.given).collect();
        check(&[subject], &names, &self.end)?;
        self.slice_of_checked(subject, asked)
    }

    /// The same of two subjects, of which each needs some of the names.
    pub fn slices<'a>(
        &'a self,
        subjects: [&'a Subject; 2],
        asked: &[&'a GivenValues],
    ) -> Result<[Slice<'a>; 2], Error> {
        let names: Vec<&GivenValues> = asked.iter().copied().chain(&self.given).collect();
        check(&subjects, &names, &self.end)?;
        let [first, second] = subjects.map(|subject| self.slice_of_checked(subject, asked));
        Ok([first?, second?])
    }

    fn slice_of_checked<'a>(
        &'a self,
        subject: &'a Subject,
        asked: &[&'a GivenValues],
    ) -> Result<Slice<'a>, Error> {
        let fixed: Vec<(&str, f64)> = self
            .given
            .iter()
            .map(|given| Ok((given.name.as_str(), single(given)?)))
            .collect::<Result<_, Error>>()?;
        let asked: Vec<&str> = asked.iter().map(|one| one.name.as_str()).collect();
        Ok(Slice::new(subject.predictor(), &asked, &fixed))
    }

    /// All forecasts that the values ask for: for each combination of them those of all subjects.
    pub fn forecasts(&self, level: f64) -> Result<Vec<ForecastRow<'_>>, Error> {
        let subjects: Vec<&Subject> = self.subjects.iter().collect();
        let mut order: Vec<&GivenValues> = self.given.iter().collect();
        if !self.left_out.is_empty() {
            // Those that were left out may be who knows a name.
            order.retain(|one| subjects.iter().any(|subject| knows(subject, &one.name)));
        }
        check(&subjects, &order, &self.end)?;
        // The order of the variables, then that of the line.
        let variables = self.subjects.first().map_or(&[][..], |subject| subject.predictor().variables());
        order.sort_by_key(|one| variables.iter().position(|name| *name == one.name).unwrap_or(usize::MAX));
        let names: Vec<&str> = order.iter().map(|one| one.name.as_str()).collect();
        let points = combinations(&order)?;
        let by_subject =
            subjects.iter().map(|subject| (*subject, Slice::new(subject.predictor(), &names, &[])));
        let by_subject: Vec<(&Subject, Slice)> = by_subject.collect();
        let is_single = by_subject.len() * points.len() == 1;
        let mut rows = Vec::new();
        for (subject, slice) in &by_subject {
            for values in &points {
                let point = slice.point(values);
                rows.push(match &subject.kind {
                    SubjectKind::Program(program) => {
                        let mut evaluated = program.evaluate(&point)?;
                        let forecast = program.forecast_of(&evaluated, &point, level)?;
                        let forecast = slice.with_remarks(values, forecast);
                        let beside_s = Some(evaluated.bsp_s());
                        let evaluated = is_single.then(|| Box::new(evaluated));
                        ForecastRow { subject, point, forecast, beside_s, evaluated }
                    }
                    kind => {
                        let forecast = slice.forecast(values, level)?;
                        let beside_s = match kind {
                            SubjectKind::Carried(carried) => {
                                Some(carried.forecast_here(&point, level).prediction.time_s)
                            }
                            _ => None,
                        };
                        ForecastRow { subject, point, forecast, beside_s, evaluated: None }
                    }
                });
            }
        }
        Ok(rows)
    }

    /// Whether values are given to a name.
    pub fn is_given(&self, name: &str) -> bool {
        self.given.iter().any(|one| one.name == name)
    }

    /// Tells what forecasts, and their subjects, remark.
    pub fn tell<'a>(
        &'a self,
        outcome: &mut CommandOutcome,
        forecasts: impl IntoIterator<Item = &'a Forecast>,
    ) {
        let of_forecasts = forecasts.into_iter().flat_map(|forecast| forecast.remarks.iter().cloned());
        let of_subjects = self.subjects.iter().flat_map(|subject| subject.remarks.iter().cloned());
        remarks::tell(outcome, of_forecasts.chain(of_subjects).collect::<Vec<Remark>>());
        let named = self.left_out.iter().take(MOST_NAMED);
        outcome.notes.extend(named.map(|text| Message::new("left-out", text.as_str())));
        if self.left_out.len() > MOST_NAMED {
            let more = self.left_out.len() - MOST_NAMED;
            outcome.notes.push(Message::new("left-out", format!("{more} more are left out")));
        }
    }
}

/// A forecast of one subject at one point.
pub struct ForecastRow<'a> {
    pub subject: &'a Subject,
    pub point: PointValues,
    pub forecast: Forecast,
    /// What stands beside the predicted time: of a carried model the time here, of a program the plain BSP cost.
    pub beside_s: Option<f64>,
    /// What the program did there; of a single forecast only, as it may be large.
    pub evaluated: Option<Box<Evaluated>>,
}

fn single(given: &GivenValues) -> Result<f64, Error> {
    match given.values[..] {
        [value] => Ok(value),
        _ => Err(Error::at(
            code::WRONG_VALUE,
            given.span.clone(),
            format!("`{}` needs a single value here", given.name),
        )),
    }
}

/// Without a range values are sought up to so many times the largest sampled one.
const REACH: f64 = 1e6;

/// From 1 on, or from the smallest sampled value of a name if that is less.
pub fn reach(predictor: &dyn Predictor, name: &str) -> ValueRange {
    let (lowest, highest) =
        predictor.sampled(name).map_or((1.0, 1.0), |range| (range.lowest, range.highest.max(1.0)));
    ValueRange { lowest: lowest.min(1.0), highest: REACH * highest }
}

/// Numbers of processors are whole, and sizes where all samples are; those of programs count things. What is changed in a recorded run
/// is measured: g, L and factors.
pub fn numbers(subject: &Subject, name: &str) -> NumberDomain {
    let is_whole = match (&subject.kind, subject.predictor().sampled(name)) {
        (SubjectKind::Replayed(_), _) => false,
        (_, Some(range)) => range.is_whole,
        (_, None) => true,
    };
    if is_whole || name == PROCESSORS { NumberDomain::Whole } else { NumberDomain::Real }
}

/// "No" as the answer of a question, or the error of one that cannot be asked.
pub fn no(error: NoAnswer, unit: &Unit) -> Result<CommandOutcome, Error> {
    if !error.is_no() {
        return Err(no_answer(error));
    }
    let text = |value: f64| units::shown(unit).text(value);
    let why = match &error {
        NoAnswer::TooLong { variable, value, time_s, limit_s, highest } => {
            let verb = if unit.is_time() { "takes" } else { "has" };
            let (value, highest) = (exact(*value), exact(*highest));
            let (there, limit) = (text(*time_s), text(*limit_s));
            format!(
                "already {variable} = {value} {verb} {there}, more than {limit}, and nothing up to {highest} {verb} less than {limit}"
            )
        }
        NoAnswer::TooLittle { variable, value, reached, limit, highest } => {
            let (value, highest) = (exact(*value), exact(*highest));
            let (there, limit) = (text(*reached), text(*limit));
            format!(
                "{variable} = {value} gives {there}, less than {limit}, and nothing up to {highest} gives as much"
            )
        }
        error => error.to_string(),
    };
    Ok(CommandOutcome { answer: AnswerStatus::No, ..CommandOutcome::line(format!("no: {why}")) })
}

/// Why a question has no answer, for the whole command.
pub fn no_answer(error: NoAnswer) -> Error {
    match error {
        NoAnswer::Failed(failure) => Error::from(failure),
        error => Error::new(code::NO_ANSWER, error.to_string()),
    }
}
