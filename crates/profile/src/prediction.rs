use call_search::Combined;

use crate::blocks::BlockLaw;
use crate::parts::{Part, reconciled};
use crate::predicted::{ProfileModels, TIMES, supersteps};
use crate::sum_models::SumModels;
use crate::{Accumulated, Cost, CostQuantity, Profile};

/// A profile at values that were not run.
#[derive(Debug, Clone)]
pub struct PredictedProfile {
    /// Its costs have no entries for single processors.
    pub profile: Profile,
    /// For each cost centre, in the order of [`CostQuantity::ALL`], the interval of the sum of maxima.
    pub maxima: Vec<[SumInterval; 4]>,
}

/// An interval that holds a new measurement with the probability that was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[allow(missing_docs, reason = "the names say it")]
pub struct SumInterval {
    pub low: f64,
    pub high: f64,
}

impl SumInterval {
    /// Of what too few runs say something of.
    pub const OPEN: SumInterval = SumInterval { low: 0.0, high: f64::INFINITY };

    /// Whether nothing bounds it.
    pub fn is_open(&self) -> bool {
        self.high == f64::INFINITY
    }
}

impl ProfileModels {
    /// The profile of so many processors at a point, with intervals of that probability.
    pub fn predict(&self, processors: usize, point: &[f64], probability: f64) -> PredictedProfile {
        let mut profile = Profile { processors, ..Profile::default() };
        let is_alone = processors == 1;
        let mut maxima = Vec::new();
        for (number, centre) in self.centres.iter().enumerate() {
            let one = |models: &SumModels| models.predict(number, point, probability).value;
            let count = self.synchronisations.predict(number, point, probability);
            let mut cost = Cost { synchronisations: count.value.round() as u64, ..Cost::default() };
            let supersteps = supersteps(&cost);
            cost.latency_s = supersteps * one(&self.latency);
            let mut intervals = [SumInterval::default(); 4];
            let mut averages = [Part::default(); 4];
            for (quantity, interval) in CostQuantity::ALL.into_iter().zip(&mut intervals) {
                let mut maximum = self.maximum(number, quantity, processors, point, probability);
                // One processor sends itself nothing and waits for nobody.
                let is_nothing = is_alone && matches!(quantity, CostQuantity::H | CostQuantity::Waiting);
                let is_open = self.quantities[quantity as usize].is_open(3 * number, point)
                    || self.synchronisations.is_open(number, point);
                *interval = match () {
                    () if is_nothing => SumInterval::default(),
                    () if is_open => SumInterval::OPEN,
                    () => sum_interval(&count, supersteps, &maximum),
                };
                if is_nothing {
                    maximum = Combined { value: 0.0, low: 0.0, high: 0.0 };
                }
                if quantity == CostQuantity::Waiting {
                    maximum.value = maximum.value.min(self.of_bsp_time[number] * cost.time_s() / supersteps);
                }
                let [average, minimum] = match is_alone {
                    true => [maximum, maximum],
                    false => self.averages(number, quantity, processors, &maximum, point, probability),
                };
                averages[quantity as usize] =
                    Part::of(&average, maximum.value / processors as f64, maximum.value);
                let [maximum, average, minimum] =
                    [maximum, average, minimum].map(|each| supersteps * each.value);
                *cost.of_mut(quantity) = Accumulated { maximum, average, minimum, by_processor: Vec::new() };
            }
            if !is_alone {
                let whole = self.whole.predict(number, point, probability);
                let most = self.of_bsp_time[number] * cost.time_s() / supersteps;
                let held = reconciled(&averages[..TIMES], whole.low.min(most)..=whole.high.min(most));
                for (its, average) in cost.quantities.iter_mut().zip(held) {
                    its.average = supersteps * average;
                    its.minimum = its.minimum.min(its.average);
                }
            }
            profile.centres.push(centre.clone());
            profile.first_passes.push(self.first_passes[number]);
            profile.costs.push(cost);
            maxima.push(intervals);
        }
        PredictedProfile { profile, maxima }
    }

