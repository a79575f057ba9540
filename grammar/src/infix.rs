//! Expressions of operators and operands, of any language: a table says how operators are spelt and bind, the language does the rest.

use crate::Span;

/// Operators that bind alike, each with its spelling.
#[derive(Debug)]
pub enum PrecedenceLevel<P: 'static, I: 'static> {
    /// In front of what binds at least as much.
    Prefix(&'static [(&'static str, P)]),
    /// Between two operands: `a - b - c` is `(a - b) - c`.
    Left(&'static [(&'static str, I)]),
    /// Between two operands: `a^b^c` is `a^(b^c)`.
    Right(&'static [(&'static str, I)]),
}

/// A language with operators: its table, its tokens, its tree.
pub trait Language: Sized {
    /// What is read.
    type Tree;
    /// What is wrong.
    type Error;
    /// An operator in front of its operand.
    type Prefix: Copy + 'static;
    /// An operator between two operands.
    type Infix: Copy + 'static;

    /// Levels of operators from those that bind least to those that bind most.
    fn levels(&self) -> &'static [PrecedenceLevel<Self::Prefix, Self::Infix>];

    /// Whether an operator is next. Of several it is the one with the longest spelling.
    fn next_is(&self, spelling: &str) -> bool;

    /// Passes the operator that is next and tells where it begins.
    fn pass(&mut self, spelling: &str) -> Span;

    /// Reads what is next and no operator in front of something; `behind` is the operator that wants it.
    ///
    /// # Errors
    /// Whatever else stands there.
    fn operand(&mut self, behind: Option<Self::Infix>) -> Result<Self::Tree, Self::Error>;

    /// Does something one level deeper, if that is not too deep.
    ///
    /// # Errors
    /// Those of what is done, or that the limit of the language is reached.
    fn nested<T>(
        &mut self,
        inside: impl FnOnce(&mut Self) -> Result<T, Self::Error>,
    ) -> Result<T, Self::Error>;

    /// An operator that begins at `start`, applied to what it stands before.
    ///
    /// # Errors
    /// That it cannot be applied to that.
    fn before(
        &mut self,
        operator: Self::Prefix,
        start: Span,
        operand: Self::Tree,
    ) -> Result<Self::Tree, Self::Error>;

    /// An operator applied to what it stands between.
    ///
    /// # Errors
    /// That it cannot be applied to that.
    fn between(operator: Self::Infix, left: Self::Tree, right: Self::Tree)
    -> Result<Self::Tree, Self::Error>;
}

/// Reads an expression as far as it goes.
///
/// # Errors
/// The first one of the language.
pub fn expression<L: Language>(language: &mut L) -> Result<L::Tree, L::Error> {
    from_level(language, 0, None)
}

/// An expression of operators of this level and those that bind more, behind the operator that wants it.
fn from_level<L: Language>(
    language: &mut L,
    least: usize,
    behind: Option<L::Infix>,
) -> Result<L::Tree, L::Error> {
    let mut left = match prefixed(language, behind)? {
        Some(left) => left,
        None => language.operand(behind)?,
    };
    loop {
        let next = infix(language).filter(|(level, ..)| *level >= least);
        let Some((level, spelling, operator)) = next else { return Ok(left) };
        language.pass(spelling);
        let right = match language.levels()[level] {
            PrecedenceLevel::Right(_) => {
                language.nested(|language| from_level(language, level, Some(operator)))?
            }
            _ => from_level(language, level + 1, Some(operator))?,
        };
        left = L::between(operator, left, right)?;
    }
}

/// Operators of one level before something and what they stand before, if such an operator is next.
fn prefixed<L: Language>(language: &mut L, behind: Option<L::Infix>) -> Result<Option<L::Tree>, L::Error> {
    let mut operators = Vec::new();
    let Some((level, ..)) = prefix(language) else { return Ok(None) };
    while let Some((_, spelling, operator)) = prefix(language).filter(|(its, ..)| *its == level) {
        operators.push((operator, language.pass(spelling)));
    }
    let mut operand = match prefix(language) {
        Some(_) => language.nested(|language| from_level(language, level, behind))?,
        None => from_level(language, level, behind)?,
    };
    for (operator, start) in operators.into_iter().rev() {
        operand = language.before(operator, start, operand)?;
    }
    Ok(Some(operand))
}

fn prefix<L: Language>(language: &L) -> Option<(usize, &'static str, L::Prefix)> {
    longest(language, |level| match level {
        PrecedenceLevel::Prefix(operators) => operators,
        PrecedenceLevel::Left(_) | PrecedenceLevel::Right(_) => &[],
    })
}

/// The operator between operands that is next, with its level and spelling.
pub(crate) fn infix<L: Language>(language: &L) -> Option<(usize, &'static str, L::Infix)> {
    longest(language, |level| match level {
        PrecedenceLevel::Prefix(_) => &[],
        PrecedenceLevel::Left(operators) | PrecedenceLevel::Right(operators) => operators,
    })
}

/// The operator that is next among some of each level, with its level and spelling.
fn longest<L: Language, O: Copy + 'static>(
    language: &L,
    operators: impl Fn(&'static PrecedenceLevel<L::Prefix, L::Infix>) -> &'static [(&'static str, O)],
) -> Option<(usize, &'static str, O)> {
    let levels = language.levels().iter().enumerate();
    let all = levels
        .flat_map(|(level, its)| operators(its).iter().map(move |(spelling, one)| (level, *spelling, *one)));
    all.filter(|(_, spelling, _)| language.next_is(spelling)).max_by_key(|(_, spelling, _)| spelling.len())
}
