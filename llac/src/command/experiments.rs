use call_report::{Cell, Column, Table};

use super::{Arguments, Clauses, Command};
use crate::{Completion, Error, Markup, Outcome, Session};

pub struct Experiments;

impl Command for Experiments {
    fn name(&self) -> &'static str {
        "experiments"
    }

    fn usage(&self) -> &'static str {
        "experiments"
    }

    fn summary(&self) -> &'static str {
        "list what was measured"
    }

    fn details(&self) -> &'static str {
        "Shows for each experiment how many samples and summaries there are, its variables and its formula."
    }

    fn completions(&self) -> &'static [Completion] {
        &[]
    }

    fn clauses(&self) -> Clauses {
        Clauses::Samples
    }

    fn run(&self, session: &mut Session, arguments: &Arguments) -> Result<Outcome, Error> {
        arguments.at_most(0, self.usage())?;
        let models = crate::loaded_model::table(session.loaded_models());
        if session.state().data().experiments().is_empty() && models.is_none() {
            return Err(Error::new("no experiments are loaded").help("load samples first: `load FILE…`"));
        }
        let experiments = session.state().data().experiments();
        let has_summaries = experiments.iter().any(|experiment| !experiment.summaries.is_empty());
        let mut columns = vec![Column::left("experiment"), Column::right("samples")];
        columns.extend(has_summaries.then(|| Column::right("summaries")));
        columns.extend([Column::left("columns"), Column::code("formula")]);
        let mut table = Table::new(columns).named("experiments");
        for experiment in experiments {
            let mut cells = vec![Cell::from(experiment.name.as_str()), experiment.samples.len().into()];
            cells.extend(has_summaries.then(|| Cell::from(experiment.summaries.len())));
            cells.push(experiment.samples.names.join(" ").into());
            cells.push(experiment.formula.clone().unwrap_or("none".to_owned()).into());
            table.row(cells);
        }
        let mut markup = Markup::new();
        if !experiments.is_empty() {
            markup.table(table);
        }
        if let Some(models) = models {
            markup.table(models);
        }
        Ok(Outcome::of(markup))
    }
}
