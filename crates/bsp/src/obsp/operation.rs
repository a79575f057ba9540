/// The number of a processor that has none, such as the length of a message that is not sent.
pub const NONE: f64 = f64::NEG_INFINITY;

/// What two numbers become.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum PairOperation {
    Add,
    Maximum,
    /// The first where the second is not [`NONE`], which it is else.
    Where,
}

impl PairOperation {
    pub(super) fn apply(self, first: f64, second: f64) -> f64 {
        match self {
            PairOperation::Add => first + second,
            PairOperation::Maximum => first.max(second),
            PairOperation::Where if second == NONE => NONE,
            PairOperation::Where => first,
        }
    }
}

/// What several numbers that come to a processor are together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Arrival {
    /// [`NONE`] where nothing comes.
    Largest,
    /// 0 where nothing comes.
    Sum,
}
