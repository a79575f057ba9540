//! Directives that measure many times: their traces are large.

use std::cell::OnceCell;
use std::collections::HashMap;

use call_compiler::{BlockCounts, BlockKind, Polynomial, StatementCount};

use super::call_graph::{CallGraph, WayToItself};
use super::processors::is_word;

/// How often the functions of a file are called, as far as that is known.
#[derive(Default)]
pub struct Frequency {
    /// In the order of their lines.
    functions: Vec<CalledFunction>,
    /// Those that each calls, found in the text once for all directives.
    calls: OnceCell<CallGraph>,
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
        let mut functions: Vec<CalledFunction> = functions.iter().zip(often).map(called).collect();
        functions.sort_by_key(|its| its.begin);
        Frequency { functions, calls: OnceCell::new() }
    }

    /// Why a directive of a block measures many times; `lines` have no comments.
    pub fn why_often(&self, block: &BlockCounts, lines: &[&str]) -> Option<String> {
        let line = block.begin.line as usize;
        let function = self.functions.partition_point(|its| its.begin <= line).checked_sub(1)?;
        let CalledFunction { name, often, .. } =
            self.functions.get(function).filter(|its| line <= its.end)?;
        let of_each = format!("in each call of `{name}`, which calls itself");
        let told = |other: &usize| format!("`{}`", self.functions[*other].name);
        let calls = self.calls.get_or_init(|| CallGraph::new(self.found_calls(lines)));
        let often = match calls.way_to_itself(function) {
            Some(WayToItself::Through(others)) if others.is_empty() => of_each,
            Some(WayToItself::Through(others)) => {
                let others: Vec<String> = others.iter().map(told).collect();
                format!("{of_each} through {}", others.join(" and "))
            }
            Some(WayToItself::ThroughMany(first)) => format!("{of_each} through {} and others", told(&first)),
            None => often.clone()?,
        };
        Some(format!(
            "it measures {often}: traces may be large. `CALL_BUDGET=1%` measures a part, one directive around the outermost call all together"
        ))
    }

    /// The numbers of those that each function calls; its own also where the name stands elsewhere than before a bracket.
    fn found_calls(&self, lines: &[&str]) -> Vec<Vec<usize>> {
        let mut named: HashMap<&str, Vec<usize>> = HashMap::new();
        for (number, function) in self.functions.iter().enumerate() {
            named.entry(&function.name).or_default().push(number);
        }
        let of_function = |(number, function): (usize, &CalledFunction)| {
            let body = function.body(lines);
            let called = names_before_brackets(&body).filter_map(|name| named.get(name)).flatten().copied();
            let own = names(&body).any(|word| word == function.name).then_some(number);
            let mut numbers: Vec<usize> = called.chain(own).collect();
            numbers.sort_unstable();
            numbers.dedup();
            numbers
        };
        self.functions.iter().enumerate().map(of_function).collect()
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
}

fn names(body: &str) -> impl Iterator<Item = &str> {
    body.split(|character| !is_word(character))
}

fn names_before_brackets(body: &str) -> impl Iterator<Item = &str> {
    let before = body.match_indices('(').map(|(bracket, _)| body[..bracket].trim_end());
    before.map(|text| &text[text.rfind(|character| !is_word(character)).map_or(0, |at| at + 1)..])
}
