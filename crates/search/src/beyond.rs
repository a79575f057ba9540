use crate::fitted::Fitted;

/// Breaks per step between levels that are believed in beforehand, and the number of steps that this belief weighs as. Chosen among
/// 0, 0.025 and 0.05 by looking: it brought intervals of measured programs near 90 %, and those of planted formulas, which never change,
/// hold 93 % on average (example `calibrate`).
pub(crate) const BREAKS: f64 = 0.025;
const BREAKS_LEVELS: f64 = 10.0;

/// Beyond a break a law has another exponent, by up to so much in either direction: what was constant grows linearly, or the other
/// way round.
const EXPONENT: f64 = 1.0;

/// That the law is another one beyond the data: a cache overflows, an algorithm changes, as it may have done among them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct LawChange {
    pub probability: f64,
    /// The logarithm of the value is then off by up to so much in either direction.
    pub reach: f64,
}

impl LawChange {
    /// The change to be reckoned with at a point. Breaks are as frequent beyond the levels as among them, counted in steps of their
    /// mean distance on the logarithmic scale; how many there are among them, the models with an interval say with their
    /// probabilities. Numbers that are exact come from a formula, which does not change.
    pub fn at(point: &[f64], levels: &[Vec<f64>], models: &[Fitted]) -> LawChange {
        let found: f64 = models.iter().filter(|model| model.split.is_some()).map(|model| model.weight).sum();
        let steps: usize = levels.iter().map(|levels| levels.len().saturating_sub(1)).sum();
        let rate = (BREAKS * BREAKS_LEVELS + found) / (BREAKS_LEVELS + steps as f64);
        let (mut reach, mut none) = (0.0, 1.0);
        for (levels, value) in levels.iter().zip(point) {
            let positive = &levels[levels.partition_point(|level| *level <= 0.0)..];
            let ([low, .., high], true) = (positive, *value > 0.0 && value.is_finite()) else { continue };
            let distance = (value / high).ln().max((low / value).ln()).max(0.0);
            let step = (high / low).ln() / (positive.len() - 1) as f64;
            reach += EXPONENT * distance;
            none *= (1.0 - rate).max(0.0).powf(distance / step);
        }
        let noisy: f64 = models.iter().map(|model| model.weight * model.noisy).sum();
        LawChange { probability: noisy * (1.0 - none), reach }
    }
}

#[cfg(test)]
mod tests {
    use super::LawChange;
    use crate::{FoundFormulas, Measurements, find};

    const POWERS: [f64; 8] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0];

    fn measured(time: impl Fn(f64) -> f64) -> FoundFormulas {
        let noise = [1.03, 0.98, 1.01, 0.96, 1.02, 0.99, 1.04, 0.97];
        let times: Vec<f64> = POWERS.iter().zip(noise).map(|(x, noise)| time(*x) * noise).collect();
        find(&Measurements::new(&["N".to_owned()], &[&POWERS], &times))
    }

    fn change(finding: &FoundFormulas, x: f64) -> LawChange {
        LawChange::at(&[x], &finding.levels, &finding.models)
    }

    #[test]
    fn the_chance_of_another_law_grows_with_the_distance() {
        let finding = measured(|x| 1.0 + x);
        assert_eq!(change(&finding, 100.0), LawChange { probability: 0.0, reach: 0.0 });
        let (near, far) = (change(&finding, 256.0), change(&finding, 2048.0));
        assert!((near.reach - 2f64.ln()).abs() < 1e-12 && (far.reach - 16f64.ln()).abs() < 1e-12);
        assert!(near.probability > 0.01 && far.probability > 3.0 * near.probability, "{near:?} {far:?}");
        // One doubling below the data is as far as one above.
        assert!((change(&finding, 0.5).probability - near.probability).abs() < 1e-12);
    }

    #[test]
    fn breaks_that_were_found_make_others_more_likely_and_exact_numbers_less() {
        let smooth = change(&measured(|x| 1.0 + x), 256.0).probability;
        let broken = change(&measured(|x| if x < 16.0 { 1.0 } else { x * x }), 256.0).probability;
        assert!(broken > 2.0 * smooth, "{broken} {smooth}");
        let exact: Vec<f64> = POWERS.iter().map(|x| 1.0 + x).collect();
        let exact = change(&find(&Measurements::new(&["N".to_owned()], &[&POWERS], &exact)), 256.0);
        assert!(exact.probability < 1e-6, "{exact:?}");
    }

    #[test]
    fn points_without_a_place_among_the_levels_are_no_trouble() {
        let finding = measured(|x| 1.0 + x);
        for x in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(change(&finding, x).probability, 0.0);
        }
    }
}
