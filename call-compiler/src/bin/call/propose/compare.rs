//! Two versions of a program: whose formulas grew.

use std::collections::HashMap;

use call_compiler::{
    BlockCounts, BlockKind, CountedPart, CountedTerm, LineRemark, Monomial, Quality, StatementCount,
};

use crate::propose::growth::{Growth, growth, is_slower};
use crate::propose::renamed::{Renamings, by_position, greater, renamed};

/// What is found, the worst last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum GrowthVerdict {
    /// No formula grows faster than before.
    Fine,
    /// What was known is unknown or in other names, or what was a bound is reached always, or more often.
    CannotTell,
    /// A formula grows faster.
    Worse,
}

/// What became of the blocks of a program.
pub struct BlockComparison {
    pub lines: Vec<String>,
    pub verdict: GrowthVerdict,
}

/// Compares the functions by their names, and the loops of each by their order.
pub fn compared(shown: &str, old: &[BlockCounts], new: &[BlockCounts]) -> BlockComparison {
    let mut comparison = BlockComparison { lines: Vec::new(), verdict: GrowthVerdict::Fine };
    let mut before: HashMap<&str, &[BlockCounts]> = HashMap::new();
    functions(old).into_iter().for_each(|blocks| _ = before.entry(&blocks[0].name).or_insert(blocks));
    for blocks in functions(new) {
        let Some(were) = before.get(blocks[0].name.as_str()) else { continue };
        for (block, (verdict, what)) in changes(were, blocks) {
            comparison.verdict = comparison.verdict.max(verdict);
            comparison.lines.push(format!("{shown}:{}: {} {what}", block.begin.line, block.name));
        }
    }
    comparison
}

/// What became of a function and its loops. Where the function is known, it tells what its loops do together: which of them does it and in
/// what names is not compared.
fn changes<'b>(
    were: &[BlockCounts],
    blocks: &'b [BlockCounts],
) -> Vec<(&'b BlockCounts, (GrowthVerdict, String))> {
    let names = by_position(&were[0].parameters, &blocks[0].parameters);
    let is_function_known = were[0].formula().is_some() && blocks[0].formula().is_some();
    let bases = |blocks: &[BlockCounts], names: &Renamings| {
        let mut bases: Vec<Vec<Monomial>> = blocks[1..].iter().map(|its| fastest(its, names)).collect();
        bases.sort_unstable();
        bases
    };
    let are_others = were.len() != blocks.len() || bases(were, &names) == bases(blocks, &Renamings::new());
    let told = if is_function_known && are_others { 1 } else { blocks.len() };
    let pairs = were.iter().zip(blocks).take(told);
    let found = pairs.filter_map(|(was, block)| {
        let is_told = is_function_known && block.kind == BlockKind::Loop;
        Some((block, change(was, block, &names, is_told)?))
    });
    found.collect()
}

/// What became of a block, if anything that matters. What cannot be told of a loop is none of that where its function is told.
fn change(
    was: &BlockCounts,
    block: &BlockCounts,
    names: &Renamings,
    is_told: bool,
) -> Option<(GrowthVerdict, String)> {
    let (own, its) = (block.fastest(), was.fastest());
    let (new, old) = (fastest(block, &Renamings::new()), fastest(was, names));
    let what = || format!("{} became {}", sum(&its), sum(&own));
    let assumptions = block.statements.iter().flat_map(|its| its.assumptions.iter());
    let known = assumptions.filter(|its| !block.cases.contains(*its)).map(String::as_str);
    let grown = match growth(&old, &new, &greater(known)) {
        Growth::Faster => Some((GrowthVerdict::Worse, format!("grows faster: {}", what()))),
        Growth::InOtherNames(as_if) if !is_told => {
            Some((GrowthVerdict::CannotTell, format!("cannot be compared: {}{as_if}", what())))
        }
        Growth::OfValues if !is_told => {
            Some((GrowthVerdict::CannotTell, format!("grows or not as values are: {}", what())))
        }
        _ => None,
    };
    match (block.formula().is_some(), was.formula().is_some()) {
        (true, true) if grown.is_some() => grown,
        (true, true) if new_in_loop(was, block).is_some() => {
            let remark = new_in_loop(was, block)?;
            let how = format!(
                "calls {} in a loop ({}), which is not counted: whether it grows cannot be told",
                remark.why,
                remark.place.in_words()
            );
            Some((GrowthVerdict::CannotTell, how))
        }
        (true, true) if is_slower(&old, &new) => {
            Some((GrowthVerdict::Fine, format!("grows slower: {}", what())))
        }
        (true, true) => {
            let (doubts, left) = (doubts(was), doubts(block));
            let gone = gone(&doubts, &left)?;
            let how = match left.is_empty() {
                true => format!("was at most {0} and is {0} always now", sum(&own)),
                false => format!("is at most {} as before, but comes nearer to it", sum(&own)),
            };
            Some((GrowthVerdict::CannotTell, format!("{how}: gone is {gone}")))
        }
        (false, true) if !is_told => {
            let why = block.unknown.first().map_or(String::new(), |why| format!(" ({why})"));
            Some((GrowthVerdict::CannotTell, format!("was {} and is unknown now{why}", sum(&its))))
        }
        _ => None,
    }
}

