use super::JudgedCase;
use crate::Warning;
use crate::student::chance_of_ratio;

/// How probable a dependence of this strength may at most be by chance, all variables taken together.
const IMPROBABLE: f64 = 0.001;

/// A variable has to explain this share of the squared residuals: many samples make any trifle certain.
const WORTHWHILE: f64 = 0.2;

/// Mean squares of relative residuals below this matter to nobody.
const NEGLIGIBLE: f64 = 1e-6;

/// Variables of the samples that the formula does not use although the times depend on them: the means of the relative residuals
/// at their values differ (analysis of variance with one factor, F test).
pub(super) fn warnings(case: &JudgedCase) -> Vec<Warning> {
    let used = used(case);
    let absent = absent(case);
    if absent.is_empty() {
        return Vec::new();
    }
    let residuals = relative_residuals(case, &used);
    let tests = absent.len() as f64;
    absent
        .into_iter()
        .filter_map(|(name, column)| {
            let (share, chance) = explained(column, &residuals)?;
            (chance * tests < IMPROBABLE && share > WORTHWHILE)
                .then(|| Warning::AbsentVariable { variable: name.clone(), share })
        })
        .collect()
}

fn used<'a>(case: &'a JudgedCase) -> Vec<&'a str> {
    case.model.formula.variables().iter().map(|variable| variable.name()).collect()
}

/// The variables of the samples that vary and that the formula does not use, with their values.
pub(super) fn absent<'a>(case: &'a JudgedCase) -> Vec<(&'a String, &'a Vec<f64>)> {
    let samples = case.prepared.samples();
    let used = used(case);
    let varies = |column: &[f64]| column.windows(2).any(|pair| pair[0] != pair[1]);
    let columns = samples.names.iter().zip(&samples.columns);
    columns.filter(|(name, column)| !used.contains(&name.as_str()) && varies(column)).collect()
}

/// A power law of this chance, all variables taken together, is looked at before noise is blamed.
const SUSPICIOUS: f64 = 0.05;

/// It has to explain this share of the squared logarithms.
const MOST: f64 = 0.5;

/// Where residuals are large: the variable that the formula does not use and that explains most of them, as a power of it.
/// Too few samples for [`warnings`] still say more than that they are noisy.
pub(super) fn instead_of_noise(case: &JudgedCase) -> Option<Warning> {
    let residuals = relative_residuals(case, &used(case));
    let absent = absent(case);
    let tests = absent.len() as f64;
    let explained = absent.into_iter().filter_map(|(name, column)| {
        let (share, chance) = power_law(column, &residuals)?;
        (chance * tests < SUSPICIOUS && share > MOST).then_some((name, share))
    });
    let (name, share) = explained.max_by(|one, other| one.1.total_cmp(&other.1))?;
    Some(Warning::AbsentVariable { variable: name.clone(), share })
}

/// The share of the squared logarithms of measured over fitted times that a line over the logarithms of a column explains, and the
/// chance of as much without any dependence.
fn power_law(column: &[f64], residuals: &[f64]) -> Option<(f64, f64)> {
    let rows = column.iter().zip(residuals).map(|(x, residual)| (x.ln(), (1.0 + residual).ln()));
    let rows: Vec<(f64, f64)> = rows.filter(|(x, y)| x.is_finite() && y.is_finite()).collect();
    let count = rows.len() as f64;
    let freedom = count - 2.0;
    let mean = |of: fn(&(f64, f64)) -> f64| rows.iter().map(of).sum::<f64>() / count;
    let (mean_x, mean_y) = (mean(|row| row.0), mean(|row| row.1));
    let sum =
        |of: &dyn Fn(f64, f64) -> f64| rows.iter().map(|(x, y)| of(x - mean_x, y - mean_y)).sum::<f64>();
    let (xx, xy, yy) = (sum(&|x, _| x * x), sum(&|x, y| x * y), sum(&|_, y| y * y));
    let share = xy * xy / (xx * yy);
    if freedom < 1.0 || !share.is_finite() {
        return None;
    }
    let ratio = share * freedom / (1.0 - share).max(f64::EPSILON);
    Some((share, chance_of_ratio(ratio, 1.0, freedom)))
}

/// (measured - fitted) / fitted of each row; NaN where that is nothing.
fn relative_residuals(case: &JudgedCase, used: &[&str]) -> Vec<f64> {
    let samples = case.prepared.samples();
    let columns: Vec<&[f64]> = used.iter().map(|name| samples.column(name).unwrap_or_default()).collect();
    let residual = |row: usize| {
        let point: Vec<f64> = columns.iter().map(|column| column[row]).collect();
        let fitted_s = case.model.predict(&point).time_s;
        (samples.time_s[row] - fitted_s) / fitted_s
    };
    (0..samples.len()).map(residual).collect()
}

/// The share of the squared residuals that means at the values of a column explain, and the chance of as much without any
/// dependence.
fn explained(column: &[f64], residuals: &[f64]) -> Option<(f64, f64)> {
    let groups = call_fit::group(&[column], residuals);
    let count: usize = groups.count.iter().sum();
    let freedom_between = groups.count.len().checked_sub(1).filter(|freedom| *freedom > 0)? as f64;
    let freedom_within = count.checked_sub(groups.count.len()).filter(|freedom| *freedom > 0)? as f64;
    let means = || groups.count.iter().map(|members| *members as f64).zip(&groups.mean);
    let mean = means().map(|(members, mean)| members * mean).sum::<f64>() / count as f64;
    let between: f64 = means().map(|(members, one)| members * (one - mean).powi(2)).sum();
    let within: f64 = groups.within_sum_of_squares.iter().sum();
    let total = between + within;
    if total.is_nan() || total <= NEGLIGIBLE * count as f64 {
        return None;
    }
    // Rounding can leave nothing.
    let within = within.max(f64::EPSILON * total);
    let ratio = (between / freedom_between) / (within / freedom_within);
    Some((between / total, chance_of_ratio(ratio, freedom_between, freedom_within)))
}
