use serde::{Deserialize, Serialize};

use crate::{Experiment, ProcessorEvents, ProcessorSupersteps};

/// The content of one trace file.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Trace {
    /// What the trace says about its run.
    pub header: Header,
    /// Whether anything is missing.
    pub completeness: Completeness,
    /// The experiments in the order of the file, also those without samples.
    pub experiments: Vec<Experiment>,
    /// The supersteps of each processor, if the program recorded them.
    pub supersteps: Vec<ProcessorSupersteps>,
    /// What each processor did, if the program recorded its events.
    pub events: Vec<ProcessorEvents>,
    /// The experiments that had more samples than were to be kept.
    pub condensations: Vec<Condensation>,
}

/// What a trace says about the run that wrote it. Texts that the trace does not have are empty.
#[derive(Debug, Clone, PartialEq, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct Header {
    /// Name of the program, which is also that of its trace files.
    pub program: String,
    /// File that was translated.
    pub source: String,
    /// Command line of the run.
    pub command: String,
    /// Start of the report, UTC.
    pub date: String,
    /// Host name.
    pub host: String,
    /// Operating system with release and architecture.
    pub system: String,
    /// Processor model.
    pub cpu: String,
    /// Compiler and version.
    pub compiler: String,
    /// Flags of the compiler.
    pub flags: String,
    /// Kind of the `parallel` directive.
    pub kind: String,
    /// How the processors exchanged messages.
    pub transport: String,
    /// Library of MPI with its version; empty without MPI and in traces of before.
    pub mpi: String,
    /// Whose runtime of OpenMP a program of MPI is linked with, whose threads its events know nothing of; empty without.
    pub openmp: String,
    /// Clock that measured.
    pub clock: String,
    /// Cores on line.
    pub cores: Option<u32>,
    /// Caches that hold data, from the first level on, as the system knows them.
    pub caches_bytes: Vec<u64>,
    /// The caches that were simulated while the program ran, as `L1 32768/8/64, L2 1048576/16/64` (bytes, ways, bytes of a line); empty if none
    /// were. Times of such a run say nothing of the computer.
    pub simulated_caches: String,
    /// Processors of the machine that reported; of an unfinished run as many as are known.
    pub processors: u32,
    /// Smallest step of the clock.
    pub clock_resolution_ns: Option<f64>,
    /// Ticks a second of a clock whose ticks were compared with another clock.
    pub clock_frequency_hz: Option<f64>,
    /// How far that frequency may be off at most.
    pub clock_frequency_uncertainty_hz: Option<f64>,
    /// Median time that an empty begin/end pair records.
    pub empty_pair_ns: Option<f64>,
    /// What a begin and an end take of the program's time.
    pub pair_cost_ns: Option<f64>,
    /// The part of the time of all threads that measuring took.
    pub measuring_share: Option<f64>,
    /// The part that it might take. Then not all executions were measured: [`Samples::count`](crate::Samples::count).
    pub budget: Option<f64>,
    /// What was taken off each time; absent when nothing was to be.
    pub subtracted_ns: Option<f64>,
    /// The part of the time that its processes ran or were ready to run in which they waited for a processor.
    pub waited_share: Option<f64>,
    /// The part of the time of all processors in which a hypervisor ran other computers.
    pub stolen_share: Option<f64>,
    /// Load average of the last minute before the report.
    pub load_average: Option<f64>,
    /// Measurements that were begun and never ended; they have no sample.
    pub abandoned: u64,
    /// Buffers that had to be allocated while a measurement was open.
    pub late_chunks: u64,
    /// A word that the traces of one run share; empty if the trace does not say it.
    pub run: String,
    /// How often the whole run had reported: a report counts itself; 0 if a part of the processors reported.
    pub reports: u64,
    /// If measurements were summarised, how many at most are kept as samples at each point of each processor.
    pub summaries: Option<u64>,
    /// The experiments with rows in which the variable `P` of the program was not the number of processors.
    pub other_p: Vec<OtherP>,
}

impl Header {
    /// The part of the time of the run in which others had the processors that its processes were ready to run on.
    pub fn taken_share(&self) -> Option<f64> {
        let stolen_share = self.stolen_share.unwrap_or(0.0);
        self.waited_share.map(|waited_share| (waited_share + stolen_share).min(1.0))
    }
}

/// Rows in which a variable `P` of the program, which takes the place of the number of processors, was another number.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
pub struct OtherP {
    /// The name of the experiment.
    pub experiment: String,
    /// How many rows.
    pub rows: u64,
    /// The value in the first of them.
    pub value: f64,
    /// How many processors there were in it.
    pub processors: u32,
}

/// Whether a trace holds all that its run measured.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Completeness {
    /// The last line is there and speaks of as many rows as were found.
    #[default]
    Complete,
    /// The end is missing, as the run was killed or the disk was full, or its last line speaks of other rows than were
    /// found. All whole rows were read.
    Cut {
        /// Rows that were read.
        rows: u64,
        /// Rows of which the last line speaks, if it is there.
        announced: Option<u64>,
    },
    /// The file holds what one process had measured when it last saved; its run has not reported.
    Unfinished {
        /// A word that the files of all processes of the run share.
        run: String,
        /// Rows that were read.
        rows: u64,
    },
}

/// What became of an experiment whose measurements were summed up while they were read, as there were too many.
///
/// Counts, means, minima and maxima of the points that were kept are exact. Of each point of each processor, up to 16
/// measurements are kept as samples, from which medians come.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
pub struct Condensation {
    /// The name of the experiment.
    pub experiment: String,
    /// Its measurements, also those of points that were left out.
    pub measurements: u64,
    /// One of so many points was kept, with all its measurements; 1 if all were.
    pub points_per_kept: u64,
}
