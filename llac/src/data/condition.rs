//! Which samples are meant: those that fulfil a [`call_grammar::Condition`].

use std::borrow::Cow;
use std::fmt;

use call_grammar::Condition as Tree;
use call_grammar::Quantity;

use crate::Error;
use crate::error::code;

/// A condition on samples.
#[derive(Debug, Clone)]
pub struct SampleCondition {
    text: String,
    tree: Tree,
}

impl SampleCondition {
    /// Parses a condition that stands at `start` of a command line. Quotes around names mean nothing in it.
    pub fn parse(text: &str, start: usize) -> Result<SampleCondition, Error> {
        let tree = Tree::parse(&text.replace(['\'', '"'], " "))
            .map_err(|errors| Error::of_formula(&errors, start))?;
        Ok(SampleCondition { text: text.trim().to_owned(), tree })
    }

    /// The names of its variables.
    pub fn variables(&self) -> Vec<&str> {
        let mut names = Vec::new();
        collect(&self.tree, &mut names);
        names
    }

    /// For each of `count` samples whether it fulfils the condition. The first name without column is the error.
    pub fn rows<'a>(
        &self,
        count: usize,
        column: &impl Fn(&str) -> Option<Cow<'a, [f64]>>,
    ) -> Result<Vec<bool>, Error> {
        rows(&self.tree, count, column)
    }
}

impl fmt::Display for SampleCondition {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text)
    }
}

fn collect<'a>(tree: &'a Tree, names: &mut Vec<&'a str>) {
    match tree {
        Tree::And(parts) | Tree::Or(parts) => parts.iter().for_each(|part| collect(part, names)),
        Tree::Not(inside) => collect(inside, names),
        Tree::Chain(quantities, _) => {
            let all = quantities.iter().flat_map(|quantity| quantity.variables());
            names.extend(all.map(|variable| variable.name()));
        }
    }
}

fn rows<'a>(
    tree: &Tree,
    count: usize,
    column: &impl Fn(&str) -> Option<Cow<'a, [f64]>>,
) -> Result<Vec<bool>, Error> {
    let combined = |parts: &[Tree], combine: fn(bool, bool) -> bool| -> Result<Vec<bool>, Error> {
        let (first, rest) = parts.split_first().ok_or_else(|| Error::of_formula(&[], 0))?;
        let mut all = rows(first, count, column)?;
        for part in rest {
            for (row, other) in all.iter_mut().zip(rows(part, count, column)?) {
                *row = combine(*row, other);
            }
        }
        Ok(all)
    };
    match tree {
        Tree::And(parts) => combined(parts, |one, other| one && other),
        Tree::Or(parts) => combined(parts, |one, other| one || other),
        Tree::Not(inside) => Ok(rows(inside, count, column)?.iter().map(|row| !row).collect()),
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

/// The value of a quantity at each of `count` samples. The first name without column is the error.
pub fn evaluate<'a>(
    quantity: &Quantity,
    count: usize,
    column: &impl Fn(&str) -> Option<Cow<'a, [f64]>>,
) -> Result<Vec<f64>, Error> {
    let columns: Vec<Cow<[f64]>> = quantity
        .variables()
        .iter()
        .map(|variable| column(variable.name()).ok_or_else(|| unknown(variable.name())))
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

/// No column has this name.
fn unknown(name: &str) -> Error {
    Error::new(code::UNKNOWN_VARIABLE, format!("there is no variable `{name}`"))
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
        let condition = SampleCondition::parse(text, 0).unwrap();
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
        check(&("not ".repeat(100_000) + "P < 2"), [true, false, false, false]);
        check("not -P < -1", [true, false, false, true]);
        check("not not not P > 1 and -+-P = 1", [true, false, false, false]);
        check("log2(P) >= 1 or (not (N != 1))", [false, true, true, true]);
    }

    #[test]
    fn names_are_told() {
        let condition = SampleCondition::parse("P > 1 and size*N < log(M)", 0).unwrap();
        assert_eq!(condition.variables(), ["P", "size", "N", "M"]);
        assert_eq!(condition.rows(4, &column), Err(unknown("size")));
    }

    fn fails(text: &str, message: &str) {
        let error = SampleCondition::parse(text, 0).unwrap_err();
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
        fails(
            "(P < 3) + 1 > 2",
            "a condition stands where a quantity is expected\n  | (P < 3) + 1 > 2\n  | ^^^^^^^",
        );
        fails("P and N > 2", "nothing is compared\n  | P and N > 2\n  | ^");
        fails("N > 2 or not P", "nothing is compared\n  | N > 2 or not P\n  |              ^");
        fails("1 < (2 < P)", "a condition stands where a quantity is expected");
        fails(&("not - ".repeat(100_000) + "P < 1"), "nested more than 200 levels deep");
        fails(&("(".repeat(500) + "P < 1" + &")".repeat(500)), "nested more than 200 levels deep");
        fails(&"(".repeat(1_000_000), "nested more than 200 levels deep");
    }
}
