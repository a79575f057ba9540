//! What is known of a value, or why it is not.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use call_counting::Polynomial;

/// Why something is not known: the place in the preprocessed text, and words.
#[derive(Debug, Clone, Eq, PartialOrd, Ord)]
pub struct UnknownReason {
    pub offset: usize,
    pub why: Arc<str>,
}

impl UnknownReason {
    pub fn new(offset: usize, why: impl Into<Arc<str>>) -> UnknownReason {
        UnknownReason { offset, why: why.into() }
    }

    /// Of a variable that was declared without a value.
    pub fn no_value_yet(offset: usize, name: &str) -> UnknownReason {
        UnknownReason::new(offset, format!("`{name}` {NO_VALUE_YET}"))
    }

    /// Whether it is that: whatever happens to the variable says more.
    pub fn is_no_value_yet(&self) -> bool {
        self.why.ends_with(NO_VALUE_YET)
    }
}

const NO_VALUE_YET: &str = "has no value yet";

/// Copies share their words.
impl PartialEq for UnknownReason {
    fn eq(&self, other: &UnknownReason) -> bool {
        self.offset == other.offset && (Arc::ptr_eq(&self.why, &other.why) || self.why == other.why)
    }
}

/// The place alone tells nearly all apart.
impl Hash for UnknownReason {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.offset.hash(state);
    }
}

pub type Value = Result<Polynomial, UnknownReason>;
