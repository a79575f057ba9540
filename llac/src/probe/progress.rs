//! How long the probe takes, and how far it is.

/// What the program is at, as its lines tell it: `probe: P = 2, exchange, round 3 of 40`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    pub processors: u32,
    pub part: String,
    /// From 1.
    pub round: u32,
    pub rounds: u32,
}

impl Place {
    pub fn of(line: &str) -> Option<Place> {
        let rest = line.trim().strip_prefix("probe: P = ")?;
        let mut parts = rest.split(", ");
        let processors = parts.next()?.parse().ok()?;
        let part = parts.next()?.to_owned();
        let (round, rounds) = parts.next()?.strip_prefix("round ")?.split_once(" of ")?;
        Some(Place { processors, part, round: round.parse().ok()?, rounds: rounds.parse().ok()? })
    }
}

/// A part of the measurement and how long it takes on a computer of the year 2022; what is left is scaled by how this one does.
struct Part {
    processors: u32,
    name: &'static str,
    seconds: f64,
}

/// All parts in their order.
pub struct Plan {
    parts: Vec<Part>,
}

impl Plan {
    pub fn new(processors: &[u32], is_quick: bool) -> Plan {
        let (memory, alone, together) = if is_quick { (1.5, 0.1, 0.1) } else { (18.0, 6.0, 24.0) };
        let part = |processors, name, seconds| Part { processors, name, seconds };
        let mut parts = Vec::new();
        for &count in processors {
            if count == 1 {
                parts.push(part(count, "memory", memory));
            }
            parts.push(part(count, "exchange", if count == 1 { alone } else { together }));
        }
        Plan { parts }
    }

    pub fn seconds(&self) -> f64 {
        self.parts.iter().map(|part| part.seconds).sum()
    }

    /// The share that is done at a place.
    pub fn share(&self, place: &Place) -> Option<f64> {
        let is_here = |part: &Part| part.processors == place.processors && part.name == place.part;
        let at = self.parts.iter().position(is_here)?;
        let before: f64 = self.parts[..at].iter().map(|part| part.seconds).sum();
        let rounds = f64::from(place.round.saturating_sub(1)) / f64::from(place.rounds.max(1));
        Some((before + rounds * self.parts[at].seconds) / self.seconds())
    }

    /// How long the rest takes if it goes on as in the seconds up to here.
    pub fn remaining_s(&self, share: f64, elapsed_s: f64) -> f64 {
        let total_s = if share > 0.0 { elapsed_s / share } else { self.seconds() };
        (total_s - elapsed_s).max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_tell_how_far_it_is() {
        let plan = Plan::new(&[1, 2], false);
        let share = |line: &str| plan.share(&Place::of(line).unwrap()).unwrap();
        assert_eq!(share("probe: P = 1, memory, round 1 of 4\n"), 0.0);
        // Half of 18 s of 18 + 6 + 24.
        assert!((share("probe: P = 1, memory, round 3 of 4") - 9.0 / 48.0).abs() < 1e-12);
        assert!((share("probe: P = 2, exchange, round 21 of 40") - 36.0 / 48.0).abs() < 1e-12);
        assert!((plan.remaining_s(0.0, 0.0) - 48.0).abs() < 1e-12);
        assert_eq!(plan.remaining_s(0.25, 10.0), 30.0);
        assert!(Place::of("something else").is_none());
        assert!(plan.share(&Place::of("probe: P = 4, memory, round 1 of 4").unwrap()).is_none());
    }
}
