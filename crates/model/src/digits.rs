//! Numbers in messages: never with hundreds of digits, as `1e300` has when it is written in full.

/// As few digits as give the number back.
pub(crate) fn exact(x: f64) -> String {
    let size = x.abs();
    if size == 0.0 || !x.is_finite() || (1e-5..1e15).contains(&size) {
        x.to_string()
    } else {
        format!("{x:e}")
    }
}

/// So many digits behind the point.
pub(crate) fn rounded(x: f64, decimals: usize) -> String {
    if x.abs() < 1e6 || !x.is_finite() { format!("{x:.decimals$}") } else { format!("{x:.1e}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let values = [0.0, -1.5, 4096.0, 1e300, 5e-324, f64::INFINITY];
        assert_eq!(values.map(exact), ["0", "-1.5", "4096", "1e300", "5e-324", "inf"]);
        assert_eq!(values.map(|value| rounded(value, 1)), ["0.0", "-1.5", "4096.0", "1.0e300", "0.0", "inf"]);
    }
}