    /// The largest of a superstep.
    fn maximum(
        &self,
        number: usize,
        quantity: CostQuantity,
        processors: usize,
        point: &[f64],
        probability: f64,
    ) -> Combined {
        let searched = self.quantities[quantity as usize].predict(3 * number, point, probability);
        if quantity != CostQuantity::H {
            return searched;
        }
        if let Some(value) = self.exact_h(number, 0, point) {
            return exactly(value);
        }
        let law = self.blocks[number].as_ref();
        law.and_then(|law| of_blocks(law, processors, searched.value)).unwrap_or(searched)
    }

    /// What the sum of maxima (0), averages (1) or minima (2) of h is for each superstep, where that is known exactly.
    fn exact_h(&self, number: usize, sum: usize, point: &[f64]) -> Option<f64> {
        self.exact[number][sum].as_ref()?.value(point)
    }

    /// Average and minimum of a superstep.
    fn averages(
        &self,
        number: usize,
        quantity: CostQuantity,
        processors: usize,
        maximum: &Combined,
        point: &[f64],
        probability: f64,
    ) -> [Combined; 2] {
        let exact = |sum| (quantity == CostQuantity::H).then(|| self.exact_h(number, sum, point)).flatten();
        let searched = |sum: usize| {
            let shares = (&self.quantities[quantity as usize], 3 * number + sum);
            let own = (&self.parts[quantity as usize], 2 * number + sum - 1);
            // Both are the same values with relative noise.
            match own.0.log_evidence(own.1) > shares.0.log_evidence(shares.1) {
                true => own.0.predict(own.1, point, probability),
                false => product(&shares.0.predict(shares.1, point, probability), maximum),
            }
        };
        let [mut average, mut minimum] = [1, 2].map(|sum| exact(sum).map_or_else(|| searched(sum), exactly));
        // One processor has the largest. What is exact is not cut by what is not.
        let least = if exact(1).is_some() { 0.0 } else { maximum.value / processors as f64 };
        average.value = average.value.max(least).min(maximum.value);
        minimum.value = minimum.value.min(maximum.value);
        match exact(2) {
            Some(_) => average.value = average.value.max(minimum.value),
            None => minimum.value = minimum.value.min(average.value),
        }
        [average, minimum]
    }
}

fn exactly(value: f64) -> Combined {
    Combined { value, low: value, high: value }
}

/// Of two factors, what each errs by itself, which adds up as squares of relative errors.
fn product(one: &Combined, other: &Combined) -> Combined {
    let value = one.value * other.value;
    if value == 0.0 {
        return Combined { value, low: one.low * other.low, high: one.high * other.high };
    }
    let relative = |end: f64, value: f64| if value > 0.0 { (end / value).ln() } else { 0.0 };
    let error = |one_end: f64, other_end: f64| {
        relative(one_end, one.value).hypot(relative(other_end, other.value)).exp()
    };
    Combined { value, low: value / error(one.low, other.low), high: value * error(one.high, other.high) }
}

/// Of so many supersteps together; their number was rounded.
fn sum_interval(count: &Combined, supersteps: f64, each: &Combined) -> SumInterval {
    let rounded = if count.value > 0.0 { supersteps / count.value } else { 0.0 };
    let count = match rounded > 0.0 {
        true => Combined { value: supersteps, low: rounded * count.low, high: rounded * count.high },
        false => exactly(supersteps),
    };
    let Combined { low, high, .. } = product(&count, each);
    SumInterval { low, high }
}

/// Which block it is, the search says, if the law allows several.
fn of_blocks(law: &BlockLaw, processors: usize, guess: f64) -> Option<Combined> {
    let (low, high) = law.range(processors as u64)?;
    Some(Combined { value: law.nearest(processors as u64, guess)?, low, high })
}
