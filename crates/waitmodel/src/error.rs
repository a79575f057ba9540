/// Why runs have no model of their waits.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum NoModel {
    #[error("{count} runs at different values are too few for a model")]
    TooFew { count: usize },
    #[error("no value differs between the runs")]
    NothingVaries,
    #[error("no run has processors that are allocated by a variable")]
    NoAllocation,
    #[error("there are more than {most} allocations")]
    TooMany { most: usize },
    #[error("`{variable}` allocates at least 1 processor, and no allocation has at most {total}")]
    NoRoom { variable: String, total: u64 },
    #[error("there are more than {most} points to choose from")]
    TooManyPoints { most: usize },
    #[error("of these points {least} to {most} can be chosen")]
    WrongCount { least: usize, most: usize },
    #[error(
        "there are {regions} regions in each of which something else takes longest, and {count} to be run in them"
    )]
    TooFewForRegions { count: usize, regions: usize },
}

impl NoModel {
    /// Stable name of the cause, for programs.
    pub fn code(&self) -> &'static str {
        match self {
            NoModel::TooFew { .. } => "too-few-runs",
            NoModel::NothingVaries => "nothing-varies",
            NoModel::NoAllocation => "no-allocation",
            NoModel::TooMany { .. } => "too-many-allocations",
            NoModel::NoRoom { .. } => "no-room",
            NoModel::TooManyPoints { .. } => "too-many-points",
            NoModel::WrongCount { .. } | NoModel::TooFewForRegions { .. } => "wrong-count",
        }
    }

    /// What to do.
    pub fn cure(&self) -> Option<&'static str> {
        Some(match self {
            NoModel::TooFew { .. } => "record runs at further values, and load them all",
            NoModel::NothingVaries => {
                "variables of experiments count, such as p0 in `#pragma cll f f[0] + f[1]*N/p0`: record runs with other values of them"
            }
            NoModel::NoAllocation => {
                "a variable of an experiment that is, in each run, the number of processors that do the same"
            }
            NoModel::TooMany { .. } => "give values to some variables, such as p0=1:4:+1",
            NoModel::NoRoom { .. } => "allow for more processors",
            NoModel::TooManyPoints { .. } => "take larger steps",
            NoModel::WrongCount { .. } => {
                "before any run as many as a model has constants, at least: 1, each variable, each product of two"
            }
            NoModel::TooFewForRegions { .. } => "allow for more runs",
        })
    }
}
