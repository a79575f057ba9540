//! From a model to the text of its file.

use std::collections::BTreeMap;

use call_fit::{Cell, Fit, Split};

use super::names::{Named, joining_word, weighting_wire};
use super::wire::{self, Number};
use super::{ModelFile, RunFacts};
use crate::discrepancy::Discrepancy;
use crate::forecast::CellKnowledge;
use crate::rival::Rival;
use crate::{SampledRange, Settings};

impl ModelFile {
    /// The text of the file; [`ModelFile::read`] reads the same model from it.
    pub fn to_text(&self) -> String {
        // Nothing in these structs can fail to be JSON: all keys are texts.
        serde_json::to_string_pretty(&self.wire()).unwrap_or_default() + "\n"
    }

    fn wire(&self) -> wire::File {
        let forecaster = &self.forecaster;
        let model = forecaster.model();
        let ranges = model.formula.variables().iter().zip(&model.ranges);
        let cells = model.cells().iter().zip(&forecaster.cells);
        let sampled = forecaster.sampled.iter().map(|(name, of)| (name.clone(), range(of)));
        let definition = |(name, quantity): &(String, call_grammar::Quantity)| wire::Definition {
            name: name.clone(),
            value: quantity.to_string(),
        };
        let machine = self
            .machine
            .as_ref()
            .map(|machine| wire::Machine { name: machine.name.clone(), file: machine.file.clone() });
        wire::File {
            schema_version: wire::SCHEMA_VERSION,
            call: self.call.clone(),
            experiment: model.formula.experiment().to_owned(),
            formula: model.formula.to_string(),
            unit: self.forecaster.unit().symbol().to_owned(),
            variables: ranges
                .map(|(variable, of)| wire::Variable { name: variable.name().to_owned(), range: range(of) })
                .collect(),
            definitions: self.definitions.iter().map(definition).collect(),
            machine,
            runs: self.runs.iter().map(run).collect(),
            settings: settings(&model.settings),
            weighting: weighting_wire(model.weighting),
            sign: model.segmentation.sign.word(),
            outcome: model.segmentation.outcome.word(),
            shortest_s: Number(forecaster.shortest_s),
            sampled: sampled.collect::<BTreeMap<_, _>>(),
            measured_columns: self.measured_columns.clone(),
            borders: model.segmentation.splits.iter().map(border).collect(),
            sets: model.segmentation.sets.clone(),
            cells: cells.map(|(cell, knowledge)| self::cell(cell, knowledge)).collect(),
        }
    }
}

fn numbers(values: &[f64]) -> Vec<Number> {
    values.iter().copied().map(Number).collect()
}

fn range(range: &SampledRange) -> wire::Range {
    wire::Range { lowest: Number(range.lowest), highest: Number(range.highest), is_whole: range.is_whole }
}

fn run(run: &RunFacts) -> wire::Run {
    wire::Run { files: run.files.clone(), facts: run.facts.clone() }
}

fn settings(settings: &Settings) -> wire::Settings {
    wire::Settings {
        weighting: settings.weighting.word(),
        sign: settings.sign.word(),
        loss: settings.loss.word(),
        method: settings.method.word(),
        sharing: settings.sharing,
        processors: joining_word(settings.joining),
        repetitions: settings.folding.word(),
        error_threshold: Number(settings.thresholds.error),
        intervals_threshold: settings.thresholds.intervals,
    }
}

fn border(split: &Split) -> wire::Border {
    wire::Border { variable: split.variable, at: Number(split.at) }
}

fn cell(cell: &Cell, knowledge: &CellKnowledge) -> wire::Cell {
    let CellKnowledge { noise, rivals, discrepancies } = knowledge;
    let intervals = cell.intervals.iter();
    wire::Cell {
        intervals: intervals.map(|interval| [interval.lower, interval.upper].map(Number)).collect(),
        fit: fit(&cell.fit),
        noise: wire::Noise {
            variance: Number(noise.variance),
            degrees_of_freedom: Number(noise.freedom),
            unit_factor: Number(noise.unit_factor),
        },
        rivals: rivals.iter().map(rival).collect(),
        discrepancies: discrepancies.iter().map(discrepancy).collect(),
    }
}

fn fit(fit: &Fit) -> wire::Fit {
    wire::Fit {
        constants: numbers(&fit.coefficients),
        standard_errors: numbers(&fit.standard_errors),
        covariance: numbers(&fit.covariance),
        residual_sum_of_squares: Number(fit.residual_sum_of_squares),
        residual_standard_error: Number(fit.residual_standard_error),
        rms_relative_error: Number(fit.rms_relative_error),
        rank: fit.rank,
        condition: Number(fit.condition),
        undetermined: fit.undetermined.clone(),
        bounded: fit.bounded.clone(),
        degrees_of_freedom: fit.degrees_of_freedom,
        samples_used: fit.samples_used,
        samples_dropped: fit.samples_dropped,
    }
}

fn rival(rival: &Rival) -> wire::Rival {
    wire::Rival {
        term: rival.term.text.clone(),
        probability: Number(rival.probability),
        constants: numbers(&rival.constants),
        covariance: numbers(&rival.covariance),
        residual_standard_error: Number(rival.residual_standard_error),
        degrees_of_freedom: Number(rival.freedom),
    }
}

fn discrepancy(discrepancy: &Discrepancy) -> wire::Discrepancy {
    wire::Discrepancy {
        variable: discrepancy.variable,
        is_logarithmic: discrepancy.is_logarithmic,
        lowest: Number(discrepancy.lowest),
        highest: Number(discrepancy.highest),
        growth: Number(discrepancy.growth),
    }
}
