//! Distributions as boxes with whiskers.

/// A distribution as Tukey (1977), "Exploratory data analysis", draws it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct BoxPlot {
    /// Half of the values are below.
    pub median: f64,
    /// The quartiles: the ends of the box.
    pub quartiles: (f64, f64),
    /// The lowest and the highest value that are at most 1.5 interquartile ranges away from the box.
    pub whiskers: (f64, f64),
    /// Those beyond, ascending.
    pub outliers: Vec<f64>,
}

impl BoxPlot {
    /// The distribution of the finite values, if there are any.
    ///
    /// ```
    /// let five = call_report::BoxPlot::of(&[4.0, 1.0, 3.0, 2.0, 20.0]).unwrap();
    /// assert_eq!((five.quartiles, five.median), ((2.0, 4.0), 3.0));
    /// assert_eq!((five.whiskers, five.outliers), ((1.0, 4.0), vec![20.0]));
    /// ```
    pub fn of(values: &[f64]) -> Option<BoxPlot> {
        const FARTHEST: f64 = 1.5;
        let sorted = sorted(values);
        let quartiles = (quantile(&sorted, 0.25)?, quantile(&sorted, 0.75)?);
        let reach = FARTHEST * (quartiles.1 - quartiles.0);
        let is_near = |value: &&f64| (quartiles.0 - reach..=quartiles.1 + reach).contains(*value);
        let lowest = sorted.iter().find(is_near).copied()?;
        let highest = sorted.iter().rev().find(is_near).copied()?;
        Some(BoxPlot {
            median: quantile(&sorted, 0.5)?,
            quartiles,
            // Where few values are far apart, a quartile may lie beyond the last of them.
            whiskers: (lowest.min(quartiles.0), highest.max(quartiles.1)),
            outliers: sorted.iter().filter(|value| !is_near(value)).copied().collect(),
        })
    }

    /// The lowest and the highest value.
    pub(crate) fn ends(&self) -> (f64, f64) {
        let (first, last) = (self.outliers.first(), self.outliers.last());
        let end = |outlier: Option<&f64>, whisker: f64| outlier.copied().unwrap_or(whisker);
        (end(first, self.whiskers.0).min(self.whiskers.0), end(last, self.whiskers.1).max(self.whiskers.1))
    }
}

/// The quantile of ascending values, linear between them: definition 7 of Hyndman and Fan (1996).
fn quantile(sorted: &[f64], part: f64) -> Option<f64> {
    let place = part * sorted.len().checked_sub(1)? as f64;
    let (below, above) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
    Some(below + place.fract() * (above - below))
}

/// The finite values, ascending.
pub(crate) fn sorted(values: &[f64]) -> Vec<f64> {
    /// So that sums and squares stay finite.
    const LARGEST: f64 = 1e140;
    let mut sorted: Vec<f64> = values.iter().copied().filter(|value| value.abs() <= LARGEST).collect();
    sorted.sort_by(f64::total_cmp);
    sorted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_and_whiskers_are_those_of_numpy() {
        // numpy.quantile([1, 2, 4, 8, 16, 100], [0.25, 0.5, 0.75])
        let values = [100.0, 1.0, 2.0, f64::NAN, 4.0, 8.0, 16.0];
        let expected =
            BoxPlot { median: 6.0, quartiles: (2.5, 14.0), whiskers: (1.0, 16.0), outliers: vec![100.0] };
        assert_eq!(BoxPlot::of(&values), Some(expected));
        assert_eq!(BoxPlot::of(&[f64::NAN]), None);
        let one = BoxPlot::of(&[7.0]).unwrap();
        assert_eq!((one.quartiles, one.whiskers, one.ends()), ((7.0, 7.0), (7.0, 7.0), (7.0, 7.0)));
    }
}
