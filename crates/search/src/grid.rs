use crate::Measurements;
use crate::shape::catalogue;
use crate::term::MOST_VARIABLES;

/// The values of every shape of every variable at the points, which all kernels measured at the same points share.
#[derive(Debug, Clone)]
pub(crate) struct ShapeGrid {
    /// The points that the shapes were evaluated at.
    points: Vec<Vec<f64>>,
    /// For each variable, shape after shape of the catalogue.
    shapes: Vec<Vec<f64>>,
    /// For each variable and shape, whether it is finite and not negative at all points.
    usable: Vec<Vec<bool>>,
    rows: usize,
}

impl ShapeGrid {
    pub fn new(measurements: &Measurements) -> ShapeGrid {
        let rows = measurements.len();
        let columns = || measurements.points.iter().take(MOST_VARIABLES);
        let evaluate = |column: &Vec<f64>| -> Vec<f64> {
            catalogue().iter().flat_map(|shape| column.iter().map(|x| shape.evaluate(*x))).collect()
        };
        let shapes: Vec<Vec<f64>> = columns().map(evaluate).collect();
        let is_usable = |values: &[f64]| values.iter().all(|value| value.is_finite() && *value >= 0.0);
        let usable = |values: &Vec<f64>| values.chunks_exact(rows.max(1)).map(is_usable).collect();
        ShapeGrid {
            points: measurements.points.clone(),
            usable: shapes.iter().map(usable).collect(),
            shapes,
            rows,
        }
    }

    pub fn is_of(&self, measurements: &Measurements) -> bool {
        self.points == measurements.points
    }

    pub fn variables(&self) -> usize {
        self.shapes.len()
    }

    /// A column of the points.
    pub fn points(&self, variable: usize) -> &[f64] {
        &self.points[variable]
    }

    /// A shape at the points.
    pub fn shape(&self, variable: usize, shape: usize) -> &[f64] {
        &self.shapes[variable][shape * self.rows..(shape + 1) * self.rows]
    }

    pub fn is_usable(&self, variable: usize, shape: usize) -> bool {
        self.usable[variable][shape]
    }

    /// The values of a variable among some rows, each once, in order.
    pub fn levels(&self, variable: usize, rows: &[usize]) -> Vec<f64> {
        let column = &self.points[variable];
        let mut levels: Vec<f64> = rows.iter().map(|row| column[*row]).collect();
        levels.sort_unstable_by(f64::total_cmp);
        levels.dedup();
        levels
    }
}
