//! Every file of `tests/problems`, solved by every solver. The solutions in the files were computed in 50-digit
//! arithmetic by `references/make_references.py`; the NIST sets among them agree with their certified values.

use crate::problem_file::ProblemFile;
use call_fit::{Fit, FitSamples, least_squares};

/// Units of rounding that a result may be away from the truth, times the condition number.
///
/// To first order the relative error of the scaled coefficients is bounded by the condition number k times the
/// rounding error of the data, and by k^2 tan(theta) times it, with tan(theta) the ratio of residual and fitted
/// values (Golub and Van Loan, Matrix Computations, 4th ed., section 5.3.6).
const UNITS: f64 = 30.0;

struct Problem {
    file: ProblemFile,
    rank: usize,
    /// Over the determined directions.
    condition: f64,
    undetermined: Vec<usize>,
    residual_sum_of_squares: f64,
    coefficients: Vec<f64>,
    standard_errors: Vec<f64>,
}

impl Problem {
    fn all() -> impl Iterator<Item = Problem> {
        ProblemFile::all("problems", 25).into_iter().map(|mut file| {
            let one = |numbers: Vec<f64>| numbers.first().copied().unwrap_or(0.0);
            let problem = Problem {
                rank: one(file.take("rank")) as usize,
                condition: one(file.take("condition")),
                undetermined: file.take("undetermined").iter().map(|&index| index as usize).collect(),
                residual_sum_of_squares: one(file.take("residual_sum_of_squares")),
                coefficients: file.take("coefficients"),
                standard_errors: file.take("standard_errors"),
                file,
            };
            problem.file.nothing_is_left();
            problem
        })
    }

    /// Norm of a weighted column, safe against overflow.
    fn norm(&self, column: &[f64]) -> f64 {
        let weighted: Vec<f64> = column.iter().zip(&self.file.weights).map(|(x, w)| x * w.sqrt()).collect();
        let largest = weighted.iter().fold(0.0, |largest: f64, x| largest.max(x.abs()));
        if largest == 0.0 {
            return 0.0;
        }
        largest * weighted.iter().map(|x| (x / largest).powi(2)).sum::<f64>().sqrt()
    }
}

/// What both solvers answer.
struct Answer {
    solver: &'static str,
    fit: Fit,
}

/// Samples of so many terms squared are fitted in doubles, however ill-conditioned they are.
const TOO_LARGE_FOR_DOUBLE_DOUBLE: usize = 200_000;

/// The problem as it is, and in doubles alone: with each row so often that it is large, and weights that make up for it.
fn solvers(problem: &Problem) -> Vec<Answer> {
    let file = &problem.file;
    let fit = least_squares(&file.samples()).expect("a solution");
    let mut answers = vec![Answer { solver: "least_squares", fit }];
    let (rows, terms) = (file.observed.len(), file.basis.len());
    let Some(freedom) = rows.checked_sub(problem.rank).filter(|freedom| *freedom > 0) else { return answers };
    let mut copies = 1;
    while rows * terms * terms * copies <= TOO_LARGE_FOR_DOUBLE_DOUBLE {
        // Roots of powers of 4 are exact.
        copies *= 4;
    }
    let many = |column: &Vec<f64>| column.repeat(copies);
    let basis: Vec<Vec<f64>> = file.basis.iter().map(many).collect();
    let weights: Vec<f64> = many(&file.weights).iter().map(|weight| weight / copies as f64).collect();
    let samples = FitSamples {
        basis: basis.iter().map(Vec::as_slice).collect(),
        observed: &many(&file.observed),
        weights: &weights,
    };
    let mut fit = least_squares(&samples).expect("a solution");
    let ratio = (rows * copies - problem.rank) as f64 / freedom as f64;
    fit.standard_errors.iter_mut().for_each(|error| *error *= ratio.sqrt());
    answers.push(Answer { solver: "least_squares in doubles", fit });
    answers
}

