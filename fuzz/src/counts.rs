//! Any text as preprocessed C: its statements are counted or unknown.

use call_compiler::count;

pub fn run(bytes: &[u8]) {
    let _ = count("x.c", bytes);
}
