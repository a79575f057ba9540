//! From a model to the text of its file.

use std::collections::BTreeMap;

use call_fit::{Cell, Fit};

use super::names::{SpeltChoice, joining_word, weighting_wire};
use super::wire::{self, NumberJson};
use super::{ModelFile, RunFacts};
use crate::discrepancy::Discrepancy;
use crate::forecaster::CellKnowledge;
use crate::rival::Rival;
use crate::{Gap, IntervalOf, PowerRelation, Predictor, RunFit, SampledRange, Settings};

impl ModelFile {
    /// The text of the file; [`ModelFile::read`] reads the same model from it.
    pub fn to_text(&self) -> String {
        // Nothing in these structs can fail to be JSON: all keys are texts.
        serde_json::to_string_pretty(&self.wire()).unwrap_or_default() + "\n"
    }

    fn wire(&self) -> wire::FileJson {
        let forecaster = &self.forecaster;
        let model = forecaster.model();
        let ranges = model.formula.variables().iter().zip(&model.ranges);
        let cells = model.cells().iter().zip(&forecaster.cells);
        let sampled = forecaster.sampled.iter().map(|(name, of)| (name.clone(), range(of)));
        let definition = |(name, quantity): &(String, call_grammar::Quantity)| wire::DefinitionJson {
            name: name.clone(),
            value: quantity.to_string(),
        };
        let machine = self
            .machine
            .as_ref()
            .map(|machine| wire::MachineJson { name: machine.name.clone(), file: machine.file.clone() });
        wire::FileJson {
            schema_version: match self.runs.iter().filter_map(|run| run.fit.as_ref()).collect::<Vec<_>>() {
                fits if fits.iter().any(|fit| fit.rounding.is_some()) => wire::SCHEMA_VERSION,
                fits if !fits.is_empty() => wire::WITHOUT_ROUNDING,
                _ => wire::WITHOUT_RUN_FITS,
            },
            call: self.call.clone(),
            experiment: model.formula.experiment().to_owned(),
            formula: model.formula.to_string(),
            unit: self.forecaster.unit().symbol().to_owned(),
            response: self.response.clone(),
            variables: ranges
                .map(|(variable, of)| wire::VariableJson {
                    name: variable.name().to_owned(),
                    range: range(of),
                })
                .collect(),
            definitions: self.definitions.iter().map(definition).collect(),
            machine,
            runs: self.runs.iter().map(run).collect(),
            settings: settings(&model.settings),
            weighting: weighting_wire(model.weighting),
            sign: model.segmentation.sign.word(),
            outcome: model.segmentation.outcome.word(),
            shortest_s: NumberJson(forecaster.shortest_s),
            single_variance: (forecaster.single_variance > 0.0)
                .then_some(NumberJson(forecaster.single_variance)),
            sampled: sampled.collect::<BTreeMap<_, _>>(),
            relations: forecaster.relations.iter().map(|it| relation(it, forecaster.variables())).collect(),
            measured_columns: self.measured_columns.clone(),
            borders: model.gaps().iter().map(border).collect(),
            sets: model.segmentation.sets.clone(),
            cells: cells.map(|(cell, knowledge)| self::cell(cell, knowledge)).collect(),
        }
    }
}

fn relation(relation: &PowerRelation, variables: &[String]) -> wire::RelationJson {
    wire::RelationJson {
        from: variables[relation.from].clone(),
        to: variables[relation.to].clone(),
        power: NumberJson(relation.slope),
        intercept: NumberJson(relation.intercept),
    }
}

fn numbers(values: &[f64]) -> Vec<NumberJson> {
    values.iter().copied().map(NumberJson).collect()
}

fn range(range: &SampledRange) -> wire::RangeJson {
    wire::RangeJson {
        lowest: NumberJson(range.lowest),
        highest: NumberJson(range.highest),
        is_whole: range.is_whole,
    }
}

