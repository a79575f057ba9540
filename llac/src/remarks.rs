//! What forecasts remark, as people read it: equal things once, however many forecasts say them.

use std::collections::{BTreeMap, BTreeSet};

use call_grammar::listed;
use call_model::{Beyond, Remark, TableEntry};
use call_report::number;
use serde_json::{Map, Value, json};

use crate::{CommandOutcome, Message};

/// Adds remarks to the notes and warnings of an outcome.
pub fn tell(outcome: &mut CommandOutcome, remarks: impl IntoIterator<Item = Remark>) {
    let mut all = GroupedRemarks::default();
    remarks.into_iter().for_each(|remark| all.add(remark));
    few(all.notes()).into_iter().for_each(|note| push_new(&mut outcome.notes, note));
    all.warnings().into_iter().for_each(|warning| push_new(&mut outcome.warnings, warning));
}

/// The notes; of those of one kind that say something of thousands of call paths, the first ones and how many more there are.
fn few(notes: Vec<Message>) -> Vec<Message> {
    const MOST: usize = 20;
    let mut kinds: BTreeMap<&'static str, (usize, Option<Message>)> = BTreeMap::new();
    let mut kept = Vec::new();
    for note in notes {
        let (count, last) = kinds.entry(note.code).or_default();
        *count += 1;
        if *count <= MOST {
            kept.push(note);
        } else {
            *last = Some(note);
        }
    }
    kept.extend(kinds.into_values().filter_map(|(count, last)| {
        let text = format!("the same is to be said of {} more", count - MOST.min(count));
        Some(Message { text, experiment: None, fields: Map::new(), ..last? })
    }));
    kept
}

/// Numbers of processors, as the bits of positive numbers, which ascend as they do.
type ProcessorCounts = BTreeSet<u64>;

#[derive(Default)]
struct GroupedRemarks {
    outside: Vec<Outside>,
    gaps: Vec<Message>,
    contention: BTreeMap<bool, (f64, f64)>,
    outgrown: Option<(f64, usize, u64)>,
    undetermined: BTreeSet<Vec<String>>,
    is_negative: bool,
    negative: BTreeMap<String, Vec<f64>>,
    between: BTreeMap<String, ProcessorCounts>,
    nearest: BTreeMap<(String, u64), ProcessorCounts>,
    unrepeatable: BTreeSet<String>,
    assumed: Vec<Message>,
    factors: BTreeMap<[String; 3], (f64, f64)>,
    others: Vec<Message>,
    doubts: Vec<Message>,
    taken: Vec<Message>,
}

/// Values of a variable that leave the samples.
struct Outside {
    experiment: Option<String>,
    farthest: Beyond,
    values: Vec<String>,
}

