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
