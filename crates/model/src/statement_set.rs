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

    /// The same, with the conditions under which some run: `26 where n >= 101`.
    pub fn lines_by_conditions(&self) -> Vec<String> {
        lines_by_conditions(self.portions.iter().flat_map(|portion| portion.statements.iter().copied()))
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

    /// The same, with the conditions under which some run.
    pub fn lines_by_conditions(&self) -> Vec<String> {
        lines_by_conditions(self.statements.iter().copied())
    }

    /// Those that run under the same conditions apart, those that always run first.
    pub fn by_conditions(&self) -> Vec<Portion<'a>> {
        let apart = by_conditions(self.statements.iter().copied()).into_values();
        apart.map(|statements| Portion { term: self.term, statements }).collect()
    }

    /// The conditions of the first of them, which are those of all in a part of [`Portion::by_conditions`].
    pub fn conditions(&self) -> &'a [String] {
        self.statements.first().map_or(&[], |first| &first.conditions)
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

fn by_conditions<'a>(
    statements: impl Iterator<Item = &'a SourceStatement>,
) -> BTreeMap<&'a [String], Vec<&'a SourceStatement>> {
    let mut apart: BTreeMap<&[String], Vec<&SourceStatement>> = BTreeMap::new();
    statements.for_each(|its| apart.entry(&its.conditions).or_default().push(its));
    apart
}

fn lines_by_conditions<'a>(statements: impl Iterator<Item = &'a SourceStatement>) -> Vec<String> {
    let lines = |(conditions, statements): (&[String], Vec<&SourceStatement>)| {
        let mut places: Vec<&SourceLine> = statements.iter().map(|its| &its.place).collect();
        places.sort_unstable();
        let mut lines = SourceLine::ranges(places);
        if let (Some(last), false) = (lines.last_mut(), conditions.is_empty()) {
            *last = format!("{last} where {}", conditions.join(" and "));
        }
        lines
    };
    by_conditions(statements).into_iter().flat_map(lines).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_runs_under_conditions_is_told_apart() {
        let statement = |line, conditions: &[&str], adds: f64| SourceStatement {
            place: SourceLine { file: None, line },
            conditions: conditions.iter().map(|&its| its.to_owned()).collect(),
            operations: BTreeMap::from([("float-add".to_owned(), adds)]),
            ..SourceStatement::default()
        };
        let statements = vec![
            statement(4, &[], 1.0),
            statement(5, &["n >= 101"], 1.0),
            statement(5, &["100 >= n"], 3.0),
            statement(6, &["n >= 101"], 2.0),
        ];
        let term = SourceTerm { statements, ..SourceTerm::default() };
        let portion = Portion::of(&term, |_| true).unwrap();
        assert_eq!(portion.lines_by_conditions(), ["4", "5 where 100 >= n", "5-6 where n >= 101"]);
        let adds: Vec<(usize, f64)> = portion
            .by_conditions()
            .iter()
            .map(|its| (its.conditions().len(), its.operations()["float-add"]))
            .collect();
        assert_eq!(adds, [(0, 1.0), (1, 3.0), (1, 3.0)]);
        let set = StatementSet { is_given: false, portions: vec![portion] };
        assert_eq!(set.lines(), ["4-6"]);
        assert_eq!(set.lines_by_conditions()[1], "5 where 100 >= n");
    }

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
