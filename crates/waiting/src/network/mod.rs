//! Recorded events on another network.

mod clocks;
mod collective;
mod course;
mod error;
mod fitted;
mod inside;
mod links;
mod recording;
mod retimed;

pub(crate) use clocks::{Corrected, correct};
pub use error::NetworkError;
pub use fitted::FittedNetwork;
pub use recording::{NetworkDoubt, NetworkRecording};

/// What messages are carried by: LogGP without the time that processors need for it (A. Alexandrov, M. Ionescu, K. Schauser, C. Scheiman, *LogGP:
/// incorporating long messages into the LogP model*, SPAA'95), which is what calls took beyond it and stays.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MessageNetwork {
    /// From when the first byte leaves until it is there, in seconds.
    pub latency_s: f64,
    /// Of the link of each processor, in each direction; messages share it.
    pub bandwidth_bytes_per_s: f64,
}

impl MessageNetwork {
    fn latency_ns(&self) -> i64 {
        (1e9 * self.latency_s).round() as i64
    }

    /// How long a link is busy with so many bytes.
    fn link_ns(&self, bytes: f64) -> i64 {
        (1e9 * bytes / self.bandwidth_bytes_per_s).round() as i64
    }
}
