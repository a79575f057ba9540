use std::collections::{BTreeMap, BTreeSet};

use call_grammar::listed;
use call_model::machine::{How, Machine};
use call_report::number;

/// Numbers of processors, as the bits of positive numbers, which ascend as they do.
type Processors = BTreeSet<u64>;

/// For how many processors s, g and L were taken from the BSP tables of machines, and what there is to say of them.
#[derive(Default)]
pub struct UsedTables {
    /// By machine, where no entry has that number.
    between: BTreeMap<String, Processors>,
    /// By machine and the P of the nearest entry.
    beyond: BTreeMap<(String, u64), Processors>,
    /// Machines whose numbers say nothing.
    unrepeatable: BTreeSet<String>,
}

impl UsedTables {
    /// Numbers of a machine have been used for so many processors.
    pub fn add(&mut self, machine: &Machine, processors: f64) {
        let name = || machine.name.clone();
        if machine.provenance.is_unrepeatable() {
            self.unrepeatable.insert(name());
        }
        let used = match machine.parameters(processors).map(|parameters| parameters.how) {
            None | Some(How::Measured) => return,
            Some(How::Interpolated { .. }) => self.between.entry(name()).or_default(),
            Some(How::Extrapolated { from }) => self.beyond.entry((name(), from)).or_default(),
        };
        used.insert(processors.to_bits());
    }

    /// Where numbers are between those of a table.
    pub fn notes(&self) -> Vec<String> {
        let note = |(machine, processors): (&String, &Processors)| {
            format!(
                "P = {} {} between entries of the table of {machine}: s, g and L are interpolated",
                all(processors),
                is_or_are(processors)
            )
        };
        self.between.iter().map(note).collect()
    }

    /// Where a table does not reach, and what cannot be relied on.
    pub fn warnings(&self) -> Vec<String> {
        let warning = |((machine, from), processors): (&(String, u64), &Processors)| {
            format!(
                "P = {} {} beyond the table of {machine}: s, g and L are those of P = {from}",
                all(processors),
                is_or_are(processors)
            )
        };
        let unrepeatable = self.unrepeatable.iter().map(|machine| {
            format!("repeated measurements of {machine} differ by more than 100 %: measure it again when it is idle")
        });
        self.beyond.iter().map(warning).chain(unrepeatable).collect()
    }
}

fn all(processors: &Processors) -> String {
    let texts: Vec<String> =
        processors.iter().map(|processors| number::exact(f64::from_bits(*processors))).collect();
    listed(&texts)
}

fn is_or_are(processors: &Processors) -> &'static str {
    if processors.len() == 1 { "is" } else { "are" }
}
