//! Constants of an experiment over the entries of an archive, and where they change.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use call_check::{
    HistoryRequest, MovedBorder, RunHistory, RunValue, fewest_runs, history, least_told, moved_borders,
    run_values, terms_of_constant,
};
use call_model::{Model, PlacedConstant, RunFit};

use super::comparable::ComparableCircumstances;
use super::entry::Entry;
use super::folder::ArchiveFolder;
use super::same_runs::KnownRuns;
use super::term::ConstantTerm;
use crate::command::between_intervals::between_intervals;
use crate::command::moved_borders::without_between;
use crate::command::set::of_samples;
use crate::error::code;
use crate::words::Word;
use crate::{CommandOutcome, Error, Message};

/// Entries that can be compared: of one formula, machine and compiler.
pub struct ConstantHistory {
    /// In the order of their times.
    pub entries: Vec<Entry>,
    pub constants: Vec<ConstantLine>,
    /// What its entries have in common that those of other parts have not; empty if there is one part.
    pub part: String,
    /// Of each entry the borders of intervals that are elsewhere in the newest one.
    pub moved: Vec<Vec<MovedBorder>>,
    /// Fewer values show no change of any size.
    pub fewest: usize,
    /// The share of intervals that hold.
    pub level: f64,
}

/// A constant over entries.
pub struct ConstantLine {
    pub placed: PlacedConstant,
    /// For each value the position of its entry.
    pub entry_of: Vec<usize>,
    pub values: Vec<RunValue>,
    pub history: RunHistory,
    /// The least change in the middle of it that would be told, where it has none; none if so few values tell none of any size.
    pub least_told: Option<f64>,
}

impl ConstantLine {
    /// The least change that would be told, as a share of the value.
    pub fn would_show(&self) -> Option<f64> {
        let level = self.history.levels.first()?.value.abs();
        self.least_told.map(|least| least / level).filter(|share| share.is_finite())
    }
}

/// What is asked of an archive.
#[derive(Debug, Clone)]
pub struct HistoryCriteria {
    /// The only constant that is wanted.
    pub constant: Option<ConstantTerm>,
    /// How often the whole history may show a change where there is none.
    pub alarms: f64,
    pub level: f64,
}

impl ConstantHistory {
    /// Entries parted by what makes them incomparable, the newest last.
    pub fn all(
        entries: Vec<Entry>,
        asked: &HistoryCriteria,
        archive: &ArchiveFolder,
        outcome: &mut CommandOutcome,
        word: &Word,
    ) -> Result<Vec<ConstantHistory>, Error> {
        let count = entries.len();
        let mut parts: Vec<(ComparableCircumstances, Vec<Entry>)> = Vec::new();
        for entry in entries {
            let conditions = ComparableCircumstances::of(&entry);
            match parts.iter_mut().find(|(known, _)| *known == conditions) {
                Some((_, part)) => part.push(entry),
                None => parts.push((conditions, vec![entry])),
            }
        }
        parts.sort_by(|(_, one), (_, other)| newest(one).cmp(&newest(other)));
        let of_part = |(_, part): (ComparableCircumstances, Vec<Entry>)| {
            let share = part.len() as f64 / count as f64;
            ConstantHistory::of(
                part,
                &HistoryCriteria { alarms: asked.alarms * share, ..asked.clone() },
                archive,
                outcome,
            )
        };
        let mut found: Vec<ConstantHistory> = parts.into_iter().filter_map(of_part).collect();
        let all: Vec<ComparableCircumstances> = found.iter().map(ConstantHistory::conditions).collect();
        for (its, conditions) in found.iter_mut().zip(&all) {
            its.part = conditions.among(&all);
        }
        match found.is_empty() {
            true => Err(word.error(code::NO_SAMPLES, "no entry has constants that can be compared")),
            false => Ok(found),
        }
    }

