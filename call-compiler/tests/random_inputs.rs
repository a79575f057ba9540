//! Targets of `fuzz/` that read C, with a few inputs that are the same each time: each seed as it is, cut, damaged and joined with another.
//! `scripts/fuzz.sh` gives them many more, which follow what the code does with them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "what panics has failed")]

use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

#[path = "../../fuzz/src/counts.rs"]
mod counts;
#[path = "../../fuzz/src/formula.rs"]
mod formula;
#[path = "../../fuzz/src/translator.rs"]
mod translator;

type Target = fn(&[u8]);

/// Each target with the folders of its seeds, as in `scripts/fuzz.sh`.
const TARGETS: [(&str, Target, &[&str]); 3] = [
    ("formula", formula::run, &["fuzz/seeds/formula"]),
    ("translator", translator::run, &["call-compiler/tests/ok", "call-compiler/tests/err"]),
    ("counts", counts::run, &["scripts/counts/own"]),
];

/// Damaged inputs of each target.
const DAMAGED: usize = 25;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn seeds(folders: &[&str]) -> Vec<Vec<u8>> {
    let files = |folder: &&str| {
        let entries = fs::read_dir(root().join(folder)).expect("a folder of seeds");
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        paths.retain(|path| path.is_file());
        paths
    };
    let read = |path: PathBuf| fs::read(path).unwrap();
    folders.iter().flat_map(files).map(read).collect()
}

/// SplitMix64 (G. L. Steele, D. Lea and C. H. Flood, *Fast splittable pseudorandom number generators*, OOPSLA 2014).
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % end.max(1) as u64) as usize
    }
}

/// An input that comes of a seed: some of its bytes changed, left out or doubled, or its end replaced by that of another.
fn damaged(seeds: &[Vec<u8>], dice: &mut Dice) -> Vec<u8> {
    let mut bytes = seeds[dice.below(seeds.len())].clone();
    for _ in 0..=dice.below(4) {
        let start = dice.below(bytes.len());
        let end = (start + dice.below(20)).min(bytes.len());
        match dice.below(6) {
            0 => bytes.truncate(start),
            1 => drop(bytes.drain(start..end)),
            2 => bytes.splice(start..start, bytes[start..end].to_vec()).for_each(drop),
            3 => {
                let other = &seeds[dice.below(seeds.len())];
                bytes.truncate(start);
                bytes.extend_from_slice(&other[dice.below(other.len())..]);
            }
            4 => bytes.splice(start..end, b"99999999999999999999".iter().copied()).for_each(drop),
            _ => bytes.iter_mut().skip(start).take(1).for_each(|byte| *byte ^= 1 << dice.below(8)),
        }
    }
    bytes
}

/// The first input at which a target fails, of its seeds and so many damaged ones.
fn failing(target: Target, seeds: &[Vec<u8>], count: usize) -> Option<Vec<u8>> {
    let mut dice = Dice(1);
    let inputs = seeds.iter().cloned().chain((0..count).map(|_| damaged(seeds, &mut dice)));
    inputs.into_iter().find(|input| catch_unwind(|| target(input)).is_err())
}

#[test]
fn no_target_fails() {
    for (name, target, folders) in TARGETS {
        let seeds = seeds(folders);
        assert!(!seeds.is_empty(), "{name} has no seeds");
        if let Some(input) = failing(target, &seeds, DAMAGED) {
            panic!("{name} fails at {}", input.escape_ascii());
        }
    }
}

/// What the others rely on: a target that fails at few inputs is caught, and one that never does is not.
#[test]
fn a_target_that_fails_is_caught() {
    let seeds = seeds(&["fuzz/seeds/formula"]);
    assert_eq!(failing(|_| (), &seeds, DAMAGED), None);
    let found = failing(|bytes| assert!(!bytes.windows(8).any(|some| some == b"99999999")), &seeds, DAMAGED);
    assert!(found.is_some_and(|input| !seeds.contains(&input)));
}