impl GroupedRemarks {
    fn add(&mut self, remark: Remark) {
        match remark {
            Remark::Beyond { experiment, beyond } => self.add_beyond(experiment, beyond),
            Remark::BetweenIntervals { experiment, variable, below, above, middle } => {
                push_new(&mut self.gaps, gap_message(experiment, &variable, [below, above], middle));
            }
            Remark::Contention { processors, measured, is_rate } => {
                let known = self.contention.entry(is_rate).or_insert((processors, measured));
                if processors / measured > known.0 / known.1 {
                    *known = (processors, measured);
                }
            }
            Remark::OutgrownCache { reached_bytes, level, cache_bytes } => {
                if self.outgrown.is_none_or(|(known_bytes, ..)| known_bytes < reached_bytes) {
                    self.outgrown = Some((reached_bytes, level, cache_bytes));
                }
            }
            Remark::NotAllLookedAt { variable, most } => {
                push_new(&mut self.others, not_all_message(&variable, most));
            }
            Remark::Undetermined { constants } => {
                self.undetermined.insert(constants);
            }
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
            Remark::QuickerLevel { machine, near, far } => {
                let text = format!(
                    "{machine}: `{far}` is quicker than `{near}` before it: levels of the memory stand from the nearest to the farthest one, so \
                     something was measured or written wrong"
                );
                let fields = json!({ "machine": machine, "near": near, "far": far });
                push_new(&mut self.doubts, Message::new("quicker-level", text).with(fields));
            }
            Remark::Assumed { what, machine, lacking } => {
                let text = format!("{what} is assumed to be on {machine} what it is here: {lacking}");
                let fields = json!({ "what": what, "machine": machine, "lacking": lacking });
                push_new(&mut self.assumed, Message::new("assumed", text).with(fields));
            }
            Remark::Carried { what, here, there, factor } => {
                let known = self.factors.entry([what, here, there]).or_insert((factor, factor));
                *known = (known.0.min(factor), known.1.max(factor));
            }
            Remark::TakenFromMachine { variable } => {
                let help = format!("if it is not, give `{variable}=VALUE`");
                let text = format!("`{variable}` of the samples is taken for that of the machine; {help}");
                let message = Message { help: Some(help), ..Message::new("taken-from-machine", text) };
                push_new(&mut self.taken, message.with(json!({ "variable": variable })));
            }
            Remark::AllComputation => {
                let help = "`scale CONSTANT=g` names communication";
                let text = format!("no term has g or L, so all count as computation; {help}");
                let message = Message::new("all-computation", text);
                push_new(&mut self.others, Message { help: Some(help.to_owned()), ..message });
            }
            Remark::MeasuredOn { machine } => {
                let text =
                    format!("measured on {machine} (here); intervals take the numbers of machines for exact");
                let message = Message::new("measured-on", text);
                push_new(&mut self.others, message.with(json!({ "machine": machine })));
            }
            Remark::NoFormulaFits { error } => {
                let text = format!(
                    "none of the formulas that were found describes the samples, the best has errors of {} %: this is a guess; look at the \
                     samples with `plot`",
                    number::significant(100.0 * error, 2)
                );
                push_new(
                    &mut self.doubts,
                    Message::new("no-formula-fits", text).with(json!({ "error": error })),
                );
            }
            Remark::PointLeftOut { point, factor } => push_new(&mut self.doubts, left_out(&point, factor)),
            Remark::OffTheLine { variables: [one, other] } => {
                let text = format!(
                    "in all samples `{other}` follows from `{one}`, here it does not: they do not show what each of them does alone; \
                     measure both independently of each other"
                );
                let fields = json!({ "variables": [one, other] });
                push_new(&mut self.doubts, Message::new("off-the-line", text).with(fields));
            }
            Remark::Averaged { formulas, best, probability, siblings } => {
                let others = match siblings {
                    0 => String::new(),
                    1 => ", with 1 sibling".to_owned(),
                    count => format!(", with {count} siblings"),
                };
                let best_of = match formulas {
                    1 => format!("the one that is plausible{others}, {best}"),
                    several => format!("{several} plausible ones together{others}, best {best}"),
                };
                let percent = number::significant(100.0 * probability, 2);
                let text = format!("there is no formula: {best_of} ({percent} %)");
                let fields = json!({
                    "formulas": formulas, "best": best, "probability": probability, "siblings": siblings,
                });
                push_new(&mut self.others, Message::new("averaged", text).with(fields));
            }
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
                if !known.values.contains(&value) {
                    known.values.push(value);
                }
                if beyond.factor() > known.farthest.factor() {
                    known.farthest = beyond;
                }
            }
        }
    }

    /// Which numbers were scaled or interpolated, and what is the base of the rest.
    fn notes(&self) -> Vec<Message> {
        let factors = self.factors.iter().map(|([what, here, there], (low, high))| {
            let digits = |value: &f64| number::significant(*value, 3);
            let factor = match low == high {
                true => digits(low),
                false => format!("{} to {}", digits(low), digits(high)),
            };
            Message::new("carried", format!("{what} from {here} to {there} × {factor}")).with(json!({
                "what": what, "here": here, "there": there, "lowest_factor": low, "highest_factor": high,
            }))
        });
        let between = self.between.iter().map(|(machine, processors)| {
            let text = format!(
                "P = {} {} between entries of the table of {machine}: s, g and L are interpolated",
                all(processors),
                is_or_are(processors)
            );
            Message::new("between-entries", text)
                .with(json!({ "machine": machine, "processors": numbers(processors) }))
        });
        factors.chain(between).chain(self.others.iter().cloned()).collect()
    }

    fn warnings(&self) -> Vec<Message> {
        let outside = self.outside.iter().map(Outside::message);
        let negative = self.negative.iter().map(|(experiment, point)| {
            let values: Vec<String> = point.iter().map(|value| number::short(*value)).collect();
            let text = format!("{experiment}({}) is negative: 0 is taken", values.join(", "));
            Message::new("negative-part", text).with(json!({ "part": experiment, "point": point }))
        });
        let is_negative = self.is_negative.then(|| {
            let text = "a prediction is negative: the formula or the samples do not reach this far";
            Message::new("negative-time", text)
        });
        let nearest = self.nearest.iter().map(|((machine, from), processors)| {
            let text = format!(
                "P = {} {} beyond the table of {machine}: s, g and L are those of P = {from}",
                all(processors),
                is_or_are(processors)
            );
            Message::new("beyond-table", text)
                .with(json!({ "machine": machine, "processors": numbers(processors), "taken_from": from }))
        });
        let unrepeatable = self.unrepeatable.iter().map(|machine| {
            let help = "measure it again when it is idle".to_owned();
            let text = format!("repeated measurements of {machine} differ by more than 100 %: {help}");
            let message = Message { help: Some(help), ..Message::new("unrepeatable", text) };
            message.with(json!({ "machine": machine }))
        });
        let contention = self.contention.iter().map(|(is_rate, far)| contention_message(*far, *is_rate));
        let outgrown = self.outgrown.map(outgrown_message);
        let undetermined = self.undetermined.iter().map(|constants| undetermined_message(constants));
        let own = outside
            .chain(self.gaps.iter().cloned())
            .chain(contention)
            .chain(outgrown)
            .chain(undetermined)
            .chain(self.doubts.iter().cloned())
            .chain(is_negative)
            .chain(negative)
            .chain(self.assumed.iter().cloned());
        own.chain(nearest).chain(unrepeatable).chain(self.taken.iter().cloned()).collect()
    }
}

