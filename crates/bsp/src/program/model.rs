use std::sync::Arc;

use call_grammar::Span;
use call_model::{Definitions, Forecast, NoPrediction, PROCESSORS, Predictor, Remark, SourcePlace, raised};

use super::experiment_costs::{ExperimentCosts, Raised};
use super::{CostModel, Experiments, Instance, Program, ProgramError, TargetMachine};
use crate::obsp::{Evaluation, InOut, TaskError, bsp_cost_s, evaluate};

/// A model program on a target machine: it predicts what its supersteps take, by OBSP*.
///
/// Its interval is about the times of its experiments: those of one experiment are longer or shorter together, wherever it is used,
/// by the standard deviation of a measurement from what is predicted; those of different experiments independently. On more processors
/// than were measured, communications may be longer by [`call_model::contention`]. Numbers of machines and of the program itself count as exact; without experiments there is no interval.
#[derive(Debug, Clone)]
pub struct ProgramModel {
    file: Arc<ProgramFile>,
    experiments: Arc<Experiments>,
    target: TargetMachine,
    in_out: Option<InOut>,
    variables: Vec<String>,
    definitions: Definitions,
}

/// A program that was evaluated at a point.
pub struct Evaluated {
    /// What it did.
    pub instance: Instance,
    /// When.
    pub evaluation: Evaluation,
    /// When the last processor ended.
    pub total_s: f64,
    /// What there is to say about its costs.
    pub remarks: Vec<Remark>,
    in_out: InOut,
}

impl Evaluated {
    /// The plain BSP cost of the same task.
    pub fn bsp_s(&mut self) -> f64 {
        bsp_cost_s(&mut self.instance.arena, &self.instance.task, self.in_out)
    }
}

impl ProgramModel {
    /// A program with its experiments where they were measured, or elsewhere. `in_out` is the operation `@` of all its h-relations; where none is given, `h` in
    /// its costs is what comes in and goes out together, by equation (3), and g is taken for what it was measured for.
    pub fn new(
        file: Arc<ProgramFile>,
        experiments: Arc<Experiments>,
        target: TargetMachine,
        in_out: Option<InOut>,
    ) -> ProgramModel {
        let parameters = file.program().parameters().iter().cloned();
        let variables = parameters.chain([PROCESSORS.to_owned()]).collect();
        ProgramModel { file, experiments, target, in_out, variables, definitions: Definitions::default() }
    }

    /// The program and its text.
    pub fn file(&self) -> &ProgramFile {
        &self.file
    }

    /// Where it runs.
    pub fn target(&self) -> &TargetMachine {
        &self.target
    }

    /// The operation `@` of its h-relations, if it is given.
    pub fn in_out(&self) -> Option<InOut> {
        self.in_out
    }

    /// Evaluates it at a point: values of its parameters, then P.
    ///
    /// # Errors
    /// Where the program cannot be executed; the statement and why.
    pub fn evaluate(&self, point: &[f64]) -> Result<Evaluated, NoPrediction> {
        self.evaluate_with(&ExperimentCosts::new(&self.experiments, &self.target), point)
    }

    /// The forecast at a point where it was evaluated.
    ///
    /// # Errors
    /// If there is no finite time.
    pub fn forecast_of(
        &self,
        evaluated: &Evaluated,
        point: &[f64],
        level: f64,
    ) -> Result<Forecast, NoPrediction> {
        let total_s = evaluated.total_s;
        let remarks = evaluated.remarks.clone();
        let mut forecast = Forecast { remarks, ..Forecast::of_time(total_s, level) };
        let is_fitted = !self.experiments.forecasters.is_empty();
        if is_fitted && total_s > 0.0 {
            forecast.constants_s = self.deviation_s(point, total_s, Raised::Constants)?;
            let deviation_s = self.deviation_s(point, total_s, Raised::Measurements)?;
            // Where nothing is known of an experiment, nothing is of its parts.
            let of_noise = deviation_s.powi(2) - forecast.constants_s.powi(2);
            forecast.noise_s = if of_noise.is_nan() { f64::INFINITY } else { of_noise.max(0.0).sqrt() };
            forecast.lower_s = self.end_s(point, total_s, Raised::ToLowerEnd(level))?;
            forecast.upper_s = self.end_s(point, total_s, Raised::ToUpperEnd(level))?;
            if forecast.remarks.iter().any(|remark| matches!(remark, Remark::Contention { .. })) {
                let costs = ExperimentCosts::new(&self.experiments, &self.target).contended();
                let more_s = self.evaluate_with(&costs, point)?.total_s - total_s;
                forecast.upper_s = raised(forecast.upper_s, total_s, more_s, level);
            }
        }
        forecast.finite(self, point)
    }

