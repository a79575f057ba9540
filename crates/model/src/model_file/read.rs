//! From the text of a file to a model. Nothing is believed: whatever a prediction relies on is checked.

use std::sync::Arc;

use call_fit::{Cell, Fit, Interval, Segmentation, SignReason, Split, StopReason, Thresholds};
use call_grammar::{Formula, Quantity};
use call_trace::Unit;

use super::names::{SpeltChoice, joining_of, weighting_of};
use super::wire::{self, NumberJson};
use super::{MachineText, ModelFile, ModelFileError, RunFacts, wrong};
use crate::candidate::CandidateTerm;
use crate::discrepancy::Discrepancy;
use crate::forecaster::CellKnowledge;
use crate::gap::Gaps;
use crate::noise::CellNoise;
use crate::rival::Rival;
use crate::{Forecaster, IntervalOf, Model, PowerRelation, Rounding, RunFit, SampledRange, Settings};

type Result<T> = std::result::Result<T, ModelFileError>;

/// No fit has so many, and a check of more takes long.
const MOST_CELLS: usize = 4096;

impl ModelFile {
    /// Whether a text claims to be a model file.
    pub fn is_one(text: &[u8]) -> bool {
        let inside = text.trim_ascii_start().strip_prefix(b"{").map(<[u8]>::trim_ascii_start);
        inside.is_some_and(|inside| inside.starts_with(b"\"call-model\""))
    }

    /// Reads a model.
    ///
    /// # Errors
    /// The first thing that is wrong, with its place.
    pub fn read(text: &str) -> Result<ModelFile> {
        let shape = |error: serde_json::Error| ModelFileError::Shape(error.to_string());
        let version: wire::AnyVersion = serde_json::from_str(text).map_err(shape)?;
        if !(wire::WITHOUT_RUN_FITS..=wire::SCHEMA_VERSION).contains(&version.schema_version) {
            return Err(ModelFileError::SchemaVersion(version.schema_version));
        }
        let file: wire::FileJson = serde_json::from_str(text).map_err(shape)?;
        let formula = formula(&file)?;
        let cells = check_cells(&file, &formula)?;
        let knowledge = file.cells.iter().enumerate();
        let knowledge =
            knowledge.map(|(index, cell)| self::knowledge(cell, &formula, &format!("cells[{index}]")));
        let knowledge: Vec<CellKnowledge> = knowledge.collect::<Result<_>>()?;
        let shortest_s = at_least_0(file.shortest_s, "shortest_s")?;
        let single_variance = file.single_variance.unwrap_or(NumberJson(0.0));
        let single_variance = number_from_0(single_variance, "single_variance")?;
        let sampled =
            file.sampled.iter().map(|(name, of)| Ok((name.clone(), range(of, &format!("sampled.{name}"))?)));
        let sampled = sampled.collect::<Result<_>>()?;
        let segmentation = Segmentation {
            cells,
            splits: file.borders.iter().map(|it| Split { variable: it.variable, at: it.at.0 }).collect(),
            sets: file.sets.clone(),
            outcome: StopReason::of(&file.outcome, "outcome")?,
            sign: SignReason::of(&file.sign, "sign")?,
            loss_factors: Vec::new(),
            unlocated: Vec::new(),
        };
        let above = file.borders.iter().map(|it| it.above.unwrap_or(it.at).0).collect::<Vec<f64>>();
        let ranges = file.variables.iter().map(|it| range(&it.range, &format!("variables.{}", it.name)));
        let ranges: Vec<SampledRange> = ranges.collect::<Result<_>>()?;
        let unit = Unit::named(&file.unit)
            .ok_or_else(|| wrong("unit", format!("is `{}`, which is no unit", file.unit)))?;
        let model = Model {
            unit,
            gaps: Gaps::known(&segmentation, &ranges, &above),
            ranges,
            formula,
            segmentation,
            weighting: weighting_of(&file.weighting)?,
            settings: settings(&file.settings)?,
            run_effect: None,
        };
        let definitions = file.definitions.iter().enumerate().map(|(index, it)| {
            let quantity = Quantity::parse(&it.value).map_err(|errors| {
                let why = errors.first().map_or(String::new(), |error| error.diagnostic().message);
                wrong(format!("definitions[{index}].value"), format!("is no expression: {why}"))
            });
            Ok((it.name.clone(), quantity?))
        });
        let relations = file
            .relations
            .iter()
            .enumerate()
            .map(|(index, it)| relation(it, &file.variables, &format!("relations[{index}]")));
        let relations = relations.collect::<Result<_>>()?;
        let runs = file.runs.iter().enumerate().map(|(index, it)| {
            let place = format!("runs[{index}].fit");
            let fit = it.fit.as_ref().map(|fit| run_fit(fit, model.placed_constants().len(), &place));
            Ok(RunFacts { files: it.files.clone(), facts: it.facts.clone(), fit: fit.transpose()? })
        });
        let runs = runs.collect::<Result<_>>()?;
        Ok(ModelFile {
            runs,
            forecaster: Forecaster::of_parts(
                Arc::new(model),
                knowledge,
                (shortest_s, single_variance),
                sampled,
            )
            .related(relations),
            response: file.response,
            definitions: definitions.collect::<Result<_>>()?,
            machine: file.machine.map(|machine| MachineText { name: machine.name, file: machine.file }),
            measured_columns: file.measured_columns,
            call: file.call,
        })
    }
}

