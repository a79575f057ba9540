//! Laws that counted numbers follow to the last digit. The search for formulas has no negative constants, so it knows no `P*P - P`.

/// A sum of a few products of powers of the variables, with constants of either sign, that all measured values are.
#[derive(Debug)]
pub(crate) struct ExactLaws {
    /// Those of the fewest terms; where the points do not tell them apart, there are several.
    laws: Vec<Vec<ExactTerm>>,
}

#[derive(Debug, Clone)]
struct ExactTerm {
    exponents: Vec<i32>,
    constant: f64,
}

/// An accident meets so many points beyond those that make the constants, to this part of the largest value, hardly ever.
const SPARE_POINTS: usize = 2;
const ACCURACY: f64 = 1e-9;
const MOST_TERMS: usize = 3;
const MOST_VARIABLES: usize = 3;
const EXPONENTS: [i32; 4] = [0, 1, 2, -1];

impl ExactLaws {
    /// Of values at points; those that are NaN say nothing.
    pub(crate) fn of(points: &[&[f64]], values: &[f64]) -> Option<ExactLaws> {
        let mut known: Vec<(&[f64], f64)> = Vec::new();
        for (point, value) in points.iter().copied().zip(values.iter().copied()) {
            match known.iter().find(|(its, _)| *its == point) {
                _ if value.is_nan() => {}
                Some((_, other)) if *other == value => {}
                Some(_) => return None,
                None => known.push((point, value)),
            }
        }
        let variables = known.first()?.0.len();
        if variables > MOST_VARIABLES || known.iter().any(|(point, _)| point.iter().any(|x| *x <= 0.0)) {
            return None;
        }
        let products = products(variables);
        (1..=MOST_TERMS.min(known.len().saturating_sub(SPARE_POINTS))).find_map(|count| {
            let mut laws = Vec::new();
            choose(&products, count, &mut Vec::new(), &mut |chosen| laws.extend(fitting(chosen, &known)));
            (!laws.is_empty()).then_some(ExactLaws { laws })
        })
    }

    /// The value at a point, if all laws agree on it.
    pub(crate) fn value(&self, point: &[f64]) -> Option<f64> {
        let mut values = self.laws.iter().map(|law| sum(law, point));
        let first = values.next()?;
        let is_same = |value: f64| (value - first).abs() <= ACCURACY * first.abs();
        (first >= 0.0 && values.all(is_same)).then_some(first)
    }
}

/// The exponents of all products.
fn products(variables: usize) -> Vec<Vec<i32>> {
    (0..variables).fold(vec![Vec::new()], |shorter, _| {
        let longer = |product: &Vec<i32>| {
            let product = product.clone();
            EXPONENTS.map(|exponent| product.iter().copied().chain([exponent]).collect()).to_vec()
        };
        shorter.iter().flat_map(longer).collect()
    })
}

/// All choices of so many products behind those that are chosen.
fn choose<'a>(
    products: &'a [Vec<i32>],
    count: usize,
    chosen: &mut Vec<&'a [i32]>,
    tell: &mut dyn FnMut(&[&[i32]]),
) {
    if count == 0 {
        return tell(chosen);
    }
    for (index, product) in products.iter().enumerate() {
        chosen.push(product);
        choose(&products[index + 1..], count - 1, chosen, tell);
        chosen.pop();
    }
}

fn product(exponents: &[i32], point: &[f64]) -> f64 {
    exponents.iter().zip(point).map(|(exponent, x)| x.powi(*exponent)).product()
}

fn sum(law: &[ExactTerm], point: &[f64]) -> f64 {
    law.iter().map(|term| term.constant * product(&term.exponents, point)).sum()
}

