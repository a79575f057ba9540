//! The sections `# supersteps of processor ...` between the rows and the last line.

use std::collections::{HashMap, HashSet};
use std::str::FromStr;

use super::declaration::unescaped;
use super::function_name::readable;
use crate::lines::excerpt;
use crate::{
    BspMachine, CallSite, ContiguousProcessors, Error, ExperimentTime, FilePlace, ProcessorSupersteps,
    SourcePosition, Superstep, field,
};

const HEAD: &[u8] = b"# supersteps of processor ";
const PLACE: &[u8] = b"# place ";

/// The columns that this version has; others may follow.
const COLUMNS: &[u8] =
    b"# superstep machine depth place start_s computing_s waiting_s communicating_s recording_s \
    out_bytes in_bytes out_messages in_messages partners";

/// The columns behind those, where the runtime knows them.
const LATER_COLUMNS: &[u8] = b" experiments inner_waiting_s";

/// The one behind those.
const LAST_COLUMN: &[u8] = b" inner_communicating_s";

/// The sections while their lines are read. One that was cut has the lines that are whole.
#[derive(Debug, Default)]
pub(super) struct Sections {
    finished: Vec<ProcessorSupersteps>,
    /// Whose they are.
    processors: HashSet<u32>,
    /// What may come next.
    part: SectionPart,
    /// Where the places of the last section stand in it.
    index_of_place: HashMap<u64, usize>,
    /// Where its experiments do.
    index_of_experiment: HashMap<String, usize>,
    has_last_column: bool,
}

#[derive(Debug, Clone, Copy, Default)]
enum SectionPart {
    #[default]
    Head,
    Places,
    Supersteps,
}

impl Sections {
    /// Takes a line; returns whether it belongs to a section.
    pub(super) fn take(&mut self, text: &[u8], at: FilePlace) -> Result<bool, Error> {
        match (self.part, self.finished.last_mut()) {
            (SectionPart::Places, Some(section)) => {
                if text.starts_with(PLACE) {
                    add_place(section, &mut self.index_of_place, text, at)?;
                } else {
                    let more =
                        text.strip_prefix(COLUMNS).filter(|more| is_word_end(more)).ok_or_else(|| {
                            wrong(at, "the column names `# superstep machine depth place ... partners`", text)
                        })?;
                    let later = more.strip_prefix(LATER_COLUMNS).filter(|more| is_word_end(more));
                    self.has_last_column =
                        later.and_then(|more| more.strip_prefix(LAST_COLUMN)).is_some_and(is_word_end);
                    if later.is_some() {
                        section.experiments = Some(Vec::new());
                    }
                    self.part = SectionPart::Supersteps;
                }
                Ok(true)
            }
            (SectionPart::Supersteps, Some(section)) if text.starts_with(PLACE) => {
                add_place(section, &mut self.index_of_place, text, at)?;
                Ok(true)
            }
            (SectionPart::Supersteps, Some(section))
                if text
                    .strip_prefix(b"# ")
                    .is_some_and(|row| row.first().is_some_and(u8::is_ascii_digit)) =>
            {
                let superstep = superstep(
                    &text[2..],
                    &self.index_of_place,
                    section.experiments.as_mut().map(|names| (names, &mut self.index_of_experiment)),
                    self.has_last_column,
                )
                .filter(|its| is_inside(&its.machine.processors, section.processor))
                .ok_or_else(|| {
                    let columns = match (section.experiments.is_some(), self.has_last_column) {
                        (true, true) => "a superstep with its 17 columns",
                        (true, false) => "a superstep with its 16 columns",
                        (false, _) => "a superstep with its 14 columns",
                    };
                    wrong(at, columns, text)
                })?;
                section.supersteps.push(superstep);
                Ok(true)
            }
            _ if text.starts_with(HEAD) => self.open(text, at).map(|()| true),
            _ => Ok(false),
        }
    }

    fn open(&mut self, text: &[u8], at: FilePlace) -> Result<(), Error> {
        let expected = "`# supersteps of processor NUMBER, clock common` or `clock own`";
        let section = head(text).ok_or_else(|| wrong(at, expected, text))?;
        let processor = section.processor;
        if !self.processors.insert(processor) {
            return Err(Error::SuperstepsTwice { place: at, processor });
        }
        self.finished.push(section);
        self.part = SectionPart::Places;
        self.index_of_place.clear();
        self.index_of_experiment.clear();
        Ok(())
    }

    pub(super) fn finish(self) -> Vec<ProcessorSupersteps> {
        self.finished
    }
}

fn add_place(
    section: &mut ProcessorSupersteps,
    index_of_place: &mut HashMap<u64, usize>,
    text: &[u8],
    at: FilePlace,
) -> Result<(), Error> {
    let (number, place) = place(text)
        .filter(|(number, _)| !index_of_place.contains_key(number))
        .ok_or_else(|| wrong(at, "`# place NUMBER: CALL FILE:LINE in FUNCTION < ...`", text))?;
    index_of_place.insert(number, section.places.len());
    section.places.push(place);
    Ok(())
}

#[cold]
fn wrong(place: FilePlace, expected: &'static str, text: &[u8]) -> Error {
    Error::Superstep { place, expected, text: excerpt(text) }
}

fn head(text: &[u8]) -> Option<ProcessorSupersteps> {
    let (processor, has_common_clock) = processor_and_clock(text.strip_prefix(HEAD)?)?;
    Some(ProcessorSupersteps { processor, has_common_clock, ..Default::default() })
}

/// `NUMBER, clock common` or `clock own`, at the head of what a processor recorded.
pub(super) fn processor_and_clock(text: &[u8]) -> Option<(u32, bool)> {
    let (processor, clock) = std::str::from_utf8(text).ok()?.split_once(", clock ")?;
    let has_common_clock = match clock {
        "common" => true,
        "own" => false,
        _ => return None,
    };
    Some((natural(processor)?, has_common_clock))
}

