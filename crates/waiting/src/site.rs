use call_trace::CallSite;

use crate::kind::WaitKind;
use crate::step::State;

/// A call of the library in which processors wait.
#[derive(Debug, Clone, PartialEq)]
pub struct Site {
    /// Index into [`Waits::codes`](crate::Waits::codes) of the call.
    pub code: usize,
    /// Where it stands.
    pub site: CallSite,
    /// How often something was waited for.
    pub waits: u64,
    /// How long, of all processors together.
    pub waiting_ns: i64,
    /// For each processor of [`Waits::processors`](crate::Waits::processors).
    pub waiting_by_processor_ns: Vec<i64>,
    /// How often each of them waited.
    pub waits_by_processor: Vec<u64>,
    /// By what was waited for, the longest first.
    pub kinds: Vec<KindOfSite>,
    /// By why it was waited, the longest first.
    pub classes: Vec<Class>,
}

/// Waits of a site that have a name in common.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs, reason = "the names say it")]
pub struct KindOfSite {
    pub kind: WaitKind,
    pub waits: u64,
    pub waiting_ns: i64,
}

/// Waits of a site whose causes have nearly the same shares.
#[derive(Debug, Clone, PartialEq)]
pub struct Class {
    /// How many.
    pub waits: u64,
    /// How long.
    pub waiting_ns: i64,
    /// Who waited, as positions in [`Waits::processors`](crate::Waits::processors), ascending.
    pub waiting: Vec<usize>,
    /// Who was waited for, likewise.
    pub causing: Vec<usize>,
    /// Sums of the signed causes, the largest first: together they are the waits.
    pub causes: Vec<Cause>,
    /// The same by what is done, whoever does it, the largest first.
    pub reasons: Vec<WaitReason>,
}

/// What those that were waited for do longer than the waiting ones, or less (negative).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WaitReason {
    /// Index into [`Waits::codes`](crate::Waits::codes).
    pub code: usize,
    /// How the time is spent there.
    pub state: State,
    /// How much longer, or less.
    pub time_ns: i64,
}

/// What a class of waits comes from: more of something on other processors, or less of it (negative) on the one that waits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cause {
    /// Whether the waiting processor itself does it.
    pub is_own: bool,
    /// Who does it longer, or less, as the sum is, as positions in [`Waits::processors`](crate::Waits::processors), ascending.
    pub processors: Vec<usize>,
    /// Index into [`Waits::codes`](crate::Waits::codes).
    pub code: usize,
    /// How the time is spent there.
    pub state: State,
    /// How much more, or less.
    pub time_ns: i64,
}

impl Class {
    /// The largest reasons, as many as explain 95 % of all that there is to explain, signs apart, and add up to the waits but for 5 %: large ones may
    /// cancel each other. What all do alike is none.
    pub fn main_reasons(&self) -> &[WaitReason] {
        const EXPLAINED_SHARE: f64 = 0.95;
        let sum =
            |of: fn(f64) -> f64| self.reasons.iter().map(|reason| of(reason.time_ns as f64)).sum::<f64>();
        let (all, size) = (sum(|time_ns| time_ns), sum(f64::abs));
        let (mut told, mut told_size) = (0.0, 0.0);
        let enough = self.reasons.iter().position(|reason| {
            told += reason.time_ns as f64;
            told_size += (reason.time_ns as f64).abs();
            told_size >= EXPLAINED_SHARE * size && (all - told).abs() <= (1.0 - EXPLAINED_SHARE) * all.abs()
        });
        &self.reasons[..enough.map_or(self.reasons.len(), |last| last + 1)]
    }
}
