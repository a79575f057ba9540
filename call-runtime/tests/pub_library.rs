//! Conformance of PUB: each program of tests/programs/pub shows one behaviour, and its first comment says how it ends.

use crate::support::behaviours::check_all;
use crate::support::{Flavour, ON_THIS_COMPUTER, Run};

/// Beyond 8 processors barriers go in rounds, in which nobody hears of all others: who parts ways with them is then told otherwise.
#[test]
fn behaviours_on_this_computer() {
    check_all(Flavour::Plain, "pub", &[1, 2, 9], &[1, 2, 4], |_| false);
}

#[test]
fn behaviours_under_sanitizers() {
    check_all(Flavour::Sanitized, "pub", &[4], &[2], |_| false);
}

#[test]
fn behaviours_over_mpi() {
    check_all(Flavour::Mpi, "pub", &[4], &[2], |_| false);
}

/// One processor over MPI, where there is nobody to see that something is wrong, and more of them.
#[test]
fn wrong_programs_over_mpi() {
    let left_out = |name: &str| {
        !["done_alone", "too_many_told", "too_few_told", "exits_inside", "killed"].contains(&name)
    };
    check_all(Flavour::Mpi, "pub", &[], &[1, 4], left_out);
}

#[test]
fn behaviours_over_simulated_mpi() {
    check_all(Flavour::Smpi, "pub", &[16], &[], |name| name.starts_with("virtual_"));
}

/// Virtual processors are threads, which a simulated processor cannot have.
#[test]
fn simulated_processors_have_no_virtual_ones() {
    if Flavour::Smpi.is_available() {
        let message = "bsp_migrate_dup: a processor that SMPI simulates cannot have virtual processors";
        Run::of(Flavour::Smpi, "pub/virtual_processors").on(2).fail(2, message);
    }
}

/// The status of a program that ends too early stays, if it tells a failure.
#[test]
fn statuses_stay() {
    for flavour in ON_THIS_COMPUTER {
        for processors in [1, 2] {
            for (library, end) in [("pub", "bsplib_done"), ("bsplib", "bsp_end")] {
                let run = Run::of(flavour, &format!("{library}/exits_with_a_status")).on(processors);
                run.fail(7, &format!("processor {} ended with status 7 before {end}\n", processors - 1));
                let run = Run::of(flavour, &format!("{library}/exits_inside")).on(processors);
                run.fail(2, &format!("processor {} ended with status 0 before {end}\n", processors - 1));
            }
        }
    }
}
