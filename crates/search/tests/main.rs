//! The tests of this crate are one program: to link one takes less time than to link many.

mod dice;
mod rates;
mod search;
mod siblings;
mod source;
