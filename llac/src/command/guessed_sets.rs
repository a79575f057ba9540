//! `aleph … on MACHINE`: the ℵ sets that a machine would have, guessed from the statements behind each constant.

use std::ops::Bound;
use std::sync::Arc;

use call_grammar::{CoefficientId, Term};
use call_machine::Machine;
use call_machine::guess::{
    Along, CountedMisses, GuessedInterval, Irregular, Statements, Unguessable, Workload, along, guess,
};
use call_model::question::ValueRange;
use call_model::{Forecaster, PROCESSORS, Predictor, SourceMatch};
use call_report::{Column, Table, TableCell, number};
use call_trace::{SourceCounts, Unit};

use super::counted_misses::{MISSES, all_counted_misses};
use super::named::QuestionWords;
use super::points::{GivenValues, name_of};
use super::upsilon::worth;
use super::{units, values};
use crate::error::code;
use crate::found::SessionExperiment;
use crate::words::Word;
use crate::{CommandOutcome, Error, Session};

/// Without a range sizes are looked at up to so many times the largest sampled one.
const BEYOND: f64 = 4.0;

/// What is asked: `on MACHINE… [VARIABLE=FROM..TO] [VARIABLE=VALUE…]`.
pub struct GuessedSets {
    /// Words in front, which name experiments and constants.
    pub words: Vec<Word>,
    on: Word,
    machines: Vec<Arc<Machine>>,
    range: Option<(Word, ValueRange)>,
    given: Vec<GivenValues>,
    /// `misses=SET`
    misses: Option<Word>,
}

impl GuessedSets {
    /// None if the words name no machine.
    pub fn of(session: &Session, words: &[Word]) -> Result<Option<GuessedSets>, Error> {
        let QuestionWords { words, valued, setting } = QuestionWords::of(words)?;
        let Some(on) = setting.on else { return Ok(None) };
        let machines =
            session.machines_on(&on, &setting.machines)?.into_iter().map(|(machine, _)| machine).collect();
        let mut asked = GuessedSets { words, on, machines, range: None, given: Vec::new(), misses: None };
        for word in valued {
            if name_of(&word) == MISSES {
                asked.misses = Some(word);
                continue;
            }
            let text = word.assignment().map_or("", |(_, text)| text);
            match values::span(text) {
                None => asked.given.push(GivenValues::of(&word)?),
                Some(_) if asked.range.is_some() => {
                    return Err(word
                        .error(code::GIVEN_TWICE, "one variable has a range")
                        .help("give the others one value"));
                }
                Some(range) => asked.range = Some((word, range)),
            }
        }
        Ok(Some(asked))
    }

    /// A table for each machine.
    pub fn show(
        &self,
        session: &mut Session,
        found: &SessionExperiment,
        wanted: &[CoefficientId],
        outcome: &mut CommandOutcome,
    ) -> Result<(), Error> {
        let forecaster = session.forecaster(found)?;
        let Some(counts) = session.source_counts(found, forecaster.model().formula()) else {
            let text = format!(
                "the traces of `{}` do not say what the statements behind its formula do",
                found.name
            );
            let cure =
                "translate it with this `call`, in one block, and run it again; `set source on` if it is off";
            return Err(self.on.error(code::NO_ANSWER, text).help(cure));
        };
        let axis = self.axis(&forecaster)?;
        outcome.notes.extend(worth(found, &counts));
        for machine in &self.machines {
            // What is no time is not carried by times.
            let here = found.set().machine().filter(|_| forecaster.unit().is_time());
            let counted = self.misses.as_ref();
            let counted =
                counted.map(|word| all_counted_misses(session, word, found, machine)).transpose()?;
            // What was counted there is carried only from where it was counted, too.
            let counted_here = self
                .misses
                .as_ref()
                .zip(here)
                .and_then(|(word, here)| all_counted_misses(session, word, found, here).ok());
            let guesses = Guesses {
                asked: self,
                machine,
                here: here.map(Arc::as_ref),
                forecaster: &forecaster,
                axis: &axis,
                counts: &counts,
                counted: counted.as_ref(),
                counted_here: counted_here.as_ref(),
            };
            guesses.show(found, wanted, outcome);
        }
        Ok(())
    }