/// The first function that is called in a loop of a block, that is not counted, and that the block did not call before.
fn new_in_loop<'b>(was: &BlockCounts, block: &'b BlockCounts) -> Option<&'b LineRemark> {
    let is_repeated = |its: &StatementCount| {
        its.part == CountedPart::Whole && its.times.as_ref().is_none_or(|times| times.constant().is_none())
    };
    block.uncounted.iter().find(|remark| {
        !was.uncounted.iter().any(|its| its.why == remark.why)
            && block.statements.iter().any(|its| its.place == remark.place && is_repeated(its))
    })
}

/// Why what grows fastest in a block is a bound; nothing where some of it is none.
fn doubts(block: &BlockCounts) -> Vec<&LineRemark> {
    let fastest = block.fastest();
    let terms = block.terms.iter().filter(|term| fastest.contains(&&term.basis));
    let statements: Vec<&StatementCount> = terms.flat_map(|term| behind(block, term)).collect();
    if !statements.iter().all(|its| its.quality == Quality::AtMost) {
        return Vec::new();
    }
    let mut found: Vec<&LineRemark> = statements.into_iter().flat_map(|its| its.because.iter()).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// The statements of a term: of those in its lines the ones that run so often.
fn behind<'b>(block: &'b BlockCounts, term: &CountedTerm) -> Vec<&'b StatementCount> {
    let has_basis = |its: &&StatementCount| {
        its.times.iter().any(|times| times.terms().any(|(monomial, _)| *monomial == term.basis))
    };
    let here = || block.statements.iter().filter(|its| term.statements.contains(&its.place));
    let found: Vec<&StatementCount> = here().filter(has_basis).collect();
    if found.is_empty() { here().collect() } else { found }
}

/// The first of the doubts that are there no more, where all that are left were there before; they are the same in other lines.
fn gone<'r>(doubts: &[&'r LineRemark], left: &[&LineRemark]) -> Option<&'r LineRemark> {
    let without_lines =
        |remark: &LineRemark| remark.why.replace(|character: char| character.is_ascii_digit(), "");
    let mut gone: Vec<(String, &LineRemark)> = doubts.iter().map(|its| (without_lines(its), *its)).collect();
    for remark in left {
        let why = without_lines(remark);
        let known = gone.iter().position(|(its, _)| *its == why)?;
        gone.remove(known);
    }
    gone.first().map(|(_, remark)| *remark)
}

/// The functions, each with its loops behind it.
fn functions(blocks: &[BlockCounts]) -> Vec<&[BlockCounts]> {
    blocks.chunk_by(|_, next| next.kind == BlockKind::Loop).collect()
}

/// What a block grows as, in the names of another version.
fn fastest(block: &BlockCounts, names: &Renamings) -> Vec<Monomial> {
    block.fastest().into_iter().map(|its| renamed(its, names)).collect()
}

/// Beside others a constant is not told, which none that falls with the number of processors outgrows.
fn sum(monomials: &[&Monomial]) -> String {
    let told = monomials.iter().filter(|its| monomials.len() == 1 || **its != &Monomial::default());
    told.map(ToString::to_string).collect::<Vec<String>>().join(" + ")
}
