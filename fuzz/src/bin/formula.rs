//! `src/formula.rs` with inputs of libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| call_fuzz::formula::run(bytes));