fn gap_message(
    experiment: Option<String>,
    variable: &str,
    [below, above]: [f64; 2],
    middle: Option<f64>,
) -> Message {
    let such =
        middle.map_or(String::new(), |middle| format!(", such as {variable} = {}", number::exact(middle)));
    let help = format!("measure between them{such}");
    let [from, to] = [below, above].map(number::exact);
    let text = format!(
        "between the samples at {variable} = {from} and {to} one interval ends and the next begins, nobody knows where: intervals there \
         hold both; {help}"
    );
    let fields = json!({ "variable": variable, "below": below, "above": above });
    Message { help: Some(help), experiment, ..Message::new("between-intervals", text).with(fields) }
}

fn contention_message((processors, measured): (f64, f64), is_rate: bool) -> Message {
    // Where half of the octaves lie that were not measured.
    let between = ((processors * measured).sqrt().log2().round()).exp2();
    let [there, here, between] = [processors, measured, between].map(number::exact);
    let ends = if is_rate { "lower" } else { "upper" };
    let help = format!(
        "measure one run at P = {between}, which tells more than many at {here}, or g and L of the machine at P = {there}"
    );
    let text = format!(
        "messages may contend beyond P = {here}, and no term speaks of it: {ends} ends allow for the links of a plane mesh at \
         P = {there}; {help}"
    );
    let fields = json!({ "processors": processors, "measured": measured });
    Message { help: Some(help), ..Message::new("contention", text) }.with(fields)
}

fn outgrown_message((reached_bytes, level, cache_bytes): (f64, usize, u64)) -> Message {
    let [reached, holds] = [reached_bytes, cache_bytes as f64].map(bytes);
    let help =
        "measure a size that does not fit either, or see `aleph … on MACHINE` for where constants change";
    let text = format!(
        "about {reached} are reached, and all samples fit into the {holds} of cache L{level}: constants may be larger beyond; {help}"
    );
    let fields = json!({ "reached_bytes": reached_bytes, "level": level, "cache_bytes": cache_bytes });
    Message { help: Some(help.to_owned()), ..Message::new("outgrown-cache", text) }.with(fields)
}

