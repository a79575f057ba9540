use call_model::student_share;

/// What one model says about a point: the logarithm of the value is distributed as Student's t around a center.
///
/// The mixture of a forecast (`crate::mixture`) is another one: of few formulas, of times or their logarithms, with deviations of 0,
/// and exact to nine digits by halving. Here dozens of smooth parts are asked for each of many kernels, where that takes too long.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Component {
    pub weight: f64,
    pub center: f64,
    pub scale: f64,
    /// Degrees of freedom; 0 is a uniform distribution up to `scale` on either side.
    pub freedom: usize,
}

impl Component {
    fn below(&self, x: f64) -> f64 {
        let offset = x - self.center;
        match self.freedom {
            0 => (0.5 + 0.5 * offset / self.scale).clamp(0.0, 1.0),
            _ => student_share(offset / self.scale, self.freedom),
        }
    }
}

/// The value below which the mixture has the given probability; weights add up to 1.
pub(crate) fn quantile(components: &[Component], probability: f64) -> f64 {
    let excess =
        |x: f64| components.iter().map(|part| part.weight * part.below(x)).sum::<f64>() - probability;
    let start = median(components);
    let typical = components.iter().map(|part| part.weight * part.scale).sum::<f64>().max(1e-12);
    // Bracket the root in steps that double, then close in by the Illinois rule.
    let (mut inner, mut at_inner) = (start, excess(start));
    let mut step = if at_inner > 0.0 { -2.0 * typical } else { 2.0 * typical };
    let (mut outer, mut at_outer) = (start + step, excess(start + step));
    for _ in 0..64 {
        if at_inner * at_outer <= 0.0 {
            break;
        }
        (inner, at_inner) = (outer, at_outer);
        step *= 2.0;
        outer += step;
        at_outer = excess(outer);
    }
    for _ in 0..64 {
        if at_outer.abs() <= ACCURACY || at_inner == at_outer {
            break;
        }
        let middle = (inner * at_outer - outer * at_inner) / (at_outer - at_inner);
        let at_middle = excess(middle);
        if at_middle * at_outer <= 0.0 {
            (inner, at_inner) = (outer, at_outer);
        } else {
            at_inner /= 2.0;
        }
        (outer, at_outer) = (middle, at_middle);
    }
    outer
}

/// So close the probability of a quantile is met.
const ACCURACY: f64 = 1e-4;

/// The weighted median of the centers.
pub(crate) fn median(components: &[Component]) -> f64 {
    let centers = components.iter().map(|part| (part.center, part.weight)).collect();
    weighted_quantile(centers, 0.5).unwrap_or(f64::NAN)
}

/// The first of some values, which come with their weights, up to which the weights are that share of all.
pub(crate) fn weighted_quantile(mut values: Vec<(f64, f64)>, share: f64) -> Option<f64> {
    values.sort_by(|left, right| left.0.total_cmp(&right.0));
    let wanted = share * values.iter().map(|(_, weight)| weight).sum::<f64>();
    let mut sum = 0.0;
    let reaches = |(_, weight): &&(f64, f64)| {
        sum += weight;
        sum >= wanted
    };
    values.iter().find(reaches).or(values.last()).map(|(value, _)| *value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(weight: f64, center: f64, scale: f64, freedom: usize) -> Component {
        Component { weight, center, scale, freedom }
    }

    #[test]
    fn quantiles_have_their_probability() {
        // scipy.stats.t.ppf(0.95, 3) = 2.3533634348018264
        let alone = [part(1.0, 1.0, 0.5, 3)];
        assert!((quantile(&alone, 0.95) - (1.0 + 0.5 * 2.353_363_434_801_826_4)).abs() < 5e-3);
        assert!((quantile(&alone, 0.05) - (1.0 - 0.5 * 2.353_363_434_801_826_4)).abs() < 5e-3);
        let far = [part(0.5, 0.0, 1e-6, 5), part(0.3, 10.0, 1.0, 1), part(0.2, 0.0, 4.0, 0)];
        for probability in [0.01, 0.05, 0.3, 0.7, 0.95, 0.99] {
            let x = quantile(&far, probability);
            let below = far.iter().map(|part| part.weight * part.below(x)).sum::<f64>();
            assert!((below - probability).abs() <= ACCURACY, "{probability}: {x} {below}");
        }
    }

    #[test]
    fn the_median_is_the_weighted_one() {
        assert_eq!(median(&[part(0.2, 5.0, 1.0, 1), part(0.5, 1.0, 1.0, 1), part(0.3, 9.0, 1.0, 1)]), 1.0);
        assert!(median(&[]).is_nan());
    }
}
