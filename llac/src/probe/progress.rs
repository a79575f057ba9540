//! How long the probe takes, and how far it is.

/// What the program is at, as its lines tell it: `probe: P = 2, exchange, round 3 of 40`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProbeStep {
    pub processors: u32,
    pub part: String,
    /// From 1.
    pub round: u32,
    pub rounds: u32,
}

impl ProbeStep {
    pub fn of(line: &str) -> Option<ProbeStep> {
        let rest = line.trim().strip_prefix("probe: P = ")?;
        let mut parts = rest.split(", ");
        let processors = parts.next()?.parse().ok()?;
        let part = parts.next()?.to_owned();
        let (round, rounds) = parts.next()?.strip_prefix("round ")?.split_once(" of ")?;
        Some(ProbeStep { processors, part, round: round.parse().ok()?, rounds: rounds.parse().ok()? })
    }
}

/// A part of the measurement and how long it takes on a computer of the year 2022; what is left is scaled by how this one does.
struct ProbePart {
    processors: u32,
    name: &'static str,
    seconds: f64,
}

/// All parts in their order.
pub struct Plan {
    parts: Vec<ProbePart>,
    /// Where it is.
    current: usize,
}

impl Plan {
    pub fn new(processors: &[u32], repeat: usize, is_quick: bool) -> Plan {
        let (memory, alone, together) = if is_quick { (1.5, 0.1, 0.1) } else { (25.0, 5.0, 20.0) };
        let part = |processors, name, seconds| ProbePart { processors, name, seconds };
        let mut parts = Vec::new();
        for &count in std::iter::repeat_n(processors, repeat).flatten() {
            if count == 1 {
                parts.push(part(count, "memory", memory));
            }
            parts.push(part(count, "exchange", if count == 1 { alone } else { together }));
        }
        Plan { parts, current: 0 }
    }

    pub fn seconds(&self) -> f64 {
        self.parts.iter().map(|part| part.seconds).sum()
    }

    /// The share that is done at a place, the same as the last one or one behind it.
    pub fn share_at(&mut self, place: &ProbeStep) -> Option<f64> {
        let is_here = |part: &ProbePart| part.processors == place.processors && part.name == place.part;
        self.current += self.parts[self.current..].iter().position(is_here)?;
        let (before, here) = (&self.parts[..self.current], &self.parts[self.current]);
        let before_s: f64 = before.iter().map(|part| part.seconds).sum();
        let rounds = f64::from(place.round.saturating_sub(1)) / f64::from(place.rounds.max(1));
        Some((before_s + rounds * here.seconds) / self.seconds())
    }
}

/// How long the rest takes if it goes on as in the seconds up to here; not known before a part is done.
pub fn remaining_s(share: f64, elapsed_s: f64) -> Option<f64> {
    (share > 0.0).then(|| (elapsed_s / share - elapsed_s).max(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_tell_how_far_it_is() {
        let mut plan = Plan::new(&[1, 2], 1, false);
        assert_eq!(remaining_s(0.0, 10.0), None);
        assert_eq!(remaining_s(0.25, 10.0), Some(30.0));
        let mut share = |line: &str| plan.share_at(&ProbeStep::of(line).unwrap());
        assert_eq!(share("probe: P = 1, memory, round 1 of 4\n"), Some(0.0));
        // Half of 25 s of 25 + 5 + 20.
        assert!((share("probe: P = 1, memory, round 3 of 4").unwrap() - 0.25).abs() < 1e-12);
        assert!((share("probe: P = 2, exchange, round 21 of 40").unwrap() - 0.8).abs() < 1e-12);
        assert!(share("probe: P = 4, memory, round 1 of 4").is_none());
        assert!(ProbeStep::of("something else").is_none());
    }

    #[test]
    fn a_second_run_follows_the_first() {
        let mut plan = Plan::new(&[1, 2], 2, false);
        assert_eq!(plan.seconds(), 100.0);
        let mut share = |line: &str| plan.share_at(&ProbeStep::of(line).unwrap()).unwrap();
        assert_eq!(share("probe: P = 1, memory, round 1 of 4"), 0.0);
        assert_eq!(share("probe: P = 2, exchange, round 1 of 4"), 0.3);
        assert_eq!(share("probe: P = 1, memory, round 1 of 4"), 0.5);
        assert_eq!(share("probe: P = 2, exchange, round 1 of 4"), 0.8);
    }
}
