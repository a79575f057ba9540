use crate::{Event, EventList};

/// What the clock of processor 0 showed when that of this processor showed something, in nanoseconds from the moments from which their times count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ClockReading {
    pub own_ns: u64,
    pub first_ns: u64,
    pub uncertainty_ns: u64,
}

/// Clocks of two computers go apart by so much of the time at most, where nothing compares them.
const MOST_DRIFT: f64 = 50e-6;

/// How far times may be off, in nanoseconds: by as much as any reading, and by what clocks drift before the first one and behind the last.
pub(crate) fn uncertainty_ns(events: &EventList, readings: &[ClockReading]) -> Option<u64> {
    let largest_ns = readings.iter().map(|reading| reading.uncertainty_ns).max()?;
    let own_ns = || readings.iter().map(|reading| reading.own_ns);
    let before_ns = own_ns().min()?.saturating_sub(events.iter().next().map_or(0, |event| event.at_ns));
    let behind_ns = events.last_ns().unwrap_or(0).saturating_sub(own_ns().max()?);
    Some(largest_ns.saturating_add((MOST_DRIFT * before_ns.max(behind_ns) as f64).ceil() as u64))
}

/// Times by the clock of processor 0: between two readings clocks drift evenly, and before and behind all of them not at all.
pub(crate) fn by_first_clock(events: &EventList, readings: &[ClockReading]) -> EventList {
    let mut sorted = readings.to_vec();
    sorted.sort_by_key(|reading| reading.own_ns);
    let mut last_ns = 0;
    let event = |event: Event| {
        // Rounding does not bring times out of their order.
        last_ns = first_ns(event.at_ns, &sorted).max(last_ns);
        Event { at_ns: last_ns, ..event }
    };
    events.iter().map(event).collect()
}

fn first_ns(own_ns: u64, sorted: &[ClockReading]) -> u64 {
    let behind = sorted.partition_point(|reading| reading.own_ns <= own_ns);
    let moved = |reading: &ClockReading| {
        i128::from(own_ns) - i128::from(reading.own_ns) + i128::from(reading.first_ns)
    };
    let found = match (behind.checked_sub(1).map(|before| &sorted[before]), sorted.get(behind)) {
        (Some(before), Some(next)) => {
            let own_length = next.own_ns - before.own_ns;
            let first_length = i128::from(next.first_ns) - i128::from(before.first_ns);
            let drift = (first_length - i128::from(own_length)) as f64 / own_length as f64;
            moved(before) + (drift * (own_ns - before.own_ns) as f64).round() as i128
        }
        (Some(before), None) => moved(before),
        (None, Some(next)) => moved(next),
        (None, None) => i128::from(own_ns),
    };
    u64::try_from(found.max(0)).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::EventKind;

    fn moved(readings: &[(u64, u64)], times_ns: &[u64]) -> Vec<u64> {
        let readings: Vec<ClockReading> = readings
            .iter()
            .map(|(own_ns, first_ns)| ClockReading {
                own_ns: *own_ns,
                first_ns: *first_ns,
                uncertainty_ns: 1,
            })
            .collect();
        let events: EventList =
            times_ns.iter().map(|at_ns| Event { at_ns: *at_ns, kind: EventKind::ProgramBegin }).collect();
        by_first_clock(&events, &readings).iter().map(|event| event.at_ns).collect()
    }

    /// 5 s apart at the start, and 10 µs a second more from then on, whatever the order of the readings.
    #[test]
    fn clocks_drift_between_readings() {
        let second = 1_000_000_000;
        let readings = [(100 * second, 105 * second + 1_000_000), (0, 5 * second)];
        let found = moved(&readings, &[0, 50 * second, 100 * second, 101 * second]);
        let expected =
            [5 * second, 55 * second + 500_000, 105 * second + 1_000_000, 106 * second + 1_000_000];
        assert_eq!(found, expected);
    }

    #[test]
    fn what_lies_before_all_is_at_the_start() {
        assert_eq!(moved(&[(100, 90)], &[0, 5, 20, 200]), [0, 0, 10, 190]);
    }
}
