use crate::Forecaster;
use crate::discrepancy::own_probability;
use crate::forecaster::CellKnowledge;

/// What one formula of a forecast, the model's own or a rival, says of two points, on the logarithmic scale.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Explanation {
    /// How probable it is.
    pub probability: f64,
    /// Logarithm of the time at the first point, and the variance of a measurement about it.
    pub first: (f64, f64),
    /// The same at the second point.
    pub second: (f64, f64),
    /// Covariance of both logarithms through the constants that they have in common.
    pub covariance: f64,
}

impl Forecaster {
    /// What the formulas behind the forecast at `second` say of it and of another point: a measurement at `first` tells them apart
    /// and fixes their constants. Those without a positive time at either point are left out.
    ///
    /// # Panics
    /// If the number of values is not that of the variables.
    pub fn explanations(&self, first: &[f64], second: &[f64]) -> Vec<Explanation> {
        let model = &*self.model;
        let terms = |point: &[f64]| -> Vec<f64> {
            model.formula().terms().iter().map(|term| term.basis.evaluate(point)).collect()
        };
        let [here, there] = [first, second].map(|point| model.predict(point));
        let [terms_here, terms_there] = [first, second].map(terms);
        let CellKnowledge { noise, rivals, .. } = &self.cells[there.cell];
        let shared = |term: usize| {
            let sets = &model.segmentation().sets[term];
            sets[here.cell] == sets[there.cell]
        };
        let covariance = &model.cells()[there.cell].fit.covariance;
        let common: Vec<f64> =
            (0..terms_here.len()).map(|term| if shared(term) { terms_here[term] } else { 0.0 }).collect();
        let of_noise = |cell: usize, point: &[f64], time_s: f64, more: f64| {
            let knowledge = &self.cells[cell];
            let unknown = knowledge.discrepancies.iter().map(|its| its.deviation(point).powi(2)).sum::<f64>();
            let scale = model.noise_scale_s(time_s, self.shortest_s);
            (knowledge.noise.variance * more + self.single_variance + unknown) * scale * scale
        };
        let own = |cell: usize, basis: &[f64]| {
            let knowledge = &self.cells[cell];
            knowledge.noise.variance
                * knowledge.noise.unit_variance(&model.cells()[cell].fit.covariance, basis)
        };
        let explanation = |probability, times: [f64; 2], variances: [f64; 2], covariance: f64| {
            let is_usable = times.iter().all(|time_s| *time_s > 0.0 && time_s.is_finite());
            is_usable.then(|| Explanation {
                probability,
                first: (times[0].ln(), variances[0] / times[0].powi(2)),
                second: (times[1].ln(), variances[1] / times[1].powi(2)),
                covariance: covariance / (times[0] * times[1]),
            })
        };
        let times = [here.time_s, there.time_s];
        let variances = [
            of_noise(here.cell, first, times[0], 1.0) + own(here.cell, &terms_here),
            of_noise(there.cell, second, times[1], 1.0) + own(there.cell, &terms_there),
        ];
        let in_common = noise.variance * noise.unit_factor * bilinear(covariance, &common, &terms_there);
        let mut all = vec![explanation(own_probability(rivals), times, variances, in_common)];
        all.extend(rivals.iter().map(|rival| {
            let with_term = |terms: &[f64], point: &[f64]| -> Vec<f64> {
                terms.iter().copied().chain([rival.term.basis.evaluate(point)]).collect()
            };
            let (x_there, x_here) = (with_term(&terms_there, second), with_term(&terms_here, first));
            let time_s = |x: &[f64]| -> f64 { x.iter().zip(&rival.constants).map(|(x, its)| x * its).sum() };
            let variance = |x: &[f64], cell: usize, point: &[f64]| {
                let of_measurement =
                    (rival.residual_standard_error * model.noise_scale_s(time_s(x), self.shortest_s)).powi(2);
                of_measurement
                    + bilinear(&rival.covariance, x, x).max(0.0)
                    + of_noise(cell, point, time_s(x), 0.0)
            };
            // Another cell's constants are not the rival's.
            let is_same = here.cell == there.cell;
            explanation(
                rival.probability,
                [if is_same { time_s(&x_here) } else { times[0] }, time_s(&x_there)],
                [
                    if is_same { variance(&x_here, here.cell, first) } else { variances[0] },
                    variance(&x_there, there.cell, second),
                ],
                if is_same { bilinear(&rival.covariance, &x_here, &x_there) } else { 0.0 },
            )
        }));
        all.into_iter().flatten().collect()
    }
}

/// x' C y.
fn bilinear(covariance: &[f64], x: &[f64], y: &[f64]) -> f64 {
    let count = x.len();
    covariance.iter().enumerate().map(|(index, entry)| x[index / count] * entry * y[index % count]).sum()
}
