use call_trace::{CallSite, SuperstepEnd};

use super::{OxfordError, WORD_BYTES};
use crate::{Accumulated, Centre, Cost, CostQuantity, Facts, Position, Profile, ProfileBuilder};

/// Reads a trace. Bytes that are no UTF-8 are shown as replacement characters.
///
/// Idle times of processors come without the latency, which is the mean by which they exceed the average. The h-relation of a processor
/// over all supersteps is taken to be the larger of all that came and all that went, which is never more than it was.
///
/// # Errors
/// If the text is no such trace, or is cut or damaged, with the line.
pub fn read(bytes: &[u8]) -> Result<Profile, OxfordError> {
    let text = String::from_utf8_lossy(bytes);
    let mut reader = OxfordReader::default();
    for (index, line) in text.lines().enumerate() {
        reader.take(index + 1, line)?;
    }
    reader.profile()
}

#[derive(Default)]
struct OxfordReader {
    facts: Facts,
    processors: Option<usize>,
    /// With the numbers of the cost centres.
    positions: Vec<(u64, Position)>,
    /// With their lines in the file.
    stacks: Vec<(usize, Centre, Cost)>,
}

impl OxfordReader {
    fn take(&mut self, line: usize, text: &str) -> Result<(), OxfordError> {
        let Some(key) = text.chars().next() else { return Ok(()) };
        let rest = text[key.len_utf8()..].strip_prefix(' ').ok_or(OxfordError::Unknown { line })?;
        let fact = match key {
            'D' => &mut self.facts.date,
            'F' => &mut self.facts.flags,
            'N' => &mut self.facts.machine,
            'X' => &mut self.facts.device,
            'P' => return self.take_processors(line, rest),
            's' => return self.take_position(line, rest),
            'A' => return self.take_stack(line, rest),
            'E' => {
                let elapsed_s = Words { line, text: rest }.number("the elapsed time")?;
                return set(&mut self.facts.elapsed_s, elapsed_s, line, key);
            }
            // A superstep, for the profiler that shows them over time.
            'c' => return Ok(()),
            _ => return Err(OxfordError::Unknown { line }),
        };
        set(fact, rest.to_owned(), line, key)
    }

    fn take_processors(&mut self, line: usize, rest: &str) -> Result<(), OxfordError> {
        let expected = "the number of processors";
        let processors: u32 = Words { line, text: rest }.whole(expected)?;
        if processors == 0 {
            return Err(OxfordError::Number { line, found: "0".to_owned(), expected });
        }
        set(&mut self.processors, processors as usize, line, 'P')
    }

    fn take_position(&mut self, line: usize, rest: &str) -> Result<(), OxfordError> {
        let mut words = Words { line, text: rest };
        let number = words.whole("the number of the cost centre")?;
        let position = words.whole("the line of the cost centre")?;
        self.positions.push((number, named(words.text, position)));
        Ok(())
    }

    fn take_stack(&mut self, line: usize, rest: &str) -> Result<(), OxfordError> {
        let processors = self.processors.ok_or(OxfordError::NoProcessors)?;
        let cut = |missing: &str| OxfordError::Cut { line, missing: missing.to_owned() };
        let rest = rest.strip_prefix('<').ok_or(OxfordError::Unknown { line })?;
        let (stack, values) = rest.split_once("> with ").ok_or_else(|| cut("the end of the call stack"))?;
        let centre = centre(line, stack)?;
        let mut words = Words { line, text: values };
        let mut cost = Cost::new(processors);
        cost.synchronisations = u64::from(words.whole::<u32>("the number of synchronisations")?);
        words.label("SYNCS")?;
        // The label stands behind the values.
        for (quantity, label, factor) in [
            (CostQuantity::Computation, "COMP", 1.0),
            (CostQuantity::Communication, "COMM", 1.0),
            (CostQuantity::Waiting, "COMPIDLE", 1.0),
            (CostQuantity::H, "HREL", WORD_BYTES),
        ] {
            let sums = cost.of_mut(quantity);
            for sum in [&mut sums.maximum, &mut sums.average, &mut sums.minimum] {
                *sum = match quantity {
                    CostQuantity::H => words.whole::<u64>("a whole number of words")? as f64 * factor,
                    _ => words.number("a time")?,
                };
            }
            words.label(label)?;
            check(line, label, sums)?;
        }
        take_processors(&mut words, &mut cost)?;
        self.stacks.push((line, centre, cost));
        Ok(())
    }

    fn profile(self) -> Result<Profile, OxfordError> {
        let processors = self.processors.ok_or(OxfordError::NoProcessors)?;
        if self.stacks.is_empty() {
            return Err(OxfordError::NoStacks);
        }
        let (positions, stacks) = (self.positions.len(), self.stacks.len());
        if positions != stacks {
            return Err(OxfordError::Unequal { positions, stacks });
        }
        let mut builder = ProfileBuilder::new(processors);
        for ((first_pass, position), (line, centre, cost)) in self.positions.into_iter().zip(self.stacks) {
            if centre.position != position {
                let (found, expected) = (centre.position.to_string(), position.to_string());
                return Err(OxfordError::Order { line, found, expected });
            }
            let number = builder.centre(centre);
            builder.add_cost(number, first_pass, &cost);
        }
        builder.facts(self.facts);
        Ok(builder.finish())
    }
}

/// `LINE of FILE f,main, `.
fn centre(line: usize, stack: &str) -> Result<Centre, OxfordError> {
    let mut words = Words { line, text: stack };
    let number = words.whole("the line of the cost centre")?;
    words.label("of")?;
    let (file, functions) = words.text.split_once(' ').unwrap_or((words.text, ""));
    let functions = functions.split(',').filter(|name| !name.trim().is_empty());
    Ok(Centre::new(named(file, number), functions))
}

