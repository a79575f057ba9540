//! What is known of a value, or why it is not.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use call_counting::Polynomial;

/// Why something is not known: the place in the preprocessed text, and words.
#[derive(Debug, Clone, Eq, PartialOrd, Ord)]
pub struct Reason {
    pub offset: usize,
    pub why: Arc<str>,
}

impl Reason {
    pub fn new(offset: usize, why: impl Into<Arc<str>>) -> Reason {
        Reason { offset, why: why.into() }
    }
}

/// Copies share their words.
impl PartialEq for Reason {
    fn eq(&self, other: &Reason) -> bool {
        self.offset == other.offset && (Arc::ptr_eq(&self.why, &other.why) || self.why == other.why)
    }
}

/// The place alone tells nearly all apart.
impl Hash for Reason {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.offset.hash(state);
    }
}

pub type Value = Result<Polynomial, Reason>;
