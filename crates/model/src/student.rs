use std::f64::consts::FRAC_PI_2;

use statrs::distribution::{ContinuousCDF, FisherSnedecor, Normal, StudentsT};

/// From here on an expansion about the normal distribution has nine digits; the quantile of statrs 0.18 loses digits from 1e4 on, and
/// is wrong by 16 % at 1e7.
const NEARLY_NORMAL: f64 = 1e3;

/// The x below which a share `probability` of Student's t distribution with `freedom` degrees of freedom lies. Infinite (with the
/// sign of the side) without degrees of freedom.
pub fn student_quantile(probability: f64, freedom: f64) -> f64 {
    if probability == 0.5 {
        return 0.0;
    }
    if freedom.is_nan() || freedom <= 0.0 {
        return if probability < 0.5 { f64::NEG_INFINITY } else { f64::INFINITY };
    }
    if freedom < NEARLY_NORMAL {
        StudentsT::new(0.0, 1.0, freedom).map_or(f64::NAN, |student| student.inverse_cdf(probability))
    } else {
        let z = Normal::standard().inverse_cdf(probability);
        // Abramowitz and Stegun, 26.7.5.
        z + (z.powi(3) + z) / (4.0 * freedom)
            + (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / (96.0 * freedom.powi(2))
            + (3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z) / (384.0 * freedom.powi(3))
    }
}

/// The share of Student's t distribution with that many (1 or more) degrees of freedom below t. Finite series (Abramowitz and Stegun
/// 26.7.3, 26.7.4), above 60 degrees the normal approximation of 26.7.8: the search for formulas asks this a thousand times for one
/// interval, and with the incomplete beta function of statrs all of it takes twice as long.
pub fn student_share(t: f64, freedom: usize) -> f64 {
    let freedom = freedom.max(1);
    if freedom > 60 {
        let nu = freedom as f64;
        return normal_share((t * (1.0 - 0.25 / nu)) / (1.0 + t * t / (2.0 * nu)).sqrt());
    }
    let theta_tangent = t / (freedom as f64).sqrt();
    let cos_squared = 1.0 / (1.0 + theta_tangent * theta_tangent);
    let sine = theta_tangent * cos_squared.sqrt();
    let odd = freedom % 2 == 1;
    let (mut term, mut sum) = (1.0, 0.0);
    let mut step = if odd { 3 } else { 2 };
    if freedom > 1 {
        sum = 1.0;
        while step < freedom {
            term *= cos_squared * (step - 1) as f64 / step as f64;
            sum += term;
            step += 2;
        }
    }
    let central = if odd {
        let theta = theta_tangent.atan();
        (theta + sine * cos_squared.sqrt() * sum) / FRAC_PI_2
    } else {
        sine * sum
    };
    0.5 + 0.5 * central
}

/// Half the width of a two-sided interval that holds a share `level`, in standard errors.
pub fn student_reach(level: f64, freedom: f64) -> f64 {
    student_quantile(0.5 + level / 2.0, freedom)
}

/// How probable it is that chance alone makes a ratio of variances (Fisher's F) this large or larger.
pub(crate) fn chance_of_ratio(ratio: f64, freedom_above: f64, freedom_below: f64) -> f64 {
    let known = freedom_above >= 1.0 && freedom_below >= 1.0;
    if !known || ratio.is_nan() || ratio <= 0.0 {
        return 1.0;
    }
    // With so many degrees of freedom the distribution no longer changes.
    let freedom_below = freedom_below.min(1e9);
    if ratio.is_infinite() {
        return 0.0;
    }
    FisherSnedecor::new(freedom_above, freedom_below).map_or(1.0, |fisher| fisher.sf(ratio).clamp(0.0, 1.0))
}

/// The share of standard normal numbers up to this one.
pub(crate) fn normal_share(z: f64) -> f64 {
    Normal::standard().cdf(z)
}

/// How probable it is that a standard normal number is this large or larger.
pub(crate) fn chance_above(z: f64) -> f64 {
    Normal::standard().sf(z)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Made by `references/distributions.py` with scipy.
    const REFERENCES: &str = include_str!("../references/distributions.txt");

    #[test]
    fn distributions_are_those_of_scipy() {
        let mut checked = 0;
        for line in REFERENCES.lines().filter(|line| !line.starts_with('#')) {
            let (what, numbers) = line.split_once(' ').unwrap();
            let numbers: Vec<f64> = numbers.split(' ').map(|number| number.parse().unwrap()).collect();
            let (found, expected, tolerance) = match (what, &numbers[..]) {
                ("t", [probability, freedom, expected]) => {
                    (student_quantile(*probability, *freedom), *expected, 1e-9)
                }
                ("F", [ratio, above, below, expected]) => {
                    (chance_of_ratio(*ratio, *above, *below), *expected, 1e-7)
                }
                _ => panic!("{line}"),
            };
            assert!((found - expected).abs() <= tolerance * expected.abs(), "{line}: {found}");
            checked += 1;
        }
        assert!(checked > 100);
    }

    #[test]
    fn nothing_is_known_without_degrees_of_freedom() {
        assert_eq!(student_quantile(0.95, 0.0), f64::INFINITY);
        assert_eq!(student_quantile(0.05, f64::NAN), f64::NEG_INFINITY);
        assert_eq!(student_quantile(0.5, 0.0), 0.0);
        assert_eq!(chance_of_ratio(f64::NAN, 1.0, 3.0), 1.0);
        assert_eq!(chance_of_ratio(f64::INFINITY, 1.0, 3.0), 0.0);
        assert_eq!(chance_of_ratio(5.0, 1.0, 0.0), 1.0);
    }

    #[test]
    fn shares_are_those_of_scipy() {
        // scipy.stats.t.cdf(t, freedom)
        let references = [
            (-2.5, 1, 0.121_118_941_590_843_41),
            (0.7, 2, 0.721_803_487_683_567_3),
            (1.3, 3, 0.857_766_245_636_051_5),
            (-0.4, 4, 0.354_798_630_714_998_4),
            (2.1, 7, 0.963_064_401_893_538_7),
            (3.0, 30, 0.997_305_017_967_174_1),
            (-1.8, 59, 0.038_486_869_224_104_034),
            (1.1, 60, 0.862_136_991_861_276_3),
        ];
        for (t, freedom, probability) in references {
            assert!((student_share(t, freedom) - probability).abs() < 1e-14, "{t} {freedom}");
        }
        // Beyond 60 degrees of freedom it is an approximation.
        assert!((student_share(-2.2, 200) - 0.014_476_154_603_664_373).abs() < 1e-5);
    }
}
