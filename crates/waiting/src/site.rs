use std::collections::{BTreeMap, BTreeSet};

use call_trace::CallSite;

use crate::clock::MetWait;
use crate::kind::WaitKind;
use crate::step::{State, Step};

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
    pub reasons: Vec<Reason>,
}

/// What those that were waited for do longer than the waiting ones, or less (negative).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reason {
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
    /// Who does it, as positions in [`Waits::processors`](crate::Waits::processors), ascending.
    pub processors: Vec<usize>,
    /// Index into [`Waits::codes`](crate::Waits::codes).
    pub code: usize,
    /// How the time is spent there.
    pub state: State,
    /// How much more, or less.
    pub time_ns: i64,
}

impl Class {
    /// The largest reasons, as many as explain 95 % of all that there is to explain, signs apart. What all do alike is none.
    pub fn main_reasons(&self) -> &[Reason] {
        let size = |reasons: &[Reason]| {
            reasons.iter().map(|reason| reason.time_ns.unsigned_abs() as f64).sum::<f64>()
        };
        let all = size(&self.reasons);
        let enough = (0..self.reasons.len()).find(|count| size(&self.reasons[..*count]) >= 0.95 * all);
        &self.reasons[..enough.unwrap_or(self.reasons.len())]
    }
}

/// Causes by whose, what and how; of others whoever they are, with their numbers.
type Causes = BTreeMap<(bool, usize, State), Collected>;

#[derive(Debug, Default)]
struct Collected {
    time_ns: i64,
    /// Ascending.
    processors: Vec<u32>,
}

impl Collected {
    fn add(&mut self, whose: u32, time_ns: i64) {
        self.time_ns = self.time_ns.saturating_add(time_ns);
        if let Err(place) = self.processors.binary_search(&whose) {
            self.processors.insert(place, whose);
        }
    }
}

/// What others do longer than the waiting processor, by what and how.
type Signature = BTreeMap<(usize, State), i64>;

/// Two waits are of one class if their shares differ by less, added up over all causes of both.
const ALIKE: f64 = 0.2;

/// A site with more classes puts further waits to the nearest one.
const MOST_CLASSES: usize = 32;

/// The waits of a site as they come.
#[derive(Debug, Default)]
pub(crate) struct Collector {
    by_processor: BTreeMap<usize, (u64, i64)>,
    kinds: BTreeMap<WaitKind, (u64, i64)>,
    classes: Vec<CollectedClass>,
}

#[derive(Debug, Default)]
struct CollectedClass {
    waits: u64,
    waiting_ns: i64,
    waiting: BTreeSet<usize>,
    causing: BTreeSet<usize>,
    causes: Causes,
    signature: Signature,
}

impl Collector {
    pub(crate) fn add(&mut self, wait: &MetWait, processor: u32, steps: &[Step]) {
        let of_processor = self.by_processor.entry(wait.place.timeline).or_default();
        for sum in [of_processor, self.kinds.entry(wait.kind).or_default()] {
            *sum = (sum.0 + 1, sum.1.saturating_add(wait.waiting_ns));
        }
        let mut signature = Signature::new();
        for (step, time_ns) in &wait.cause {
            let Step { code, state, .. } = steps[*step as usize];
            *signature.entry((code, state)).or_default() += time_ns;
        }
        let class = self.class_of(&signature);
        class.waits += 1;
        class.waiting_ns = class.waiting_ns.saturating_add(wait.waiting_ns);
        class.waiting.insert(wait.place.timeline);
        class.causing.insert(wait.causer.timeline);
        for (step, time_ns) in &wait.cause {
            let Step { processor: whose, code, state } = steps[*step as usize];
            class.causes.entry((whose == processor, code, state)).or_default().add(whose, *time_ns);
        }
        for (key, time_ns) in signature {
            let sum_ns = class.signature.entry(key).or_default();
            *sum_ns = sum_ns.saturating_add(time_ns);
        }
    }

    fn class_of(&mut self, signature: &Signature) -> &mut CollectedClass {
        let distances = self.classes.iter().map(|class| difference(&class.signature, signature));
        let nearest = distances.enumerate().min_by(|left, right| left.1.total_cmp(&right.1));
        let number = match nearest {
            Some((number, distance)) if distance < ALIKE || self.classes.len() == MOST_CLASSES => number,
            _ => {
                self.classes.push(CollectedClass::default());
                self.classes.len() - 1
            }
        };
        &mut self.classes[number]
    }

    /// `processors` are the numbers of all, ascending.
    pub(crate) fn finish(self, code: usize, site: CallSite, processors: &[u32]) -> Site {
        let mut waiting_by_processor_ns = vec![0; processors.len()];
        let mut waits_by_processor = vec![0; processors.len()];
        for (processor, (waits, time_ns)) in self.by_processor {
            waiting_by_processor_ns[processor] = time_ns;
            waits_by_processor[processor] = waits;
        }
        let mut kinds: Vec<KindOfSite> = self
            .kinds
            .into_iter()
            .map(|(kind, (waits, waiting_ns))| KindOfSite { kind, waits, waiting_ns })
            .collect();
        kinds.sort_by_key(|kind| std::cmp::Reverse(kind.waiting_ns));
        let mut classes: Vec<Class> =
            self.classes.into_iter().map(|class| class.finish(processors)).collect();
        classes.sort_by_key(|class| std::cmp::Reverse(class.waiting_ns));
        Site {
            code,
            site,
            waits: kinds.iter().map(|kind| kind.waits).sum(),
            waiting_ns: kinds.iter().fold(0, |sum: i64, kind| sum.saturating_add(kind.waiting_ns)),
            waiting_by_processor_ns,
            waits_by_processor,
            kinds,
            classes,
        }
    }
}

impl CollectedClass {
    fn finish(self, processors: &[u32]) -> Class {
        let mut causes: Vec<Cause> = self
            .causes
            .into_iter()
            .filter(|(_, cause)| cause.time_ns != 0)
            .map(|((is_own, code, state), cause)| {
                let places =
                    cause.processors.iter().filter_map(|number| processors.binary_search(number).ok());
                Cause { is_own, processors: places.collect(), code, state, time_ns: cause.time_ns }
            })
            .collect();
        causes.sort_by_key(|cause| std::cmp::Reverse(cause.time_ns.unsigned_abs()));
        let reasons = self.signature.into_iter().filter(|(_, time_ns)| *time_ns != 0);
        let mut reasons: Vec<Reason> =
            reasons.map(|((code, state), time_ns)| Reason { code, state, time_ns }).collect();
        reasons.sort_by_key(|reason| std::cmp::Reverse(reason.time_ns.unsigned_abs()));
        Class {
            waits: self.waits,
            waiting_ns: self.waiting_ns,
            waiting: self.waiting.into_iter().collect(),
            causing: self.causing.into_iter().collect(),
            causes,
            reasons,
        }
    }
}

/// Of the shares that each cause has in the whole, signs apart.
fn difference(left: &Signature, right: &Signature) -> f64 {
    let size = |causes: &Signature| causes.values().map(|time_ns| time_ns.unsigned_abs() as f64).sum::<f64>();
    let sizes = [size(left).max(1.0), size(right).max(1.0)];
    let share = |causes: &Signature, key, size: f64| causes.get(key).map_or(0.0, |ns| *ns as f64 / size);
    let of_left = left.keys().map(|key| (share(left, key, sizes[0]) - share(right, key, sizes[1])).abs());
    let only_right = right.keys().filter(|key| !left.contains_key(key));
    of_left.sum::<f64>() + only_right.map(|key| share(right, key, sizes[1]).abs()).sum::<f64>()
}
