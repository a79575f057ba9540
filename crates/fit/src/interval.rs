//! Intervals of a variable.

/// A half-open interval (lower, upper] of one variable, in the unit of the variable.
///
/// The cells of a segmentation cover the whole axis, so the first interval starts at minus infinity and the last
/// one ends at infinity; Table 2 of the CALL paper writes [2, C0] and (C0, infinity].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// Excluded lower end; minus infinity at the rim.
    pub lower: f64,
    /// Included upper end; infinity at the rim.
    pub upper: f64,
}

impl Interval {
    /// The whole axis.
    pub const WHOLE: Interval = Interval { lower: f64::NEG_INFINITY, upper: f64::INFINITY };

    /// Whether a value lies inside. Minus infinity belongs to the first interval, NaN to none.
    pub fn contains(&self, value: f64) -> bool {
        (value > self.lower || self.lower == f64::NEG_INFINITY) && value <= self.upper
    }
}
