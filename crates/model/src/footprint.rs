//! How much memory an experiment reaches, set against the caches of the computer on which it was measured.

use std::collections::BTreeMap;

use call_grammar::Quantity;
use call_trace::{ArrayAccess, SourceCounts};

use crate::{LINE_BYTES, LoopSteps, Remark, SampledRange, StatementConditions, reached_lines};

/// With more variables their largest values together are not looked at.
const MOST_VARIABLES: usize = 8;

/// What the statements of an experiment reach of each array, and the caches that all of its samples fit into.
#[derive(Debug, Clone)]
pub(crate) struct Footprint {
    /// By array what each kind of access reaches, and where it is made.
    arrays: BTreeMap<String, Vec<(ReachedMemory, StatementConditions)>>,
    /// Level, from 1 on, and bytes.
    caches: Vec<(usize, u64)>,
}

/// What accesses of one kind reach.
#[derive(Debug, Clone)]
enum ReachedMemory {
    /// The lines that loops reach with elements of so many bytes: of each loop how many iterations it has, and how many elements these are
    /// apart; none if it is only known to be another row.
    Lines(f64, Vec<(Quantity, Option<Quantity>)>),
    /// So many elements of so many bytes, where data decide which ones these are, or nobody knows.
    Elements(f64, Quantity),
}

impl ReachedMemory {
    /// `None` where the source does not say how many elements are reached.
    fn of(access: &ArrayAccess) -> Option<ReachedMemory> {
        let bytes = f64::from(access.bytes?);
        let elements = Quantity::parse(access.footprint.as_ref()?).ok()?;
        let steps = access.loops.iter().map(|its| {
            let stride = match &*its.stride {
                "row" => None,
                "irregular" | "unknown" => return None,
                elements => Some(Quantity::parse(elements).ok()?),
            };
            Some((Quantity::parse(&its.iterations).ok()?, stride))
        });
        Some(match steps.collect::<Option<Vec<_>>>() {
            Some(loops) if !loops.is_empty() => ReachedMemory::Lines(bytes, loops),
            _ => ReachedMemory::Elements(bytes, elements),
        })
    }

    /// How many bytes that are where the variables have these values.
    fn bytes(&self, value: &dyn Fn(&str) -> Option<f64>) -> Option<f64> {
        let number = |quantity: &Quantity| {
            let names = quantity.variables().iter().map(|variable| value(variable.name()));
            Some(quantity.evaluate(&names.collect::<Option<Vec<f64>>>()?))
        };
        match self {
            ReachedMemory::Elements(bytes, elements) => Some(number(elements)? * bytes),
            ReachedMemory::Lines(bytes, loops) => {
                let steps = loops.iter().map(|(iterations, stride)| {
                    let iterations = number(iterations)?.max(1.0);
                    let stride = stride.as_ref().map_or(Some(f64::INFINITY), number)?;
                    Some(LoopSteps { iterations, stride_bytes: stride.abs() * bytes })
                });
                Some(LINE_BYTES * reached_lines(*bytes, steps.collect::<Option<Vec<_>>>()?))
            }
        }
    }
}

impl Footprint {
    /// What the source says, beside caches from the first level on; `None` if it does not say all, or no cache holds what the samples reach.
    pub(crate) fn of(
        counts: &SourceCounts,
        caches_bytes: &[u64],
        sampled: &BTreeMap<String, SampledRange>,
    ) -> Option<Footprint> {
        if caches_bytes.is_empty() || !counts.unknown.is_empty() || !counts.uncounted.is_empty() {
            return None;
        }
        let mut arrays: BTreeMap<String, Vec<(ReachedMemory, StatementConditions)>> = BTreeMap::new();
        for statement in counts.terms.iter().flat_map(|term| &term.statements) {
            let conditions = StatementConditions::of(&statement.conditions);
            for access in &statement.accesses {
                let its = (ReachedMemory::of(access)?, conditions.clone());
                arrays.entry(access.array.clone()).or_default().push(its);
            }
        }
        let mut footprint = Footprint { arrays, caches: Vec::new() };
        let sampled_bytes = footprint.most_sampled_bytes(sampled)?;
        let levels = (1..).zip(caches_bytes.iter().copied());
        footprint.caches = levels.filter(|(_, bytes)| sampled_bytes <= *bytes as f64).collect();
        (!footprint.caches.is_empty()).then_some(footprint)
    }

    /// The bytes that are reached where the variables have these values, of each array by the access that reaches most.
    fn bytes(&self, value: &dyn Fn(&str) -> Option<f64>) -> Option<f64> {
        let of_access = |(memory, conditions): &(ReachedMemory, StatementConditions)| {
            if conditions.may_hold(value) { memory.bytes(value) } else { Some(0.0) }
        };
        let of_array = |its: &Vec<(ReachedMemory, StatementConditions)>| {
            its.iter().try_fold(0.0, |most, access| Some(f64::max(most, of_access(access)?)))
        };
        let total = self.arrays.values().try_fold(0.0, |sum, its| Some(sum + of_array(its)?))?;
        total.is_finite().then_some(total)
    }

    /// What is to be said where more is reached than the largest cache holds that all samples fit into.
    pub(crate) fn remark(&self, variables: &[String], point: &[f64]) -> Option<Remark> {
        let here = |name: &str| variables.iter().position(|known| known == name).map(|place| point[place]);
        let reached_bytes = self.bytes(&here)?;
        let outgrown = self.caches.iter().copied().filter(|(_, bytes)| (*bytes as f64) < reached_bytes);
        let (level, cache_bytes) = outgrown.max_by_key(|(_, bytes)| *bytes)?;
        Some(Remark::OutgrownCache { reached_bytes, level, cache_bytes })
    }