    fn of(
        entries: Vec<Entry>,
        asked: &HistoryCriteria,
        archive: &ArchiveFolder,
        outcome: &mut CommandOutcome,
    ) -> Option<ConstantHistory> {
        // The newest intervals are those that the program has now.
        let model = entries.last()?.model.forecaster.model().clone();
        let mut known: Vec<(Entry, RunFit)> = Vec::new();
        let mut between: Vec<Vec<f64>> = Vec::new();
        let mut elsewhere: BTreeMap<String, Vec<MovedBorder>> = BTreeMap::new();
        let mut runs = KnownRuns::default();
        for entry in entries {
            match constants(&model, &entry, archive, &mut runs, &mut between) {
                Ok(None) => {}
                Ok(Some((fit, moved))) => {
                    elsewhere.insert(entry.file.clone(), moved);
                    known.push((entry, fit));
                }
                Err(why) => {
                    let text = format!("the entry {} is left out: {why}", entry.title());
                    outcome.warnings.push(Message::new("left-out", text).about(model.formula().experiment()));
                }
            }
        }
        between.sort_by(|one, other| one.partial_cmp(other).unwrap_or(Ordering::Equal));
        between.dedup();
        outcome.warnings.extend(between_intervals(&model, &between, "the entries", "the newest model", ""));
        leave_out_same(&model, &mut known, &mut runs);
        runs.tell(model.formula().experiment(), outcome);
        let first = known.first()?.1.design;
        let same_design = first.is_some() && known.iter().all(|(_, fit)| fit.design == first);
        let placed = model.placed_constants();
        let formula = model.formula();
        let number = |placed: &PlacedConstant| formula.terms()[placed.term].coefficient.0;
        let wanted_number = asked.constant.as_ref().map(|wanted| wanted.number_in(formula));
        let is_wanted =
            |placed: &PlacedConstant| wanted_number.is_none_or(|wanted| wanted == Some(number(placed)));
        let wanted = placed.iter().filter(|placed| is_wanted(placed)).count();
        let request =
            HistoryRequest { alarms: asked.alarms / wanted.max(1) as f64, level: asked.level, same_design };
        let count = placed.len();
        let line = |(index, placed): (usize, &PlacedConstant)| {
            let values = run_values(known.iter().map(|(_, fit)| fit), &terms_of_constant(index, count));
            let known_value = |(entry, value): (usize, Option<RunValue>)| Some((entry, value?));
            let (entry_of, values): (Vec<usize>, Vec<RunValue>) =
                values.into_iter().enumerate().filter_map(known_value).unzip();
            let mut history = history(&values, &request);
            let least_told = least_told(&mut history, &values, &request);
            ConstantLine { placed: placed.clone(), entry_of, values, history, least_told }
        };
        let lines = placed.iter().enumerate().filter(|(_, placed)| is_wanted(placed)).map(line).collect();
        Some(ConstantHistory {
            constants: lines,
            part: String::new(),
            moved: known.iter().map(|(entry, _)| elsewhere.remove(&entry.file).unwrap_or_default()).collect(),
            fewest: fewest_runs(&request),
            level: asked.level,
            entries: known.into_iter().map(|(entry, _)| entry).collect(),
        })
    }

    /// The model whose formula and intervals count.
    pub fn model(&self) -> &Model {
        // There is an entry in each.
        self.entries[self.entries.len() - 1].model.forecaster.model()
    }

    /// The times of its first and last entry.
    pub fn days(&self) -> (&str, &str) {
        let mut times = self.entries.iter().map(|entry| entry.about.time.as_str());
        let first = times.next().unwrap_or_default();
        (first, times.next_back().unwrap_or(first))
    }

    /// `f[1]`, with the place where it holds if it has several values.
    pub fn name_of(&self, line: &ConstantLine) -> String {
        let formula = self.model().formula();
        let name = format!("{}[{}]", formula.experiment(), formula.terms()[line.placed.term].coefficient.0);
        line.placed.place.as_ref().map_or(name.clone(), |place| format!("{name} where {place}"))
    }

    /// What makes its entries other ones than those of another.
    pub fn conditions(&self) -> ComparableCircumstances {
        ComparableCircumstances::of(&self.entries[self.entries.len() - 1])
    }
}

fn newest(entries: &[Entry]) -> Option<(&str, Option<u64>, &str)> {
    entries.last().map(Entry::order)
}

/// Leaves out entries that hold the measurements of an earlier one. Times are never the same again to the last digit; counts may be.
fn leave_out_same(model: &Model, known: &mut Vec<(Entry, RunFit)>, runs: &mut KnownRuns) {
    if !model.unit().is_time() {
        return;
    }
    let mut kept: Vec<(Entry, RunFit)> = Vec::new();
    for (entry, fit) in std::mem::take(known) {
        match kept.iter().any(|(_, its)| fit.is_same_run(its)) {
            true => runs.is_again(&entry),
            false => kept.push((entry, fit)),
        }
    }
    *known = kept;
}

/// The constants that the samples of an entry give with a model, or those of its own model if that has the same intervals; none if earlier entries have all
/// its runs. Points that another interval had in the entry are left out, with the borders that they are beside; those that lie between two intervals go into
/// `between`.
fn constants(
    model: &Model,
    entry: &Entry,
    archive: &ArchiveFolder,
    runs: &mut KnownRuns,
    between: &mut Vec<Vec<f64>>,
) -> Result<Option<(RunFit, Vec<MovedBorder>)>, String> {
    let own = entry.model.forecaster.model();
    if let Some(samples) = archive.samples(entry)? {
        let Some(samples) = runs.new_of(samples, entry) else { return Ok(None) };
        let mut prepared = model.settings().prepare(&samples);
        let is_same = own.formula().terms().len() == model.formula().terms().len();
        let moved = if is_same { moved_borders(own, model, &prepared) } else { Vec::new() };
        let left;
        if !moved.is_empty() {
            left = without_between(&samples, &moved);
            prepared = model.settings().prepare(&left);
        }
        between.extend(model.between_intervals(&prepared).unwrap_or_default());
        return model.fit_run(&prepared).map(|fit| Some((fit, moved))).map_err(|error| error.to_string());
    }
    let (one, other) = (own.segmentation(), model.segmentation());
    if (&one.splits, &one.sets) != (&other.splits, &other.sets) {
        return Err("it has no samples, and its model has other intervals".to_owned());
    }
    let (one, other) = (of_samples(own.settings()), of_samples(model.settings()));
    match one.iter().zip(other).find(|(one, other)| *one != other) {
        Some((one, other)) => {
            Err(format!("it has no samples, and its model was fitted with `set {one}`, not `set {other}`"))
        }
        None => Ok(Some((own.as_one_run(), Vec::new()))),
    }
}
