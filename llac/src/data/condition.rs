//! Which samples are meant: `P <= 16 and N >= 4096`, `1 < P < 32`, `not (N/P < 8 or time > 1)`.
//!
//! ```text
//! or         = and { "or" and }
//! and        = not { "and" not }
//! not        = { "not" } ( "(" or ")" | comparison )
//! comparison = quantity relation quantity { relation quantity }
//! relation   = "<" | "<=" | ">" | ">=" | "=" | "==" | "!="
//! ```
//! What stands between relations is an arithmetic expression of the formula language.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;
use std::ops::Range;

use call_grammar::Quantity;

use crate::Error;

/// A condition on samples.
#[derive(Debug, Clone)]
pub struct Condition {
    text: String,
    tree: Tree,
}

#[derive(Debug, Clone)]
enum Tree {
    And(Vec<Tree>),
    Or(Vec<Tree>),
    Not(Box<Tree>),
    /// Each relation between the quantities beside it.
    Chain(Vec<Quantity>, Vec<Relation>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Relation {
    Less,
    AtMost,
    Greater,
    AtLeast,
    Equal,
    Different,
}

impl Relation {
    fn holds(self, left: f64, right: f64) -> bool {
        match self {
            Relation::Less => left < right,
            Relation::AtMost => left <= right,
            Relation::Greater => left > right,
            Relation::AtLeast => left >= right,
            Relation::Equal => left == right,
            // What is not a number fulfils nothing.
            Relation::Different => left.partial_cmp(&right).is_some_and(Ordering::is_ne),
        }
    }
}

/// Deeper parentheses around conditions are refused, so that recursion needs little stack.
const DEEPEST: usize = 100;

impl Condition {
    /// Parses a condition that stands at `start` of a command line.
    pub fn parse(text: &str, start: usize) -> Result<Condition, Error> {
        let tree = ConditionParser { text, start }.any(0..text.len(), 0)?;
        Ok(Condition { text: text.trim().to_owned(), tree })
    }

    /// The names of its variables.
    pub fn variables(&self) -> Vec<&str> {
        let mut names = Vec::new();
        self.tree.collect(&mut names);
        names
    }

    /// For each of `count` samples whether it fulfils the condition. The first name without column is the error.
    pub fn rows<'a>(
        &self,
        count: usize,
        column: &impl Fn(&str) -> Option<Cow<'a, [f64]>>,
    ) -> Result<Vec<bool>, String> {
        self.tree.rows(count, column)
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text)
    }
}

impl Tree {
    fn collect<'a>(&'a self, names: &mut Vec<&'a str>) {
        match self {
            Tree::And(parts) | Tree::Or(parts) => parts.iter().for_each(|part| part.collect(names)),
            Tree::Not(inside) => inside.collect(names),
            Tree::Chain(quantities, _) => {
                let all = quantities.iter().flat_map(|quantity| quantity.variables());
                names.extend(all.map(|variable| variable.name()));
            }
        }
    }

    fn rows<'a>(
        &self,
        count: usize,
        column: &impl Fn(&str) -> Option<Cow<'a, [f64]>>,
    ) -> Result<Vec<bool>, String> {
        let combined = |parts: &[Tree], combine: fn(bool, bool) -> bool| -> Result<Vec<bool>, String> {
            let (first, rest) = parts.split_first().ok_or_else(String::new)?;
            let mut rows = first.rows(count, column)?;
            for part in rest {
                for (row, other) in rows.iter_mut().zip(part.rows(count, column)?) {
                    *row = combine(*row, other);
                }
            }
            Ok(rows)
        };
        match self {
            Tree::And(parts) => combined(parts, |one, other| one && other),
            Tree::Or(parts) => combined(parts, |one, other| one || other),
            Tree::Not(inside) => Ok(inside.rows(count, column)?.iter().map(|row| !row).collect()),
            Tree::Chain(quantities, relations) => {
                let values: Vec<Vec<f64>> = quantities
                    .iter()
                    .map(|quantity| evaluate(quantity, count, column))
                    .collect::<Result<_, _>>()?;
                let holds = |row: usize| {
                    let pairs = relations.iter().zip(values.windows(2));
                    pairs.into_iter().all(|(relation, pair)| relation.holds(pair[0][row], pair[1][row]))
                };
                Ok((0..count).map(holds).collect())
            }
        }
    }
}