fn check(problem: &Problem, answer: &Answer) {
    let context = format!("{} by {}", problem.file.name, answer.solver);
    let terms = problem.file.basis.len();
    assert_eq!(answer.fit.rank, problem.rank, "{context}: rank");
    assert_eq!(answer.fit.undetermined(), problem.undetermined, "{context}: undetermined");

    // Every block of 248 rows adds its errors at random.
    let blocks = answer.fit.samples_used as f64 / 248.0;
    let rounding = UNITS * f64::EPSILON * (1.0 + blocks.sqrt() / 16.0);
    let norms: Vec<f64> = problem.file.basis.iter().map(|column| problem.norm(column)).collect();
    let size = |values: &[f64]| {
        values.iter().zip(&norms).map(|(value, norm)| (value * norm).powi(2)).sum::<f64>().sqrt()
    };
    let scaled = size(&problem.coefficients);
    let observed = problem.norm(&problem.file.observed);
    let residual = problem.residual_sum_of_squares.sqrt();
    if problem.rank == terms {
        let off = (answer.fit.condition / problem.condition - 1.0).abs();
        assert!(off <= rounding * problem.condition, "{context}: condition off by {off:e}");
    } else {
        assert_eq!(answer.fit.condition, f64::INFINITY, "{context}: condition");
    }

    let tangent = residual / (observed * observed - residual * residual).max(0.0).sqrt();
    let tolerance = rounding * problem.condition * (1.0 + problem.condition * tangent);
    let differences: Vec<f64> = answer
        .fit
        .coefficients
        .iter()
        .zip(&problem.coefficients)
        .map(|(found, wanted)| found - wanted)
        .collect();
    let off = size(&differences) / scaled;
    assert!(off <= tolerance, "{context}: coefficients off by {off:e}, allowed {tolerance:e}");

    // Rounding of the residuals themselves, and of the larger terms that cancel in them.
    let noise = rounding * (observed + scaled);
    let off = (answer.fit.residual_sum_of_squares.sqrt() - residual).abs();
    assert!(off <= noise + tolerance * residual, "{context}: root of the residual sum off by {off:e}");

    let freedom = (problem.file.observed.len() - problem.rank) as f64;
    for (j, (&found, &wanted)) in answer.fit.standard_errors.iter().zip(&problem.standard_errors).enumerate()
    {
        if wanted.is_nan() || wanted.is_infinite() {
            let same = found.is_nan() == wanted.is_nan() && found.is_infinite() == wanted.is_infinite();
            assert!(same, "{context}: standard error {j} is {found}");
            continue;
        }
        let allowed = problem.condition * noise / freedom.sqrt() + tolerance * wanted * norms[j];
        let off = (found - wanted).abs() * norms[j];
        assert!(off <= allowed, "{context}: standard error {j} off by {off:e}, allowed {allowed:e}");
    }
}

#[test]
fn every_problem_by_every_solver() {
    for problem in Problem::all() {
        for answer in solvers(&problem) {
            check(&problem, &answer);
        }
    }
}

/// The digits that the NIST sets are usually judged by: -log10 of the largest relative error of a coefficient, against
/// the exact solution for the doubles in the file. LAPACK (numpy 2.4, columns scaled) reaches 12.5 (Norris), 10.8
/// (Longley), 8.9, 12.5, 9.0, 7.6 and 5.6 (Wampler 1 to 5). Of large problems the digits are those of doubles.
#[test]
fn digits_of_the_certified_coefficients() {
    let problems: Vec<Problem> = Problem::all().collect();
    for (name, wanted, in_doubles) in [
        ("nist-norris", 11.5, 11.0),
        ("nist-pontius", 11.5, 11.5),
        ("nist-noint1", 14.0, 14.0),
        ("nist-noint2", 14.0, 14.0),
        ("nist-filip", 14.0, 6.5),
        ("nist-longley", 14.0, 11.0),
        ("nist-wampler1", 14.0, 9.0),
        ("nist-wampler2", 14.0, 12.0),
        ("nist-wampler3", 14.0, 9.0),
        ("nist-wampler4", 14.0, 7.5),
        ("nist-wampler5", 14.0, 5.8),
    ] {
        let problem = problems.iter().find(|problem| problem.file.name == name).expect("the problem");
        for answer in solvers(problem) {
            let digits = answer
                .fit
                .coefficients
                .iter()
                .zip(&problem.coefficients)
                .map(|(found, wanted)| -((found - wanted) / wanted).abs().max(1e-17).log10())
                .fold(f64::INFINITY, f64::min);
            let wanted = if answer.solver == "least_squares" { wanted } else { in_doubles };
            assert!(digits >= wanted, "{name} by {}: {digits:.1} digits", answer.solver);
        }
    }
}
