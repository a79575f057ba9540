use crate::{Beyond, Model, PowerRelation};

/// What the user should know about a forecast.
#[derive(Debug, Clone, PartialEq)]
pub enum Remark {
    /// A variable leaves the samples.
    Beyond {
        /// The experiment, where several are involved.
        experiment: Option<String>,
        /// How far.
        beyond: Beyond,
    },
    /// Between two samples an interval of the constants ends and the next begins, nobody knows where.
    BetweenIntervals {
        /// The experiment, where several are involved.
        experiment: Option<String>,
        /// Name of the variable.
        variable: String,
        /// Its last sampled value in the interval below.
        below: f64,
        /// The first one in the interval above.
        above: f64,
        /// Where to measure.
        middle: Option<f64>,
    },
    /// On so many more processors messages may contend for links, and no term speaks of it.
    Contention {
        /// P of the forecast.
        processors: f64,
        /// The largest P that was measured.
        measured: f64,
        /// Whether a rate was predicted, which may be less, and no time, which may be longer.
        is_rate: bool,
    },
    /// More memory is reached than a cache holds that all samples fit into, and the formula knows of no caches.
    OutgrownCache {
        /// By the statements of the source.
        reached_bytes: f64,
        /// Level of the cache, from 1 on.
        level: usize,
        /// What it holds.
        cache_bytes: u64,
    },
    /// A question was asked of values of which not all were looked at, though times may jump or turn between any two.
    NotAllLookedAt {
        /// The variable.
        variable: String,
        /// How many values a range may have of which all are looked at; none where a variable has all numbers.
        most: Option<usize>,
    },
    /// The samples do not tell what the point needs of these constants: others fit as well and predict another time.
    Undetermined {
        /// Their names.
        constants: Vec<String>,
    },
    /// The predicted time is negative.
    Negative {
        /// The experiment and the point, where several are involved; 0 is taken for it then.
        of: Option<(String, Vec<f64>)>,
    },
    /// s, g and L of a machine were taken for a number of processors.
    Table {
        /// Name of the machine.
        machine: String,
        /// For so many.
        processors: f64,
        /// What its table has for them.
        entry: TableEntry,
    },
    /// A level of a machine's memory is quicker than the one before.
    QuickerLevel {
        /// Name of the machine.
        machine: String,
        /// The level that should be the quicker one.
        near: String,
        /// The one that is.
        far: String,
    },
    /// Something takes as long there as here, for want of a number.
    Assumed {
        /// A constant, or a kind of work.
        what: String,
        /// The other machine.
        machine: String,
        /// What is lacking.
        lacking: String,
    },
    /// Times were multiplied.
    Carried {
        /// The kind of work.
        what: String,
        /// From which machine.
        here: String,
        /// To which.
        there: String,
        /// By how much.
        factor: f64,
    },
    /// A variable of the samples is taken for the number of the machine of that name.
    TakenFromMachine {
        /// The variable.
        variable: String,
    },
    /// No term has a number of a machine, so that all count as computation.
    AllComputation,
    /// Intervals take the numbers of machines for exact.
    MeasuredOn {
        /// The machine of the measurements.
        machine: String,
    },
    /// None of the formulas that were found describes the samples.
    NoFormulaFits {
        /// Root of the mean square of the relative errors of the best.
        error: f64,
    },
    /// The formulas leave out a point, as if it was disturbed.
    PointLeftOut {
        /// Variables with their values.
        point: Vec<(String, f64)>,
        /// What was measured there / what the formulas say.
        factor: f64,
    },
    /// In all samples one variable follows from another one, and the point is elsewhere: what each does alone is not known.
    OffTheLine {
        /// Both.
        variables: [String; 2],
    },
    /// There is no formula: those that were found predict together.
    Averaged {
        /// How many.
        formulas: usize,
        /// The most probable one.
        best: String,
        /// Its probability.
        probability: f64,
        /// So many other experiments of the program say which setting suits it, and how wide intervals have to be.
        siblings: usize,
    },
}

impl Remark {
    /// The same of a rate, where it matters.
    pub(crate) fn of_rate(self) -> Remark {
        match self {
            Remark::Contention { processors, measured, .. } => {
                Remark::Contention { processors, measured, is_rate: true }
            }
            other => other,
        }
    }

    /// That a point is beside a relation that all samples have, if it is.
    pub fn off_the_line(relations: &[PowerRelation], variables: &[String], point: &[f64]) -> Option<Remark> {
        let left = relations.iter().find(|relation| relation.is_left_by(point))?;
        let variables = [left.from, left.to].map(|variable| variables[variable].clone());
        Some(Remark::OffTheLine { variables })
    }

    /// That the samples of a cell leave constants open which a prediction in it needs.
    pub fn undetermined(model: &Model, cell: usize) -> Remark {
        let formula = model.formula();
        let name = |term: usize| format!("{}[{}]", formula.experiment(), formula.terms()[term].coefficient.0);
        let undetermined = model.cells()[cell].fit.undetermined();
        Remark::Undetermined { constants: undetermined.into_iter().map(name).collect() }
    }
}

/// What the table of a machine has for a number of processors.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TableEntry {
    /// It lies between two entries.
    Between,
    /// It lies beyond all: those of the nearest are taken.
    Nearest {
        /// The P of that.
        processors: u64,
    },
    /// Repeated measurements of the machine differ by more than 100 %.
    Unrepeatable,
}