fn relation(
    relation: &wire::RelationJson,
    variables: &[wire::VariableJson],
    place: &str,
) -> Result<PowerRelation> {
    let position = |name: &String| {
        let found = variables.iter().position(|variable| variable.name == *name);
        found.ok_or_else(|| wrong(place, format!("names `{name}`, which is no variable of the formula")))
    };
    Ok(PowerRelation {
        from: position(&relation.from)?,
        to: position(&relation.to)?,
        slope: relation.power.0,
        intercept: relation.intercept.0,
    })
}

/// The formula, with the variables in the order that the file has them in.
fn formula(file: &wire::FileJson) -> Result<Formula> {
    let formula = crate::columns::formula(&file.experiment, Some(&file.formula))
        .map_err(|error| wrong("formula", format!("cannot be: {error}")))?;
    let names = formula.variables().iter().map(|variable| variable.name());
    if !names.eq(file.variables.iter().map(|variable| variable.name.as_str())) {
        return Err(wrong("variables", "are not those of the formula, in their order"));
    }
    Ok(formula)
}

/// The cells, which cover the space of the variables without overlap, and the sets of their constants.
fn check_cells(file: &wire::FileJson, formula: &Formula) -> Result<Vec<Cell>> {
    let variables = formula.variables().len();
    if file.cells.len() > MOST_CELLS {
        return Err(wrong("cells", format!("are {}, more than {MOST_CELLS}", file.cells.len())));
    }
    let cells = file.cells.iter().enumerate().map(|(index, cell)| {
        let place = format!("cells[{index}]");
        has_length(&cell.intervals, variables, &format!("{place}.intervals"))?;
        let intervals =
            cell.intervals.iter().map(|[lower, upper]| Interval { lower: lower.0, upper: upper.0 });
        Ok(Cell {
            intervals: intervals.collect(),
            samples: Vec::new(),
            fit: fit(&cell.fit, formula.terms().len(), &format!("{place}.fit"))?,
        })
    });
    let cells: Vec<Cell> = cells.collect::<Result<_>>()?;
    if let Some(index) = file.borders.iter().position(|border| border.variable >= variables) {
        return Err(wrong(format!("borders[{index}].variable"), "is none of the formula"));
    }
    let is_below = |border: &wire::BorderJson| {
        border.above.is_some_and(|above| above.0.is_nan() || above.0 < border.at.0)
    };
    if let Some(index) = file.borders.iter().position(is_below) {
        return Err(wrong(format!("borders[{index}].above"), "is below the border"));
    }
    let whole = vec![Interval::WHOLE; variables];
    let mut borders = file.borders.iter();
    if !covers(whole, cells.iter().collect(), &mut borders) || borders.next().is_some() {
        return Err(wrong("cells", "are not what the borders make of the space of the variables"));
    }
    has_length(&file.sets, formula.terms().len(), "sets")?;
    for (term, sets) in file.sets.iter().enumerate() {
        let place = format!("sets[{term}]");
        has_length(sets, cells.len(), &place)?;
        let value = |cell: usize| cells[cell].fit.coefficients[term].to_bits();
        for (cell, set) in sets.iter().enumerate() {
            let Some(first) = sets.iter().position(|other| other == set).filter(|_| *set < cells.len())
            else {
                return Err(wrong(
                    place,
                    format!("has a set {set}, which is none of the {} cells", cells.len()),
                ));
            };
            if value(first) != value(cell) {
                return Err(wrong(
                    place,
                    format!("says that cells {first} and {cell} share a constant: they do not"),
                ));
            }
        }
    }
    Ok(cells)
}

