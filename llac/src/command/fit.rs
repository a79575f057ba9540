use call_model::{Model, Weighting};
use call_report::{Cell, Column, Table, number};
use call_trace::{Folding, Joining};

use super::{Arguments, Clauses, Command};
use crate::{Completion, Error, Markup, Outcome, Session, Style};

pub struct Fit;

impl Command for Fit {
    fn name(&self) -> &'static str {
        "fit"
    }

    fn usage(&self) -> &'static str {
        "fit [EXPERIMENT…]"
    }

    fn summary(&self) -> &'static str {
        "fit constants, find their intervals"
    }

    fn details(&self) -> &'static str {
        "Least squares by QR and SVD. While the root mean square of the relative errors is above `set \
         error`, the samples are split where that lowers the error most, up to `set intervals` cells. \
         `aleph` shows the constants one by one. Without names all experiments are fitted."
    }

    fn completions(&self) -> &'static [Completion] {
        &[Completion::Experiment]
    }

    fn clauses(&self) -> Clauses {
        Clauses::Samples
    }

    fn run(&self, session: &mut Session, arguments: &Arguments) -> Result<Outcome, Error> {
        let mut outcome = Outcome::default();
        for found in session.experiments_or_all(arguments)? {
            let model = session.model(found.experiment())?;
            let warnings = model.warnings();
            outcome.warnings.extend(warnings.iter().map(|warning| format!("{}: {warning}", found.name)));
            outcome.value.append(report(&model));
        }
        Ok(outcome)
    }
}

fn report(model: &Model) -> Markup {
    let mut markup = Markup::new();
    let name = model.formula().experiment();
    markup.fragments([(Style::Name, name.to_owned()), (Style::Plain, format!(" = {}", model.formula()))]);
    let samples: usize = model.cells().iter().map(|cell| cell.fit.samples_used).sum();
    let processors = match model.settings().joining {
        Joining::Each => "every processor".to_owned(),
        Joining::One(processor) => format!("processor {processor}"),
        Joining::Maximum => "the slowest processor".to_owned(),
        Joining::Mean => "the mean of the processors".to_owned(),
    };
    let repetitions = match model.settings().folding {
        Folding::Each => "every repetition",
        Folding::Median => "the median of repetitions",
        Folding::Minimum => "the shortest of repetitions",
        Folding::Mean => "the mean of repetitions",
    };
    let weights = match model.weighting().0 {
        Weighting::Relative | Weighting::Automatic => "relative",
        Weighting::Absolute => "absolute",
        Weighting::Repetitions => "repetitions'",
    };
    let cells = match model.cells().len() {
        1 => "one interval holds for all".to_owned(),
        count => format!("{count} cells of intervals"),
    };
    markup.line(
        Style::Plain,
        format!("{samples} points ({processors}, {repetitions}), {weights} errors; {cells}"),
    );
    for cell in model.cells() {
        let fit = &cell.fit;
        markup.fragments([
            (Style::Strong, model.describe(cell)),
            (
                Style::Plain,
                format!(
                    ": {} points, error {} % rms, {} % at most",
                    fit.samples_used,
                    number::significant(100.0 * fit.rms_relative_error, 3),
                    number::significant(100.0 * fit.max_relative_error, 3),
                ),
            ),
        ]);
        let quality = format!(
            "  R² {}, rank {} of {}, condition {}",
            number::significant(fit.r_squared, 6),
            fit.rank,
            fit.coefficients.len(),
            number::significant(fit.condition, 3),
        );
        markup.line(Style::Plain, quality);
        let mut table = Table::new([
            Column::left("constant"),
            Column::significant("value (s)", 6).key("value_s"),
            Column::significant("standard error", 2).key("standard_error_s"),
        ])
        .named(name);
        for (position, term) in model.formula().terms().iter().enumerate() {
            table.row([
                Cell::from(format!("{name}[{}]", term.coefficient.0)),
                fit.coefficients[position].into(),
                super::aleph::standard_error(
                    fit.standard_errors[position],
                    !fit.undetermined.contains(&position),
                ),
            ]);
        }
        markup.table(table);
    }
    markup
}
