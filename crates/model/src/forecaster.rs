use std::collections::BTreeMap;
use std::sync::Arc;

use call_grammar::Formula;
use call_trace::{SourceCounts, Unit};

use crate::candidate::dense_candidates;
use crate::contention::contended;
use crate::discrepancy::{Discrepancy, discrepancies, own_probability};
use crate::footprint::Footprint;
use crate::mixture::{MixtureComponent, interval};
use crate::noise::{CellNoise, of_single};
use crate::rival::{OtherCells, Rival, rivals_of};
use crate::sampled::Sampled;
use crate::{
    Definitions, Error, Forecast, Gap, Model, NoPrediction, PROCESSORS, PowerRelation, Prediction, Predictor,
    Prepared, Remark, SampledRange, Segment,
};

/// Predicts with intervals: a model together with what its samples say about noise and about other formulas.
///
/// # How an interval comes about
///
/// About the time f that the formula predicts, a measured one is off by
///
/// - **noise**: variance s² f² with relative weights, s² with absolute ones; s² is the residual variance of the cell of the point, and
///   of the other cells with at most four degrees of freedom; where as many points as constants leave no residual, that of the
///   repetitions at these points;
/// - **constants**: variance x' C x with x the terms at the point and C the covariance of the cell's constants.
///
/// With Student's t, and about the logarithm of f with relative weights so that no time is negative, this would be the whole
/// interval if the formula were right beyond doubt. To it comes
///
/// - **the formula**: rivals of it, the formula with one more term out of those that costs grow with, are fitted to the same samples
///   and make predictions of the same kind. Before the samples speak, all rivals together claim a fifth of the probability; how
///   well they fit makes each of them more or less probable (a Bayes factor). The interval is that of the mixture:
///   measurements are distributed as each formula says, with its probability (Bayesian model averaging, Hoeting et al. 1999).
///   Where samples are, probable rivals agree with the formula; further out they disagree, the more the further, and the
///   more the less the samples say. The prediction itself is always in its interval.
/// - **what none of them knows**: the upper quarter of each variable's values is predicted from the rest by all these formulas. If
///   they miss it by more than noise and constants explain, none of them is right, and each gets a further variance that grows
///   with the square of d (1 + d), with d the distance from the samples in their own width, on logarithmic axes: the error of
///   one who does not know of a curvature.
/// - **more processors than were measured**: terms of a time that grow with P are communication, which may be longer by [`contention`];
///   this only raises the upper end. Of a rate it lowers the lower end, by what terms lose with P; of all else it changes nothing.
///
/// [`contention`]: crate::contention()
///
/// In a gap between the last sample of one interval and the first of the next ([`Gap`]) nobody knows whose constants hold. The time is
/// that of the interval above, which the ℵ sets and exported functions have there, too; the interval reaches from the lowest to the
/// highest end of all that may hold there.
///
/// Where repetitions were folded, a single measurement varies more than what the fit saw: by how much, the repetitions tell
/// ([`Settings::interval`](crate::Settings::interval) says which of both an interval is for). On planted
/// experiments (`tests/forecast.rs`, 200 runs each) intervals of 90 % hold 90.5 % of new measurements at the sampled points and 91 %
/// beyond them if the formula is right, 94 % and 95 % if it is wrong.
#[derive(Debug, Clone)]
pub struct Forecaster {
    pub(crate) model: Arc<Model>,
    pub(crate) cells: Vec<CellKnowledge>,
    pub(crate) shortest_s: f64,
    /// See [`of_single`].
    pub(crate) single_variance: f64,
    pub(crate) name: String,
    variables: Vec<String>,
    definitions: Definitions,
    pub(crate) sampled: BTreeMap<String, SampledRange>,
    footprint: Option<Footprint>,
    /// Between variables, at all samples.
    pub(crate) relations: Vec<PowerRelation>,
}

#[derive(Debug, Clone)]
pub(crate) struct CellKnowledge {
    pub(crate) noise: CellNoise,
    pub(crate) rivals: Vec<Rival>,
    pub(crate) discrepancies: Vec<Discrepancy>,
}

impl Forecaster {
    /// A forecaster for a model of these samples.
    ///
    /// # Errors
    /// If the samples lack a variable of the formula.
    pub fn new(model: impl Into<Arc<Model>>, prepared: &Prepared) -> Result<Forecaster, Error> {
        let model: Arc<Model> = model.into();
        let sampled = Sampled::of(&model, prepared)?;
        let mut noise = CellNoise::of_cells(&model, &sampled);
        let single_variance = of_single(&model, prepared);
        let shortest_s = sampled.scale_s.iter().copied().fold(f64::INFINITY, f64::min);
        if let [only] = noise.as_mut_slice()
            && only.freedom == 0.0
            && let Some(known) = CellNoise::of_repetitions(&model, prepared, shortest_s)
        {
            *only = known;
        }
        let sampled = sampled.condensed();
        let relations = PowerRelation::of_all(&sampled.variables);
        let candidates = dense_candidates(&model.formula);
        let cells = noise.into_iter().enumerate().map(|(cell, noise)| {
            let rows = sampled.rows_of(cell);
            let other_cells = OtherCells::of_model_without(cell, &model, &sampled);
            CellKnowledge {
                noise,
                rivals: rivals_of(&candidates, &sampled, &rows, &other_cells),
                discrepancies: discrepancies(&model, &candidates, &sampled, &rows, &other_cells),
            }
        });
        let cells = cells.collect();
        let parts = Forecaster::of_parts(model, cells, (shortest_s, single_variance), prepared.ranges());
        Ok(parts.related(relations))
    }

