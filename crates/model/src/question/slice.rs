use std::cell::RefCell;

use super::grid::QuestionGrid;
use super::root::{last_with_room, strictly};
use super::{NumberDomain, ValueRange};
use crate::columns::ascending;
use crate::{Forecast, NoPrediction, Predictor, Remark};

/// A predictor along some of the names that have values, the others having one value each. A formula of m = N / P can be asked along
/// N or P.
pub struct Slice<'a> {
    predictor: &'a dyn Predictor,
    names: Vec<&'a str>,
    fixed: Vec<f64>,
    /// The first point without a time, which a search passes over.
    failure: RefCell<Option<NoPrediction>>,
}

impl<'a> Slice<'a> {
    /// Along the `asked` names, with values of others.
    pub fn new(predictor: &'a dyn Predictor, asked: &[&'a str], fixed: &[(&'a str, f64)]) -> Slice<'a> {
        let names = asked.iter().copied().chain(fixed.iter().map(|(name, _)| *name)).collect();
        let fixed = fixed.iter().map(|(_, value)| *value).collect();
        Slice { predictor, names, fixed, failure: RefCell::new(None) }
    }

    /// What is asked.
    pub fn predictor(&self) -> &'a dyn Predictor {
        self.predictor
    }

    /// The name that stands at a position among those asked for.
    pub fn name(&self, position: usize) -> &'a str {
        self.names[position]
    }

    fn with_known<R>(&self, asked: &[f64], then: impl FnOnce(&dyn Fn(&str) -> Option<f64>) -> R) -> R {
        let value = |position: usize| match asked.get(position) {
            Some(value) => Some(*value),
            None => self.fixed.get(position - asked.len()).copied(),
        };
        then(&|name| self.names.iter().position(|known| *known == name).and_then(value))
    }

    /// The point of the predictor for values of the names asked for.
    pub fn point(&self, asked: &[f64]) -> Vec<f64> {
        self.with_known(asked, |known| self.predictor.point(known))
    }

    /// The predicted time; no number where there is none.
    pub fn time_s(&self, asked: &[f64]) -> f64 {
        self.predictor.time_s(&self.point(asked)).unwrap_or_else(|failure| {
            self.failure.borrow_mut().get_or_insert(failure);
            f64::NAN
        })
    }

    /// The same with its interval, and what there is to say of it and of how its point came about.
    ///
    /// # Errors
    /// If there is no finite time.
    pub fn forecast(&self, asked: &[f64], level: f64) -> Result<Forecast, NoPrediction> {
        Ok(self.with_remarks(asked, self.predictor.forecast(&self.point(asked), level)?))
    }

    /// A forecast at the values of the asked names, with what there is to say of how the point was computed.
    pub fn with_remarks(&self, asked: &[f64], mut forecast: Forecast) -> Forecast {
        let definitions = self.predictor.definitions();
        let remarks = self.with_known(asked, |known| definitions.remarks(self.predictor.variables(), known));
        forecast.remarks.extend(remarks);
        forecast
    }

    /// Why the first point without a time had none, if that is known.
    pub fn failure(&self) -> Option<NoPrediction> {
        self.failure.borrow().clone()
    }

    /// Where the times may jump between the ends of a span, ascending: the last values before. `asked` gives the values of the names
    /// asked for, for one of the span.
    pub fn borders(&self, span: ValueRange, asked: impl Fn(f64) -> Vec<f64>) -> Vec<f64> {
        self.last_before(self.predictor.borders(), span, asked)
    }

    /// The same for the ends of gaps, where intervals of forecasts may jump.
    pub fn gap_ends(&self, span: ValueRange, asked: impl Fn(f64) -> Vec<f64>) -> Vec<f64> {
        let gaps = self.predictor.gaps();
        let ends = gaps.iter().filter(|gap| gap.above > gap.below).map(|gap| (gap.variable, vec![gap.end()]));
        self.last_before(ends.collect(), span, asked)
    }

    /// How many values along it are looked at one by one.
    pub(super) fn single_values(&self) -> usize {
        self.predictor.single_values()
    }

    /// What there is to say where of some values not all were looked at.
    pub(super) fn not_all(&self, position: usize, numbers: NumberDomain) -> Remark {
        let most = (numbers == NumberDomain::Whole).then(|| self.single_values());
        Remark::NotAllLookedAt { variable: self.name(position).to_owned(), most }
    }

    /// Whether a point is in a gap, where the next interval may hold as well.
    pub fn is_in_gap(&self, asked: &[f64]) -> bool {
        let point = self.point(asked);
        self.predictor.gaps().iter().any(|gap| gap.contains(&point))
    }

    /// What a forecast says of the gaps that its point is in.
    pub(super) fn gap_remarks(&self, asked: &[f64], level: f64) -> Vec<Remark> {
        let remarks = self.forecast(asked, level).map_or(Vec::new(), |forecast| forecast.remarks);
        remarks.into_iter().filter(|remark| matches!(remark, Remark::BetweenIntervals { .. })).collect()
    }

    /// Values along the slice behind which a variable of the point leaves the last of some values.
    fn last_before(
        &self,
        borders: Vec<(usize, Vec<f64>)>,
        span: ValueRange,
        asked: impl Fn(f64) -> Vec<f64>,
    ) -> Vec<f64> {
        if borders.iter().all(|(_, uppers)| uppers.is_empty()) {
            return Vec::new();
        }
        let Ok(grid) = QuestionGrid::new(span, &[], NumberDomain::Real) else { return Vec::new() };
        let point = |value: f64| self.point(&asked(value));
        let points: Vec<Vec<f64>> = grid.values.iter().map(|value| point(*value)).collect();
        let mut found = Vec::new();
        for (position, uppers) in borders {
            for upper in uppers {
                for (place, pair) in points.windows(2).enumerate() {
                    let is_below = pair[0][position] <= upper;
                    if is_below != (pair[1][position] <= upper) {
                        let below = |value: f64| upper - point(value)[position];
                        let room = |value: f64| if is_below { below(value) } else { strictly(-below(value)) };
                        let (from, to) = (grid.values[place], grid.values[place + 1]);
                        found.push(last_with_room(from, to, NumberDomain::Real, room));
                    }
                }
            }
        }
        ascending(found)
    }
}
