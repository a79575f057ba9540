use super::forward::Columns;
use super::shape::{Shape, catalogue};
use super::{Measurements, Term};

/// The candidate terms of a search and their values at the points.
#[derive(Debug, Clone)]
pub(super) struct Pool {
    pub terms: Vec<Term>,
    /// Logarithm of the prior of each term; those of the terms beside the constant add up to 1.
    pub log_prior: Vec<f64>,
    /// Values, term after term.
    pub values: Vec<f64>,
    pub points: usize,
}

/// The values of every shape of every variable at the points, which all kernels measured at the same points share.
#[derive(Debug, Clone)]
pub(super) struct Grid {
    points: Vec<Vec<f64>>,
    /// For each variable, shape after shape of the catalogue.
    shapes: Vec<Vec<f64>>,
}

/// So many shapes of each variable enter products.
const SHORTLIST: usize = 6;

impl Grid {
    pub fn new(measurements: &Measurements) -> Grid {
        let shapes = |column: &Vec<f64>| {
            catalogue().iter().flat_map(|shape| column.iter().map(|x| shape.evaluate(*x))).collect()
        };
        Grid { points: measurements.points.clone(), shapes: measurements.points.iter().map(shapes).collect() }
    }

    pub fn is_of(&self, measurements: &Measurements) -> bool {
        self.points == measurements.points
    }

    fn shape(&self, variable: usize, shape: usize) -> &[f64] {
        let points = self.points[variable].len();
        &self.shapes[variable][shape * points..(shape + 1) * points]
    }

    /// Whether the shape has a meaning at all points and is not 0 at all of them.
    fn is_usable(&self, variable: usize, shape: usize) -> bool {
        let column = self.shape(variable, shape);
        column.iter().all(|value| value.is_finite() && *value >= 0.0) && column.iter().any(|value| *value > 0.0)
    }

    /// Part.
    pub fn part(&self, rows: &[usize]) -> Grid {
        let all = self.points.first().map_or(0, Vec::len);
        let pick = |column: &[f64]| rows.iter().map(|row| column[*row]).collect::<Vec<f64>>();
        Grid {
            points: self.points.iter().map(|column| pick(column)).collect(),
            shapes: self.shapes.iter().map(|shapes| shapes.chunks_exact(all.max(1)).flat_map(pick).collect()).collect(),
        }
    }

    /// The candidate terms: all shapes of one variable; products of the shapes that follow the lines best where there are several.
    pub fn pool(&self, points: usize, weights: &[f64], values: &[f64]) -> Pool {
        let variables = self.points.len();
        let mut lists: Vec<Vec<usize>> = Vec::with_capacity(variables);
        for variable in 0..variables {
            let constant = self.points[variable].windows(2).all(|pair| pair[0] == pair[1]);
            let usable = || (0..catalogue().len()).filter(|shape| self.is_usable(variable, *shape));
            lists.push(match (constant, variables) {
                (true, _) => Vec::new(),
                (false, 1) => usable().collect(),
                (false, _) => self.shortlist(variable, usable(), weights, values),
            });
        }
        let mut pool = Pool {
            terms: vec![Term { factors: vec![None; variables] }],
            log_prior: vec![0.0],
            values: vec![1.0; points],
            points,
        };
        let mut chosen: Vec<Option<usize>> = vec![None; variables];
        self.add_products(&lists, &mut chosen, 0, &mut pool);
        // The prior is normalised over what the catalogue would give, not over the shortlists: they have looked at the data.
        let whole: f64 = catalogue().iter().map(|shape| shape.weight()).sum();
        let nothing = 0.5f64.powi(variables as i32);
        for (log_prior, term) in pool.log_prior.iter_mut().zip(&pool.terms).skip(1) {
            let factor = |shape: &Option<Shape>| shape.map_or(0.5, |shape| 0.5 * shape.weight() / whole);
            *log_prior = (term.factors.iter().map(factor).product::<f64>() / (1.0 - nothing)).ln();
        }
        pool.log_prior[0] = 0.0;
        pool
    }

    fn add_products(&self, lists: &[Vec<usize>], chosen: &mut Vec<Option<usize>>, variable: usize, pool: &mut Pool) {
        if variable == lists.len() {
            if chosen.iter().all(Option::is_none) {
                return;
            }
            let first = pool.values.len();
            pool.values.resize(first + pool.points, 1.0);
            for (variable, shape) in chosen.iter().enumerate() {
                if let Some(shape) = shape {
                    let column = self.shape(variable, *shape);
                    pool.values[first..].iter_mut().zip(column).for_each(|(value, factor)| *value *= factor);
                }
            }
            let factors = chosen.iter().map(|shape| shape.map(|shape| catalogue()[shape])).collect();
            pool.terms.push(Term { factors });
            pool.log_prior.push(0.0);
            return;
        }
        for shape in std::iter::once(None).chain(lists[variable].iter().copied().map(Some)) {
            chosen[variable] = shape;
            self.add_products(lists, chosen, variable + 1, pool);
        }
        chosen[variable] = None;
    }

