use call_trace::BspMachine;

use crate::obsp::TaskError;

/// Why supersteps cannot be replayed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum Error {
    #[error(
        "the trace has no supersteps: write `supersteps` at the end of the directive `parallel`, or run the program with \
         CALL_SUPERSTEPS=1"
    )]
    NoSupersteps,
    #[error(
        "the supersteps of processor {processor}, which is in machine {machine}, are missing: the trace was cut, or only a part of \
         the machine reported; report on the machine of all processors"
    )]
    MissingProcessor { processor: u32, machine: BspMachine },
    #[error("processor {processor} is not in machine {machine}, which has all others")]
    ForeignProcessor { processor: u32, machine: BspMachine },
    #[error(
        "the supersteps of processor {processor} break off in superstep {superstep} of machine {machine}: the trace was cut; record \
         the run anew"
    )]
    Cut { processor: u32, machine: BspMachine, superstep: u64 },
    #[error(
        "processor {left} has {left_count} supersteps of machine {machine}, processor {right} has {right_count}: the trace was cut, or \
         they did not report together"
    )]
    Unequal { machine: BspMachine, left: u32, left_count: usize, right: u32, right_count: usize },
    #[error(
        "superstep {superstep} of machine {machine} on processor {processor} does not follow the one before it"
    )]
    Order { processor: u32, machine: BspMachine, superstep: u64 },
    #[error(
        "superstep {superstep} of machine {machine} ends with `{left_call}` on processor {left}, and with `{right_call}` on processor \
         {right}"
    )]
    Ends { machine: BspMachine, superstep: u64, left: u32, left_call: String, right: u32, right_call: String },
    #[error("in superstep {superstep} of machine {machine} the parts of its processors do not fit together")]
    Parts { machine: BspMachine, superstep: u64 },
    #[error("machine {inner} on processor {processor} does not lie in machine {outer}")]
    Outside { processor: u32, inner: BspMachine, outer: BspMachine },
    #[error("processor {processor} has machines inside each other more than {most} deep")]
    TooDeep { processor: u32, most: usize },
    #[error("the processors tell by different clocks: record them in one run")]
    Clocks,
    #[error(
        "the trace does not say how much of its supersteps lay inside experiments: it is from an older runtime; translate, compile and \
         run the program anew"
    )]
    NoExperiments,
    #[error("no superstep has computed inside experiment `{experiment}`; there {}", listed(known))]
    UnknownExperiment { experiment: String, known: Vec<String> },
    #[error("experiment `{experiment}` cannot be {factor} times as fast: give a number above 0")]
    Factor { experiment: String, factor: f64 },
    #[error(
        "{} lie inside each other: say of one of them at a time how fast it is",
        listed_names(experiments)
    )]
    Overlap { experiments: Vec<String> },
    #[error("{name} is {value}: it is a number of at least 0")]
    Cost { name: &'static str, value: f64 },
    #[error(
        "no superstep ends with a synchronisation of several processors, so g and L cannot be fitted: give both"
    )]
    NothingToFit,
    #[error("all synchronisations have the same h-relation, so g and L cannot be told apart: give both")]
    OneRelation,
    #[error("g and L cannot be fitted: {0}")]
    Fit(call_fit::Error),
    #[error("{0}")]
    Task(TaskError),
}

fn listed_names(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" and ")
}

fn listed(names: &[String]) -> String {
    match names {
        [] => "are none".to_owned(),
        [name] => format!("is `{name}`"),
        names => format!("are {}", listed_names(names)),
    }
}