fn not_all_message(variable: &str, most: Option<usize>) -> Message {
    let help = match most {
        Some(most) => format!("in a range of at most {most} each {variable} is looked at"),
        None => format!("a shorter range of {variable} is looked at more closely"),
    };
    let text = format!(
        "not each {variable} was looked at, and what is predicted may jump or turn between any two: a narrow window may be missed; {help}"
    );
    let fields = json!({ "variable": variable, "most": most });
    Message { help: Some(help), ..Message::new("not-all-looked-at", text) }.with(fields)
}

/// Bytes with a binary prefix, as sizes of caches are told.
fn bytes(bytes: f64) -> String {
    let prefixes = ["bytes", "KiB", "MiB", "GiB", "TiB"];
    let power = ((bytes.max(1.0).log2() / 10.0) as usize).min(prefixes.len() - 1);
    format!("{} {}", number::significant(bytes / 1024_f64.powi(power as i32), 3), prefixes[power])
}

fn undetermined_message(constants: &[String]) -> Message {
    let help = "measure what tells them apart: `judge` says where".to_owned();
    let text = format!(
        "a prediction needs {}, which the samples do not tell: other values fit as well and predict other times; {help}",
        listed(constants)
    );
    let message = Message { help: Some(help), ..Message::new("undetermined-prediction", text) };
    message.with(json!({ "constants": constants }))
}

fn push_new(messages: &mut Vec<Message>, message: Message) {
    let is_same = |known: &Message| known.text == message.text && known.experiment == message.experiment;
    if !messages.iter().any(is_same) {
        messages.push(message);
    }
}

impl Outside {
    fn message(&self) -> Message {
        let Beyond { variable, value, lowest, highest } = &self.farthest;
        let values = match &self.experiment {
            None => listed(&self.values),
            // Of the parts of a program nobody has asked for single values.
            Some(_) => number::short(*value),
        };
        let text = outside_text(&self.farthest, &values, self.experiment.is_none() && self.values.len() > 1);
        let message = match is_factor(&self.farthest) {
            true => Message::new("extrapolated", text),
            false => Message::new("outside", text),
        };
        let fields = json!({ "variable": variable, "value": value, "lowest": lowest, "highest": highest });
        Message { experiment: self.experiment.clone(), ..message.with(fields) }
    }
}

/// Beside values of 0 and less the factor is none of values.
fn is_factor(beyond: &Beyond) -> bool {
    beyond.value.min(beyond.highest) > 0.0 && beyond.factor() >= 1.005
}

/// Tells values of a variable that leave the samples, which are at most as far out as this one.
fn outside_text(farthest: &Beyond, values: &str, are_several: bool) -> String {
    let Beyond { variable, lowest, highest, .. } = farthest;
    let factor = number::significant(farthest.factor(), 3);
    let how = match (is_factor(farthest), are_several) {
        (true, false) => format!("extrapolates {factor} times"),
        (true, true) => format!("extrapolate up to {factor} times"),
        (false, false) => "lies outside".to_owned(),
        (false, true) => "lie outside".to_owned(),
    };
    let (lowest, highest) = (number::short(*lowest), number::short(*highest));
    format!("{variable} = {values} {how}: the samples have {lowest} to {highest}")
}

fn all(processors: &ProcessorCounts) -> String {
    let texts: Vec<String> =
        processors.iter().map(|processors| number::exact(f64::from_bits(*processors))).collect();
    listed(&texts)
}

fn numbers(processors: &ProcessorCounts) -> Vec<f64> {
    processors.iter().map(|processors| f64::from_bits(*processors)).collect()
}

fn is_or_are(processors: &ProcessorCounts) -> &'static str {
    if processors.len() == 1 { "is" } else { "are" }
}
/// That formulas leave out a point.
pub(crate) fn left_out(point: &[(String, f64)], factor: f64) -> Message {
    let place: Vec<String> =
        point.iter().map(|(variable, value)| format!("{variable} = {}", number::exact(*value))).collect();
    let text = format!(
        "{} is left out as disturbed: what was measured there is {} times what the formulas say; measure there again, and beyond",
        place.join(", "),
        number::significant(factor, 3)
    );
    let point: Map<String, Value> =
        point.iter().map(|(variable, value)| (variable.clone(), json!(value))).collect();
    Message::new("point-left-out", text).with(json!({ "point": point, "factor": factor }))
}
