//! The hash table, whose hashes may be equal.

use super::available;
use crate::support::{ON_THIS_COMPUTER, Run};

#[test]
fn the_table_does_what_a_list_does() {
    for flavour in available(&ON_THIS_COMPUTER) {
        // All hashes differ, many are equal, all are equal; those of one slot differ.
        for mask in ["0xffffffffffffffff", "0x7", "0", "0xff00000000000000"] {
            assert_eq!(Run::of(flavour, "table").with(mask).succeed().stdout, "table ok\n", "{mask}");
        }
    }
}
