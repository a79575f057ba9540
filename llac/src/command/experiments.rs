use call_report::{Column, Table, TableCell};
use call_trace::{Experiment, Folding, Joining};

use super::experiment_tree as tree;
use super::{Command, CommandArguments};
use crate::error::code;
use crate::{CommandOutcome, Error, Markup, Session};
use call_model::PROCESSORS;

pub const EXPERIMENTS: Command = Command {
    name: "experiments",
    usage: "experiments [tree]",
    summary: "list what was measured",
    details: "Shows for each experiment how many samples and summaries there are, its variables and its formula; \
        of what several processors measured, the load imbalance: the time of the slowest over the mean of all; and where a budget kept \
        measuring short (`CALL_BUDGET`), about how many executions there were, of which the samples are a part. `tree` shows call paths below each other, with the mean of \
        their samples: of the calls themselves, or with what is below them, as they were loaded (`values=inclusive`).",
    run,
    ..Command::OF_SAMPLES
};

fn run(session: &mut Session, arguments: &CommandArguments) -> Result<CommandOutcome, Error> {
    arguments.at_most(1, EXPERIMENTS.usage)?;
    let is_tree = match arguments.words() {
        [word] if word.text == "tree" => true,
        [word] => {
            return Err(word
                .error(code::UNEXPECTED_WORD, format!("`experiments` does not know `{}`", word.text))
                .help("`experiments tree` shows call paths below each other"));
        }
        _ => false,
    };
    let models = crate::loaded_model::table(session.loaded_models());
    if session.state().data().experiments().is_empty() && models.is_none() {
        return Err(Error::new(code::NOTHING_LOADED, "no experiments are loaded")
            .help("load samples first: `load FILE…`"));
    }
    let experiments = session.state().data().experiments();
    if is_tree {
        return Ok(CommandOutcome::of(tree::of(experiments)));
    }
    let has_summaries = experiments.iter().any(|experiment| !experiment.summaries.is_empty());
    let mut columns = vec![Column::left("experiment"), Column::right("samples")];
    columns.extend(has_summaries.then(|| Column::right("summaries")));
    let is_thinned = session.state().data().runs().iter().any(|run| run.header.budget.is_some());
    columns.extend(is_thinned.then(|| Column::right("executions")));
    let imbalances: Vec<Option<f64>> = experiments.iter().map(imbalance).collect();
    let has_imbalances = imbalances.iter().any(Option::is_some);
    columns.extend(has_imbalances.then(|| Column::significant("imbalance", 4)));
    let has_units = experiments.iter().any(|experiment| !experiment.unit.is_time());
    columns.extend(has_units.then(|| Column::left("unit")));
    columns.extend([Column::left("columns"), Column::code("formula")]);
    let mut table = Table::new(columns).named("experiments");
    for (experiment, imbalance) in experiments.iter().zip(&imbalances) {
        let mut cells = vec![TableCell::from(experiment.name.as_str()), experiment.samples.len().into()];
        cells.extend(has_summaries.then(|| TableCell::from(experiment.summaries.len())));
        let executions =
            || experiment.samples.executions().saturating_add(experiment.summaries.points.executions());
        cells.extend(is_thinned.then(|| TableCell::from(executions() as f64)));
        cells.extend(has_imbalances.then(|| imbalance.map_or(TableCell::Missing(""), TableCell::from)));
        cells.extend(has_units.then(|| TableCell::from(experiment.unit.to_string())));
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
    Ok(CommandOutcome::of(markup))
}

/// The load imbalance: the time of the slowest processor over the mean of all, summed over measurements on several processors;
/// 1 if all take as long. None if only one processor was ever measured, or rates, which say nothing of how long it waited.
fn imbalance(experiment: &Experiment) -> Option<f64> {
    let processors = &experiment.samples.processor;
    if experiment.unit.is_rate() || processors.windows(2).all(|pair| pair[0] == pair[1]) {
        return None;
    }
    let sum_s = |joining| {
        // Of a part of the executions, what belongs together is known at each point only.
        let is_thinned = !experiment.samples.count.is_empty();
        let folding = if is_thinned { Folding::Mean } else { Folding::Each };
        let samples = experiment.gather(joining, folding).samples;
        let counts = samples.column(PROCESSORS)?;
        let several = (0..samples.len()).filter(|index| counts[*index] > 1.0);
        Some(several.map(|index| samples.count_of(index) as f64 * samples.time_s[index]).sum::<f64>())
    };
    let ratio = sum_s(Joining::Maximum)? / sum_s(Joining::Mean)?;
    ratio.is_finite().then_some(ratio)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// On two processors 3 s and 1 s, then 2 s and 2 s: 5 s of the slowest, 4 s on average. What one processor takes says nothing.
    #[test]
    fn imbalance_is_the_slowest_over_the_mean() {
        let text = "# call-trace 1\n# program: x\n# processors: 2\n# experiment: f\n# variables: N\nexperiment processor P N time_s\n\
            f 0 2 1 3\nf 1 2 1 1\nf 0 2 2 2\nf 1 2 2 2\n# end rows=4\n";
        let trace = call_trace::read(text.as_bytes()).unwrap();
        assert_eq!(imbalance(&trace.experiments[0]), Some(1.25));
        let one = call_trace::read(text.replace("f 1", "f 0").as_bytes()).unwrap();
        assert_eq!(imbalance(&one.experiments[0]), None);
    }
}
