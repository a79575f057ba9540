//! How long it takes to count the statements of files of growing size, whose functions call each other and change members of one
//! structure: time that grows faster than the number of functions shows in the last column. With the name of a C file, of that one too:
//! the amalgamation of SQLite is to take less than 2 s on two cores.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a benchmark prints, measures and may fail"
)]

use std::process::Command;
use std::time::Instant;

use call_compiler::count;

/// A function that changes a member of its own and calls two of those before it.
fn function(k: usize) -> String {
    let calls: String =
        (1..=2).filter(|back| *back <= k).map(|back| format!(" f{}(s, n);", k - back)).collect();
    format!(
        "int f{k}(struct s *s, int n)
{{
    int i, j;
    if (n < {k} || s->m{k} > n)
        return 0;
    for (i = 0; i < n; i++)
        for (j = i; j < s->m{k}; j++)
            s->sum += i*j;
    s->m{k} = n;{calls}
    return n > 2 ? s->sum : 0;
}}
"
    )
}

fn file(functions: usize) -> String {
    let members: String = (0..functions).map(|k| format!("int m{k}; ")).collect();
    let bodies: String = (0..functions).map(function).collect();
    format!("struct s {{ {members}long sum; }};\n{bodies}")
}

fn measure(path: &str, preprocessed: &[u8]) {
    let start = Instant::now();
    let blocks = count(path, preprocessed).len();
    let time_ms = start.elapsed().as_secs_f64() * 1e3;
    println!(
        "{blocks:>8} {:>8} {time_ms:>12.1} {:>12.1}",
        preprocessed.len() / 1024,
        time_ms * 1e3 / blocks as f64
    );
}

fn main() {
    println!("  blocks      KiB counting, ms µs per block");
    for functions in [250, 500, 1000, 2000] {
        measure("x.c", format!("# 1 \"x.c\"\n{}", file(functions)).as_bytes());
    }
    if let Some(path) = std::env::args().nth(1) {
        let output = Command::new("cc").args(["-E", "-w", &path]).output().unwrap();
        assert!(output.status.success());
        measure(&path, &output.stdout);
    }
}