fn run(run: &RunFacts) -> wire::RunJson {
    wire::RunJson { files: run.files.clone(), facts: run.facts.clone(), fit: run.fit.as_ref().map(run_fit) }
}

fn run_fit(fit: &RunFit) -> wire::RunFitJson {
    wire::RunFitJson {
        constants: numbers(&fit.constants),
        covariance: numbers(&fit.covariance),
        undetermined: fit.undetermined.clone(),
        residual_standard_error: NumberJson(fit.residual_standard_error),
        design: fit.design.map(|number| format!("{number:016x}")),
        rounding: fit.rounding.as_ref().map(|rounding| wire::RoundingJson {
            step: NumberJson(rounding.step),
            covariance: numbers(&rounding.covariance),
        }),
    }
}

fn settings(settings: &Settings) -> wire::SettingsJson {
    wire::SettingsJson {
        weighting: settings.weighting.word(),
        sign: settings.sign.word(),
        loss: settings.loss.word(),
        method: settings.method.word(),
        sharing: settings.sharing,
        processors: joining_word(settings.joining),
        repetitions: settings.folding.word(),
        interval: (settings.interval != IntervalOf::default()).then(|| settings.interval.word()),
        error_threshold: NumberJson(settings.thresholds.error),
        intervals_threshold: settings.thresholds.intervals,
    }
}

fn border(gap: &Gap) -> wire::BorderJson {
    let above = (gap.above > gap.below).then_some(NumberJson(gap.above));
    wire::BorderJson { variable: gap.variable, at: NumberJson(gap.below), above }
}

fn cell(cell: &Cell, knowledge: &CellKnowledge) -> wire::CellJson {
    let CellKnowledge { noise, rivals, discrepancies } = knowledge;
    let intervals = cell.intervals.iter();
    wire::CellJson {
        intervals: intervals.map(|interval| [interval.lower, interval.upper].map(NumberJson)).collect(),
        fit: fit(&cell.fit),
        noise: wire::NoiseJson {
            variance: NumberJson(noise.variance),
            degrees_of_freedom: NumberJson(noise.freedom),
            unit_factor: NumberJson(noise.unit_factor),
        },
        rivals: rivals.iter().map(rival).collect(),
        discrepancies: discrepancies.iter().map(discrepancy).collect(),
    }
}

fn fit(fit: &Fit) -> wire::FitJson {
    wire::FitJson {
        constants: numbers(&fit.coefficients),
        standard_errors: numbers(&fit.standard_errors),
        covariance: numbers(&fit.covariance),
        residual_sum_of_squares: NumberJson(fit.residual_sum_of_squares),
        residual_standard_error: NumberJson(fit.residual_standard_error),
        rms_relative_error: NumberJson(fit.rms_relative_error),
        rank: fit.rank,
        condition: NumberJson(fit.condition),
        undetermined: fit.undetermined(),
        null_directions: fit.null_directions.iter().map(|direction| numbers(direction)).collect(),
        bounded: fit.bounded.clone(),
        degrees_of_freedom: fit.degrees_of_freedom,
        samples_used: fit.samples_used,
        samples_dropped: fit.samples_dropped,
    }
}

fn rival(rival: &Rival) -> wire::RivalJson {
    wire::RivalJson {
        term: rival.term.text.clone(),
        probability: NumberJson(rival.probability),
        constants: numbers(&rival.constants),
        covariance: numbers(&rival.covariance),
        residual_standard_error: NumberJson(rival.residual_standard_error),
        degrees_of_freedom: NumberJson(rival.freedom),
    }
}

fn discrepancy(discrepancy: &Discrepancy) -> wire::DiscrepancyJson {
    wire::DiscrepancyJson {
        variable: discrepancy.variable,
        is_logarithmic: discrepancy.is_logarithmic,
        lowest: NumberJson(discrepancy.lowest),
        highest: NumberJson(discrepancy.highest),
        growth: NumberJson(discrepancy.growth),
    }
}
