//! One module for each version of the format.

pub(crate) mod v1;
