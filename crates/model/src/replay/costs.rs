//! The g and L that a recording itself had.

use call_fit::{Samples, non_negative_least_squares};

use super::program::{Machine, Program, check_cost};
use super::{Costs, Error};
use crate::obsp::{Cost, InOut, Profiles};

/// What is known of g and L; the other is fitted.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct KnownCosts {
    /// g.
    pub g_s_per_byte: Option<f64>,
    /// L.
    pub latency_s: Option<f64>,
}

/// g and L with their uncertainty.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FittedCosts {
    /// g.
    pub g_s_per_byte: f64,
    /// Its standard error; `None` if it was given.
    pub g_error_s_per_byte: Option<f64>,
    /// L.
    pub latency_s: f64,
    /// Its standard error; `None` if it was given.
    pub latency_error_s: Option<f64>,
    /// Synchronisations of processors that were fitted; 0 if both were given.
    pub samples: usize,
    /// Standard deviation of a synchronisation from g h + L; `None` without degrees of freedom.
    pub scatter_s: Option<f64>,
}

impl FittedCosts {
    /// For a scenario.
    pub fn costs(&self) -> Costs {
        Costs::Linear { g_s_per_byte: self.g_s_per_byte, latency_s: self.latency_s }
    }
}

impl Program {
    /// Fits g and L, neither negative, to what the synchronisations of machines with several processors took, by least squares.
    ///
    /// # Errors
    /// Given numbers that are negative, no synchronisations, or all with the same h-relation.
    pub fn fit_costs(&self, in_out: InOut, known: KnownCosts) -> Result<FittedCosts, Error> {
        for (name, value) in [("g", known.g_s_per_byte), ("L", known.latency_s)] {
            value.map_or(Ok(()), |value| check_cost(name, value))?;
        }
        if let KnownCosts { g_s_per_byte: Some(g_s_per_byte), latency_s: Some(latency_s) } = known {
            return Ok(FittedCosts {
                g_s_per_byte,
                g_error_s_per_byte: None,
                latency_s,
                latency_error_s: None,
                samples: 0,
                scatter_s: None,
            });
        }
        let mut relations = Relations::default();
        relations.add(&mut Profiles::new(), &self.root, in_out);
        relations.fit(known)
    }
}

/// h and seconds of each processor in each synchronisation.
#[derive(Default)]
struct Relations {
    h_bytes: Vec<f64>,
    cost_s: Vec<f64>,
}

impl Relations {
    fn add(&mut self, profiles: &mut Profiles, machine: &Machine, in_out: InOut) {
        for step in &machine.supersteps {
            for part in step.rounds.iter().flat_map(|round| &round.parts) {
                self.add(profiles, part, in_out);
            }
            if let Some(end) = step.end.as_ref().filter(|_| machine.processors > 1) {
                let zero = profiles.same(0.0);
                let synchronisation = step.synchronisation(profiles, end, Cost::Given(zero));
                let h_bytes = synchronisation.h_relation(profiles, machine.processors, in_out);
                self.h_bytes.extend(profiles.values(h_bytes, machine.processors));
                self.cost_s.extend(&end.cost_s);
            }
        }
    }

    fn fit(&self, known: KnownCosts) -> Result<FittedCosts, Error> {
        let Some(first) = self.h_bytes.first() else { return Err(Error::NothingToFit) };
        let ones = vec![1.0; self.h_bytes.len()];
        let mut basis: Vec<&[f64]> = Vec::new();
        if known.g_s_per_byte.is_none() {
            let is_constant = self.h_bytes.iter().all(|h| h == first);
            // Without a byte that is sent there is no g at all.
            if is_constant && (known.latency_s.is_none() || *first == 0.0) {
                return Err(Error::OneRelation);
            }
            basis.push(&self.h_bytes);
        }
        if known.latency_s.is_none() {
            basis.push(&ones);
        }
        let (g, latency_s) = (known.g_s_per_byte.unwrap_or(0.0), known.latency_s.unwrap_or(0.0));
        let left = self.cost_s.iter().zip(&self.h_bytes).map(|(cost_s, h)| cost_s - g * h - latency_s);
        let observed: Vec<f64> = left.collect();
        let fit = non_negative_least_squares(&Samples { basis, observed: &observed, weights: &[] })
            .map_err(Error::Fit)?;
        let mut found =
            fit.coefficients.iter().zip(&fit.standard_errors).map(|(value, error)| (*value, *error));
        let g = known.g_s_per_byte.map_or_else(|| found.next(), |_| None);
        let latency = known.latency_s.map_or_else(|| found.next(), |_| None);
        Ok(FittedCosts {
            g_s_per_byte: g.map_or(known.g_s_per_byte.unwrap_or(0.0), |(value, _)| value),
            g_error_s_per_byte: g.map(|(_, error)| error),
            latency_s: latency.map_or(latency_s, |(value, _)| value),
            latency_error_s: latency.map(|(_, error)| error),
            samples: fit.samples_used,
            scatter_s: Some(fit.residual_standard_error).filter(|scatter| scatter.is_finite()),
        })
    }
}