/// `# place NUMBER: CALL FILE:LINE in FUNCTION < CALLER < main`; the position may be `?`, and the functions may be missing.
pub(super) fn place<T: FromStr>(text: &[u8]) -> Option<(T, CallSite)> {
    let mut words = field::all(text.strip_prefix(PLACE)?);
    let number = std::str::from_utf8(words.next()?.strip_suffix(b":")?).ok()?;
    let call = String::from_utf8_lossy(words.next()?).into_owned();
    let position = match words.next()? {
        b"?" => None,
        word => Some(position(word)?),
    };
    let mut call_stack = Vec::new();
    let mut separator = b"in".as_slice();
    while let Some(word) = words.next() {
        if word != separator {
            return None;
        }
        call_stack.push(readable(unescaped(words.next()?, b"nr\\ts")));
        separator = b"<";
    }
    Some((natural(number)?, CallSite { call, position, call_stack }))
}

fn position(word: &[u8]) -> Option<SourcePosition> {
    let colon = word.iter().rposition(|byte| *byte == b':')?;
    let line = natural(std::str::from_utf8(&word[colon + 1..]).ok()?)?;
    Some(SourcePosition { file: unescaped(&word[..colon], b"nr\\ts"), line })
}

fn is_word_end(text: &[u8]) -> bool {
    text.is_empty() || text[0] == b' '
}

fn superstep(
    text: &[u8],
    index_of_place: &HashMap<u64, usize>,
    names: Option<(&mut Vec<String>, &mut HashMap<String, usize>)>,
    has_last_column: bool,
) -> Option<Superstep> {
    let mut words = std::str::from_utf8(text).ok()?.split_ascii_whitespace();
    let number = natural(words.next()?)?;
    let machine = machine(words.next()?)?;
    let depth = natural(words.next()?)?;
    let place = *index_of_place.get(&natural(words.next()?)?)?;
    let mut times = [0.0; 5];
    for time_s in &mut times {
        *time_s = time(words.next()?)?;
    }
    let mut counts = [0; 4];
    for count in &mut counts {
        *count = natural(words.next()?)?;
    }
    let partners = partners(words.next()?, &machine.processors)?;
    let (experiments, inner_waiting_s) = match names {
        Some((names, indices)) => (experiments(words.next()?, names, indices)?, Some(time(words.next()?)?)),
        None => (Vec::new(), None),
    };
    let inner_communicating_s = if has_last_column { time(words.next()?)? } else { 0.0 };
    let [start_s, computing_s, waiting_s, communicating_s, recording_s] = times;
    let [out_bytes, in_bytes, out_messages, in_messages] = counts;
    Some(Superstep {
        number,
        machine,
        depth,
        place,
        start_s,
        computing_s,
        waiting_s,
        inner_waiting_s,
        communicating_s,
        inner_communicating_s,
        recording_s,
        out_bytes,
        in_bytes,
        out_messages,
        in_messages,
        partners,
        experiments,
    })
}

/// `A=0.000012000,F=2.3`, or `-` for none; new names are added to those that are known.
fn experiments(
    word: &str,
    names: &mut Vec<String>,
    indices: &mut HashMap<String, usize>,
) -> Option<Vec<ExperimentTime>> {
    if word == "-" {
        return Some(Vec::new());
    }
    let mut times: Vec<ExperimentTime> = Vec::new();
    for part in word.split(',') {
        let (name, inside) = part.split_once('=').filter(|(name, _)| !name.is_empty())?;
        let inside_s = time(inside)?;
        let experiment = indices.get(name).copied().unwrap_or(names.len());
        if experiment == names.len() {
            names.push(name.to_owned());
            indices.insert(name.to_owned(), experiment);
        }
        times.push(ExperimentTime { experiment, inside_s });
    }
    times.sort_unstable_by_key(|its| its.experiment);
    times.is_sorted_by(|left, right| left.experiment < right.experiment).then_some(times)
}

/// Digits only: [`str::parse`] takes a sign as well.
pub(super) fn natural<T: FromStr>(word: &str) -> Option<T> {
    word.bytes().all(|byte| byte.is_ascii_digit()).then(|| word.parse().ok()).flatten()
}

/// No run takes longer, so whatever is added up stays finite.
const LONGEST_S: f64 = 1e15;

fn time(word: &str) -> Option<f64> {
    word.parse().ok().filter(|time_s: &f64| (0.0..=LONGEST_S).contains(time_s))
}

/// `FIRST-LAST.NUMBER`.
fn machine(word: &str) -> Option<BspMachine> {
    let (range, number) = word.split_once('.')?;
    let (first, last) = range.split_once('-')?;
    let processors = ContiguousProcessors { first: natural(first)?, last: natural(last)? };
    (processors.first <= processors.last).then_some(BspMachine { processors, number: natural(number)? })
}

/// `0,2-3`, or `-` for none.
fn partners(word: &str, machine: &ContiguousProcessors) -> Option<Vec<ContiguousProcessors>> {
    if word == "-" {
        return Some(Vec::new());
    }
    let range = |part: &str| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let range = ContiguousProcessors { first: natural(first)?, last: natural(last)? };
        (range.first <= range.last && is_inside(machine, range.first) && is_inside(machine, range.last))
            .then_some(range)
    };
    let ranges: Vec<ContiguousProcessors> = word.split(',').map(range).collect::<Option<_>>()?;
    ranges.is_sorted_by(|left, right| left.last < right.first).then_some(ranges)
}

fn is_inside(range: &ContiguousProcessors, processor: u32) -> bool {
    (range.first..=range.last).contains(&processor)
}