/// Whether cells make up a part of the space when the borders that come next divide it, the part below a border first.
fn covers<'a>(
    part: Vec<Interval>,
    cells: Vec<&Cell>,
    borders: &mut impl Iterator<Item = &'a wire::BorderJson>,
) -> bool {
    // Each entry is a part with its cells; the last is the next one.
    let mut waiting = vec![(part, cells)];
    while let Some((part, cells)) = waiting.pop() {
        if let [cell] = cells[..] {
            if cell.intervals != part {
                return false;
            }
            continue;
        }
        let Some(&wire::BorderJson { variable, at: NumberJson(at), .. }) = borders.next() else {
            return false;
        };
        let Interval { lower, upper } = part[variable];
        if !(lower < at && at < upper) {
            return false;
        }
        let (below, above) = cells.into_iter().partition(|cell| cell.intervals[variable].upper <= at);
        let within = |interval| {
            let mut part = part.clone();
            part[variable] = interval;
            part
        };
        waiting.push((within(Interval { lower: at, upper }), above));
        waiting.push((within(Interval { lower, upper: at }), below));
    }
    true
}

fn fit(fit: &wire::FitJson, terms: usize, place: &str) -> Result<Fit> {
    let at = |name: &str| format!("{place}.{name}");
    has_length(&fit.constants, terms, &at("constants"))?;
    has_length(&fit.standard_errors, terms, &at("standard_errors"))?;
    if let Some(index) = fit.constants.iter().position(|value| !value.0.is_finite()) {
        return Err(wrong(format!("{place}.constants[{index}]"), "is not finite"));
    }
    for (index, error) in fit.standard_errors.iter().enumerate() {
        at_least_0(*error, &format!("{place}.standard_errors[{index}]"))?;
    }
    for (name, terms_of) in [("undetermined", &fit.undetermined), ("bounded", &fit.bounded)] {
        if terms_of.iter().any(|term| *term >= terms) {
            return Err(wrong(at(name), "has a number that is no term of the formula"));
        }
    }
    if fit.rank > terms {
        return Err(wrong(at("rank"), "is larger than the number of terms"));
    }
    let covariance = covariance(&fit.covariance, terms, &at("covariance"))?;
    if fit.degrees_of_freedom == 0 && covariance.iter().any(|entry| entry.is_finite() && *entry != 0.0) {
        return Err(wrong(
            at("degrees_of_freedom"),
            "is 0, and nothing would tell the covariance that is there",
        ));
    }
    Ok(Fit {
        coefficients: values(&fit.constants),
        standard_errors: values(&fit.standard_errors),
        covariance,
        residuals: Vec::new(),
        residual_sum_of_squares: at_least_0(fit.residual_sum_of_squares, &at("residual_sum_of_squares"))?,
        residual_standard_error: at_least_0(fit.residual_standard_error, &at("residual_standard_error"))?,
        rms_relative_error: at_least_0(fit.rms_relative_error, &at("rms_relative_error"))?,
        rank: fit.rank,
        condition: at_least_0(fit.condition, &at("condition"))?,
        null_directions: null_directions(fit, terms, &at("null_directions"))?,
        bounded: fit.bounded.clone(),
        degrees_of_freedom: fit.degrees_of_freedom,
        samples_used: fit.samples_used,
        samples_dropped: fit.samples_dropped,
    })
}

