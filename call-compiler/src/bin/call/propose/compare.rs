//! Two versions of a program: whose formulas grew.

use call_compiler::{BlockCounts, BlockKind, Monomial, is_dominated};

/// What became of the blocks of a program.
pub struct Comparison {
    pub lines: Vec<String>,
    /// Whether a formula grows faster than before.
    pub is_worse: bool,
}

/// Compares the functions by their names, and the loops of each by their order.
pub fn compared(shown: &str, old: &[BlockCounts], new: &[BlockCounts]) -> Comparison {
    let mut comparison = Comparison { lines: Vec::new(), is_worse: false };
    let before = numbered(old);
    for (key, block) in numbered(new) {
        let Some((_, was)) = before.iter().find(|(its, _)| *its == key) else { continue };
        let place = format!("{shown}:{}: {}", block.begin.line, block.name);
        let (own, its) = (block.fastest(), was.fastest());
        let outgrows = |one: &[&Monomial], other: &[&Monomial]| {
            one.iter().any(|monomial| !other.iter().any(|its| is_dominated(monomial, its)))
        };
        match (block.formula().is_some(), was.formula().is_some()) {
            (true, true) if outgrows(&own, &its) => {
                comparison.is_worse = true;
                comparison.lines.push(format!("{place} grows faster: {} became {}", sum(&its), sum(&own)));
            }
            (true, true) if outgrows(&its, &own) => {
                comparison.lines.push(format!("{place} grows slower: {} became {}", sum(&its), sum(&own)));
            }
            (false, true) => {
                let why = block.unknown.first().map_or(String::new(), |why| format!(" ({why})"));
                comparison.lines.push(format!("{place} was {} and is unknown now{why}", sum(&its)));
            }
            _ => {}
        }
    }
    comparison
}

/// Blocks with what they are known by in another version: their function, and which of its loops they are.
fn numbered(blocks: &[BlockCounts]) -> Vec<((&str, usize), &BlockCounts)> {
    let mut found = Vec::new();
    let mut function = ("", 0);
    for block in blocks {
        match block.kind {
            BlockKind::Function => function = (block.name.as_str(), 0),
            BlockKind::Loop => function.1 += 1,
        }
        found.push((function, block));
    }
    found
}

fn sum(monomials: &[&Monomial]) -> String {
    monomials.iter().map(ToString::to_string).collect::<Vec<String>>().join(" + ")
}
