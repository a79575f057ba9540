use std::sync::Arc;

use call_grammar::{Expression, Formula, Quantity};
use call_model::{
    Definition, Definitions, Forecast, Forecaster, Gap, Model, NoPrediction, PROCESSORS, Predictor, Remark,
    SampledRange, SourceMatch, ValueSource,
};
use call_trace::{SourceCounts, Unit};

use crate::guess::{CountedMisses, Guess, Irregular, Statements, Unguessable, guess};
use crate::parameters::{NUMBERS, known_on, quicker_levels, table_remarks};
use crate::{BspParameters, Lacking, Machine, MachineEntry, Resource, Transfer, TransferFactor, carried};

/// What the time of a term grows with from machine to machine.
#[derive(Debug, Clone)]
pub enum TermScale {
    /// Its constant is a number of operations, bytes or synchronisations: g or L stands in the term.
    Kept,
    /// As this resource costs.
    By(Resource),
    /// As loads in a working set cost, whose bytes are computed at each point.
    WorkingSet(Quantity),
    /// As the statements behind its constant are guessed to cost at each point.
    Statements(Statements),
}

/// What became of a constant on another machine.
#[derive(Debug, Clone, PartialEq)]
pub struct CarriedConstant {
    /// Such as `f[1]`.
    pub name: String,
    /// How it was carried.
    pub transferred: Transferred,
    /// The resource, or the numbers of the machine that stand in its term.
    pub by: String,
    /// Which entries of the machines were used, here and there.
    pub entries: [Option<MachineEntry>; 2],
    /// What it was multiplied by.
    pub factor: Option<f64>,
    /// The same if computing and memory did not overlap, of statements.
    pub factor_without_overlap: Option<f64>,
}

/// How a constant got to another machine.
#[derive(Debug, Clone, PartialEq)]
pub enum Transferred {
    /// The constant of the samples holds: g and L are those of the machine.
    Measured,
    /// Times the factor.
    Scaled,
    /// The constant of the samples, for want of a number.
    Assumed(Lacking),
}

/// Why a model cannot be carried from one machine to another.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum CarryError {
    /// A machine lacks what the formula takes from it.
    #[error("{machine} has no BSP table, which gives `{number}`")]
    NoTable {
        /// Whose table it is.
        machine: String,
        /// g or L.
        number: &'static str,
        /// Whether it is the machine of the measurements.
        is_here: bool,
    },
    /// What machines cost are times.
    #[error("`{name}` is measured in {unit}, and only times are carried to another machine")]
    NoTime {
        /// Name of the model.
        name: String,
        /// What it predicts.
        unit: Unit,
    },
}

impl CarryError {
    /// Stable name of the cause, for programs.
    pub fn code(&self) -> &'static str {
        match self {
            CarryError::NoTable { .. } => "no-bsp-table",
            CarryError::NoTime { .. } => "not-a-time",
        }
    }
}

/// A fitted model on another machine than that of its samples.
///
/// A point has the variables there (P before them if the formula lacks it), then those of the formula here: g and L differ.
#[derive(Debug, Clone)]
pub struct CarriedModel {
    forecaster: Forecaster,
    here: Arc<Machine>,
    there: Arc<Machine>,
    numbers: Vec<&'static str>,
    scales: Vec<TermScale>,
    is_scaled: bool,
    /// What the caches here and there miss, if that was counted.
    misses: Option<[CountedMisses; 2]>,
    variables: Vec<String>,
    definitions: [Definitions; 2],
}

