//! Directives that measure many times: their traces are large.

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap, VecDeque};

use call_compiler::{BlockCounts, BlockKind, Polynomial, StatementCount};

use super::processors::is_word;

/// How often the functions of a file are called, as far as that is known.
#[derive(Default)]
pub struct Frequency {
    functions: Vec<CalledFunction>,
    /// For each function those that it calls, found in the text once for all directives.
    calls: OnceCell<Vec<Vec<usize>>>,
}

struct CalledFunction {
    name: String,
    /// Lines from 1.
    begin: usize,
    end: usize,
    /// More often than some number says: how often, in words.
    often: Option<String>,
}

impl Frequency {
    /// What the blocks of a file say of each other.
    pub fn of(blocks: &[BlockCounts]) -> Frequency {
        let functions: Vec<&BlockCounts> = blocks
            .iter()
            .filter(|block| block.kind == BlockKind::Function && block.begin.file.is_none())
            .collect();
        let often = called_often(&functions);
        let called = |(function, often): (&&BlockCounts, Option<String>)| CalledFunction {
            name: function.name.clone(),
            begin: function.begin.line as usize,
            end: function.end.line as usize,
            often,
        };
        Frequency { functions: functions.iter().zip(often).map(called).collect(), calls: OnceCell::new() }
    }

    /// Why a directive of a block measures many times; `lines` have no comments.
    pub fn why_often(&self, block: &BlockCounts, lines: &[&str]) -> Option<String> {
        let line = block.begin.line as usize;
        let function = self.functions.iter().position(|its| (its.begin..=its.end).contains(&line))?;
        let name = &self.functions[function].name;
        let often = match self.way_to_itself(function, lines) {
            Some(through) if through.is_empty() => format!("in each call of `{name}`, which calls itself"),
            Some(through) => format!(
                "in each call of `{name}`, which calls itself through {}",
                through
                    .iter()
                    .map(|&its| format!("`{}`", self.functions[its].name))
                    .collect::<Vec<_>>()
                    .join(" and ")
            ),
            None => self.functions[function].often.clone()?,
        };
        Some(format!(
            "it measures {often}: traces may be large. `CALL_BUDGET=1%` measures a part, one directive around the outermost call all together"
        ))
    }

    /// The fewest other functions through which a function calls itself; none where it does not.
    fn way_to_itself(&self, function: usize, lines: &[&str]) -> Option<Vec<usize>> {
        if self.functions[function].names_itself(lines) {
            return Some(Vec::new());
        }
        let calls = self.calls.get_or_init(|| self.found_calls(lines));
        let mut ways = VecDeque::from([vec![function]]);
        let mut seen = BTreeSet::from([function]);
        while let Some(way) = ways.pop_front() {
            let called = &calls[*way.last()?];
            if way.len() > 1 && called.contains(&function) {
                return Some(way[1..].to_vec());
            }
            let next = called.iter().filter(|its| seen.insert(**its));
            ways.extend(next.map(|its| [&way[..], &[*its]].concat()));
        }
        None
    }

    fn found_calls(&self, lines: &[&str]) -> Vec<Vec<usize>> {
        let mut named: HashMap<&str, Vec<usize>> = HashMap::new();
        for (number, function) in self.functions.iter().enumerate() {
            named.entry(&function.name).or_default().push(number);
        }
        let of_function = |function: &CalledFunction| {
            let called = function.called(lines);
            let mut numbers: Vec<usize> =
                called.iter().filter_map(|name| named.get(name.as_str())).flatten().copied().collect();
            numbers.sort_unstable();
            numbers
        };
        self.functions.iter().map(of_function).collect()
    }
}

/// How often each function is called by the first other one of which no number says it.
fn called_often(functions: &[&BlockCounts]) -> Vec<Option<String>> {
    let mut named: HashMap<&str, Vec<(usize, &StatementCount)>> = HashMap::new();
    for (number, function) in functions.iter().enumerate() {
        let once = once(function).map(|once| (number, once));
        named.entry(&function.name).or_default().extend(once);
    }
    let mut often: Vec<Option<String>> = vec![None; functions.len()];
    for caller in functions {
        for statement in &caller.statements {
            let Some(name) = statement.function.as_ref().filter(|name| **name != caller.name) else {
                continue;
            };
            let Some(times) = statement.times.as_deref().filter(|its| its.constant().is_none()) else {
                continue;
            };
            for (number, once) in named.get(name.as_str()).into_iter().flatten() {
                if statement.place == once.place && statement.part == once.part {
                    often[*number]
                        .get_or_insert_with(|| format!("{times} times in each call of `{}`", caller.name));
                }
            }
        }
    }
    often
}

/// A statement that runs once in each call.
fn once(function: &BlockCounts) -> Option<&StatementCount> {
    let is_once = |times: &Polynomial| times.integer() == Some(1);
    let mut own = function.statements.iter().filter(|its| its.function.is_none());
    own.find(|its| its.times.as_deref().is_some_and(is_once))
}

impl CalledFunction {
    /// Its text behind the first brace.
    fn body(&self, lines: &[&str]) -> String {
        let text = (self.begin..=self.end).filter_map(|line| lines.get(line.checked_sub(1)?).copied());
        let text = text.collect::<Vec<&str>>().join("\n");
        text.split_once('{').map_or(String::new(), |(_, body)| body.to_owned())
    }

    fn names_itself(&self, lines: &[&str]) -> bool {
        self.body(lines).split(|character| !is_word(character)).any(|word| word == self.name)
    }

    /// The names before brackets.
    fn called(&self, lines: &[&str]) -> BTreeSet<String> {
        let body = self.body(lines);
        let before = body.match_indices('(').map(|(bracket, _)| body[..bracket].trim_end());
        before
            .map(|text| text[text.rfind(|character| !is_word(character)).map_or(0, |at| at + 1)..].to_owned())
            .collect()
    }
}