    /// The variable whose intervals are sought, with the smallest and largest value.
    fn axis(&self, forecaster: &Forecaster) -> Result<(String, [f64; 2]), Error> {
        let names = forecaster.variables();
        if let Some((word, range)) = &self.range {
            let name = name_of(word);
            if !names.iter().any(|known| known == name) {
                return Err(word
                    .error(code::UNKNOWN_VARIABLE, format!("the formula has no variable `{name}`"))
                    .help(format!("its variables are {}", names.join(", "))));
            }
            if range.lowest <= 0.0 {
                return Err(word
                    .error(code::WRONG_VALUE, "a size is positive")
                    .help(format!("for example `{name}=1..1000`")));
            }
            return Ok((name.to_owned(), [range.lowest, range.highest]));
        }
        let is_free =
            |name: &&String| *name != PROCESSORS && !self.given.iter().any(|one| one.name == **name);
        let free: Vec<&String> = names.iter().filter(is_free).collect();
        let [only] = free[..] else {
            let example = free.first().map_or("N", |name| name.as_str());
            return Err(self
                .on
                .error(code::MISSING_WORD, "it is not said along which variable")
                .help(format!("for example `{example}=10..1000`, and one value for each other one")));
        };
        let sampled = forecaster
            .sampled(only)
            .map_or([1.0, 1e6], |range| [range.lowest.max(1.0), BEYOND * range.highest]);
        Ok((only.clone(), sampled))
    }
}

/// The guesses for one experiment on one machine.
struct Guesses<'a> {
    asked: &'a GuessedSets,
    machine: &'a Machine,
    /// Where its samples were measured.
    here: Option<&'a Machine>,
    forecaster: &'a Forecaster,
    axis: &'a (String, [f64; 2]),
    counts: &'a SourceCounts,
    /// What its caches miss, if that was counted.
    counted: Option<&'a CountedMisses>,
    /// The same of the machine of the samples.
    counted_here: Option<&'a CountedMisses>,
}