/// The law of these products through some of the points, if it meets all of them.
fn fitting(products: &[&[i32]], known: &[(&[f64], f64)]) -> Option<Vec<ExactTerm>> {
    let count = products.len();
    let last = known.len() - 1;
    let rows = (0..count).map(|row| {
        let (point, value) = known[if count == 1 { last } else { row * last / (count - 1) }];
        products.iter().map(|exponents| product(exponents, point)).chain([value]).collect()
    });
    let constants = solve(rows.collect())?;
    let law: Vec<ExactTerm> = products
        .iter()
        .zip(constants)
        .map(|(exponents, constant)| ExactTerm { exponents: exponents.to_vec(), constant })
        .collect();
    let meets = |(point, value): &(&[f64], f64)| (sum(&law, point) - value).abs() <= ACCURACY * value.abs();
    known.iter().all(meets).then_some(law)
}

/// Solves equations, whose right sides stand behind them, by elimination; `None` if they do not determine the unknowns.
fn solve(mut rows: Vec<Vec<f64>>) -> Option<Vec<f64>> {
    let count = rows.len();
    for step in 0..count {
        let size = |row: &usize| {
            rows[*row][step].abs() / rows[*row][..count].iter().fold(0.0, |most: f64, x| most.max(x.abs()))
        };
        let pivot = (step..count).max_by(|left, right| size(left).total_cmp(&size(right)))?;
        rows.swap(step, pivot);
        let own = rows[step].clone();
        for (number, row) in rows.iter_mut().enumerate().filter(|(number, _)| *number != step) {
            let factor = row[step] / own[step];
            let before = row[..count].iter().fold(0.0, |most: f64, x| most.max(x.abs()));
            row.iter_mut().zip(&own).for_each(|(x, its)| *x -= factor * its);
            // What rounding leaves of an equation that says nothing new is none.
            if number > step && row[..count].iter().all(|x| x.abs() <= SINGULAR * before) {
                return None;
            }
        }
    }
    let solution: Vec<f64> = (0..count).map(|row| rows[row][count] / rows[row][row]).collect();
    solution.iter().all(|x| x.is_finite()).then_some(solution)
}

const SINGULAR: f64 = 1e-13;

#[cfg(test)]
mod tests {
    use super::ExactLaws;

    fn of(processors: &[f64], law: impl Fn(f64) -> f64) -> Option<ExactLaws> {
        let points: Vec<[f64; 1]> = processors.iter().map(|p| [*p]).collect();
        let points: Vec<&[f64]> = points.iter().map(<[f64; 1]>::as_slice).collect();
        ExactLaws::of(&points, &processors.iter().map(|p| law(*p)).collect::<Vec<_>>())
    }

    #[test]
    fn constants_of_either_sign_are_found() {
        let many = [2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0, 20.0];
        let check = |law: fn(f64) -> f64| {
            let found = of(&many, law).and_then(|laws| laws.value(&[32.0])).unwrap();
            assert!((found / law(32.0) - 1.0).abs() < 1e-9, "{found}");
        };
        check(|p| 8.0 * p * (p - 1.0));
        check(|_| 4096.0);
        check(|p| 8192.0 * (p - 1.0) / p);
        check(|p| 5.0 * p * p - 3.0 * p + 7.0);
        // Too few points, other shapes, and values that are not exact.
        assert!(of(&many[..3], |p| 8.0 * p * (p - 1.0)).is_none());
        assert!(of(&many, |p| p * p.log2()).is_none());
        assert!(of(&many, |p| (1000.0 / p).floor()).is_none());
    }

    #[test]
    fn laws_that_the_points_do_not_tell_apart_say_nothing_elsewhere() {
        let points: Vec<[f64; 2]> = [2.0, 4.0, 8.0, 16.0].map(|p| [p, 100.0 * p]).to_vec();
        let points: Vec<&[f64]> = points.iter().map(<[f64; 2]>::as_slice).collect();
        let values: Vec<f64> = points.iter().map(|point| 3.0 * point[1]).collect();
        let laws = ExactLaws::of(&points, &values).unwrap();
        assert_eq!(laws.value(&[32.0, 3200.0]), Some(9600.0));
        assert_eq!(laws.value(&[32.0, 100.0]), None);
    }
}
