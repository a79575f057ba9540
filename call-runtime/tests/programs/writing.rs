//! Traces that cannot be written.

use super::available;
use crate::support::{ALL, ON_THIS_COMPUTER, Run};

#[test]
fn a_directory_that_cannot_be_written() {
    for flavour in available(&ALL) {
        // A directory that has gone refuses even the superuser.
        let shell = "mkdir away-$$ && cd away-$$ && rmdir ../away-$$";
        let run = Run::of(flavour, "rows").counting().on(2).with(10).prepared_by(shell);
        let outcome = run.fail(2, "call: cannot write rows.call.0.dat: No such file or directory\n");
        assert!(!outcome.stderr.contains("wrote"), "{outcome:?}");
    }
}

#[test]
fn a_full_disk() {
    for flavour in ON_THIS_COMPUTER {
        // In blocks of 512 or 1024 bytes: room for several buffers of a processor, and not for all.
        let run = Run::of(flavour, "rows").counting().on(3).with(40_000).prepared_by("ulimit -f 1000");
        let outcome = run.fail(2, "call: cannot write rows.call.0.dat: File too large\n");
        // The reports of the two parts fail, at the same time, and then that of all.
        assert_eq!(outcome.stderr.matches("call: cannot write rows.call.").count(), 3, "{outcome:?}");
        // What fits into files of their own stays.
        let names = run.trace_names();
        assert!(names.iter().all(|name| name.starts_with("rows.call.unfinished.")), "{names:?}");
        assert_eq!(names.len(), 3, "{outcome:?}");
        assert!(outcome.stderr.contains("without a report of"), "{outcome:?}");
        assert!(outcome.stderr.contains("are lost: no report was written"), "{outcome:?}");
    }
}