/// Where a file lacks them, each undetermined constant counts as one.
fn null_directions(fit: &wire::FitJson, terms: usize, place: &str) -> Result<Vec<Vec<f64>>> {
    if fit.null_directions.is_empty() {
        let alone = |one: usize| (0..terms).map(|term| f64::from(u8::from(term == one))).collect();
        return Ok(fit.undetermined.iter().copied().map(alone).collect());
    }
    for (index, direction) in fit.null_directions.iter().enumerate() {
        has_length(direction, terms, &format!("{place}[{index}]"))?;
        if direction.iter().any(|share| !share.0.is_finite()) {
            return Err(wrong(format!("{place}[{index}]"), "has a share that is not finite"));
        }
    }
    Ok(fit.null_directions.iter().map(|direction| values(direction)).collect())
}

/// A matrix that can be one of covariances, up to rounding: symmetric, and no entry larger than those of the diagonal allow. Without
/// degrees of freedom nothing in it is a number.
fn covariance(entries: &[NumberJson], terms: usize, place: &str) -> Result<Vec<f64>> {
    const ROUNDING: f64 = 1e-6;
    has_length(entries, terms * terms, place)?;
    let entry = |row: usize, column: usize| entries[row * terms + column].0;
    for row in 0..terms {
        at_least_0(entries[row * terms + row], &format!("{place}[{}]", row * terms + row))?;
        for column in 0..row {
            let (one, other) = (entry(row, column), entry(column, row));
            let most = entry(row, row).sqrt() * entry(column, column).sqrt();
            if (one - other).abs() > ROUNDING * most || one.abs() > (1.0 + ROUNDING) * most {
                return Err(wrong(
                    format!("{place}[{}]", row * terms + column),
                    "does not fit the diagonal, or the matrix is not symmetric",
                ));
            }
        }
    }
    Ok(values(entries))
}

fn knowledge(cell: &wire::CellJson, formula: &Formula, place: &str) -> Result<CellKnowledge> {
    let noise = CellNoise {
        variance: at_least_0(cell.noise.variance, &format!("{place}.noise.variance"))?,
        freedom: number_from_0(cell.noise.degrees_of_freedom, &format!("{place}.noise.degrees_of_freedom"))?,
        unit_factor: at_least_0(cell.noise.unit_factor, &format!("{place}.noise.unit_factor"))?,
    };
    let rivals = cell.rivals.iter().enumerate();
    let rivals = rivals.map(|(index, it)| rival(it, formula, &format!("{place}.rivals[{index}]")));
    let rivals: Vec<Rival> = rivals.collect::<Result<_>>()?;
    if rivals.iter().map(|rival| rival.probability).sum::<f64>() > 1.0 + 1e-9 {
        return Err(wrong(format!("{place}.rivals"), "have probabilities that are together more than 1"));
    }
    let discrepancies = cell.discrepancies.iter().enumerate();
    let discrepancies =
        discrepancies.map(|(index, it)| discrepancy(it, formula, &format!("{place}.discrepancies[{index}]")));
    Ok(CellKnowledge { noise, rivals, discrepancies: discrepancies.collect::<Result<_>>()? })
}

fn run_fit(fit: &wire::RunFitJson, constants: usize, place: &str) -> Result<RunFit> {
    let at = |name: &str| format!("{place}.{name}");
    has_length(&fit.constants, constants, &at("constants"))?;
    if let Some(index) = fit.constants.iter().position(|value| !value.0.is_finite()) {
        return Err(wrong(format!("{place}.constants[{index}]"), "is not finite"));
    }
    if fit.undetermined.iter().any(|position| *position >= constants) {
        return Err(wrong(at("undetermined"), "has a number that is no constant of the run"));
    }
    let design = fit.design.as_ref().map(|text| {
        let number = u64::from_str_radix(text, 16);
        number.map_err(|_| {
            wrong(at("design"), format!("is `{text}`, which is no number in hexadecimal digits"))
        })
    });
    let rounding = fit.rounding.as_ref().map(|rounding| {
        let step = number_from_0(rounding.step, &at("rounding.step"))?;
        let covariance = covariance(&rounding.covariance, constants, &at("rounding.covariance"))?;
        (step > 0.0)
            .then_some(Rounding { step, covariance })
            .ok_or_else(|| wrong(at("rounding.step"), "is not above 0"))
    });
    Ok(RunFit {
        rounding: rounding.transpose()?,
        constants: values(&fit.constants),
        covariance: covariance(&fit.covariance, constants, &at("covariance"))?,
        undetermined: fit.undetermined.clone(),
        residual_standard_error: at_least_0(fit.residual_standard_error, &at("residual_standard_error"))?,
        design: design.transpose()?,
    })
}