impl CarriedModel {
    /// Carries a model from the machine `here` to `there`. `given` are definitions of variables without those of machines; of `numbers`,
    /// which are among g and L, the values are the machines'. `scales` has one for each term, or is empty: then terms with those
    /// numbers keep their constants, and others count as computation.
    ///
    /// # Errors
    /// If a machine lacks the table that gives a number, or the model predicts no time.
    pub fn new(
        forecaster: Forecaster,
        [here, there]: [&Arc<Machine>; 2],
        given: &Definitions,
        numbers: Vec<&'static str>,
        scales: Vec<TermScale>,
    ) -> Result<CarriedModel, CarryError> {
        if !forecaster.unit().is_time() {
            let (name, unit) = (forecaster.name().to_owned(), forecaster.unit().clone());
            return Err(CarryError::NoTime { name, unit });
        }
        for (machine, is_here) in [(here, true), (there, false)] {
            if let Some(number) = numbers.first().filter(|_| machine.bsp.is_empty()) {
                return Err(CarryError::NoTable { machine: machine.name.clone(), number, is_here });
            }
        }
        let own = forecaster.variables();
        let has_processors = own.iter().any(|name| name == PROCESSORS);
        let first = (!has_processors).then(|| PROCESSORS.to_owned());
        let variables: Vec<String> = first.into_iter().chain(own.iter().cloned()).collect();
        // P need not be given where all samples have the same.
        let sampled = forecaster.sampled(PROCESSORS).filter(|range| range.lowest == range.highest);
        let constant = sampled
            .map(|range| Definition::new(PROCESSORS, &[], ValueSource::Samples, move |_| range.lowest));
        let of_machine = |machine| {
            let known = known_on(Some(machine), given.clone(), |_| false);
            constant.clone().filter(|_| !has_processors).into_iter().fold(known, Definitions::or)
        };
        let is_scaled = !scales.is_empty();
        let mut carried = CarriedModel {
            definitions: [of_machine(here), of_machine(there)],
            forecaster,
            here: Arc::clone(here),
            there: Arc::clone(there),
            numbers,
            scales,
            is_scaled,
            misses: None,
            variables,
        };
        if !is_scaled {
            let terms = carried.forecaster.model().formula().terms().iter();
            carried.scales = terms.map(|term| carried.scale_of(&term.basis)).collect();
        }
        Ok(carried)
    }

    /// The same, where terms that would count as computation are carried by the statements behind their constants, if these are known and
    /// both machines have what they cost.
    pub fn with_statements(mut self, counts: &SourceCounts) -> CarriedModel {
        let formula = self.forecaster.model().formula();
        let is_recorded = |name: &str| self.forecaster.variables().iter().any(|known| known == name);
        let Some(its) = SourceMatch::of(formula, counts, is_recorded) else { return self };
        for (scale, behind) in self.scales.iter_mut().zip(&its.behind) {
            if let (TermScale::By(Resource::Computation), Ok(statements)) =
                (&*scale, Statements::of(behind, counts))
            {
                *scale = TermScale::Statements(statements);
            }
        }
        self
    }

    /// The same with counts of what the caches here and there miss, in the place of what the statements let expect.
    pub fn with_misses(self, here_and_there: [CountedMisses; 2]) -> CarriedModel {
        CarriedModel { misses: Some(here_and_there), ..self }
    }

    /// Whether any constant is carried by the statements behind it.
    pub fn is_by_statements(&self) -> bool {
        self.scales.iter().any(|scale| matches!(scale, TermScale::Statements(_)))
    }

    fn scale_of(&self, basis: &Expression) -> TermScale {
        match self.numbers_in(basis).is_empty() {
            true => TermScale::By(Resource::Computation),
            false => TermScale::Kept,
        }
    }

    /// Where the samples were measured.
    pub fn here(&self) -> &Arc<Machine> {
        &self.here
    }

    /// Where times are predicted.
    pub fn there(&self) -> &Arc<Machine> {
        &self.there
    }

    /// Which of g and L are the machines'.
    pub fn numbers(&self) -> &[&'static str] {
        &self.numbers
    }

    /// The forecast on the machine of the samples.
    pub fn forecast_here(&self, point: &[f64], level: f64) -> Forecast {
        self.forecaster.forecast(self.point_here(point), level)
    }

