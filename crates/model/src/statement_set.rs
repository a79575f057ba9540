//! Statements behind a constant, with what they do: a set Υ of the paper (section 2.1).

use std::collections::BTreeMap;

use call_trace::{ArrayAccess, SourceLine, SourceStatement, SourceTerm};

/// The statements behind a constant.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct StatementSet<'a> {
    /// Whether the user named them, rather than that they grow as the constant's term does.
    pub is_given: bool,
    /// Those that run as often, together.
    pub portions: Vec<Portion<'a>>,
}

/// Statements that run as often as a term of the source, up to a factor.
#[derive(Debug, Clone, PartialEq)]
pub struct Portion<'a> {
    /// The term.
    pub term: &'a SourceTerm,
    /// Statements of it, by lines.
    pub statements: Vec<&'a SourceStatement>,
}

impl StatementSet<'_> {
    /// Their lines as people write them: `34-36`, `solver.h:7`.
    pub fn lines(&self) -> Vec<String> {
        let mut places: Vec<&SourceLine> =
            self.portions.iter().flat_map(|portion| &portion.statements).map(|its| &its.place).collect();
        places.sort_unstable();
        SourceLine::ranges(places)
    }

    /// Whether the user named no statement of it.
    pub(crate) fn is_empty_or_automatic(&self) -> bool {
        !self.is_given || self.portions.is_empty()
    }
}

impl<'a> Portion<'a> {
    /// The statements of a term for which `is_meant` is true; `None` if it is for none.
    pub fn of(term: &'a SourceTerm, is_meant: impl Fn(&SourceStatement) -> bool) -> Option<Portion<'a>> {
        let statements: Vec<&SourceStatement> = term.statements.iter().filter(|its| is_meant(its)).collect();
        (!statements.is_empty()).then_some(Portion { term, statements })
    }

    /// Their lines as people write them.
    pub fn lines(&self) -> Vec<String> {
        SourceLine::ranges(self.statements.iter().map(|statement| &statement.place))
    }

    /// What they do together by kind, as multiples of the term.
    pub fn operations(&self) -> BTreeMap<&'a str, f64> {
        self.together(|statement| &statement.operations)
    }

    /// Those of their operations that need the result of their own in the iteration before.
    pub fn chained(&self) -> BTreeMap<&'a str, f64> {
        self.together(|statement| &statement.chained)
    }

    fn together(
        &self,
        which: impl Fn(&'a SourceStatement) -> &'a BTreeMap<String, f64>,
    ) -> BTreeMap<&'a str, f64> {
        let mut all = BTreeMap::new();
        for (operation, times) in self.statements.iter().flat_map(|statement| which(statement)) {
            *all.entry(operation.as_str()).or_insert(0.0) += times;
        }
        all
    }

    /// The elements of arrays that they read and write, those that are reached in the same way together.
    pub fn accesses(&self) -> Vec<ArrayAccess> {
        let mut all: Vec<ArrayAccess> = Vec::new();
        for access in self.statements.iter().flat_map(|statement| &statement.accesses) {
            let way = |its: &ArrayAccess| ArrayAccess { loads: 0.0, stores: 0.0, ..its.clone() };
            match all.iter_mut().find(|known| way(known) == way(access)) {
                Some(known) => {
                    known.loads += access.loads;
                    known.stores += access.stores;
                }
                None => all.push(access.clone()),
            }
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_statements_do_together() {
        let access = |stride: &str| ArrayAccess {
            array: "a".to_owned(),
            loads: 1.0,
            stride: stride.to_owned(),
            ..ArrayAccess::default()
        };
        let statement = |line, strides: &[&str]| SourceStatement {
            place: SourceLine { file: None, line },
            operations: BTreeMap::from([("load".to_owned(), strides.len() as f64)]),
            chained: BTreeMap::from([("load".to_owned(), 1.0)]),
            accesses: strides.iter().map(|stride| access(stride)).collect(),
            ..SourceStatement::default()
        };
        let statements = vec![statement(3, &["1"]), statement(4, &["1", "n"]), statement(9, &["1"])];
        let term = SourceTerm { statements, ..SourceTerm::default() };
        let portion = Portion::of(&term, |statement| statement.place.line < 9).unwrap();
        assert_eq!(portion.operations(), BTreeMap::from([("load", 3.0)]));
        assert_eq!(portion.chained(), BTreeMap::from([("load", 2.0)]));
        let told: Vec<(String, f64)> =
            portion.accesses().into_iter().map(|access| (access.stride, access.loads)).collect();
        assert_eq!(told, [("1".to_owned(), 2.0), ("n".to_owned(), 1.0)]);
        assert_eq!(StatementSet { is_given: false, portions: vec![portion] }.lines(), ["3-4"]);
        assert_eq!(Portion::of(&term, |_| false), None);
    }
}
