//! Sets of statements as command lines and as clauses of a directive.

use call_grammar::constants_of;
use call_trace::{LineRange, SourceCounts, SourceLine};
use serde_json::{Value, json};

/// Whether a command line can have a name as it is.
pub fn is_plain(name: &str) -> bool {
    let is_plain = |c: char| c.is_alphanumeric() || "._-+/".contains(c);
    !name.is_empty() && name.chars().all(is_plain)
}

/// The command lines that name the statements of constants.
pub fn script<'a>(name: &'a str, counts: &'a SourceCounts) -> impl Iterator<Item = String> + 'a {
    counts.given.iter().map(move |constant| {
        let lines = SourceLine::ranges(places(counts, *constant));
        let lines = if lines.is_empty() { "none".to_owned() } else { lines.join(", ") };
        format!("upsilon {name}[{constant}] = {lines}")
    })
}

/// The lines of the statements that are put behind a constant, sorted.
fn places(counts: &SourceCounts, constant: u32) -> Vec<&SourceLine> {
    let statements = counts.terms.iter().flat_map(|term| &term.statements);
    let mut places: Vec<&SourceLine> =
        statements.filter(|its| its.constant == Some(constant)).map(|its| &its.place).collect();
    places.sort_unstable();
    places.dedup();
    places
}

/// The clauses of the directive that begins in the first line of the block, or why there are none.
pub fn directive(
    experiment: &str,
    counts: &SourceCounts,
    block: Option<&LineRange>,
    is_stale: bool,
) -> Value {
    let said = |clauses: Result<Vec<String>, &str>| match clauses {
        Ok(clauses) => json!({"clauses": clauses.join(" ")}),
        Err(why) => json!({"why": why}),
    };
    let Some(block) = block.filter(|block| block.file.is_none()) else {
        return said(Err("the directive stands in another file than the source of the program"));
    };
    if is_stale {
        return said(Err("the source has changed since the program was translated"));
    }
    let name = constants_of(experiment);
    let clause = |constant: &u32| {
        let places = places(counts, *constant);
        if places.iter().any(|place| place.file.is_some()) {
            return Err("a directive names no statements of other files");
        }
        let lines = match places.is_empty() {
            true => "none".to_owned(),
            false => relative(&places, block.first).join(", "),
        };
        Ok(format!("upsilon {name}[{constant}] = {lines}"))
    };
    said(counts.given.iter().map(clause).collect())
}

/// Lines counted from that of the directive: `+3-5`, `-40`.
fn relative(places: &[&SourceLine], directive: u32) -> Vec<String> {
    let mut ranges: Vec<(i64, i64)> = Vec::new();
    for place in places {
        let distance = i64::from(place.line) - i64::from(directive);
        match ranges.last_mut() {
            // Of one sign: the directive itself stands between them.
            Some((_, last)) if *last + 1 == distance => *last = distance,
            _ => ranges.push((distance, distance)),
        }
    }
    let range = |(first, last): (i64, i64)| match first == last {
        true => format!("{first:+}"),
        false if last < 0 => format!("{first}{last}"),
        false => format!("{first:+}-{last}"),
    };
    ranges.into_iter().map(range).collect()
}

#[cfg(test)]
mod tests {
    use call_trace::{SourceStatement, SourceTerm};

    use super::*;

    #[test]
    fn sets_in_words() {
        let statement =
            |line| SourceStatement { place: SourceLine { file: None, line }, ..SourceStatement::default() };
        let statements = [3, 4, 21, 22, 23, 30].map(statement).to_vec();
        let term = SourceTerm { statements, ..SourceTerm::default() };
        let mut counts = SourceCounts { terms: vec![term], ..SourceCounts::default() };
        let range = |first, last| LineRange { file: None, first, last };
        counts.give(1, &[range(1, 23)]);
        counts.give(2, &[]);
        let lines: Vec<String> = script("f", &counts).collect();
        assert_eq!(lines, ["upsilon f[1] = 3-4, 21-23", "upsilon f[2] = none"]);
        let block = range(20, 40);
        let clauses = directive("main/f", &counts, Some(&block), false);
        assert_eq!(clauses["clauses"], "upsilon f[1] = -17-16, +1-3 upsilon f[2] = none");
        assert!(directive("f", &counts, Some(&block), true)["why"].is_string());
        assert!(is_plain("a/b-1.c") && !is_plain("x into y") && !is_plain("a,b") && !is_plain("a'b"));
    }
}
