//! Misuse of PUB.

use super::available;
use crate::support::{Flavour, ON_THIS_COMPUTER, Run, WITH_MPI};

/// Case, processors, what the message says.
const MISUSES: &[(&str, usize, &str)] = &[
    (
        "before-init",
        1,
        "bsp_sync: the t_bsp object stands for no machine: it was closed, or never made by bsplib_init",
    ),
    ("report-before-init", 1, "report: no BSP machine is in use"),
    ("sync-before-init", 1, "sync: no BSP machine is in use"),
    ("parameters", 1, "bsplib_init: hand over BSPLIB_STDPARAMS"),
    ("init-twice", 4, "bsplib_init: a program can start its processors only once"),
    ("send-to-nobody", 4, "bsp_send: processor 5 does not exist in a machine of 4 processors"),
    ("send-below", 4, "bsp_send: processor -1 does not exist in a machine of 4 processors"),
    ("negative-size", 4, "bsp_hpsend: a message of -5 bytes cannot be sent"),
    ("null-data", 4, "bsp_send: the data of a message of 5 bytes is NULL"),
    ("no-such-message", 4, "has no message 0: the last superstep brought 0, counted from 0"),
    ("null-message", 4, "bspmsg_size: the message is NULL: bsp_findmsg found none"),
    ("find-from-nobody", 4, "bsp_findmsg: processor 4 does not exist in a machine of 4 processors"),
    ("negative-count", 4, "bsp_oblsync: -1 messages cannot be waited for"),
    ("no-parts", 4, "bsp_partition: a machine cannot be divided into 0 parts"),
    (
        "ends-fall",
        4,
        "bsp_partition: part 1 would start at processor 4 and end before processor 1: the ends must increase",
    ),
    (
        "ends-short",
        4,
        "bsp_partition: the last part ends before processor 3, but the machine has 4 processors",
    ),
    ("done-with-all", 4, "bsp_done: the machine of all processors is closed by bsplib_done, not by bsp_done"),
    ("done-twice", 4, "bsp_done: the t_bsp object stands for no machine: it was closed"),
    ("done-outer", 4, "bsp_done: a part of this machine is still open: close it with bsp_done first"),
    ("closed-copy", 4, "bsp_sync: the BSP machine that was given is not open: it was closed"),
    ("sync-outer", 4, "bsp_sync: a part of this machine is still open: close it with bsp_done first"),
    (
        "open-part-at-end",
        4,
        "bsplib_done: a part of this machine is still open: close it with bsp_done first",
    ),
    (
        "unsent-in-part",
        4,
        "has messages to processor 0 in superstep 1, which has not been ended with a bsp_sync",
    ),
    (
        "unsent-at-end",
        4,
        "has messages to processor 0 in superstep 1, which has not been ended with a bsp_sync",
    ),
    ("after-done", 4, "bsp_sync: no BSP machine is in use"),
    ("report-closed", 4, "report: the t_bsp object stands for no machine"),
    ("too-many-messages", 4, "has 2 messages in superstep 1, but was told to wait for 1"),
    (
        "too-many-later",
        4,
        "processor 0 received a message from processor 1 for superstep 1, which it has left already",
    ),
    (
        "never-received",
        4,
        "bsplib_done: a message of superstep 1 of a machine that has been closed was never received",
    ),
    ("mixed-barriers", 4, "ends superstep 1 with bsp_oblsync, but processor 0 ends it with bsp_sync"),
    ("left-with-oblsync", 4, "waits in bsp_sync for the end of superstep 1, which processor"),
    (
        "wait-for-ever",
        4,
        "all processors wait and no message is on its way; processor 0 in bsp_oblsync, superstep 1, with 0 of 3 messages;",
    ),
    (
        "alone",
        2,
        "bsp_oblsync: superstep 1 of a machine of one processor has 0 messages, and 1 are waited for",
    ),
    (
        "unequal-report",
        4,
        "all processors wait and no message is on its way; processor 0 in report, superstep 1;",
    ),
];

fn check_misuse(flavour: Flavour, &(case, processors, message): &(&str, usize, &str)) {
    let run = Run::of(flavour, "misuse").on(processors).with(case);
    let outcome = run.fail(2, message);
    let lines = outcome.stderr.lines().filter(|line| line.starts_with("call: ")).count();
    // Over MPI each processor speaks for itself.
    assert!(
        lines == 1 || matches!(flavour, Flavour::Mpi | Flavour::Mpich),
        "{run:?} says more than one line: {outcome:?}"
    );
}

#[test]
fn misuse_is_told() {
    for flavour in ON_THIS_COMPUTER {
        for case in MISUSES {
            check_misuse(flavour, case);
        }
    }
}

#[test]
fn misuse_is_told_over_mpi() {
    for flavour in available(&WITH_MPI) {
        for case in MISUSES {
            check_misuse(flavour, case);
        }
    }
}
