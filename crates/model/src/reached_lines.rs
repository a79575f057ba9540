//! How many lines of memory loops reach.

/// Caches keep lines of so many bytes. Those of today's processors do; machine files have no other number.
pub const LINE_BYTES: f64 = 64.0;

/// What a loop around an access does: how many iterations it has, and how many bytes these are apart, infinite where it is only known to be
/// another row.
#[derive(Debug, Clone, Copy, PartialEq)]
#[allow(missing_docs, reason = "said above")]
pub struct LoopSteps {
    pub iterations: f64,
    pub stride_bytes: f64,
}

/// How many lines some loops reach together with elements of this size: elements that are next to each other share lines.
pub fn reached_lines(element_bytes: f64, loops: impl IntoIterator<Item = LoopSteps>) -> f64 {
    let mut loops: Vec<LoopSteps> = loops.into_iter().filter(|its| its.stride_bytes > 0.0).collect();
    loops.sort_by(|one, other| one.stride_bytes.total_cmp(&other.stride_bytes));
    let (mut pieces, mut extent_bytes) = (1.0, element_bytes);
    for its in loops {
        // From line to line there is a line for each element, however little of it is used.
        if its.stride_bytes <= extent_bytes || its.stride_bytes < LINE_BYTES {
            extent_bytes += (its.iterations - 1.0) * its.stride_bytes;
        } else {
            pieces *= its.iterations;
        }
    }
    let lines = extent_bytes / LINE_BYTES;
    // Pieces that lie apart have whole lines each.
    pieces * if pieces > 1.0 { lines.ceil() } else { lines.max(1.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_lines_are_reached() {
        for (loops, expected) in [
            (&[(100.0, 64.0)][..], 100.0),
            (&[(100.0, 128.0)], 100.0),
            (&[(128.0, 8.0)], 16.0),
            (&[(8.0, 64.0), (50.0, 512.0)], 400.0),
            (&[(12.0, 8.0), (50.0, 1024.0)], 100.0),
            (&[(8.0, 8.0), (50.0, 64.0)], 50.0),
            (&[(5.0, f64::INFINITY), (16.0, 8.0)], 10.0),
        ] {
            let steps =
                loops.iter().map(|&(iterations, stride_bytes)| LoopSteps { iterations, stride_bytes });
            assert_eq!(reached_lines(8.0, steps), expected, "{loops:?}");
        }
    }
}
