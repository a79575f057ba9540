//! `src/request.rs` with inputs of libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| call_fuzz::request::run(bytes));
