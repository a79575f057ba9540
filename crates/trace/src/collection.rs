use crate::condenser::Condenser;
use crate::{Condensation, Samples, Summaries};

/// How much of a trace is kept in memory while it is read.
///
/// When a trace has more samples, the experiments with most of them are summed up from their first row on, as programs do it
/// with `CALL_TRACE=summary`; see [`Summaries`](crate::Summaries). When even these are too many, every second point goes,
/// then every second one of those that are left, and so on, with all its measurements on all processors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Samples of all experiments together. It is looked at whenever 65 536 rows have come.
    pub samples: usize,
    /// Summaries of all experiments together, each of a point of a processor.
    pub summaries: usize,
}

impl Limits {
    /// Everything is kept, however much that is.
    pub const NONE: Limits = Limits { samples: usize::MAX, summaries: usize::MAX };

    /// The same for a further trace beside so many samples.
    pub fn beside(self, samples: usize) -> Limits {
        Limits { samples: self.samples.saturating_sub(samples), ..self }
    }
}

impl Default for Limits {
    /// Of an experiment with one variable, a sample takes 32 bytes and a summary with its samples up to 800: that makes half a
    /// gigabyte each. A laptop has room for that, and for a copy in a fit; and beyond ten million samples a median of sixteen
    /// of a point's measurements is as good as that of all.
    fn default() -> Limits {
        Limits { samples: 1 << 24, summaries: 1 << 19 }
    }
}

/// Rows between two looks at the limits: their columns fit into a cache.
const ROWS_OF_A_ROUND: usize = 1 << 16;

/// What is kept of an experiment while its rows come.
#[derive(Debug)]
pub(crate) struct Collection {
    /// The last rows, or all.
    pub(crate) samples: Samples,
    /// What came before them, if they are summed up.
    condenser: Option<Condenser>,
}

impl Collection {
    pub(crate) fn new(samples: Samples) -> Collection {
        Collection { samples, condenser: None }
    }

    /// Sums up the samples to at most so many summaries.
    fn condense(&mut self, most_summaries: usize) {
        if let Some(condenser) = &mut self.condenser {
            condenser.take(&mut self.samples, most_summaries);
            return;
        }
        let mut condenser = Condenser::new(&self.samples);
        condenser.take(&mut self.samples, most_summaries);
        // From now on there are few at a time: the room is given back.
        let Samples { names, counter_names, .. } = std::mem::take(&mut self.samples);
        self.samples = Samples::named(names, counter_names);
        self.condenser = Some(condenser);
    }

    fn summaries(&self) -> usize {
        self.condenser.as_ref().map_or(0, Condenser::len)
    }

    /// Makes room for many times the samples. Columns that grow by and by are moved, and leave holes in the memory; room that is
    /// not used costs nothing.
    fn make_room(&mut self) {
        let samples = self.samples.len();
        if self.condenser.is_none() && samples >= ROWS_OF_A_ROUND / 2 && self.samples.capacity() < 2 * samples
        {
            self.samples.reserve(8 * samples);
        }
    }

    /// The samples, and the summaries of an experiment that had too many.
    pub(crate) fn finish(mut self) -> (Samples, Option<(Summaries, Condensation)>) {
        let Some(mut condenser) = self.condenser else { return (self.samples, None) };
        condenser.take(&mut self.samples, usize::MAX);
        let condensation = Condensation {
            experiment: String::new(),
            measurements: condenser.measurements(),
            points_per_kept: condenser.points_per_kept(),
        };
        let (summaries, kept) = condenser.finish();
        (kept, Some((summaries, condensation)))
    }
}

/// Looks at the limits from time to time.
#[derive(Debug)]
pub(crate) struct Rounds {
    limits: Limits,
    rows_of_a_round: usize,
    /// Rows up to the next look.
    left: usize,
}

impl Rounds {
    /// For so many experiments.
    pub(crate) fn new(limits: Limits, experiments: usize) -> Rounds {
        // To look at an experiment costs about as much as a row.
        let rows_of_a_round = ROWS_OF_A_ROUND.max(experiments);
        Rounds { limits, rows_of_a_round, left: rows_of_a_round }
    }

    /// Counts rows; returns whether it is time to [`Rounds::look`].
    #[inline]
    pub(crate) fn count(&mut self, rows: usize) -> bool {
        self.left = self.left.saturating_sub(rows);
        self.left == 0
    }

    /// Sums up what is too much.
    #[cold]
    #[inline(never)]
    pub(crate) fn look<T>(&mut self, tables: &mut [T], collection: impl Fn(&mut T) -> &mut Collection) {
        self.left = self.rows_of_a_round;
        let mut all: Vec<&mut Collection> = tables.iter_mut().map(collection).collect();
        let samples: usize =
            all.iter().filter(|its| its.condenser.is_none()).map(|its| its.samples.len()).sum();
        // Those with about as many as others have, or more: at least half of all samples are theirs.
        let many = if samples > self.limits.samples { samples.div_ceil(2 * all.len()) } else { usize::MAX };
        let mut summaries: usize = all.iter().map(|its| its.summaries()).sum();
        for index in 0..all.len() {
            let its = &mut *all[index];
            if its.condenser.is_some() || its.samples.len() >= many {
                summaries -= its.summaries();
                its.condense(self.limits.summaries);
                summaries += its.summaries();
                while summaries > self.limits.summaries {
                    summaries = thin(&mut all, summaries);
                }
            } else {
                its.make_room();
            }
        }
    }
}

/// Leaves out points of the experiments that have about as many as others have, or more; returns how many summaries are left.
fn thin(all: &mut [&mut Collection], summaries: usize) -> usize {
    let many = summaries.div_ceil(2 * all.len());
    for its in all.iter_mut() {
        if let Some(condenser) = its.condenser.as_mut().filter(|condenser| condenser.len() >= many) {
            condenser.thin();
        }
    }
    all.iter().map(|its| its.summaries()).sum()
}