    fn point_here<'a>(&self, point: &'a [f64]) -> &'a [f64] {
        &point[self.variables.len()..]
    }

    /// The number of processors of a point.
    pub fn processors(&self, point: &[f64]) -> f64 {
        let position = self.variables.iter().position(|name| name == PROCESSORS);
        position.map_or(f64::NAN, |position| point[position])
    }

    fn point_there<'a>(&self, point: &'a [f64]) -> &'a [f64] {
        let own = self.forecaster.variables().len();
        &point[self.variables.len() - own..self.variables.len()]
    }

    /// What becomes of each constant at a point.
    pub fn constants(&self, point: &[f64]) -> Vec<CarriedConstant> {
        let transfer = Transfer::between(&self.here, &self.there, self.processors(point));
        let formula = self.forecaster.model().formula();
        let one = |(place, (term, scale)): (usize, (&call_grammar::Term, &TermScale))| {
            let name = format!("{}[{}]", formula.experiment(), term.coefficient.0);
            if let TermScale::Statements(statements) = scale {
                let guesses = [0, 1].map(|side| self.guess(place, statements, side, point));
                return match guesses {
                    [Ok(here), Ok(there)] if here.time_s > 0.0 => by_statements(name, &here, there),
                    _ => scaled(name, &transfer, &Resource::Computation),
                };
            }
            match self.resource(scale, self.point_there(point)) {
                None => self.kept(name, &transfer, point, &term.basis),
                Some(resource) => scaled(name, &transfer, &resource),
            }
        };
        formula.terms().iter().zip(&self.scales).enumerate().map(one).collect()
    }

    /// The resource of a term at a point.
    fn resource(&self, scale: &TermScale, point: &[f64]) -> Option<Resource> {
        match scale {
            TermScale::Kept | TermScale::Statements(_) => None,
            TermScale::By(resource) => Some(resource.clone()),
            TermScale::WorkingSet(quantity) => {
                let value = |name: &str| self.value(name, point).unwrap_or(f64::NAN);
                let inputs: Vec<f64> =
                    quantity.variables().iter().map(|variable| value(variable.name())).collect();
                Some(Resource::WorkingSet(quantity.evaluate(&inputs)))
            }
        }
    }

    fn value(&self, name: &str, point: &[f64]) -> Option<f64> {
        let place = self.forecaster.variables().iter().position(|known| known == name);
        place.map(|place| point[place])
    }

    /// What the statements of a term take here (0) or there (1).
    fn guess(
        &self,
        place: usize,
        statements: &Statements,
        side: usize,
        point: &[f64],
    ) -> Result<Guess, Unguessable> {
        let sides = [(&self.here, self.point_here(point)), (&self.there, self.point_there(point))];
        let (machine, point) = sides[side];
        let counted = self.misses.as_ref().map(|misses| &misses[side]);
        let basis = self.forecaster.model().formula().terms()[place].basis.evaluate(point);
        let lines = counted.map_or(Vec::new(), |counted| counted.at(place, basis, point));
        let workloads = statements.at(Irregular::with(counted), &|name| self.value(name, point))?;
        Ok(guess(machine, &workloads, &lines)?)
    }

    /// Which of g and L stand in a term.
    fn numbers_in(&self, basis: &Expression) -> Vec<&'static str> {
        numbers_in(self.forecaster.model(), &self.numbers, basis)
    }

    fn kept(&self, name: String, transfer: &Transfer, point: &[f64], basis: &Expression) -> CarriedConstant {
        let processors = self.processors(point);
        let entry = |parameters: Option<BspParameters>| {
            parameters.map(|known| MachineEntry::Bsp { processors, how: known.how })
        };
        CarriedConstant {
            name,
            transferred: Transferred::Measured,
            by: self.numbers_in(basis).join(", "),
            entries: [entry(transfer.here()), entry(transfer.there())],
            factor: None,
            factor_without_overlap: None,
        }
    }

    /// What multiplies each constant there.
    fn basis(&self, point: &[f64], constants: &[CarriedConstant]) -> Vec<f64> {
        let there = self.point_there(point);
        let terms = self.forecaster.model().formula().terms().iter().zip(constants);
        terms.map(|(term, constant)| term.basis.evaluate(there) * constant.factor.unwrap_or(1.0)).collect()
    }

    /// How far computing and memory overlap is not known: the interval holds both ends.
    fn widen(&self, forecast: &mut Forecast, point: &[f64], constants: &[CarriedConstant]) {
        let without = constants.iter().map(|constant| CarriedConstant {
            factor: constant.factor_without_overlap.or(constant.factor),
            ..constant.clone()
        });
        let basis = self.basis(point, &without.collect::<Vec<_>>());
        let cell = &self.forecaster.model().cells()[forecast.prediction.cell];
        let without_s: f64 = basis.iter().zip(&cell.fit.coefficients).map(|(basis, its)| basis * its).sum();
        let ratio = without_s / forecast.prediction.time_s;
        if ratio.is_finite() && ratio > 0.0 {
            forecast.lower_s *= ratio.min(1.0);
            forecast.upper_s *= ratio.max(1.0);
        }
    }

    fn remarks(&self, point: &[f64], constants: &[CarriedConstant]) -> Vec<Remark> {
        let processors = self.processors(point);
        let mut remarks = table_remarks(&self.here, processors);
        remarks.extend(table_remarks(&self.there, processors));
        let is_of_memory =
            |scale: &TermScale| matches!(scale, TermScale::WorkingSet(_) | TermScale::Statements(_));
        if self.scales.iter().any(is_of_memory) {
            remarks.extend([&self.here, &self.there].into_iter().flat_map(|machine| quicker_levels(machine)));
        }
        remarks.extend(constants.iter().filter_map(|constant| match &constant.transferred {
            Transferred::Assumed(lacking) => Some(Remark::Assumed {
                what: constant.name.clone(),
                machine: self.there.name.clone(),
                lacking: lacking.to_string(),
            }),
            Transferred::Measured | Transferred::Scaled => None,
        }));
        let is_computation =
            constants.iter().all(|constant| constant.by == Resource::Computation.to_string());
        let is_all = self.numbers.is_empty() && !self.is_scaled && is_computation;
        remarks.extend(is_all.then_some(Remark::AllComputation));
        remarks.push(Remark::MeasuredOn { machine: self.here.name.clone() });
        remarks
    }
}

