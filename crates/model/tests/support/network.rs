use call_model::program::{Costs, What};

/// g = 2 s a byte, L = 1 s; no experiments.
pub struct Network;

impl Costs for Network {
    fn variables(&self, _experiment: &str) -> Option<Vec<String>> {
        None
    }

    fn value(&self, _experiment: &str, _what: What, _point: &[f64]) -> f64 {
        f64::NAN
    }

    fn experiments(&self) -> Vec<String> {
        Vec::new()
    }

    fn network(&self, _processors: u32) -> Option<(f64, f64)> {
        Some((2.0, 1.0))
    }
}
