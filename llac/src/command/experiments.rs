use call_report::{Column, Table};

use super::{Arguments, Command};
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
        "Shows for each experiment how many samples there are, its variables and its formula."
    }

    fn completions(&self) -> &'static [Completion] {
        &[]
    }

    fn run(&self, session: &mut Session, arguments: &Arguments) -> Result<Outcome, Error> {
        arguments.at_most(0, self.usage())?;
        if session.data.experiments.is_empty() {
            return Err(Error::new("no experiments are loaded").help("load traces first: `load FILE…`"));
        }
        let mut table = Table::new([
            Column::left("experiment"),
            Column::right("samples"),
            Column::left("columns"),
            Column::left("formula"),
        ]);
        for experiment in &session.data.experiments {
            table.row([
                experiment.name.clone(),
                experiment.samples.len().to_string(),
                experiment.samples.names.join(" "),
                experiment.formula.clone().unwrap_or("none".to_owned()),
            ]);
        }
        let mut markup = Markup::new();
        markup.table(table);
        Ok(Outcome::of(markup))
    }
}