/// The value of a quantity at each of `count` samples. The first name without column is the error.
pub fn evaluate<'a>(
    quantity: &Quantity,
    count: usize,
    column: &impl Fn(&str) -> Option<Cow<'a, [f64]>>,
) -> Result<Vec<f64>, String> {
    let columns: Vec<Cow<[f64]>> = quantity
        .variables()
        .iter()
        .map(|variable| column(variable.name()).ok_or_else(|| variable.name().to_owned()))
        .collect::<Result<_, _>>()?;
    let mut point = vec![0.0; columns.len()];
    let at = |row: usize| {
        for (value, column) in point.iter_mut().zip(&columns) {
            *value = column[row];
        }
        quantity.evaluate(&point)
    };
    Ok((0..count).map(at).collect())
}

struct ConditionParser<'a> {
    text: &'a str,
    start: usize,
}

/// What separates the parts of a condition at its outermost level.
enum Mark {
    Word(&'static str),
    Relation(Relation),
}

impl ConditionParser<'_> {
    fn error(&self, range: Range<usize>, message: impl Into<String>) -> Error {
        Error::at(self.start + range.start..self.start + range.end, message)
    }

    /// Parts between words `or`; `range` is a part of the text.
    fn any(&self, range: Range<usize>, depth: usize) -> Result<Tree, Error> {
        self.parts(range, "or", Tree::Or, &|part| self.all(part, depth))
    }

    fn all(&self, range: Range<usize>, depth: usize) -> Result<Tree, Error> {
        self.parts(range, "and", Tree::And, &|part| self.one(part, depth))
    }

    fn parts(
        &self,
        range: Range<usize>,
        word: &str,
        join: fn(Vec<Tree>) -> Tree,
        inner: &dyn Fn(Range<usize>) -> Result<Tree, Error>,
    ) -> Result<Tree, Error> {
        let marks = self.marks(range.clone())?;
        let mut parts = Vec::new();
        let mut start = range.start;
        for (place, mark) in marks {
            if matches!(mark, Mark::Word(found) if found == word) {
                parts.push(inner(start..place.start)?);
                start = place.end;
            }
        }
        let last = inner(start..range.end)?;
        if parts.is_empty() {
            return Ok(last);
        }
        parts.push(last);
        Ok(join(parts))
    }

    fn one(&self, range: Range<usize>, depth: usize) -> Result<Tree, Error> {
        let range = self.trimmed(range);
        let text = &self.text[range.clone()];
        if depth == DEEPEST {
            return Err(self.error(range, "the condition is nested too deeply"));
        }
        if text.is_empty() {
            return Err(self
                .error(range, "a condition is missing here")
                .help("conditions look like `P <= 16 and N >= 4096`"));
        }
        if let Some(rest) = text.strip_prefix("not")
            && rest.starts_with(|c: char| c.is_whitespace() || c == '(')
        {
            let inside = self.one(range.start + 3..range.end, depth + 1)?;
            return Ok(Tree::Not(Box::new(inside)));
        }
        let marks = self.marks(range.clone())?;
        if marks.is_empty() {
            // No relation at this level: parentheses around a condition.
            let inside = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
            return match inside {
                Some(inside) if inside.contains(['<', '>', '=']) => {
                    self.any(range.start + 1..range.end - 1, depth + 1)
                }
                _ => Err(self
                    .error(range, "this is no condition: nothing is compared")
                    .help("compare with <, <=, >, >=, = or !=, as in `P <= 16`")),
            };
        }
        self.chain(range, &marks)
    }

    fn chain(&self, range: Range<usize>, marks: &[(Range<usize>, Mark)]) -> Result<Tree, Error> {
        let mut quantities = Vec::new();
        let mut relations = Vec::new();
        let mut start = range.start;
        for (place, mark) in marks {
            let Mark::Relation(relation) = mark else {
                return Err(self.error(place.clone(), "a condition is missing before this word"));
            };
            quantities.push(self.quantity(start..place.start, place)?);
            relations.push(*relation);
            start = place.end;
        }
        let last = start..range.end;
        quantities.push(self.quantity(last.clone(), &last)?);
        Ok(Tree::Chain(quantities, relations))
    }

    fn quantity(&self, range: Range<usize>, beside: &Range<usize>) -> Result<Quantity, Error> {
        let range = self.trimmed(range);
        if range.is_empty() {
            return Err(self.error(beside.clone(), "something to compare is missing here"));
        }
        let start = self.start + range.start;
        Quantity::parse(&self.text[range]).map_err(|errors| Error::of_formula(&errors, start))
    }

    fn trimmed(&self, range: Range<usize>) -> Range<usize> {
        let text = &self.text[range.clone()];
        let start = range.start + (text.len() - text.trim_start().len());
        start..(start + text.trim().len())
    }

