//! Directives that measure many times: their traces are large.

use call_compiler::{BlockCounts, BlockKind, Polynomial};

use super::processors::is_word;

/// How often the functions of a file are called, as far as that is known.
#[derive(Default)]
pub struct Frequency(Vec<CalledFunction>);

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
        let called = |function: &&BlockCounts| CalledFunction {
            name: function.name.clone(),
            begin: function.begin.line as usize,
            end: function.end.line as usize,
            often: functions.iter().find_map(|caller| calls(caller, function)),
        };
        Frequency(functions.iter().map(called).collect())
    }

    /// Why a directive of a block measures many times; `lines` have no comments.
    pub fn why_often(&self, block: &BlockCounts, lines: &[&str]) -> Option<String> {
        let line = block.begin.line as usize;
        let function = self.0.iter().find(|its| (its.begin..=its.end).contains(&line))?;
        let often = match function.calls_itself(lines) {
            true => format!("in each call of `{}`, which calls itself", function.name),
            false => function.often.clone()?,
        };
        Some(format!(
            "it measures {often}: traces may be large. `CALL_BUDGET=1%` measures a part, one directive around the outermost call all together"
        ))
    }
}

/// How often a function calls another one, if no number says it.
fn calls(caller: &BlockCounts, function: &BlockCounts) -> Option<String> {
    let is_once = |times: &Polynomial| times.integer() == Some(1);
    let mut own = function.statements.iter().filter(|its| its.function.is_none());
    let once = own.find(|its| its.times.as_deref().is_some_and(is_once))?;
    let mut same = caller.statements.iter().filter(|its| {
        its.function.as_ref() == Some(&function.name) && its.place == once.place && its.part == once.part
    });
    let times = same.find_map(|its| its.times.as_deref().filter(|its| its.constant().is_none()))?;
    (caller.name != function.name).then(|| format!("{times} times in each call of `{}`", caller.name))
}

impl CalledFunction {
    /// Whether it names itself behind its first brace.
    fn calls_itself(&self, lines: &[&str]) -> bool {
        let body = (self.begin..=self.end).filter_map(|line| Some((line, *lines.get(line.checked_sub(1)?)?)));
        let mut body = body.map(|(line, text)| match line == self.begin {
            true => text.split_once('{').map_or("", |(_, rest)| rest),
            false => text,
        });
        body.any(|text| text.split(|character| !is_word(character)).any(|word| word == self.name))
    }
}
