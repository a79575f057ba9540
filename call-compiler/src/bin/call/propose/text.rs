//! Proposals as people read them: directives to paste, and the statements behind each constant.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write;

use call_compiler::{
    BlockCounts, CodeLine, CountedPart, GuardedTerm, LineRemark, Quality, StatementCount, is_remainder,
};
use call_grammar::printable;

/// All blocks of a file.
pub fn proposals(source: &str, blocks: &[BlockCounts], with_statements: bool) -> String {
    let texts: Vec<String> = blocks.iter().map(|block| proposal(source, block, with_statements)).collect();
    printable(&texts.join("\n")).into_owned()
}

fn proposal(source: &str, block: &BlockCounts, with_statements: bool) -> String {
    let mut text = format!("{source}:{}-{}\n    {}\n", block.begin.line, block.end.line, block.directive());
    // Writing to a string cannot fail.
    let mut line = |line: String| _ = writeln!(text, "{line}");
    let constants: Vec<String> =
        (0..block.terms.len()).map(|number| format!("{}[{number}]", block.name)).collect();
    let width = constants.iter().map(String::len).max().unwrap_or(0);
    let basis_width = block.terms.iter().map(|term| term.told.to_string().len()).max().unwrap_or(0);
    for (constant, term) in constants.iter().zip(&block.terms) {
        let statements = lines(&term.statements);
        line(
            format!("      {constant:width$}  {:basis_width$}  {statements}", term.told.to_string())
                .trim_end()
                .to_owned(),
        );
    }
    let left_out = block.left_out.iter().map(|term| format!("{} ({})", term.told, lines(&term.statements)));
    let left_out = left_out.collect::<Vec<_>>().join(", ");
    if !left_out.is_empty() {
        line(format!("      left out, as there are {} constants: {left_out}", block.terms.len()));
    }
    if let Some((name, why)) = block.read_under_condition() {
        line(format!("      read under a condition only: {name}, {why}"));
    }
    block.guarded.iter().for_each(|guarded| line(format!("      {}", of_guarded(guarded))));
    if with_statements {
        block.statements.iter().for_each(|statement| line(format!("      {}", of_statement(statement))));
    } else if block.formula().is_some() {
        let (never, run): (Vec<&StatementCount>, Vec<&StatementCount>) =
            block.statements.iter().partition(|its| runs_never(its));
        let all: BTreeSet<&str> = run.into_iter().flat_map(assumptions).collect();
        let (cases, everywhere): (Vec<&str>, Vec<&str>) =
            all.into_iter().partition(|its| block.cases.contains(*its));
        let everywhere = strongest(everywhere);
        if !everywhere.is_empty() {
            line(format!("      where {}", everywhere.join(", ")));
        }
        if !cases.is_empty() {
            let case = |case: &str| format!("{} where {case}", lines(&in_case(block, case)));
            line(format!("      only {}", cases.into_iter().map(case).collect::<Vec<_>>().join("; ")));
        }
        let mut conditions: Vec<(String, BTreeSet<CodeLine>)> = Vec::new();
        for statement in never.iter().filter(|its| !its.assumptions.is_empty()) {
            let of = statement.function.as_ref().map_or_else(String::new, |name| format!(" of {name}"));
            let condition = format!("{of}: 0 where {}", statement.assumptions.join(", "));
            match conditions.iter_mut().find(|(known, _)| *known == condition) {
                Some((_, places)) => _ = places.insert(statement.place.clone()),
                None => conditions.push((condition, [statement.place.clone()].into())),
            }
        }
        for (condition, places) in conditions {
            line(format!("      {}{condition}", lines(&places.into_iter().collect::<Vec<_>>())));
        }
        let doubts: BTreeSet<&LineRemark> = block
            .statements
            .iter()
            .filter(|statement| statement.times.is_some() && statement.quality == Quality::AtMost)
            .flat_map(|statement| statement.because.iter())
            .collect();
        let remainders = block.statements.iter().filter(|its| its.times.as_deref().is_some_and(is_remainder));
        let remainders: Vec<LineRemark> = remainders
            .map(|its| LineRemark {
                place: its.place.clone(),
                why: "a remainder is below the divisor".to_owned(),
            })
            .collect();
        by_reason(doubts.into_iter().chain(&remainders))
            .for_each(|(why, places)| line(format!("      at most: {places}: {why}")));
    }
    by_reason(&block.undivided)
        .for_each(|(why, places)| line(format!("      not divided by P: {places}: {why}")));
    by_reason(&block.divided_if)
        .for_each(|(what, places)| line(format!("      divided by P if {what}: {places}")));
    by_reason(&block.unknown).for_each(|(why, places)| line(format!("      unknown: {places}: {why}")));
    by_reason(&block.uncounted).for_each(|(why, places)| line(format!("      not counted: {why}, {places}")));
    if !block.taken_as_unchanged.is_empty() {
        let names = block.taken_as_unchanged.join(", ");
        line(format!("      taken as unchanged by what is not counted: {names}"));
    }
    text
}

/// A term that the formula lacks, and what stands in its place.
pub fn of_guarded(guarded: &GuardedTerm) -> String {
    let GuardedTerm { name, term, bound } = guarded;
    let basis = &term.basis;
    let what = match bound {
        Some(bound) => format!("{bound} for {basis}, which is never more"),
        None => format!("left out {basis}"),
    };
    format!(
        "read under a condition only: {name}, which may have no value else: {what} ({})",
        lines(&term.statements)
    )
}

