use std::sync::LazyLock;

/// How a term depends on one variable x.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shape {
    /// x^(numerator/denominator) · log(x)^logarithms.
    Power {
        /// Numerator of the exponent.
        numerator: i8,
        /// Denominator of the exponent.
        denominator: u8,
        /// Power of the logarithm.
        logarithms: u8,
    },
    /// x - 1: the partners of a processor.
    LessOne,
    /// (x - 1)/x: the share of the data that leaves a processor.
    ShareOfOthers,
}

impl Shape {
    /// Its value; not finite or negative where it means nothing.
    pub fn evaluate(self, x: f64) -> f64 {
        match self {
            Shape::Power { numerator, denominator, logarithms } => {
                let power = match (numerator, denominator) {
                    (0, _) => 1.0,
                    (whole, 1) => x.powi(i32::from(whole)),
                    (whole, 2) => x.sqrt().powi(i32::from(whole)),
                    (whole, 3) => x.cbrt().powi(i32::from(whole)),
                    (whole, 4) => x.sqrt().sqrt().powi(i32::from(whole)),
                    (whole, parts) => x.powf(f64::from(whole) / f64::from(parts)),
                };
                match logarithms {
                    0 => power,
                    _ if x < 1.0 => f64::NAN,
                    count => power * x.ln().powi(i32::from(count)),
                }
            }
            Shape::LessOne => x - 1.0,
            Shape::ShareOfOthers => (x - 1.0) / x,
        }
    }

    /// Denominator of the exponent.
    pub(crate) fn denominator(self) -> u8 {
        match self {
            Shape::Power { denominator, .. } => denominator,
            Shape::LessOne | Shape::ShareOfOthers => 1,
        }
    }

    /// Prior weight, to be normalised over the catalogue: each unit of exponent above 1, each part of a fraction and each logarithm makes
    /// a shape less likely beforehand, as more symbols in a formula do. People find linear costs, logarithms, squares and roots in
    /// programs; pow(x, 11/4)*log(x)*log(x) has to be shown by the data.
    fn weight(self) -> f64 {
        match self {
            Shape::Power { numerator, denominator, logarithms } => {
                let size = f64::from(numerator.unsigned_abs()) / f64::from(denominator);
                let direction = if numerator < 0 { 0.5 } else { 1.0 };
                let halvings = (size - 1.0).max(0.0) + f64::from(logarithms);
                direction / (f64::from(denominator) * halvings.exp2())
            }
            Shape::LessOne | Shape::ShareOfOthers => 0.125,
        }
    }

    /// The shape as factor of a formula, and whether it stands below the fraction line.
    pub(crate) fn write(self, variable: &str, over: &mut Vec<String>, under: &mut Vec<String>) {
        match self {
            Shape::Power { numerator, denominator, logarithms } => {
                let side = if numerator < 0 { under } else { &mut *over };
                let size = numerator.unsigned_abs();
                match (size, denominator) {
                    (0, _) => {}
                    (whole, 1) => side.extend((0..whole).map(|_| variable.to_owned())),
                    (whole, 2) if whole < 4 => {
                        side.extend((0..whole / 2).map(|_| variable.to_owned()));
                        side.push(format!("sqrt({variable})"));
                    }
                    (1, 3) => side.push(format!("cbrt({variable})")),
                    (whole, parts) => side.push(format!("pow({variable}, {whole}/{parts})")),
                }
                over.extend((0..logarithms).map(|_| format!("log({variable})")));
            }
            Shape::LessOne => over.push(format!("({variable} - 1)")),
            Shape::ShareOfOthers => {
                over.push(format!("({variable} - 1)"));
                under.push(variable.to_owned());
            }
        }
    }
}

/// All shapes. Exponents up to 3 in halves, thirds and quarters with logarithms up to their square are the space of Extra-P (Calotoiu
/// et al., SC 2013); negative exponents are what strong scaling does, x - 1 and (x - 1)/x what collective communication does.
pub(crate) fn catalogue() -> &'static [Shape] {
    static ALL: LazyLock<Vec<Shape>> = LazyLock::new(|| {
        let mut all = Vec::new();
        for denominator in 1..=4u8 {
            for numerator in -2..=14i8 {
                let lowest_terms = (2..=denominator.max(2))
                    .all(|divisor| !(numerator % divisor as i8 == 0 && denominator % divisor == 0));
                let most = match denominator {
                    1 => 6,
                    2 => 9,
                    _ => 3 * denominator as i8,
                };
                if numerator > most || !lowest_terms || (numerator == 0 && denominator > 1) {
                    continue;
                }
                let most_logarithms = match numerator {
                    ..0 => 1,
                    _ if numerator > 3 * denominator as i8 => 0,
                    _ => 2,
                };
                for logarithms in 0..=most_logarithms {
                    if numerator != 0 || logarithms > 0 {
                        all.push(Shape::Power { numerator, denominator, logarithms });
                    }
                }
            }
        }
        all.extend([Shape::LessOne, Shape::ShareOfOthers]);
        all
    });
    &ALL
}

/// Logarithms of the prior of each shape of the catalogue; the priors add up to 1.
pub(crate) fn log_priors() -> &'static [f64] {
    static ALL: LazyLock<Vec<f64>> = LazyLock::new(|| {
        let whole: f64 = catalogue().iter().map(|shape| shape.weight()).sum();
        catalogue().iter().map(|shape| (shape.weight() / whole).ln()).collect()
    });
    &ALL
}
