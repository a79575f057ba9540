//! How long translations take, beside the preprocessor's own time on the same file, for files of growing size: one experiment, and
//! one around the body of each function. Time that grows faster than the file would show in the last column.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a benchmark prints, measures and may fail"
)]

use std::process::Command;
use std::time::Instant;

use call_compiler::{TranslationRequest, translate};

const HEADERS: &str = "#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n";

/// A function as `call` gets to see many; `begin` and `end` stand around its loop.
fn function(k: usize, begin: &str, end: &str) -> String {
    format!(
        "/* Function number {k}. */
static double f{k}(const double *a, int n, size_t stride)
{{
    double sum = 0;
{begin}    if (a == NULL || n < 0)
        return -1;
    for (int i = 0; i < n; i++) {{
        if (fabs(a[i*stride]) > {k}.5) {{
            sum += sqrt(a[i*stride]) + {k};
        }} else {{
            sum -= a[i*stride]*(n - i) / (stride + 1);
        }}
    }}
{end}    return sum;
}}
"
    )
}

/// A file with that many functions, of which each `every`-th has an experiment.
fn file(functions: usize, every: usize) -> String {
    let mut text = HEADERS.to_owned();
    for k in 0..functions {
        let begin = format!("#pragma cll e{k} e{k}[0] + e{k}[1]*n\n");
        let end = format!("#pragma cll end e{k}\n");
        text.push_str(&if k % every == 0 { function(k, &begin, &end) } else { function(k, "", "") });
    }
    text
}

fn main() {
    let folder = std::env::temp_dir().join(format!("call-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("x.c");
    println!("functions      KiB  experiments  cc -E, ms  translating, ms  ratio  ns per byte");
    for functions in [50, 500, 5000, 50000] {
        for every in [usize::MAX, 1] {
            let source = file(functions, every);
            std::fs::write(&path, &source).unwrap();
            let start = Instant::now();
            let output = Command::new("cc").args(["-E", "-w"]).arg(&path).output().unwrap();
            let preprocessing_ms = start.elapsed().as_secs_f64() * 1e3;
            assert!(output.status.success());
            let repeat = (5000 / functions).clamp(1, 20);
            let start = Instant::now();
            for _ in 0..repeat {
                let request = TranslationRequest::new("x.c", source.as_bytes(), &output.stdout);
                assert!(translate(&request).result.is_ok());
            }
            let translating_ms = start.elapsed().as_secs_f64() * 1e3 / repeat as f64;
            println!(
                "{functions:>9} {:>8} {:>12} {preprocessing_ms:>10.1} {translating_ms:>16.1} {:>6.2} {:>12.1}",
                source.len() / 1024,
                functions.div_ceil(every),
                translating_ms / preprocessing_ms,
                translating_ms * 1e6 / source.len() as f64
            );
        }
    }
    std::fs::remove_dir_all(folder).unwrap();
}
