//! The examples do right, whether measured or not.

use std::path::Path;

use super::available;
use crate::support::{ALL, Flavour, Run, root};

fn example(path: &str) -> std::path::PathBuf {
    root().join("../examples").join(Path::new(path))
}

#[test]
fn fft_is_right() {
    for flavour in available(&ALL).chain(available(&[Flavour::Mpich])) {
        let processors: &[usize] = match flavour {
            Flavour::Smpi => &[4, 32],
            Flavour::Mpich => &[4],
            _ => &[1, 2, 8],
        };
        for &count in processors {
            // What moves the packets makes no difference to the numbers in between.
            let sizes: &[&str] =
                if flavour.is_over_mpi() { &["32768"] } else { &["", "1", "4", "1024", "32768"] };
            for &size in sizes {
                let mut run = Run::of_source(flavour, &example("fft/fft.c")).on(count);
                let mut start = "N = ".to_owned();
                if !size.is_empty() {
                    run = run.with(size);
                    start = format!("N = {size}, P = {count}: largest error ");
                }
                let outcome = run.succeed();
                assert!(outcome.stdout.starts_with(&start), "{run:?}: {outcome:?}");
                assert_eq!(outcome.stdout.lines().count(), 1, "{run:?}: {outcome:?}");
            }
        }
    }
    let run = Run::of_source(Flavour::Plain, &example("fft/fft.c"));
    run.on(3).fail(2, "fft: the number of processors must be a power of two\n");
    for wrong in ["1000", "0", "-8", "x", "268435456"] {
        let run = Run::of_source(Flavour::Plain, &example("fft/fft.c")).with(wrong);
        run.fail(2, "fft: N must be a power of two up to 134217728\n");
    }
}

#[test]
fn matrix_is_set() {
    let outcome = Run::of_source(Flavour::Plain, &example("matrix_init/matrix_init.c")).succeed();
    assert_eq!(outcome.stdout, "both orders set every element, 20 times for each size\n");
}