impl Guesses<'_> {
    fn show(&self, found: &SessionExperiment, wanted: &[CoefficientId], outcome: &mut CommandOutcome) {
        let formula = self.forecaster.model().formula();
        let its = SourceMatch::of(formula, self.counts, |name| found.was_loaded_with(name));
        let mut table = Table::new(self.columns()).named("guessed");
        for (place, term) in formula.terms().iter().enumerate() {
            if !wanted.contains(&term.coefficient) {
                continue;
            }
            let name = format!("{}[{}]", formula.experiment(), term.coefficient.0);
            let behind = its.as_ref().map(|its| Statements::of(&its.behind[place], self.counts));
            let guessed = behind.unwrap_or(Err(Unguessable::NoStatements)).and_then(|statements| {
                let intervals = self.intervals(term, place, &statements)?;
                Ok((statements, intervals))
            });
            match guessed {
                Ok((statements, intervals)) => {
                    for interval in &intervals {
                        table.row(self.row(&name, place, &statements, interval));
                    }
                }
                Err(why) => _ = table.row(self.unknown(&name, &why)),
            }
        }
        outcome.value.table(table.about(format!("{} on {}", found.name, self.machine.name)));
    }

    fn unknown(&self, name: &str, why: &Unguessable) -> Vec<TableCell> {
        let mut row = vec![name.into(), TableCell::Missing("not guessed")];
        row.extend(self.here.map(|_| TableCell::Missing("")));
        let [lowest, highest] = self.axis.1;
        row.push(number::interval(Bound::Included(lowest), Bound::Included(highest)).into());
        row.push(why.to_string().into());
        row
    }

    fn columns(&self) -> Vec<Column> {
        let seconds = Unit::default();
        let mut columns =
            vec![Column::left("ℵ").key("constant"), units::constant_column("guessed", &seconds)];
        if self.here.is_some() {
            columns.push(units::constant_column("carried", self.forecaster.unit()));
        }
        columns.extend([
            Column::code(format!("{} in", self.axis.0)),
            Column::left("takes longest").key("limit"),
        ]);
        columns
    }

    fn row(
        &self,
        name: &str,
        place: usize,
        statements: &Statements,
        interval: &GuessedInterval,
    ) -> Vec<TableCell> {
        let lower = match interval.from == self.axis.1[0] {
            true => Bound::Included(interval.from),
            false => Bound::Excluded(whole(interval.from)),
        };
        let mut row = vec![name.into(), interval.constant_s.into()];
        if let Some(here) = self.here {
            row.push(TableCell::number_or(self.carried(here, place, statements, interval), "unknown"));
        }
        row.push(number::interval(lower, Bound::Included(whole(interval.to))).into());
        row.push(interval.guess.limit.to_string().into());
        row
    }

    /// The constant that was measured here, times what the guesses say of both machines; unknown where misses were counted on one only.
    fn carried(
        &self,
        here: &Machine,
        place: usize,
        statements: &Statements,
        interval: &GuessedInterval,
    ) -> f64 {
        if self.counted.is_some() != self.counted_here.is_some() {
            return f64::NAN;
        }
        let size = interval.middle;
        let model = self.forecaster.model();
        let measured_s = model.cells()[model.predict(&self.point(size)).cell].fit.coefficients[place];
        let lines = self.lines(self.counted_here, place, size);
        let workloads = self.workloads(self.counted_here, size, statements);
        let guessed_here = workloads.ok().and_then(|its| guess(here, &its, &lines).ok());
        guessed_here.map_or(f64::NAN, |here| measured_s * interval.guess.time_s / here.time_s)
    }

    fn intervals(
        &self,
        term: &Term,
        place: usize,
        statements: &Statements,
    ) -> Result<Vec<GuessedInterval>, Unguessable> {
        let basis = |size: f64| term.basis.evaluate(&self.point(size));
        let counted = |size: f64| self.lines(self.counted, place, size);
        let workloads = |size: f64| self.workloads(self.counted, size, statements);
        let known = Along { workloads: &workloads, basis: &basis, counted: &counted };
        along(self.machine, self.axis.1, &known)
    }

    /// How many lines caches miss for a term.
    fn lines(&self, counted: Option<&CountedMisses>, place: usize, size: f64) -> Vec<Option<f64>> {
        let (point, terms) = (self.point(size), self.forecaster.model().formula().terms());
        let basis = terms[place].basis.evaluate(&point);
        counted.map_or(Vec::new(), |counted| counted.at(place, basis, &point))
    }

    fn workloads(
        &self,
        counted: Option<&CountedMisses>,
        size: f64,
        statements: &Statements,
    ) -> Result<Vec<Workload>, Unguessable> {
        let point = self.point(size);
        let names = self.forecaster.variables();
        let irregular = Irregular::with(counted);
        statements
            .at(irregular, &|name| names.iter().position(|known| known == name).map(|place| point[place]))
    }

    /// The variable of the axis has the size, others what is given, else their largest sampled value.
    fn point(&self, size: f64) -> Vec<f64> {
        let value = |name: &String| {
            let given =
                self.asked.given.iter().find(|one| one.name == *name).and_then(|one| one.values.first());
            let sampled = self.forecaster.sampled(name).map_or(1.0, |range| range.highest);
            if *name == self.axis.0 { size } else { given.copied().unwrap_or(sampled) }
        };
        self.forecaster.variables().iter().map(value).collect()
    }
}

/// Sizes are whole; a border is known but for a rounding.
fn whole(size: f64) -> f64 {
    let nearest = size.round();
    if (size - nearest).abs() <= 1e-9 * nearest { nearest } else { size.floor() }
}
