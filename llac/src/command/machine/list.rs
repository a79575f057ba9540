use std::path::Path;

use call_machine::Machine;
use call_report::{Column, Table, TableCell};

use super::{CommandArguments, FIRST, Subcommand};
use crate::{CommandOutcome, Error, Markup, Session, Style};

pub const LIST: Subcommand = Subcommand { name: "list", usage: "machine list", run };

fn run(session: &mut Session, arguments: &CommandArguments) -> Result<CommandOutcome, Error> {
    arguments.at_most(FIRST, LIST.usage)?;
    let machines = session.machines();
    let used = session.state().data().machine().map(|machine| machine.name.clone());
    let mut table = Table::new([
        Column::code("machine"),
        Column::left("from"),
        Column::left("P"),
        Column::left("has"),
        Column::left("description"),
    ])
    .named("machines");
    let mut folder = None;
    for (name, known) in &machines.known {
        // What is wrong with the others is told below.
        let Ok(machine) = &known.machine else { continue };
        let from = match &known.file {
            Some(file) => {
                let path = Path::new(file);
                folder = path.parent();
                path.file_name().unwrap_or_default().to_string_lossy()
            }
            None => machine.provenance.kind.word().into(),
        };
        let is_used = if used.as_ref() == Some(name) { " (in use)" } else { "" };
        table.row([
            TableCell::from(format!("{name}{is_used}")),
            from.as_ref().into(),
            processors(machine).into(),
            contents(machine).into(),
            machine.description.as_deref().unwrap_or_default().into(),
        ]);
    }
    let mut markup = Markup::new();
    markup.table(table);
    if let Some(folder) = folder {
        markup.line(Style::Plain, format!("  files are in {}", folder.display()));
    }
    let mut outcome = CommandOutcome::of(markup);
    outcome.warnings = machines.problems;
    Ok(outcome)
}

/// The numbers of processors of the BSP table.
fn processors(machine: &Machine) -> String {
    match &machine.bsp[..] {
        [] => String::new(),
        [only] => only.processors.to_string(),
        [first, .., last] => format!("{} to {}", first.processors, last.processors),
    }
}

fn contents(machine: &Machine) -> String {
    let parts = [
        ("BSP", machine.bsp.is_empty()),
        ("operations", machine.operations.is_empty()),
        ("memory", machine.memory.is_empty()),
        ("messages", machine.messages.is_empty()),
    ];
    let present: Vec<&str> = parts.iter().filter(|(_, is_empty)| !is_empty).map(|(part, _)| *part).collect();
    if present.len() == parts.len() { "all".to_owned() } else { present.join(", ") }
}
