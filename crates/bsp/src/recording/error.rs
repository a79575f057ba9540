use call_trace::BspMachine;

/// Why recorded supersteps are no run.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum RecordingError {
    #[error("the trace has no supersteps")]
    NoSupersteps,
    #[error(
        "the supersteps of processor {processor}, which is in machine {machine}, are missing: the trace was cut, or only a part of \
         the machine reported"
    )]
    MissingProcessor { processor: u32, machine: BspMachine },
    #[error("processor {processor} is not in machine {machine}, which has all others")]
    ForeignProcessor { processor: u32, machine: BspMachine },
    #[error(
        "the supersteps of processor {processor} break off in superstep {superstep} of machine {machine}: the trace was \
         cut"
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
    #[error("the processors tell by different clocks")]
    Clocks,
}

impl RecordingError {
    /// Stable name of the cause, for programs.
    pub fn code(&self) -> &'static str {
        match self {
            RecordingError::NoSupersteps => "no-supersteps",
            RecordingError::MissingProcessor { .. } => "missing-processor",
            RecordingError::ForeignProcessor { .. } => "foreign-processor",
            RecordingError::Cut { .. } => "cut-recording",
            RecordingError::Unequal { .. } => "unequal-supersteps",
            RecordingError::Order { .. } => "supersteps-out-of-order",
            RecordingError::Ends { .. } => "ends-differ",
            RecordingError::Parts { .. } => "parts-do-not-fit",
            RecordingError::Outside { .. } => "outside-machine",
            RecordingError::TooDeep { .. } => "machines-too-deep",
            RecordingError::Clocks => "clocks-differ",
        }
    }

    /// What to do.
    pub fn cure(&self) -> Option<&'static str> {
        match self {
            RecordingError::NoSupersteps => Some(
                "write `supersteps` at the end of the directive `parallel`, or run the program with CALL_SUPERSTEPS=1",
            ),
            RecordingError::MissingProcessor { .. } => {
                Some("record the run anew, and report on the machine of all processors")
            }
            RecordingError::Cut { .. } | RecordingError::Unequal { .. } => Some("record the run anew"),
            RecordingError::Clocks => Some("record all processors in one run"),
            RecordingError::ForeignProcessor { .. }
            | RecordingError::Order { .. }
            | RecordingError::Ends { .. }
            | RecordingError::Parts { .. }
            | RecordingError::Outside { .. }
            | RecordingError::TooDeep { .. } => None,
        }
    }
}
