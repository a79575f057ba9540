use crate::{CostQuantity, Profile};

impl Profile {
    /// What communication takes on a machine that needs `g_s_per_byte` for each byte of the h-relation and `latency_s` for each
    /// synchronisation, in place of what it took: g h + L, the theory of the paper. Computing and idle time stay as they are.
    pub fn be_on_network(&mut self, g_s_per_byte: f64, latency_s: f64) {
        for cost in &mut self.costs {
            let all_latency_s = latency_s * cost.synchronisations as f64;
            let of_h = |h_bytes: f64| g_s_per_byte * h_bytes + all_latency_s;
            *cost.of_mut(CostQuantity::Communication) = cost.of(CostQuantity::H).map(of_h);
            cost.latency_s = all_latency_s;
        }
    }
}
