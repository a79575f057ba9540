//! The g and L that a recording itself had.

use call_fit::{FitSamples, non_negative_least_squares};

use super::{NetworkCosts, ReplayError};
use crate::obsp::{InOut, Network, PerProcessorArena, SynchronisationCost};
use crate::recording::{RecordedMachine, RecordedRun, RecordedSuperstep};

/// g and L with their uncertainty.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NetworkEstimate {
    /// g.
    pub g_s_per_byte: f64,
    /// Its standard error; NaN without degrees of freedom.
    pub g_error_s_per_byte: f64,
    /// L.
    pub latency_s: f64,
    /// Its standard error; NaN without degrees of freedom.
    pub latency_error_s: f64,
    /// Synchronisations of processors that were fitted.
    pub samples: usize,
    /// Standard deviation of a synchronisation from g h + L; NaN without degrees of freedom.
    pub scatter_s: f64,
}

impl NetworkEstimate {
    /// For a scenario.
    pub fn costs(&self) -> NetworkCosts {
        NetworkCosts::Linear(Network { g_s_per_byte: self.g_s_per_byte, latency_s: self.latency_s })
    }
}

impl RecordedRun {
    /// Fits g and L, neither negative, to what the synchronisations of machines with several processors took, by least squares.
    ///
    /// # Errors
    /// No synchronisations, or all with the same h-relation.
    pub fn fit_network(&self, in_out: InOut) -> Result<NetworkEstimate, ReplayError> {
        let mut relations = Relations::default();
        self.machine().each_superstep(&mut |machine, step| relations.add(machine, step, in_out));
        relations.fit()
    }
}

/// h and seconds of each processor in each synchronisation.
#[derive(Default)]
struct Relations {
    arena: PerProcessorArena,
    h_bytes: Vec<f64>,
    cost_s: Vec<f64>,
}

impl Relations {
    fn add(&mut self, machine: &RecordedMachine, step: &RecordedSuperstep, in_out: InOut) {
        let Some(end) = step.synchronisation.as_ref().filter(|_| machine.processors > 1) else { return };
        let arena = &mut self.arena;
        let zero = arena.same(0.0);
        let synchronisation = end.synchronisation(arena, SynchronisationCost::Given(zero), step.centre);
        let h_bytes = synchronisation.h_relation(arena, machine.processors, in_out);
        self.h_bytes.extend(arena.values(h_bytes, machine.processors));
        self.cost_s.extend(&end.cost_s);
    }

    fn fit(&self) -> Result<NetworkEstimate, ReplayError> {
        let Some(first) = self.h_bytes.first() else { return Err(ReplayError::NothingToFit) };
        if self.h_bytes.iter().all(|h| h == first) {
            return Err(ReplayError::OneRelation);
        }
        let ones = vec![1.0; self.h_bytes.len()];
        let samples = FitSamples { basis: vec![&self.h_bytes, &ones], observed: &self.cost_s, weights: &[] };
        let fit = non_negative_least_squares(&samples).map_err(ReplayError::Fit)?;
        Ok(NetworkEstimate {
            g_s_per_byte: fit.coefficients[0],
            g_error_s_per_byte: fit.standard_errors[0],
            latency_s: fit.coefficients[1],
            latency_error_s: fit.standard_errors[1],
            samples: fit.samples_used,
            scatter_s: fit.residual_standard_error,
        })
    }
}
