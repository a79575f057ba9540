//! The g and L that a recording itself had.

use call_fit::{Samples, non_negative_least_squares};

use super::program::{Machine, Program};
use super::{Error, NetworkCosts};
use crate::obsp::{InOut, Network, PerProcessorArena, SynchronisationCost};

/// g and L with their uncertainty.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FittedNetwork {
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

impl FittedNetwork {
    /// For a scenario.
    pub fn costs(&self) -> NetworkCosts {
        NetworkCosts::Linear(Network { g_s_per_byte: self.g_s_per_byte, latency_s: self.latency_s })
    }
}

impl Program {
    /// Fits g and L, neither negative, to what the synchronisations of machines with several processors took, by least squares.
    ///
    /// # Errors
    /// No synchronisations, or all with the same h-relation.
    pub fn fit_costs(&self, in_out: InOut) -> Result<FittedNetwork, Error> {
        let mut relations = Relations::default();
        relations.add(&mut PerProcessorArena::new(), &self.root, in_out);
        relations.fit()
    }
}

/// h and seconds of each processor in each synchronisation.
#[derive(Default)]
struct Relations {
    h_bytes: Vec<f64>,
    cost_s: Vec<f64>,
}

impl Relations {
    fn add(&mut self, arena: &mut PerProcessorArena, machine: &Machine, in_out: InOut) {
        for step in &machine.supersteps {
            for part in step.rounds.iter().flat_map(|round| &round.parts) {
                self.add(arena, part, in_out);
            }
            if let Some(end) = step.end.as_ref().filter(|_| machine.processors > 1) {
                let zero = arena.same(0.0);
                let synchronisation =
                    end.synchronisation(arena, SynchronisationCost::Given(zero), step.centre);
                let h_bytes = synchronisation.h_relation(arena, machine.processors, in_out);
                self.h_bytes.extend(arena.values(h_bytes, machine.processors));
                self.cost_s.extend(&end.cost_s);
            }
        }
    }

    fn fit(&self) -> Result<FittedNetwork, Error> {
        let Some(first) = self.h_bytes.first() else { return Err(Error::NothingToFit) };
        if self.h_bytes.iter().all(|h| h == first) {
            return Err(Error::OneRelation);
        }
        let ones = vec![1.0; self.h_bytes.len()];
        let samples = Samples { basis: vec![&self.h_bytes, &ones], observed: &self.cost_s, weights: &[] };
        let fit = non_negative_least_squares(&samples).map_err(Error::Fit)?;
        Ok(FittedNetwork {
            g_s_per_byte: fit.coefficients[0],
            g_error_s_per_byte: fit.standard_errors[0],
            latency_s: fit.coefficients[1],
            latency_error_s: fit.standard_errors[1],
            samples: fit.samples_used,
            scatter_s: fit.residual_standard_error,
        })
    }
}
