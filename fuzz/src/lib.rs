//! What must hold for any input, a function for each target. `scripts/fuzz.sh` gives them random bytes that libFuzzer chooses,
//! `call-compiler/tests/random_inputs.rs` a few to those that read C. Who panics has failed.

pub mod counts;
pub mod formula;
pub mod import;
pub mod machine;
pub mod program;
pub mod replay;
pub mod request;
pub mod session;
pub mod trace;
pub mod translator;
pub mod waits;