/// Each reason once, in the order in which they come, with all its places.
fn by_reason<'a>(
    remarks: impl IntoIterator<Item = &'a LineRemark>,
) -> impl Iterator<Item = (&'a str, String)> {
    let mut reasons: Vec<(&str, BTreeSet<CodeLine>)> = Vec::new();
    let mut known: HashMap<&str, usize> = HashMap::new();
    for remark in remarks {
        let at = *known.entry(&remark.why).or_insert_with(|| {
            reasons.push((&remark.why, BTreeSet::new()));
            reasons.len() - 1
        });
        reasons[at].1.insert(remark.place.clone());
    }
    reasons.into_iter().map(|(why, places)| (why, lines(&places.into_iter().collect::<Vec<_>>())))
}

fn of_statement(statement: &StatementCount) -> String {
    let mut text = statement.place.in_words();
    if let Some(function) = &statement.function {
        _ = write!(text, " of {function}");
    }
    match statement.part {
        CountedPart::Whole => {}
        CountedPart::LoopEntry => text.push_str(", begin of the loop"),
        CountedPart::Library(name) => _ = write!(text, ", {name}"),
        CountedPart::Representative => text.push_str(" and others that run as often"),
    }
    let because: Vec<String> = statement.because.iter().map(ToString::to_string).collect();
    match &statement.times {
        None => _ = write!(text, ": unknown: {}", because.join("; ")),
        Some(times) => {
            let how = match statement.quality {
                Quality::Exact => "",
                Quality::Rounded => "about ",
                Quality::AtMost => "at most ",
            };
            _ = write!(text, ": {how}{times}");
            let all = strongest(match runs_never(statement) {
                true => statement.assumptions.iter().map(String::as_str).collect(),
                false => assumptions(statement).collect(),
            });
            if !all.is_empty() {
                _ = write!(text, " where {}", all.join(", "));
            }
            if !because.is_empty() {
                _ = write!(text, " ({})", because.join("; "));
            }
        }
    }
    text
}

/// Where the statements stand that an assumption is made for.
fn in_case(block: &BlockCounts, case: &str) -> Vec<CodeLine> {
    let run = block.statements.iter().filter(|its| !runs_never(its));
    let statements = run.filter(|its| assumptions(its).any(|own| own == case));
    let places: BTreeSet<&CodeLine> = statements.map(|its| &its.place).collect();
    places.into_iter().cloned().collect()
}

/// Whether a statement is said not to run: all that this needs is told then.
fn runs_never(statement: &StatementCount) -> bool {
    statement.times.as_ref().is_some_and(|times| times.is_zero())
}

/// What must hold beside that nothing is negative.
fn assumptions(statement: &StatementCount) -> impl Iterator<Item = &str> {
    statement.assumptions.iter().map(String::as_str).filter(|assumption| !assumption.ends_with(" >= 0"))
}

/// Those of inequalities that do not follow from another one: `n >= m` does from `n >= m + 1`.
fn strongest(all: Vec<&str>) -> Vec<&str> {
    let parts: Vec<Option<(&str, &str, i64)>> = all.iter().map(|its| inequality(its)).collect();
    let follows = |own: &(&str, &str, i64)| {
        parts.iter().flatten().any(|its| (its.0, its.1) == (own.0, own.1) && its.2 > own.2)
    };
    let is_kept = |own: &Option<(&str, &str, i64)>| !own.as_ref().is_some_and(follows);
    all.iter().zip(&parts).filter(|(_, own)| is_kept(own)).map(|(its, _)| *its).collect()
}

/// Its left side, and the right one as a sum with a number.
fn inequality(text: &str) -> Option<(&str, &str, i64)> {
    let (left, right) = text.split_once(" >= ")?;
    if let Ok(number) = right.parse() {
        return Some((left, "", number));
    }
    let sum = [(" + ", 1), (" - ", -1)].into_iter().find_map(|(sign, factor)| {
        let (rest, number) = right.rsplit_once(sign)?;
        Some((left, rest, factor * number.parse::<i64>().ok()?))
    });
    Some(sum.unwrap_or((left, right, 0)))
}

/// `lines 3-5, 9`; those of other files by their names.
fn lines(all: &[CodeLine]) -> String {
    let mut parts: Vec<String> = Vec::new();
    let own: Vec<u32> = all.iter().filter(|line| line.file.is_none()).map(|line| line.line).collect();
    let mut position = 0;
    while position < own.len() {
        let first = own[position];
        let mut last = first;
        while position < own.len() && own[position] <= last + 1 {
            last = own[position];
            position += 1;
        }
        parts.push(if first == last { first.to_string() } else { format!("{first}-{last}") });
    }
    if !parts.is_empty() {
        parts = vec![format!("{} {}", if own.len() == 1 { "line" } else { "lines" }, parts.join(", "))];
    }
    parts.extend(all.iter().filter(|line| line.file.is_some()).map(ToString::to_string));
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_follows_from_others_is_not_told() {
        let cases: [(&[&str], &[&str]); 4] = [
            (&["steps >= count", "steps >= count + 1"], &["steps >= count + 1"]),
            (&["n >= 3", "n >= 1", "m >= 2"], &["n >= 3", "m >= 2"]),
            (&["n >= m - 2", "n >= m - 1"], &["n >= m - 1"]),
            (&["n >= m", "m >= n", "n >= m*k"], &["n >= m", "m >= n", "n >= m*k"]),
        ];
        for (all, expected) in cases {
            assert_eq!(strongest(all.to_vec()), expected);
        }
    }
}
