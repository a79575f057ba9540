/// What a trace says about the run that wrote it. Texts that the trace does not have are empty.
#[derive(Debug, Clone, PartialEq, Default)]
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
    /// Clock that measured.
    pub clock: String,
    /// Cores on line.
    pub cores: Option<u32>,
    /// Caches that hold data, from the first level on, as the system knows them.
    pub caches_bytes: Vec<u64>,
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
    /// What was taken off each time; absent when nothing was to be.
    pub subtracted_ns: Option<f64>,
    /// Measurements that were begun and never ended; they have no sample.
    pub abandoned: u64,
    /// Buffers that had to be allocated while a measurement was open.
    pub late_chunks: u64,
    /// If measurements were summarised, how many at most are kept as samples at each point of each processor.
    pub summaries: Option<u64>,
}