    /// What samples have told, or a file.
    pub(crate) fn of_parts(
        model: Arc<Model>,
        cells: Vec<CellKnowledge>,
        (shortest_s, single_variance): (f64, f64),
        sampled: BTreeMap<String, SampledRange>,
    ) -> Forecaster {
        let names = model.formula.variables().iter().map(|variable| variable.name().to_owned());
        Forecaster {
            cells,
            shortest_s,
            single_variance,
            name: model.formula.experiment().to_owned(),
            variables: names.collect(),
            definitions: Definitions::default(),
            sampled,
            footprint: None,
            relations: Vec::new(),
            model,
        }
    }

    /// The same, whose samples have these relations between their variables.
    pub(crate) fn related(self, relations: Vec<PowerRelation>) -> Forecaster {
        Forecaster { relations, ..self }
    }

    /// The same under another name, with what its variables may be computed from.
    pub fn known_as(self, name: &str, definitions: Definitions) -> Forecaster {
        Forecaster { name: name.to_owned(), definitions, ..self }
    }

    /// The same, which heeds how much memory its statements reach beside caches of these sizes, from the first level on.
    pub fn reaching(self, counts: &SourceCounts, caches_bytes: &[u64]) -> Forecaster {
        Forecaster { footprint: Footprint::of(counts, caches_bytes, &self.sampled), ..self }
    }

    /// The same for an experiment of another name, which its constants have then, too.
    pub fn renamed(self, experiment: &str) -> Forecaster {
        let model = Model::clone(&self.model).renamed(experiment);
        Forecaster { name: experiment.to_owned(), model: Arc::new(model), ..self }
    }

    /// The model.
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// How probable it is that the formula lacks a term, in the cell where that is most probable.
    pub fn doubt(&self) -> f64 {
        self.cells.iter().map(|cell| 1.0 - own_probability(&cell.rivals)).fold(0.0, f64::max)
    }

    /// The unit of what it predicts.
    pub fn unit(&self) -> &Unit {
        self.model.unit()
    }

    /// Predicts the time at a point, as [`Model::predict`] does, with an interval that holds a share `level` of measurements, or of
    /// medians: [`Settings::interval`](crate::Settings::interval). In a gap between two intervals it holds what either side says.
    ///
    /// # Panics
    /// If the number of values is not that of the variables.
    pub fn forecast(&self, point: &[f64], level: f64) -> Forecast {
        self.forecast_of_all_sides(point, level, true)
    }

    /// The ends of that interval, without what messages that contend may add.
    ///
    /// # Panics
    /// As [`Forecaster::forecast`].
    pub fn ends_without_contention(&self, point: &[f64], level: f64) -> [f64; 2] {
        let forecast = self.forecast_of_all_sides(point, level, false);
        [forecast.lower_s, forecast.upper_s]
    }

    fn forecast_of_all_sides(&self, point: &[f64], level: f64, may_contend: bool) -> Forecast {
        let model = &*self.model;
        let mut forecast = self.forecast_by(model.predict(point), point, level, may_contend);
        let (others, gaps) = model.other_sides(point, forecast.prediction.cell);
        if !others.is_empty() {
            forecast.remarks.extend(gaps.iter().map(|gap| self.between(gap)));
        }
        for cell in others {
            let other = self.forecast_by(model.predict_in(cell, point), point, level, may_contend);
            forecast.lower_s = forecast.lower_s.min(other.lower_s);
            forecast.upper_s = forecast.upper_s.max(other.upper_s);
            let apart_s = other.prediction.time_s - forecast.prediction.time_s;
            forecast.formula_s = forecast.formula_s.max(apart_s.abs());
            let is_new = |remark: &Remark| matches!(remark, Remark::Undetermined { .. });
            forecast.remarks.extend(other.remarks.into_iter().filter(is_new));
        }
        forecast
    }

    fn between(&self, gap: &Gap) -> Remark {
        let Gap { below, above, middle, .. } = *gap;
        Remark::BetweenIntervals {
            experiment: None,
            variable: self.variables[gap.variable].clone(),
            below,
            above,
            middle,
        }
    }

    /// The forecast with the constants of one cell, such as one of [`Model::other_sides`].
    ///
    /// # Panics
    /// If there is no such cell, or the number of values is not that of the variables.
    pub fn forecast_of_side(&self, point: &[f64], cell: usize, level: f64) -> Forecast {
        self.forecast_by(self.model.predict_in(cell, point), point, level, true)
    }

