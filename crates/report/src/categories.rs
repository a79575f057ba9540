//! Bars and boxes beside names: shares, ranks and distributions over categories.

use crate::{Axis, BoxPlot, DisplayUnit};

/// A row for each category, from top to bottom, with its whole name on the left.
///
/// Experiments by their part of a predicted time:
///
/// ```
/// use call_report::{CategoryChart, RankedValue, DisplayUnit};
///
/// let time = |label, value, interval| RankedValue { label, value, interval };
/// let times = [time("fft", 3.0, None), time("exchange", 6.0, Some((5.5, 6.7))), time("read", 1.0, None)];
/// let chart = CategoryChart::ranked("N = 1 Mi, P = 64", "time", &DisplayUnit::seconds(), &times);
/// assert_eq!(chart.rows[0].label, "exchange");
/// assert!(chart.svg()?.contains("6 s, 60.0 %"));
/// # Ok::<(), call_report::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CategoryChart {
    /// What is to be seen.
    pub title: String,
    /// Small lines under the title.
    pub notes: Vec<String>,
    /// The axis of the values. Bars begin at zero, so it is linear and begins there if there are any.
    pub value: Axis,
    /// The categories, from top to bottom. Where there is no room for all, a line tells how many are left out at the end.
    pub rows: Vec<Category>,
    /// Width and height of the SVG in pixels, from 150 to 8000; 900 by what the rows need without.
    pub size: Option<(u32, u32)>,
}

/// A row of a [`CategoryChart`].
#[derive(Debug, Clone, PartialEq)]
pub struct Category {
    /// Its name.
    pub label: String,
    /// What is drawn.
    pub shows: CategoryValue,
}

/// What a [`Category`] shows.
#[derive(Debug, Clone, PartialEq)]
pub enum CategoryValue {
    /// A bar from zero.
    Bar {
        /// Where it ends.
        value: f64,
        /// The interval around the value, if there is one.
        interval: Option<(f64, f64)>,
        /// Stands behind it.
        text: String,
    },
    /// A distribution.
    Box(BoxPlot),
}

/// A value to be ranked among others.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RankedValue<'a> {
    /// What it is the value of.
    pub label: &'a str,
    /// The value.
    pub value: f64,
    /// The interval around it, if there is one.
    pub interval: Option<(f64, f64)>,
}

impl CategoryChart {
    /// Values with their intervals, the largest first, each with its share of the sum of all, unless one is negative. What is
    /// not finite is left out.
    pub fn ranked(title: &str, value: &str, unit: &DisplayUnit, values: &[RankedValue]) -> CategoryChart {
        let mut values: Vec<&RankedValue> = values.iter().filter(|its| its.value.is_finite()).collect();
        values.sort_by(|a, b| b.value.total_cmp(&a.value));
        let sum: f64 = values.iter().map(|its| its.value).sum();
        let have_shares = sum > 0.0 && values.iter().all(|its| its.value >= 0.0);
        let row = |&&RankedValue { label, value, interval }: &&RankedValue| {
            let share = have_shares.then(|| format!(", {:.1} %", 100.0 * value / sum));
            let text = unit.text(value) + &share.unwrap_or_default();
            Category { label: label.to_owned(), shows: CategoryValue::Bar { value, interval, text } }
        };
        let rows = values.iter().map(row).collect();
        CategoryChart {
            title: title.to_owned(),
            value: Axis::quantity(value, unit),
            rows,
            ..CategoryChart::default()
        }
    }

    /// The distributions of values over categories; those without finite values are left out.
    pub fn box_plots(title: &str, value: Axis, values: &[(&str, &[f64])]) -> CategoryChart {
        let row = |(label, values): &(&str, &[f64])| {
            Some(Category { label: (*label).to_owned(), shows: CategoryValue::Box(BoxPlot::of(values)?) })
        };
        let rows = values.iter().filter_map(row).collect();
        CategoryChart { title: title.to_owned(), value, rows, ..CategoryChart::default() }
    }
}
