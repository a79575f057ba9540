use std::rc::Rc;
use std::sync::Arc;

use call_machine::{Machine, NUMBERS, number, table_remarks};
use call_model::{Definition, Definitions, Forecast, NoPrediction, Predictor, ValueSource};

use super::{NetworkCosts, NetworkEstimate, Replay, ReplayError, Scenario};
use crate::obsp::{InOut, Network};
use crate::recording::RecordedRun;

/// A recorded run that predicts its time with other g and L, or with experiments made faster: these are its variables. Those without
/// a value stay as they were recorded; of g and L, where only one has a value, the other is what fits the recording.
///
/// Nothing is known of how far its times are off: they have no interval.
#[derive(Debug, Clone)]
pub struct ReplayedRun {
    run: Rc<RecordedRun>,
    name: String,
    fitted: Result<NetworkEstimate, ReplayError>,
    in_out: InOut,
    variables: Vec<String>,
    definitions: Definitions,
}

impl ReplayedRun {
    /// A run under a name; g and L are those of the machine, if there is one, for as many processors as the run has.
    ///
    /// # Errors
    /// If the machine has no table.
    pub fn new(
        run: Rc<RecordedRun>,
        name: &str,
        in_out: InOut,
        machine: Option<&Arc<Machine>>,
    ) -> Result<ReplayedRun, NoPrediction> {
        let experiments = run.experiments().unwrap_or_default().iter().cloned();
        let variables: Vec<String> = NUMBERS.map(str::to_owned).into_iter().chain(experiments).collect();
        let recorded = |name: &String| {
            let value = if NUMBERS.contains(&name.as_str()) { f64::NAN } else { 1.0 };
            Definition::new(name, &[], ValueSource::Recording, move |_| value)
        };
        let of_machine = match machine {
            None => Vec::new(),
            Some(machine) => of_machine(machine, run.processors())?,
        };
        Ok(ReplayedRun {
            definitions: of_machine.into_iter().chain(variables.iter().map(recorded)).collect(),
            fitted: run.fit_network(InOut::default()),
            name: name.to_owned(),
            run,
            in_out,
            variables,
        })
    }

    /// The run.
    pub fn run(&self) -> &RecordedRun {
        &self.run
    }

    fn scenario(&self, point: &[f64]) -> Result<Scenario, NoPrediction> {
        let costs = match point[..] {
            [g_s_per_byte, latency_s, ..] if !g_s_per_byte.is_nan() || !latency_s.is_nan() => {
                let fitted = || self.fitted.as_ref().map_err(NoPrediction::from);
                let g_s_per_byte = if g_s_per_byte.is_nan() { fitted()?.g_s_per_byte } else { g_s_per_byte };
                let latency_s = if latency_s.is_nan() { fitted()?.latency_s } else { latency_s };
                NetworkCosts::Linear(Network { g_s_per_byte, latency_s })
            }
            _ => NetworkCosts::Recorded,
        };
        let factors = self.variables.iter().zip(point).skip(NUMBERS.len());
        let faster = factors.filter(|(_, factor)| **factor != 1.0);
        Ok(Scenario {
            costs,
            in_out: self.in_out,
            faster: faster.map(|(name, factor)| (name.clone(), *factor)).collect(),
        })
    }

    /// Replays it at a point.
    ///
    /// # Errors
    /// If g, L or a factor is none; if experiments that are made faster lie inside each other.
    pub fn replay(&self, point: &[f64]) -> Result<Replay, NoPrediction> {
        let scenario = self.scenario(point)?;
        self.run.replay(&scenario).map_err(|error| NoPrediction::from(&error))
    }
}

fn of_machine(machine: &Arc<Machine>, processors: u32) -> Result<Vec<Definition>, NoPrediction> {
    let processors = f64::from(processors);
    let Some(parameters) = machine.parameters(processors) else {
        return Err(NoPrediction::new(format!("the machine `{}` has no table of g and L", machine.name))
            .help("give both: `g=… L=…`"));
    };
    let definition = |name: &'static str| {
        let value = number(name)?(parameters);
        let machine = Arc::clone(machine);
        let definition = Definition::new(name, &[], ValueSource::Machine, move |_| value);
        Some(definition.remarking(move |_| table_remarks(&machine, processors)))
    };
    Ok(NUMBERS.into_iter().filter_map(definition).collect())
}

impl Predictor for ReplayedRun {
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
        Ok(self.replay(point)?.total_s())
    }

    fn forecast(&self, point: &[f64], level: f64) -> Result<Forecast, NoPrediction> {
        Forecast::of_time(self.time_s(point)?, level).finite(self, point)
    }
}