    /// The forecast with the constants of a prediction, whatever others may hold at the point.
    fn forecast_by(&self, prediction: Prediction, point: &[f64], level: f64, may_contend: bool) -> Forecast {
        let model = &*self.model;
        let time_s = prediction.time_s;
        let CellKnowledge { noise, rivals, discrepancies } = &self.cells[prediction.cell];
        let basis: Vec<f64> = model.formula.terms().iter().map(|term| term.basis.evaluate(point)).collect();
        let scale = model.noise_scale_s(time_s, self.shortest_s);
        let of_noise = (noise.variance + self.single_variance) * scale * scale;
        let covariance = &model.cells()[prediction.cell].fit.covariance;
        let is_determined = prediction.standard_error_s != f64::INFINITY;
        let of_constants = match is_determined {
            true => noise.variance * noise.unit_variance(covariance, &basis),
            false => f64::INFINITY,
        };
        let own = MixtureComponent {
            probability: own_probability(rivals),
            time_s,
            deviation_s: (noise.variance * scale * scale + of_constants).sqrt(),
            freedom: noise.freedom,
        };
        let scale_of = |time_s| model.noise_scale_s(time_s, self.shortest_s);
        let mut components = vec![own];
        components.extend(rivals.iter().filter_map(|rival| rival.component(point, &basis, scale_of)));
        let of_discrepancy: f64 =
            discrepancies.iter().map(|discrepancy| discrepancy.deviation(point).powi(2)).sum();
        for component in &mut components {
            let (own, scale) = (component.deviation_s.powi(2), scale_of(component.time_s).powi(2));
            let measured = own + self.single_variance * scale;
            // Repetitions are many: what they add is known (Satterthwaite 1946).
            if own > 0.0 {
                component.freedom *= (measured / own).powi(2);
            }
            component.deviation_s = (measured + of_discrepancy * scale).sqrt();
        }
        let total: f64 = components.iter().map(|component| component.probability).sum();
        let (lower_s, upper_s) = interval(&components, level, model.weighting.0);
        // How far beyond the interval an improbable one is, is not what is to be expected.
        let distance_s = |other: &MixtureComponent| other.time_s.max(lower_s).min(upper_s) - time_s;
        let of_others: f64 =
            components.iter().map(|other| other.probability / total * distance_s(other).powi(2)).sum();
        let of_formula = of_others + of_discrepancy * scale.powi(2);
        // What rounding leaves is no uncertainty.
        let rounding_s = 1e-12 * time_s.abs();
        let deviation_s = |variance: f64| {
            Some(variance.sqrt()).filter(|its| its.is_nan() || *its > rounding_s).unwrap_or(0.0)
        };
        let processors = self.sampled.get(PROCESSORS).copied();
        let ends = [lower_s, upper_s];
        let ([lower_s, upper_s], contention) = match may_contend {
            true => contended(model, &prediction, point, processors, (ends, level)),
            false => (ends, None),
        };
        let beyond = prediction.beyond.iter().cloned();
        let mut remarks: Vec<Remark> =
            beyond.map(|beyond| Remark::Beyond { experiment: None, beyond }).collect();
        remarks.extend(contention);
        let footprint = self.footprint.as_ref();
        remarks.extend(footprint.and_then(|its| its.remark(&self.variables, point)));
        remarks.extend((!is_determined).then(|| Remark::undetermined(model, prediction.cell)));
        remarks.extend(Remark::off_the_line(&self.relations, &self.variables, point));
        remarks.extend((time_s < 0.0).then_some(Remark::Negative { of: None }));
        Forecast {
            level,
            lower_s,
            upper_s,
            noise_s: deviation_s(of_noise),
            constants_s: deviation_s(of_constants),
            formula_s: deviation_s(of_formula),
            constants: self.constants_in(prediction.cell),
            prediction,
            remarks,
        }
    }

    fn constants_in(&self, cell: usize) -> Vec<Segment> {
        let terms = self.model.formula.terms().iter();
        terms
            .filter_map(|term| {
                let segments = self.model.aleph(term.coefficient)?.segments;
                segments.into_iter().find(|segment| segment.cells.contains(&cell))
            })
            .collect()
    }
}

impl Predictor for Forecaster {
    fn name(&self) -> &str {
        &self.name
    }

    fn variables(&self) -> &[String] {
        &self.variables
    }

    fn definitions(&self) -> &Definitions {
        &self.definitions
    }

    fn time_s(&self, point: &[f64]) -> Result<f64, NoPrediction> {
        Ok(self.model.predict(point).time_s)
    }

    fn forecast(&self, point: &[f64], level: f64) -> Result<Forecast, NoPrediction> {
        Forecaster::forecast(self, point, level).finite(self, point)
    }

    fn borders(&self) -> Vec<(usize, Vec<f64>)> {
        self.model.borders().into_iter().enumerate().collect()
    }

    fn gaps(&self) -> Vec<Gap> {
        self.model.gaps().to_vec()
    }

    fn sampled(&self, name: &str) -> Option<SampledRange> {
        self.sampled.get(name).copied()
    }

    fn unit(&self) -> &Unit {
        Forecaster::unit(self)
    }

    fn formula(&self) -> Option<&Formula> {
        Some(&self.model.formula)
    }
}
