//! Measurements that come twice, as tables that were made of traces, and as what tables were condensed to.

use std::collections::BTreeMap;

use super::Dataset;
use crate::run::Run;
use crate::{Experiment, Samples, Summaries, Trace};

impl Dataset {
    /// Leaves out of a trace the experiments whose measurements are there already, where one of both files does not say which run it is of, as tables that were made
    /// of traces; returns their names and what the run is called that has them.
    pub fn leave_out_same(&mut self, trace: &mut Trace) -> Option<(Vec<String>, String)> {
        let has_name = trace.header.names_run();
        let (mut names, mut label) = (Vec::new(), None);
        trace.experiments.retain(|its| {
            let Some(content) = its.content() else { return true };
            let contents = [Some(content), self.condensed_content(its)];
            self.condense_tables(its);
            let is_same = |run: &&Run| {
                !(has_name && run.header.names_run())
                    && contents.iter().flatten().any(|content| run.contents.contains(content))
            };
            let Some(run) = self.runs.iter().find(is_same) else { return true };
            label.get_or_insert_with(|| run.label().to_owned());
            names.push(its.name.clone());
            false
        });
        label.map(|label| (names, label))
    }

    /// What a table would hold if it were condensed, where one of as many measurements is there in condensed form.
    fn condensed_content(&self, table: &Experiment) -> Option<u64> {
        let known = self.experiments.iter().find(|known| known.name == table.name)?;
        let is_table = table.summaries.is_empty() && !known.summaries.is_empty();
        let is_there = is_table && !runs_of(&known.summaries.points, table.samples.executions()).is_empty();
        is_there.then(|| table.summed_up().content()).flatten()
    }

    /// Finds what the tables that something condensed may be made of hold in condensed form. What a table without a header is condensed to has none, either.
    fn condense_tables(&mut self, condensed: &Experiment) {
        let name = &condensed.name;
        let Some(known) = self.experiments.iter().find(|known| known.name == *name) else { return };
        if condensed.summaries.is_empty() {
            return;
        }
        let summarised = known.summaries.runs();
        for number in runs_of(&known.samples, condensed.summaries.points.executions()) {
            let run = &mut self.runs[number as usize];
            if run.header.names_run()
                || summarised.contains(&number)
                || !self.condensed_tables.insert((number, name.clone()))
            {
                continue;
            }
            let samples = known.samples.select(|index| known.samples.run[index] == number);
            let table = Experiment { samples, summaries: Summaries::default(), ..known.clone() };
            run.contents.extend(table.summed_up().content());
        }
    }
}

/// The runs with so many executions.
fn runs_of(samples: &Samples, executions: u64) -> Vec<u32> {
    let mut counts: BTreeMap<u32, u64> = BTreeMap::new();
    for (index, run) in samples.run.iter().enumerate() {
        let count = counts.entry(*run).or_default();
        *count = count.saturating_add(samples.count_of(index));
    }
    counts.into_iter().filter(|(_, count)| *count == executions).map(|(run, _)| run).collect()
}
