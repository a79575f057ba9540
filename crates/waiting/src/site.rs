use std::collections::{BTreeMap, BTreeSet};

use call_trace::CallSite;

use crate::history::MetWait;
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

#[derive(Debug, Clone, Default)]
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

/// What others do longer than the waiting processor, by what and how: numbers that a [`Collector`] gives.
type Signature = Vec<(usize, i64)>;

/// Two waits are of one class if their shares differ by less, added up over all causes of both.
const ALIKE: f64 = 0.2;

/// A site with more classes puts further waits to the nearest one.
const MOST_CLASSES: usize = 32;

/// The waits of a site as they come.
#[derive(Debug, Default)]
pub(crate) struct Collector {
    by_processor: BTreeMap<usize, (u64, i64)>,
    kinds: BTreeMap<WaitKind, (u64, i64)>,
    /// What is done there, by its number.
    keys: Vec<(usize, State)>,
    /// That number, by code and state.
    number_of: Vec<u32>,
    classes: Vec<CollectedClass>,
    /// Of the wait that comes, by number; all 0 between.
    sums_ns: Vec<i64>,
    /// Of the wait that comes: the number of each cause, all of them together, and their shares.
    numbers: Vec<usize>,
    signature: Signature,
    shares: Vec<(usize, f64)>,
}

const UNKNOWN: u32 = u32::MAX;

#[derive(Debug, Default)]
struct CollectedClass {
    waits: u64,
    waiting_ns: i64,
    waiting: BTreeSet<usize>,
    causing: BTreeSet<usize>,
    /// By number, of the waiting processor itself and of others.
    causes: Vec<[Collected; 2]>,
    /// By number.
    signature_ns: Vec<i64>,
    /// Of all in the signature, signs apart.
    size_ns: u128,
}

impl Collector {
    pub(crate) fn add(&mut self, wait: &MetWait, processor: u32, steps: &[Step]) {
        let of_processor = self.by_processor.entry(wait.place.timeline()).or_default();
        for sum in [of_processor, self.kinds.entry(wait.kind).or_default()] {
            *sum = (sum.0 + 1, sum.1.saturating_add(wait.waiting_ns));
        }
        // There are many waits, and room for one suffices for the next.
        let (mut numbers, mut signature) =
            (std::mem::take(&mut self.numbers), std::mem::take(&mut self.signature));
        numbers.clear();
        numbers.extend(wait.cause.iter().map(|(step, _)| self.key(steps[*step as usize])));
        self.sign(wait, &numbers, &mut signature);
        let class = self.class_of(&signature);
        class.waits += 1;
        class.waiting_ns = class.waiting_ns.saturating_add(wait.waiting_ns);
        class.waiting.insert(wait.place.timeline());
        class.causing.insert(wait.causer.timeline());
        for (key, (step, time_ns)) in numbers.iter().zip(&wait.cause) {
            let whose = steps[*step as usize].processor;
            if *key >= class.causes.len() {
                class.causes.resize(key + 1, Default::default());
            }
            class.causes[*key][usize::from(whose != processor)].add(whose, *time_ns);
        }
        signature.iter().for_each(|(key, time_ns)| class.sign(*key, *time_ns));
        (self.numbers, self.signature) = (numbers, signature);
    }

    fn key(&mut self, Step { code, state, .. }: Step) -> usize {
        let place = 2 * code + state.bit();
        if place >= self.number_of.len() {
            self.number_of.resize(place + 1, UNKNOWN);
        }
        let number = &mut self.number_of[place];
        if *number == UNKNOWN {
            *number = self.keys.len() as u32;
            self.keys.push((code, state));
        }
        *number as usize
    }

    fn sign(&mut self, wait: &MetWait, keys: &[usize], signature: &mut Signature) {
        self.sums_ns.resize(self.keys.len(), 0);
        keys.iter().zip(&wait.cause).for_each(|(key, (_, time_ns))| self.sums_ns[*key] += time_ns);
        let taken = keys.iter().map(|key| (*key, std::mem::take(&mut self.sums_ns[*key])));
        signature.clear();
        signature.extend(taken.filter(|(_, time_ns)| *time_ns != 0));
    }

    fn class_of(&mut self, signature: &Signature) -> &mut CollectedClass {
        let sum = signature.iter().map(|(_, time_ns)| time_ns.unsigned_abs() as f64).sum::<f64>().max(1.0);
        self.shares.clear();
        self.shares.extend(signature.iter().map(|(key, time_ns)| (*key, *time_ns as f64 / sum)));
        let distances = self.classes.iter().map(|class| class.difference(&self.shares));
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
            self.classes.into_iter().map(|class| class.finish(&self.keys, processors)).collect();
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
    fn sign(&mut self, key: usize, time_ns: i64) {
        if key >= self.signature_ns.len() {
            self.signature_ns.resize(key + 1, 0);
        }
        let sum_ns = &mut self.signature_ns[key];
        self.size_ns -= u128::from(sum_ns.unsigned_abs());
        *sum_ns = sum_ns.saturating_add(time_ns);
        self.size_ns += u128::from(sum_ns.unsigned_abs());
    }

    /// From the shares that each cause has in the whole of a wait, signs apart: what the wait does not have counts with all that it is here.
    fn difference(&self, shares: &[(usize, f64)]) -> f64 {
        let scale = 1.0 / (self.size_ns as f64).max(1.0);
        let difference = |(key, share): &(usize, f64)| {
            let own = self.signature_ns.get(*key).map_or(0.0, |time_ns| *time_ns as f64 * scale);
            (own - share).abs() - own.abs()
        };
        (self.size_ns as f64 * scale + shares.iter().map(difference).sum::<f64>()).max(0.0)
    }

    /// `keys` are what the numbers stand for.
    fn finish(self, keys: &[(usize, State)], processors: &[u32]) -> Class {
        let mut causes = Vec::new();
        for ((code, state), both) in keys.iter().zip(self.causes) {
            for (cause, is_own) in both.into_iter().zip([true, false]).filter(|(cause, _)| cause.time_ns != 0)
            {
                let places =
                    cause.processors.iter().filter_map(|number| processors.binary_search(number).ok());
                let (code, state, time_ns) = (*code, *state, cause.time_ns);
                causes.push(Cause { is_own, processors: places.collect(), code, state, time_ns });
            }
        }
        causes.sort_by_key(|cause| {
            (std::cmp::Reverse(cause.time_ns.unsigned_abs()), cause.is_own, cause.code, cause.state)
        });
        let reasons = keys.iter().zip(self.signature_ns).filter(|(_, time_ns)| *time_ns != 0);
        let mut reasons: Vec<Reason> =
            reasons.map(|((code, state), time_ns)| Reason { code: *code, state: *state, time_ns }).collect();
        reasons.sort_by_key(|reason| {
            (std::cmp::Reverse(reason.time_ns.unsigned_abs()), reason.code, reason.state)
        });
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
