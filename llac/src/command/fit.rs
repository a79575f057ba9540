use call_grammar::counted;
use call_model::{FitQuality, Judgement, Loss, Method, Model, Weighting};
use call_report::{Column, Table, TableCell, number};
use call_trace::{Folding, Joining};

use super::constants_view::{constant_columns, interval, judged, segment_cells};
use super::{Command, CommandArguments, units};
use crate::{CommandOutcome, Completion, Error, Markup, Session, Style};

pub const FIT: Command = Command {
    name: "fit",
    usage: "fit [EXPERIMENT…]",
    summary: "fit constants, find their intervals",
    details: "Least squares by QR and SVD. While the root mean square of the relative errors is above `set \
        error`, the samples are split where that lowers the error most, up to `set intervals` cells, if the \
        samples say that it is no noise; a constant that does not change from cell to cell keeps one value. \
        Warnings say what is wrong with the formula or the samples, and what to do; `judge` has the figures. \
        Without names, and with `all`, all experiments are fitted.",
    completions: &[Completion::Experiment],
    run,
    ..Command::OF_SAMPLES
};

fn run(session: &mut Session, arguments: &CommandArguments) -> Result<CommandOutcome, Error> {
    judged(session, arguments, report)
}

fn report(markup: &mut Markup, subject: &str, model: &Model, judgement: &Judgement) {
    markup.line(Style::Plain, format!("  {}", samples(model)));
    markup.line(Style::Plain, format!("  {}", choices(model)));
    let figures = &judgement.quality;
    let r_squared =
        figures.r_squared.map_or(format!("none: all {}s are equal", units::noun(model.unit())), |value| {
            number::significant(value, 6)
        });
    markup.line(
        Style::Plain,
        format!(
            "  errors {} % rms, {} % at most; SMAPE {} %, R² {r_squared}",
            percent(figures.rms_relative),
            percent(figures.worst_relative),
            number::significant(figures.smape_percent, 3),
        ),
    );
    markup.table(constants(model, model.formula().experiment()).about(subject));
    markup.data(quality(figures).about(subject));
}

/// The figures of quality, a row.
fn quality(figures: &FitQuality) -> Table {
    let mut table = Table::new([
        Column::right("samples"),
        Column::right("points"),
        Column::significant("R²", 6).key("r_squared"),
        Column::percent("rms"),
        Column::percent("worst"),
        Column::percent("SMAPE"),
    ])
    .named("quality");
    table.row([
        TableCell::from(figures.samples as f64),
        (figures.points as f64).into(),
        figures.r_squared.map_or(TableCell::Missing("none"), TableCell::from),
        (100.0 * figures.rms_relative).into(),
        (100.0 * figures.worst_relative).into(),
        figures.smape_percent.into(),
    ]);
    table
}

fn percent(share: f64) -> String {
    // What rounding leaves is no error.
    const ROUNDING: f64 = 1e-13;
    number::significant(if share < ROUNDING { 0.0 } else { 100.0 * share }, 3)
}

/// Which samples the fit saw.
fn samples(model: &Model) -> String {
    let count: usize = model.cells().iter().map(|cell| cell.fit.samples_used).sum();
    let processors = match model.settings().joining {
        Joining::Each => "every processor".to_owned(),
        Joining::One(processor) => format!("processor {processor}"),
        Joining::Maximum if model.unit().is_time() => "the slowest processor".to_owned(),
        Joining::Maximum if model.unit().is_rate() => {
            "the slowest processor, whose rate is the least".to_owned()
        }
        Joining::Maximum => "the largest of the processors".to_owned(),
        Joining::Mean => "the mean of the processors".to_owned(),
    };
    let repetitions = match model.settings().folding {
        Folding::Each => "every repetition",
        Folding::Median => "the median of repetitions",
        Folding::Minimum if model.unit().is_time() => "the shortest of repetitions",
        Folding::Minimum if model.unit().is_rate() => "the largest of repetitions",
        Folding::Minimum => "the smallest of repetitions",
        Folding::Mean => "the mean of repetitions",
    };
    format!("{}: {processors}, {repetitions}", counted(count, "point"))
}

/// How the fit was made, and why so.
fn choices(model: &Model) -> String {
    let (weighting, reason) = model.weighting();
    let reason = reason.describe(units::noun(model.unit()), &model.unit().to_string());
    let weights = match weighting {
        Weighting::Relative | Weighting::Automatic => "relative errors".to_owned(),
        Weighting::Absolute => format!("errors in {}", model.unit()),
        Weighting::Repetitions => "errors by the scatter of repetitions".to_owned(),
    };
    let loss = match model.settings().loss {
        Loss::Squares => "",
        Loss::Huber => "; Huber's loss",
        Loss::SoftL1 => "; soft loss",
    };
    let method = match model.settings().method {
        Method::Refined => "",
        Method::Paper => "; intervals as in the paper",
    };
    format!("{weights} ({reason}); {}{loss}{method}", model.sign())
}

/// The constants with the intervals that they hold in, as far as there are several.
fn constants(model: &Model, name: &str) -> Table {
    let variables = model.formula().variables();
    let is_split: Vec<bool> = (0..variables.len())
        .map(|variable| model.cells().iter().any(|cell| cell.intervals[variable].upper.is_finite()))
        .collect();
    let mut columns = constant_columns("constant", model.unit()).to_vec();
    let split = variables.iter().zip(&is_split).filter(|(_, is_split)| **is_split);
    columns.extend(split.map(|(variable, _)| Column::code(format!("{} in", variable.name()))));
    let mut table = Table::new(columns).named(name);
    for term in model.formula().terms() {
        let Some(aleph) = model.aleph(term.coefficient) else { continue };
        for segment in &aleph.segments {
            let mut row = segment_cells(&format!("{name}[{}]", term.coefficient.0), segment);
            let ranges = segment.ranges.iter().zip(&is_split).filter(|(_, is_split)| **is_split);
            row.extend(ranges.map(|(range, _)| TableCell::from(interval(range))));
            table.row(row);
        }
    }
    table
}