/// Which of these numbers stand in a term of a model.
pub fn numbers_in(model: &Model, numbers: &[&'static str], basis: &Expression) -> Vec<&'static str> {
    let variables = model.formula().variables().iter();
    let stands = |number: &str| {
        variables.clone().position(|known| known.name() == number).is_some_and(|place| basis.uses(place))
    };
    numbers.iter().copied().filter(|number| stands(number)).collect()
}

fn scaled(name: String, transfer: &Transfer, resource: &Resource) -> CarriedConstant {
    let by = resource.to_string();
    match transfer.factor(resource) {
        Ok(TransferFactor { value, here, there }) => CarriedConstant {
            name,
            transferred: Transferred::Scaled,
            by,
            entries: [here.entry, there.entry].map(Some),
            factor: Some(value),
            factor_without_overlap: None,
        },
        Err(lacking) => CarriedConstant {
            name,
            transferred: Transferred::Assumed(lacking),
            by,
            entries: [None, None],
            factor: None,
            factor_without_overlap: None,
        },
    }
}

fn by_statements(name: String, here: &Guess, there: Guess) -> CarriedConstant {
    CarriedConstant {
        name,
        transferred: Transferred::Scaled,
        by: "Υ".to_owned(),
        factor: Some(there.time_s / here.time_s),
        factor_without_overlap: Some(there.without_overlap_s / here.without_overlap_s),
        entries: [&here.limit, &there.limit].map(|limit| Some(MachineEntry::Statements(limit.to_string()))),
    }
}

impl Predictor for CarriedModel {
    fn name(&self) -> &str {
        self.forecaster.name()
    }

    fn variables(&self) -> &[String] {
        &self.variables
    }

    fn definitions(&self) -> &Definitions {
        &self.definitions[1]
    }

    fn is_of_another_machine(&self, name: &str) -> bool {
        let is_variable = self.forecaster.variables().iter().any(|known| known == name);
        let is_given = is_variable && NUMBERS.contains(&name) && !self.numbers.contains(&name);
        !is_given && self.definitions[1].comes_from(name, &ValueSource::Machine)
    }

    fn point(&self, known: &dyn Fn(&str) -> Option<f64>) -> Vec<f64> {
        let [here, there] = &self.definitions;
        let at_there = self.variables.iter().map(|name| there.resolve(name, known));
        let at_here = self.forecaster.variables().iter().map(|name| here.resolve(name, known));
        at_there.chain(at_here).collect()
    }

    fn time_s(&self, point: &[f64]) -> Result<f64, NoPrediction> {
        let basis = self.basis(point, &self.constants(point));
        let model = self.forecaster.model();
        let cell = model.predict(self.point_here(point)).cell;
        let constants = &model.cells()[cell].fit.coefficients;
        Ok(basis.iter().zip(constants).map(|(basis, constant)| basis * constant).sum())
    }

    fn forecast(&self, point: &[f64], level: f64) -> Result<Forecast, NoPrediction> {
        let here = self.forecast_here(point, level).finite(&self.forecaster, self.point_here(point))?;
        let constants = self.constants(point);
        let basis = self.basis(point, &constants);
        let mut there = carried(self.forecaster.model(), &here, self.point_here(point), &basis);
        self.widen(&mut there, point, &constants);
        // The other machine has other caches.
        there.remarks.retain(|remark| !matches!(remark, Remark::OutgrownCache { .. }));
        there.remarks.extend(self.remarks(point, &constants));
        there.finite(self, point)
    }

    fn borders(&self) -> Vec<(usize, Vec<f64>)> {
        let first = self.variables.len();
        let own = self.forecaster.borders().into_iter();
        own.map(|(position, uppers)| (first + position, uppers)).collect()
    }

    fn gaps(&self) -> Vec<Gap> {
        let first = self.variables.len();
        self.forecaster.gaps().into_iter().map(|gap| gap.behind(first)).collect()
    }

    fn sampled(&self, name: &str) -> Option<SampledRange> {
        self.forecaster.sampled(name)
    }

    fn formula(&self) -> Option<&Formula> {
        self.forecaster.formula()
    }
}