/// Where supersteps end without a synchronisation, the call has its name in place of the file.
fn named(name: &str, line: u32) -> Position {
    let call = CallSite { call: name.to_owned(), position: None, call_stack: Vec::new() };
    match call.superstep_end() {
        SuperstepEnd::Nothing => Position::of_call(name, None, line),
        _ => Position::new(name, line),
    }
}

/// Times are rounded to microseconds before they are added up, and clocks are not quite the same.
fn check(line: usize, label: &'static str, sums: &Accumulated) -> Result<(), OxfordError> {
    let slack = 1e-4 + 0.01 * sums.maximum;
    if -slack <= sums.minimum && sums.minimum <= sums.average + slack && sums.average <= sums.maximum + slack
    {
        return Ok(());
    }
    let [maximum, average, minimum] = [sums.maximum, sums.average, sums.minimum].map(|sum| sum.to_string());
    Err(OxfordError::Sums { line, label, maximum, average, minimum })
}

/// `comp,comm,idle,in,out;` for each.
fn take_processors(words: &mut Words, cost: &mut Cost) -> Result<(), OxfordError> {
    let line = words.line;
    let groups = words.next("the values of the processors")?;
    if let Some(found) = words.text.split_whitespace().next() {
        return Err(OxfordError::Rest { line, found: found.to_owned() });
    }
    let processors = cost.in_bytes.len();
    let whole = groups.strip_suffix(';').ok_or_else(|| OxfordError::Cut {
        line,
        missing: format!("the end of the values of processor {}", groups.matches(';').count()),
    })?;
    let found = whole.split(';').count();
    if found != processors {
        return Err(OxfordError::Processors { line, found, processors });
    }
    for (processor, group) in whole.split(';').enumerate() {
        let values: Vec<&str> = group.split(',').collect();
        let [computing, communicating, idle, come, gone] = values[..] else {
            let expected = "`comp,comm,idle,in,out`";
            return Err(OxfordError::Number { line, found: group.to_owned(), expected });
        };
        let times = [
            (CostQuantity::Computation, computing),
            (CostQuantity::Communication, communicating),
            (CostQuantity::Waiting, idle),
        ];
        for (quantity, text) in times {
            cost.of_mut(quantity).by_processor[processor] = Words { line, text }.number("a time")?;
        }
        for (sums, text) in [(&mut cost.in_bytes, come), (&mut cost.out_bytes, gone)] {
            sums[processor] =
                Words { line, text }.whole::<u64>("a whole number of words")? as f64 * WORD_BYTES;
        }
        cost.of_mut(CostQuantity::H).by_processor[processor] =
            cost.in_bytes[processor].max(cost.out_bytes[processor]);
    }
    let idle = cost.of_mut(CostQuantity::Waiting);
    let mean_s = idle.by_processor.iter().sum::<f64>() / processors as f64;
    // No processor waited for less than the latency; rounded numbers do not add up to the last digit.
    let least_s = idle.by_processor.iter().copied().fold(f64::INFINITY, f64::min);
    let latency_s = (mean_s - idle.average).min(least_s).max(0.0);
    idle.by_processor.iter_mut().for_each(|idle_s| *idle_s -= latency_s);
    cost.latency_s = latency_s;
    Ok(())
}

fn set<Value>(fact: &mut Option<Value>, value: Value, line: usize, key: char) -> Result<(), OxfordError> {
    match fact.replace(value) {
        None => Ok(()),
        Some(_) => Err(OxfordError::Twice { line, key }),
    }
}

/// No run takes so many seconds: whatever is added up stays finite.
const LONGEST_S: f64 = 1e15;

/// The words of a line that are left.
struct Words<'a> {
    line: usize,
    text: &'a str,
}

impl<'a> Words<'a> {
    fn next(&mut self, expected: &str) -> Result<&'a str, OxfordError> {
        let text = self.text.trim_start_matches(' ');
        if text.is_empty() {
            return Err(OxfordError::Cut { line: self.line, missing: expected.to_owned() });
        }
        let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
        self.text = rest;
        Ok(word)
    }

    fn label(&mut self, label: &'static str) -> Result<(), OxfordError> {
        match self.next(&format!("`{label}`"))? {
            word if word == label => Ok(()),
            word if self.text.is_empty() && label.starts_with(word) => {
                Err(OxfordError::Cut { line: self.line, missing: format!("`{label}`") })
            }
            word => Err(OxfordError::Number { line: self.line, found: shortened(word), expected: label }),
        }
    }

    fn number(&mut self, expected: &'static str) -> Result<f64, OxfordError> {
        let word = self.next(expected)?;
        let is_plain = word.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
        let number = word.parse().ok().filter(|number: &f64| is_plain && number.abs() <= LONGEST_S);
        number.ok_or_else(|| OxfordError::Number { line: self.line, found: shortened(word), expected })
    }

    fn whole<Number: std::str::FromStr>(&mut self, expected: &'static str) -> Result<Number, OxfordError> {
        let word = self.next(expected)?;
        word.parse().map_err(|_| OxfordError::Number { line: self.line, found: shortened(word), expected })
    }
}

/// As much of a word as a message bears, without what terminals obey.
fn shortened(word: &str) -> String {
    const MOST: usize = 40;
    let is_shown = |c: char| c.is_alphanumeric() || c.is_ascii_punctuation();
    let start = word.chars().take(MOST).map(|c| if is_shown(c) { c } else { '\u{fffd}' });
    let rest = if word.chars().nth(MOST).is_some() { "…" } else { "" };
    start.chain(rest.chars()).collect()
}