    /// Words and relations outside of parentheses.
    fn marks(&self, range: Range<usize>) -> Result<Vec<(Range<usize>, Mark)>, Error> {
        let bytes = self.text.as_bytes();
        let mut marks = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        let mut at = range.start;
        while at < range.end {
            let byte = bytes[at];
            let mut end = at + 1;
            match byte {
                b'(' | b'[' => open.push(at),
                b')' | b']' if open.pop().is_none() => {
                    return Err(self.error(at..at + 1, "this parenthesis closes nothing"));
                }
                b'<' | b'>' | b'=' | b'!' => {
                    let is_arrow = byte == b'>' && at > 0 && bytes[at - 1] == b'-';
                    end += usize::from(bytes.get(end) == Some(&b'=') && end < range.end);
                    if open.is_empty() && !is_arrow {
                        marks.push((at..end, Mark::Relation(self.relation(at..end)?)));
                    }
                }
                _ if byte.is_ascii_alphabetic() || byte == b'_' => {
                    let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
                    end = at + bytes[at..range.end].iter().take_while(is_part).count();
                    let word = ["and", "or"].into_iter().find(|word| word.as_bytes() == &bytes[at..end]);
                    marks.extend(word.filter(|_| open.is_empty()).map(|word| (at..end, Mark::Word(word))));
                }
                _ => {}
            }
            at = end;
        }
        match open.first() {
            Some(open) => Err(self.error(*open..open + 1, "this parenthesis is not closed")),
            None => Ok(marks),
        }
    }

    fn relation(&self, range: Range<usize>) -> Result<Relation, Error> {
        match &self.text[range.clone()] {
            "<" => Ok(Relation::Less),
            "<=" => Ok(Relation::AtMost),
            ">" => Ok(Relation::Greater),
            ">=" => Ok(Relation::AtLeast),
            "=" | "==" => Ok(Relation::Equal),
            "!=" => Ok(Relation::Different),
            other => {
                let message = format!("`{other}` compares nothing");
                Err(self.error(range, message).help("compare with <, <=, >, >=, = or !="))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const P: [f64; 4] = [1.0, 2.0, 4.0, f64::NAN];
    const N: [f64; 4] = [8.0, 8.0, 2.0, 1.0];

    fn column(name: &str) -> Option<Cow<'static, [f64]>> {
        match name {
            "P" => Some(Cow::Borrowed(&P)),
            "N" | "m->n" => Some(Cow::Borrowed(&N)),
            _ => None,
        }
    }

    fn check(text: &str, expected: [bool; 4]) {
        let condition = Condition::parse(text, 0).unwrap();
        assert_eq!(condition.rows(4, &column).unwrap(), expected, "{text}");
    }

    #[test]
    fn samples_are_chosen() {
        check("P <= 2", [true, true, false, false]);
        check("P<=2 and N==8", [true, true, false, false]);
        check("P = 1 or N < 2", [true, false, false, true]);
        check("1 < P <= 4", [false, true, true, false]);
        check("not P > 1", [true, false, false, true]);
        check("not (P > 1 and N = 8) and P != 4", [true, false, false, false]);
        check("(N/P >= 8 or (N + 1)*2 < 5)", [true, false, false, true]);
        check("(N+1) > 2 and m->n < 4", [false, false, true, false]);
        check("log2(P) >= 1 or (not (N != 1))", [false, true, true, true]);
    }

    #[test]
    fn names_are_told() {
        let condition = Condition::parse("P > 1 and size*N < log(M)", 0).unwrap();
        assert_eq!(condition.variables(), ["P", "size", "N", "M"]);
        assert_eq!(condition.rows(4, &column), Err("size".to_owned()));
    }

    fn fails(text: &str, message: &str) {
        let error = Condition::parse(text, 0).unwrap_err();
        assert!(error.render(text).contains(message), "{}", error.render(text));
    }

    #[test]
    fn errors_have_places() {
        fails("", "a condition is missing here");
        fails("P", "error: this is no condition: nothing is compared\n  | P\n  | ^");
        fails("P <= 2 and", "a condition is missing here");
        fails("P <", "something to compare is missing");
        fails("< 3", "something to compare is missing");
        fails("P ! 3", "`!` compares nothing\n  | P ! 3\n  |   ^");
        fails("(P < 3", "  | (P < 3\n  | ^");
        fails("P < 3)", "closes nothing");
        fails("P < 3 +", "error");
        fails(&("(".repeat(500) + "P < 1" + &")".repeat(500)), "too deeply");
        fails(&"(".repeat(1_000_000), "not closed");
        fails(&("not ".repeat(100_000) + "P < 1"), "too deeply");
    }
}
