use call_model::{FitQuality, Judgement, Model};
use call_report::{Column, Table, TableCell, number};
use call_trace::Unit;

use super::constants_view::judged;
use super::{Command, CommandArguments, units};
use crate::{CommandOutcome, Completion, Error, Markup, Session, Style};

/// Residuals that are shown, the largest first.
const WORST: usize = 10;

pub const JUDGE: Command = Command {
    name: "judge",
    usage: "judge [EXPERIMENT…]",
    summary: "say what a model is worth",
    details: "R² = 1 - sum (y - f)² / sum (y - mean y)²; SMAPE = 100 mean of 2 |y - f| / (|y| + |f|); rms = root of the \
        mean of ((y - f) / y)²; y is measured, f fitted. The same for samples that are each predicted from all \
        others, and for the largest values of each variable predicted from the smaller ones. Confidence intervals \
        of the constants (Student's t, `set level`), the largest residuals in standard deviations, and all \
        warnings.",
    completions: &[Completion::Experiment],
    run,
    ..Command::OF_SAMPLES
};

fn run(session: &mut Session, arguments: &CommandArguments) -> Result<CommandOutcome, Error> {
    let level = session.level();
    judged(session, arguments, |markup, subject, model, judgement| {
        report(markup, subject, model, judgement, level)
    })
}

fn report(markup: &mut Markup, subject: &str, model: &Model, judgement: &Judgement, level: f64) {
    let quality = &judgement.quality;
    markup.line(
        Style::Plain,
        format!(
            "  {} samples at {} points; R² {}; noise {}",
            quality.samples,
            quality.points,
            quality.r_squared.map_or("none".to_owned(), |value| number::significant(value, 6)),
            noise(quality.noise_relative, model.unit()),
        ),
    );
    markup.table(errors(quality).about(subject));
    markup.table(constants(model, quality, level).about(subject));
    markup.table(residuals(model, judgement).about(subject));
}

fn noise(relative: f64, unit: &Unit) -> String {
    match relative.is_finite() {
        true => format!("{} % of a {}", number::significant(100.0 * relative, 3), units::noun(unit)),
        false => "unknown".to_owned(),
    }
}

fn errors(quality: &FitQuality) -> Table {
    let columns = [Column::left("errors"), Column::percent("rms"), Column::percent("SMAPE")];
    let mut table = Table::new(columns).named("errors");
    table.row([
        TableCell::from("of the fit"),
        (100.0 * quality.rms_relative).into(),
        quality.smape_percent.into(),
    ]);
    if let Some(left_out) = &quality.leave_one_out {
        let rms = 100.0 * left_out.rms_relative;
        table.row([
            TableCell::from("each sample from the others"),
            rms.into(),
            left_out.smape_percent.into(),
        ]);
    }
    for held in &quality.held_out {
        let text = format!(
            "{0} above {1}, up to {2}, from those up to {1}",
            held.variable,
            number::exact(held.kept_to),
            number::exact(held.largest)
        );
        table.row([TableCell::from(text), (100.0 * held.rms_relative).into(), held.smape_percent.into()]);
    }
    table
}

fn constants(model: &Model, quality: &FitQuality, level: f64) -> Table {
    let (percent, unit) = (number::significant(100.0 * level, 4), model.unit());
    let mut table = Table::new([
        Column::left("constant"),
        Column::code("where"),
        units::constant_column("value", unit),
        Column::significant(format!("{percent} % from"), 4).key(units::key("lower", unit)),
        Column::significant("to", 4).key(units::key("upper", unit)),
    ])
    .named("constants");
    for estimate in &quality.constants {
        table.row([
            TableCell::from(format!("{}[{}]", model.formula().experiment(), estimate.coefficient.0)),
            model.describe(&model.cells()[estimate.cell]).into(),
            estimate.value.into(),
            estimate.lower.into(),
            estimate.upper.into(),
        ]);
    }
    table
}

fn residuals(model: &Model, judgement: &Judgement) -> Table {
    let variables = model.formula().variables().iter();
    let mut columns: Vec<Column> = variables.map(|variable| Column::right(variable.name())).collect();
    columns.extend([
        units::column("measured", model.unit()),
        units::column("fitted", model.unit()),
        Column::percent("residual"),
        Column::significant("deviations", 3),
    ]);
    let mut table = Table::new(columns).named("residuals");
    let mut worst: Vec<_> = judgement.residuals.iter().collect();
    worst.sort_by(|one, other| other.relative.abs().total_cmp(&one.relative.abs()));
    for residual in worst.iter().take(WORST) {
        let mut row: Vec<TableCell> = residual.point.iter().map(|value| TableCell::from(*value)).collect();
        row.extend(
            [residual.measured_s, residual.predicted_s, 100.0 * residual.relative].map(TableCell::from),
        );
        row.push(TableCell::number_or(residual.standardised, "unknown"));
        table.row(row);
    }
    table
}
