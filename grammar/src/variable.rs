use crate::Span;

/// Position of a variable in [`Formula::variables`](crate::Formula::variables).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VariableId(pub(crate) usize);

impl VariableId {
    /// The position as a number.
    pub fn index(self) -> usize {
        self.0
    }
}

/// A variable of a formula.
#[derive(Debug, Clone)]
pub struct Variable {
    pub(crate) name: String,
    pub(crate) first_use: Span,
}

impl Variable {
    /// The C expression that it stands for, without blanks: `N`, `m->rows`, `size[i]`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The C identifier at its root: `m` in `m->rows`.
    pub fn root(&self) -> &str {
        let end = self.name.find(['.', '-', '[']).unwrap_or(self.name.len());
        &self.name[..end]
    }

    /// Where the text that was parsed uses it first.
    pub fn first_use(&self) -> Span {
        self.first_use
    }
}