    fn evaluate_with(&self, costs: &ExperimentCosts, point: &[f64]) -> Result<Evaluated, NoPrediction> {
        let parameters = self.file.program().parameters();
        let processors = point.get(parameters.len()).copied().unwrap_or(f64::NAN);
        if !(processors >= 1.0 && processors.fract() == 0.0 && processors <= f64::from(u32::MAX)) {
            return Err(NoPrediction::new(format!("P = {processors} is no number of processors"))
                .help("P is a whole number from 1 to 1e9"));
        }
        let arguments: Vec<(String, f64)> = parameters.iter().cloned().zip(point.iter().copied()).collect();
        let mut instance =
            self.file.instance(&arguments, processors as u32, costs, self.in_out.unwrap_or_default())?;
        let of_network = self.in_out.unwrap_or(self.target.in_out());
        let arena = &mut instance.arena;
        let start_s = arena.same(0.0);
        let evaluation = evaluate(arena, &instance.task, start_s, of_network)
            .map_err(|error| self.file.without_times(&error))?;
        let total_s = evaluation.total_s(arena);
        Ok(Evaluated { instance, evaluation, total_s, remarks: costs.remarks(), in_out: of_network })
    }

    /// Standard deviation of the total time when each experiment in turn takes longer.
    fn deviation_s(&self, point: &[f64], total_s: f64, by: Raised) -> Result<f64, NoPrediction> {
        let totals_s = self.totals_s(point, by)?;
        let variance: f64 = totals_s.iter().map(|its_s| (its_s - total_s).powi(2)).sum();
        // What rounding leaves is no uncertainty.
        Ok(if variance.sqrt() > 1e-12 * total_s { variance.sqrt() } else { 0.0 })
    }

    /// An end of the interval of the total time: that of an experiment where there is only one; factors of several that are independent of each
    /// other add up as the squares of their logarithms.
    fn end_s(&self, point: &[f64], total_s: f64, by: Raised) -> Result<f64, NoPrediction> {
        let totals_s = self.totals_s(point, by)?;
        let squares: f64 = totals_s.iter().map(|its_s| (its_s.max(0.0) / total_s).ln().powi(2)).sum();
        let factor = squares.sqrt().exp();
        Ok(if matches!(by, Raised::ToLowerEnd(_)) { total_s / factor } else { total_s * factor })
    }

    /// The total times when each experiment in turn takes another time; infinite where it is not known which.
    fn totals_s(&self, point: &[f64], by: Raised) -> Result<Vec<f64>, NoPrediction> {
        let total_s = |name: &String| {
            let costs = ExperimentCosts::new(&self.experiments, &self.target).raised(name, by);
            let total_s = self.evaluate_with(&costs, point)?.total_s;
            Ok(if costs.is_unknown() { f64::INFINITY } else { total_s })
        };
        self.experiments.forecasters.keys().map(total_s).collect()
    }
}

impl Predictor for ProgramModel {
    fn name(&self) -> &str {
        self.file.program().name()
    }

    fn variables(&self) -> &[String] {
        &self.variables
    }

    fn definitions(&self) -> &Definitions {
        &self.definitions
    }

    fn time_s(&self, point: &[f64]) -> Result<f64, NoPrediction> {
        Ok(self.evaluate(point)?.total_s)
    }

    /// Programs share out and round; each value is a run of one.
    fn single_values(&self) -> usize {
        10_000
    }

    fn forecast(&self, point: &[f64], level: f64) -> Result<Forecast, NoPrediction> {
        self.forecast_of(&self.evaluate(point)?, point, level)
    }
}

/// A model program with its text, which errors show.
#[derive(Debug, PartialEq)]
pub struct ProgramFile {
    path: String,
    text: Arc<str>,
    program: Program,
}

impl ProgramFile {
    /// Parses the text of a file.
    ///
    /// # Errors
    /// What is wrong with it, and where.
    pub fn parse(path: &str, text: &str) -> Result<ProgramFile, NoPrediction> {
        // What some editors put before a text.
        let text: Arc<str> = Arc::from(text.strip_prefix('\u{feff}').unwrap_or(text));
        match Program::parse(&text) {
            Ok(program) => Ok(ProgramFile { path: path.to_owned(), text, program }),
            Err(error) => Err(failure(path, &text, error)),
        }
    }

    /// The file that it is from.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The program with its arguments on a number of processors.
    pub(super) fn instance(
        &self,
        arguments: &[(String, f64)],
        processors: u32,
        costs: &dyn CostModel,
        in_out: InOut,
    ) -> Result<Instance, NoPrediction> {
        let instance = self.program.instance(arguments, processors, costs, in_out);
        instance.map_err(|error| failure(&self.path, &self.text, error))
    }

    /// Why a task of the program has no times, with the statement that it is about.
    pub(super) fn without_times(&self, error: &TaskError) -> NoPrediction {
        let message = error.to_string();
        let TaskError::Time { centre, .. } = error else { return NoPrediction::new(message) };
        let span: Span = self.program.centres()[*centre].span;
        failure(&self.path, &self.text, ProgramError { span, message, help: None })
    }
}

fn failure(path: &str, text: &Arc<str>, error: ProgramError) -> NoPrediction {
    let ProgramError { span, message, help } = error;
    NoPrediction {
        message,
        help,
        place: Some(SourcePlace { path: path.to_owned(), text: Arc::clone(text), span }),
    }
}