    /// The most that any sample can reach: that of the smallest or largest value of each variable.
    fn most_sampled_bytes(&self, sampled: &BTreeMap<String, SampledRange>) -> Option<f64> {
        let ranges: Vec<(&String, &SampledRange)> = sampled.iter().collect();
        if ranges.len() > MOST_VARIABLES {
            return None;
        }
        (0..1_usize << ranges.len()).try_fold(0.0, |most, corner| {
            let value = |name: &str| {
                let place = ranges.iter().position(|(known, _)| *known == name)?;
                let range = ranges[place].1;
                Some(if corner >> place & 1 == 0 { range.lowest } else { range.highest })
            };
            Some(f64::max(most, self.bytes(&value)?))
        })
    }
}

#[cfg(test)]
mod tests {
    use call_trace::{LoopAround, SourceStatement, SourceTerm};

    use super::*;

    fn counts(accesses: &[(&str, Option<&str>, u32)]) -> SourceCounts {
        let access = |(array, footprint, bytes): &(&str, Option<&str>, u32)| ArrayAccess {
            array: (*array).to_owned(),
            footprint: footprint.map(str::to_owned),
            bytes: Some(*bytes),
            ..ArrayAccess::default()
        };
        let accesses = accesses.iter().map(access).collect();
        let statement = SourceStatement { accesses, ..SourceStatement::default() };
        let term = SourceTerm { statements: vec![statement], ..SourceTerm::default() };
        SourceCounts { terms: vec![term], ..SourceCounts::default() }
    }

    #[test]
    fn arrays_are_added_up_and_accesses_of_one_are_not() {
        let counts = counts(&[("a", Some("n"), 8), ("a", Some("n/P"), 8), ("b", Some("n*n"), 4)]);
        let range = |value| SampledRange { lowest: value, highest: value, is_whole: true };
        let sampled = BTreeMap::from([("n".to_owned(), range(2.0)), ("P".to_owned(), range(1.0))]);
        let footprint = Footprint::of(&counts, &[1 << 10], &sampled).unwrap();
        let value = |name: &str| Some(if name == "n" { 10.0 } else { 2.0 });
        assert_eq!(footprint.bytes(&value), Some(480.0));
        assert_eq!(footprint.bytes(&|_| None), None);
    }

    /// Where loops are known, whole lines count, and what the loops go over twice counts once.
    #[test]
    fn memory_is_that_of_lines() {
        let bytes = |loops: &[(&str, &str)]| {
            let around = |(iterations, stride): &(&str, &str)| LoopAround {
                iterations: (*iterations).to_owned(),
                stride: (*stride).to_owned(),
                ..LoopAround::default()
            };
            let access = ArrayAccess {
                bytes: Some(8),
                footprint: Some("7*n".to_owned()),
                loops: loops.iter().map(around).collect(),
                ..ArrayAccess::default()
            };
            ReachedMemory::of(&access).unwrap().bytes(&|_| Some(800.0)).unwrap()
        };
        assert_eq!(bytes(&[("n/8", "8")]), 6400.0);
        assert_eq!(bytes(&[("n/4", "floor(n/4)"), ("n/4", "1")]), 320_000.0);
        assert_eq!(bytes(&[("n", "4*n"), ("4*n", "1")]), 4.0 * 8.0 * 640_000.0);
        assert_eq!(bytes(&[("n", "1"), ("n", "row")]), 8.0 * 640_000.0);
        // What is not known of one loop is not known.
        assert_eq!(bytes(&[("n", "unknown"), ("n", "0")]), 7.0 * 8.0 * 800.0);
        assert_eq!(bytes(&[("n", "irregular")]), 7.0 * 8.0 * 800.0);
    }

    #[test]
    fn what_is_not_known_is_not_told() {
        let of = |counts: &SourceCounts, caches: &[u64]| Footprint::of(counts, caches, &BTreeMap::new());
        assert!(of(&counts(&[]), &[1 << 10]).is_some());
        assert!(of(&counts(&[("a", None, 8)]), &[1 << 10]).is_none());
        assert!(of(&counts(&[]), &[]).is_none());
        let uncounted = SourceCounts { uncounted: vec!["`f`".to_owned()], ..counts(&[]) };
        assert!(of(&uncounted, &[1 << 10]).is_none());
    }

    #[test]
    fn samples_are_those_of_all_corners() {
        let range = |lowest, highest| SampledRange { lowest, highest, is_whole: true };
        let sampled =
            BTreeMap::from([("n".to_owned(), range(64.0, 256.0)), ("P".to_owned(), range(2.0, 8.0))]);
        let counts = counts(&[("a", Some("n/P"), 8)]);
        let footprint = Footprint::of(&counts, &[1 << 10, 1 << 13], &sampled).unwrap();
        let names = ["n".to_owned(), "P".to_owned()];
        let level = |n, processors| match footprint.remark(&names, &[n, processors]) {
            Some(Remark::OutgrownCache { level, .. }) => level,
            _ => 0,
        };
        // The samples reach at most 1024 bytes, those with 256 and 2.
        assert_eq!(
            [level(256.0, 2.0), level(300.0, 2.0), level(300.0, 4.0), level(4096.0, 2.0)],
            [0, 1, 0, 2]
        );
    }
}
