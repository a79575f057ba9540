/// Why traces make no machine.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum ProbeError {
    #[error("there are no traces: name those that the probe has written, probe.call.*.dat")]
    NoRuns,
    #[error("these are not the traces of the probe: they have no measurements of `{experiment}`")]
    NotTheProbe { experiment: &'static str },
    #[error(
        "with {processors} processors the probe measured {what} as {value}, which is no cost: run it again with more rounds, \
         and under a simulator simulate the computation, too"
    )]
    NoCost { what: &'static str, processors: u64, value: f64 },
    #[error("`{0}` cannot be the name of a machine: give one that is a single word")]
    Name(String),
    #[error(
        "the traces do not say when they were measured, which a machine file does: their `date` is `{0}`"
    )]
    Date(String),
    #[error(transparent)]
    Model(#[from] call_model::Error),
}
