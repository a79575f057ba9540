//! Any bytes as a file of any tool; the first byte chooses a name, which may tell the format.
#![no_main]

use libfuzzer_sys::fuzz_target;

const NAMES: [&str; 7] = ["x.dat", "x.csv", "x.tsv", "x.json", "x.jsonl", "x.xml", "x.txt"];

fuzz_target!(|bytes: &[u8]| {
    let Some((first, rest)) = bytes.split_first() else { return };
    let name = NAMES[usize::from(*first) % NAMES.len()];
    let _ = call_exchange::read(name, rest, &call_exchange::Options::default());
});
