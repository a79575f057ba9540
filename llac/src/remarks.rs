//! What forecasts remark, as people read it: equal things once, however many forecasts say them.

use std::collections::{BTreeMap, BTreeSet};

use call_grammar::listed;
use call_model::{Beyond, Remark, TableEntry};
use call_report::number;

use crate::Outcome;

/// Adds remarks to the notes and warnings of an outcome.
pub fn tell(outcome: &mut Outcome, remarks: impl IntoIterator<Item = Remark>) {
    let mut all = Remarks::default();
    remarks.into_iter().for_each(|remark| all.add(remark));
    let fresh = |texts: &[String], text: &String| !texts.contains(text);
    for note in all.notes() {
        if fresh(&outcome.notes, &note) {
            outcome.notes.push(note);
        }
    }
    for warning in all.warnings() {
        if fresh(&outcome.warnings, &warning) {
            outcome.warnings.push(warning);
        }
    }
}

/// Numbers of processors, as the bits of positive numbers, which ascend as they do.
type Processors = BTreeSet<u64>;

#[derive(Default)]
struct Remarks {
    outside: Vec<Outside>,
    is_negative: bool,
    negative: BTreeMap<String, Vec<f64>>,
    between: BTreeMap<String, Processors>,
    nearest: BTreeMap<(String, u64), Processors>,
    unrepeatable: BTreeSet<String>,
    assumed: Vec<String>,
    factors: BTreeMap<String, (f64, f64)>,
    others: Vec<String>,
    taken: Vec<String>,
}

/// Values of a variable that leave the samples.
struct Outside {
    experiment: Option<String>,
    farthest: Beyond,
    values: Vec<String>,
}

impl Remarks {
    fn add(&mut self, remark: Remark) {
        match remark {
            Remark::Beyond { experiment, beyond } => self.add_beyond(experiment, beyond),
            Remark::Negative { of: None } => self.is_negative = true,
            Remark::Negative { of: Some((experiment, point)) } => {
                self.negative.entry(experiment).or_insert(point);
            }
            Remark::Table { machine, processors, entry } => {
                let used = match entry {
                    TableEntry::Between => self.between.entry(machine).or_default(),
                    TableEntry::Nearest { processors } => {
                        self.nearest.entry((machine, processors)).or_default()
                    }
                    TableEntry::Unrepeatable => {
                        self.unrepeatable.insert(machine);
                        return;
                    }
                };
                used.insert(processors.to_bits());
            }
            Remark::Assumed { what, machine, lacking } => push_new(
                &mut self.assumed,
                format!("{what} is assumed to be on {machine} what it is here: {lacking}"),
            ),
            Remark::Carried { what, here, there, factor } => {
                let key = format!("{what} from {here} to {there}");
                let known = self.factors.entry(key).or_insert((factor, factor));
                *known = (known.0.min(factor), known.1.max(factor));
            }
            Remark::TakenFromMachine { variable } => push_new(
                &mut self.taken,
                format!(
                    "`{variable}` of the samples is taken for that of the machine; if it is not, give `{variable}=VALUE`"
                ),
            ),
            Remark::AllComputation => push_new(
                &mut self.others,
                "no term has g or L, so all count as computation; `scale CONSTANT=g` names communication"
                    .to_owned(),
            ),
            Remark::MeasuredOn { machine } => push_new(
                &mut self.others,
                format!("measured on {machine} (here); intervals take the numbers of machines for exact"),
            ),
            Remark::Averaged { formulas, best, probability } => push_new(
                &mut self.others,
                format!(
                    "there is no formula: {formulas} plausible ones together, best {best} ({} %)",
                    number::significant(100.0 * probability, 2)
                ),
            ),
            other => push_new(&mut self.others, format!("{other:?}")),
        }
    }

    fn add_beyond(&mut self, experiment: Option<String>, beyond: Beyond) {
        let value = number::short(beyond.value);
        let is_same = |known: &&mut Outside| {
            known.experiment == experiment && known.farthest.variable == beyond.variable
        };
        match self.outside.iter_mut().find(is_same) {
            None => self.outside.push(Outside { experiment, farthest: beyond, values: vec![value] }),
            Some(known) => {
                push_new(&mut known.values, value);
                if beyond.factor() > known.farthest.factor() {
                    known.farthest = beyond;
                }
            }
        }
    }

    /// Which numbers were scaled or interpolated, and what is the base of the rest.
    fn notes(&self) -> Vec<String> {
        let factors = self.factors.iter().map(|(what, (low, high))| {
            let digits = |value: &f64| number::significant(*value, 3);
            match low == high {
                true => format!("{what} × {}", digits(low)),
                false => format!("{what} × {} to {}", digits(low), digits(high)),
            }
        });
        let between = self.between.iter().map(|(machine, processors)| {
            format!(
                "P = {} {} between entries of the table of {machine}: s, g and L are interpolated",
                all(processors),
                is_or_are(processors)
            )
        });
        factors.chain(between).chain(self.others.iter().cloned()).collect()
    }

    fn warnings(&self) -> Vec<String> {
        let outside = self.outside.iter().map(|one| {
            match &one.experiment {
                None => outside_text(&one.farthest, &listed(&one.values)),
                // Of the parts of a program nobody has asked for single values.
                Some(experiment) => {
                    let value = number::short(one.farthest.value);
                    format!("{experiment}: {}", outside_text(&one.farthest, &value))
                }
            }
        });
        let negative = self.negative.iter().map(|(experiment, point)| {
            let values: Vec<String> = point.iter().map(|value| number::short(*value)).collect();
            format!("{experiment}({}) is negative: 0 is taken", values.join(", "))
        });
        let is_negative = self.is_negative.then(|| {
            "a predicted time is negative: the formula or the samples do not reach this far".to_owned()
        });
        let nearest = self.nearest.iter().map(|((machine, from), processors)| {
            format!(
                "P = {} {} beyond the table of {machine}: s, g and L are those of P = {from}",
                all(processors),
                is_or_are(processors)
            )
        });
        let unrepeatable = self.unrepeatable.iter().map(|machine| {
            format!("repeated measurements of {machine} differ by more than 100 %: measure it again when it is idle")
        });
        let own = outside.chain(is_negative).chain(negative).chain(self.assumed.iter().cloned());
        own.chain(nearest).chain(unrepeatable).chain(self.taken.iter().cloned()).collect()
    }
}

fn push_new(texts: &mut Vec<String>, text: String) {
    if !texts.contains(&text) {
        texts.push(text);
    }
}

/// Tells values of a variable that leave the samples, which are at most as far out as this one.
fn outside_text(farthest: &Beyond, values: &str) -> String {
    let Beyond { variable, value, lowest, highest } = farthest;
    let factor = number::significant(farthest.factor(), 3);
    // Beside values of 0 and less the factor is none of values.
    let is_factor = value.min(*highest) > 0.0 && farthest.factor() >= 1.005;
    let how = if is_factor { format!("extrapolates {factor} times") } else { "lies outside".to_owned() };
    let (lowest, highest) = (number::short(*lowest), number::short(*highest));
    format!("{variable} = {values} {how}: the samples have {lowest} to {highest}")
}

fn all(processors: &Processors) -> String {
    let texts: Vec<String> =
        processors.iter().map(|processors| number::exact(f64::from_bits(*processors))).collect();
    listed(&texts)
}

fn is_or_are(processors: &Processors) -> &'static str {
    if processors.len() == 1 { "is" } else { "are" }
}
