use call_search::{FormulaFinder, FoundFormulas, Measurements};

/// What the search finds for values at points, which have a number for each variable. What is not finite is left out.
pub(crate) fn law<'a>(
    variables: &[String],
    points: impl Iterator<Item = &'a [f64]> + Clone,
    values: &[f64],
    finder: &mut FormulaFinder,
) -> FoundFormulas {
    let column = |variable: usize| points.clone().map(|point| point[variable]).collect();
    let columns: Vec<Vec<f64>> = (0..variables.len()).map(column).collect();
    let columns: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
    finder.find(&Measurements::new(variables, &columns, values))
}
