/// What became of an experiment whose measurements were summed up while they were read, as there were too many.
///
/// Counts, means, minima and maxima of the points that were kept are exact. Of each point of each processor, up to 16
/// measurements are kept as samples, from which medians come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condensation {
    /// The name of the experiment.
    pub experiment: String,
    /// Its measurements, also those of points that were left out.
    pub measurements: u64,
    /// One of so many points was kept, with all its measurements; 1 if all were.
    pub points_per_kept: u64,
}
