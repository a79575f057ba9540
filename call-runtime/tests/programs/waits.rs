//! Processors that wait for each other: whether all wait in vain is told soon, and nobody is accused who may still get something.

use crate::support::Flavour;
use crate::support::behaviours::check_all;

fn check_waits(flavour: Flavour, processors: &[usize], processors_when_vain: &[usize]) {
    check_all(flavour, "waits", processors, processors_when_vain, |_| false);
}

#[test]
fn waits_on_this_computer() {
    check_waits(Flavour::Plain, &[12], &[2, 4, 12]);
}

#[test]
fn waits_under_sanitizers() {
    check_waits(Flavour::Sanitized, &[4], &[4]);
}

#[test]
fn waits_over_mpi() {
    check_waits(Flavour::Mpi, &[12], &[2, 12]);
}

#[test]
fn waits_over_mpich() {
    check_waits(Flavour::Mpich, &[4], &[4]);
}

#[test]
fn waits_over_simulated_mpi() {
    check_waits(Flavour::Smpi, &[12], &[2, 12]);
}