    /// The shapes g for which a + b g(x) follows the values best along the lines on which only this variable changes, each line with
    /// an a and a b of its own: whatever sum of products the truth is, along a line it is such a sum if it has one shape in x.
    fn shortlist(
        &self,
        variable: usize,
        usable: impl Iterator<Item = usize>,
        weights: &[f64],
        values: &[f64],
    ) -> Vec<usize> {
        let lines = self.lines(variable);
        let mut scored: Vec<(f64, usize)> = usable
            .map(|shape| {
                let column = self.shape(variable, shape);
                let squares: f64 = lines.iter().map(|line| line_squares(line, column, weights, values)).sum();
                let points: usize = lines.iter().map(Vec::len).sum();
                let penalty = -catalogue()[shape].weight().ln();
                (0.5 * points as f64 * (squares + 1e-14).ln() + penalty, shape)
            })
            .collect();
        scored.sort_by(|left, right| left.0.total_cmp(&right.0).then(left.1.cmp(&right.1)));
        scored.into_iter().take(SHORTLIST).map(|(_, shape)| shape).collect()
    }

    /// Rows that agree in all variables but one; all rows where there are no two such.
    fn lines(&self, variable: usize) -> Vec<Vec<usize>> {
        let points = self.points[variable].len();
        let others = || self.points.iter().enumerate().filter(|(other, _)| *other != variable).map(|(_, column)| column);
        let mut order: Vec<usize> = (0..points).collect();
        let compare = |left: &usize, right: &usize| {
            let order = others().map(|column| column[*left].total_cmp(&column[*right]));
            order.fold(std::cmp::Ordering::Equal, std::cmp::Ordering::then)
        };
        order.sort_by(compare);
        let lines: Vec<Vec<usize>> = order
            .chunk_by(|left, right| compare(left, right).is_eq())
            .filter(|line| line.len() > 2)
            .map(<[usize]>::to_vec)
            .collect();
        if lines.is_empty() { vec![order] } else { lines }
    }
}

/// Weighted residual sum of squares of a + b g along a line, with a and b not negative.
fn line_squares(line: &[usize], shape: &[f64], weights: &[f64], values: &[f64]) -> f64 {
    let (mut s11, mut s12, mut s22, mut t1, mut t2, mut yy) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
    for row in line {
        let (w, g, y) = (weights[*row], shape[*row] * weights[*row], values[*row] * weights[*row]);
        s11 += w * w;
        s12 += w * g;
        s22 += g * g;
        t1 += w * y;
        t2 += g * y;
        yy += y * y;
    }
    let determinant = s11 * s22 - s12 * s12;
    let only = |s: f64, t: f64| if s > 0.0 && t > 0.0 { yy - t * t / s } else { yy };
    if determinant <= 1e-12 * s11 * s22 {
        return only(s11, t1).max(0.0);
    }
    let a = (s22 * t1 - s12 * t2) / determinant;
    let b = (s11 * t2 - s12 * t1) / determinant;
    if a >= 0.0 && b >= 0.0 { (yy - a * t1 - b * t2).max(0.0) } else { only(s11, t1).min(only(s22, t2)).max(0.0) }
}

impl Pool {
    /// The columns of a fit at some of the points.
    pub fn columns(&self, rows: &[usize], weights: &[f64], values: &[f64], noise: super::evidence::Noise) -> Columns {
        let mut columns = Columns {
            points: rows.len(),
            term: Vec::with_capacity(self.terms.len()),
            scale: Vec::with_capacity(self.terms.len()),
            log_prior: Vec::with_capacity(self.terms.len()),
            entries: Vec::with_capacity(self.terms.len() * rows.len()),
            target: rows.iter().map(|row| values[*row] * weights[*row]).collect(),
            noise,
        };
        for (term, column) in self.values.chunks_exact(self.points.max(1)).enumerate() {
            let largest = rows.iter().map(|row| column[*row] * weights[*row]).fold(0.0, f64::max);
            // A shape that is not usable at one point is not usable; the constant term always is.
            if !(largest > 0.0 && largest.is_finite()) {
                continue;
            }
            columns.term.push(term);
            columns.scale.push(largest);
            columns.log_prior.push(self.log_prior[term]);
            columns.entries.extend(rows.iter().map(|row| column[*row] * weights[*row] / largest));
        }
        columns
    }
}