fn rival(rival: &wire::RivalJson, formula: &Formula, place: &str) -> Result<Rival> {
    let at = |name: &str| format!("{place}.{name}");
    let constants = formula.terms().len() + 1;
    has_length(&rival.constants, constants, &at("constants"))?;
    let term = CandidateTerm::parse(formula, rival.term.clone()).ok_or_else(|| {
        wrong(at("term"), format!("is `{}`, which is no term over the variables of the formula", rival.term))
    })?;
    let probability = number_from_0(rival.probability, &at("probability"))?;
    if probability > 1.0 {
        return Err(wrong(at("probability"), "is more than 1"));
    }
    Ok(Rival {
        term,
        probability,
        constants: values(&rival.constants),
        covariance: covariance(&rival.covariance, constants, &at("covariance"))?,
        residual_standard_error: at_least_0(rival.residual_standard_error, &at("residual_standard_error"))?,
        freedom: number_from_0(rival.degrees_of_freedom, &at("degrees_of_freedom"))?,
    })
}

fn discrepancy(it: &wire::DiscrepancyJson, formula: &Formula, place: &str) -> Result<Discrepancy> {
    if it.variable >= formula.variables().len() {
        return Err(wrong(format!("{place}.variable"), "is none of the formula"));
    }
    let (lowest, highest) = (it.lowest.0, it.highest.0);
    let is_range = lowest.is_finite() && highest.is_finite() && lowest < highest;
    if !is_range || (it.is_logarithmic && lowest <= 0.0) {
        return Err(wrong(place, "is over no range of values"));
    }
    Ok(Discrepancy {
        variable: it.variable,
        is_logarithmic: it.is_logarithmic,
        lowest,
        highest,
        growth: number_from_0(it.growth, &format!("{place}.growth"))?,
    })
}

fn settings(settings: &wire::SettingsJson) -> Result<Settings> {
    let at = |name: &str| format!("settings.{name}");
    Ok(Settings {
        weighting: SpeltChoice::of(&settings.weighting, &at("weighting"))?,
        sign: SpeltChoice::of(&settings.sign, &at("sign"))?,
        loss: SpeltChoice::of(&settings.loss, &at("loss"))?,
        method: SpeltChoice::of(&settings.method, &at("method"))?,
        sharing: settings.sharing,
        joining: joining_of(&settings.processors, &at("processors"))?,
        folding: SpeltChoice::of(&settings.repetitions, &at("repetitions"))?,
        interval: match &settings.interval {
            Some(word) => SpeltChoice::of(word, &at("interval"))?,
            None => IntervalOf::default(),
        },
        thresholds: Thresholds {
            error: at_least_0(settings.error_threshold, &at("error_threshold"))?,
            intervals: settings.intervals_threshold,
        },
    })
}

/// A column without a finite value has the empty range from infinity to minus infinity.
fn range(range: &wire::RangeJson, place: &str) -> Result<SampledRange> {
    let (lowest, highest) = (range.lowest.0, range.highest.0);
    let is_empty = lowest == f64::INFINITY && highest == f64::NEG_INFINITY;
    let is_range = lowest.is_finite() && highest.is_finite() && lowest <= highest;
    if !is_empty && !is_range {
        return Err(wrong(place, "is no range of values"));
    }
    Ok(SampledRange { lowest, highest, is_whole: range.is_whole })
}

fn values(numbers: &[NumberJson]) -> Vec<f64> {
    numbers.iter().map(|number| number.0).collect()
}

fn has_length<T>(list: &[T], expected: usize, place: &str) -> Result<()> {
    match list.len() {
        found if found == expected => Ok(()),
        found => Err(wrong(place, format!("has {found} entries, and {expected} are needed"))),
    }
}

/// Not negative; infinite or no number where it is not known.
fn at_least_0(number: NumberJson, place: &str) -> Result<f64> {
    if number.0 < 0.0 { Err(wrong(place, "is negative")) } else { Ok(number.0) }
}

fn number_from_0(number: NumberJson, place: &str) -> Result<f64> {
    let value = at_least_0(number, place)?;
    if value.is_finite() { Ok(value) } else { Err(wrong(place, "is not finite")) }
}
