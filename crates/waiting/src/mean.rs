use crate::timeline::ProcessorTimeline;

/// How often and how long each timeline computes at a place, and what it would be if no processor computed longer there than all do on average.
#[derive(Debug)]
pub(crate) struct Visits {
    /// By timeline, in nanoseconds.
    pub(crate) times_ns: Vec<i64>,
    /// Whether all that compute there do it equally often.
    pub(crate) are_together: bool,
    most: Most,
}

/// What there is at most of a stretch of computing.
#[derive(Debug)]
enum Most {
    /// By visit, where each time is compared with the mean of that time, in nanoseconds.
    Each(Vec<i64>),
    /// By timeline, what its stretches are divided by, where sums are compared.
    Sum(Vec<Option<f64>>),
}

/// What is added up of one place.
#[derive(Debug, Clone, Default)]
struct PlaceSums {
    /// By timeline.
    times_ns: Vec<i64>,
    visits: Vec<usize>,
    sums_ns: Vec<f64>,
    /// By visit, of all timelines.
    by_visit_ns: Vec<f64>,
}

/// Of each of these codes, in their order.
pub(crate) fn visits(timelines: &[ProcessorTimeline], codes: &[usize]) -> Vec<Visits> {
    let place_of = places(codes);
    let none = PlaceSums {
        times_ns: vec![0; timelines.len()],
        visits: vec![0; timelines.len()],
        sums_ns: vec![0.0; timelines.len()],
        by_visit_ns: Vec::new(),
    };
    let mut sums = vec![none; codes.len()];
    for (number, timeline) in timelines.iter().enumerate() {
        for computing in timeline.calls.stretches() {
            if let Some(Some(place)) = place_of.get(computing.code as usize) {
                sums[*place].add(number, computing.time_ns);
            }
        }
    }
    sums.into_iter().map(PlaceSums::finish).collect()
}

/// By code, its place among these.
pub(crate) fn places(codes: &[usize]) -> Vec<Option<usize>> {
    let mut places = vec![None; codes.iter().max().map_or(0, |code| code + 1)];
    codes.iter().enumerate().for_each(|(place, code)| places[*code] = Some(place));
    places
}

impl PlaceSums {
    fn add(&mut self, timeline: usize, time_ns: i64) {
        let visit = self.visits[timeline];
        self.visits[timeline] += 1;
        self.times_ns[timeline] = self.times_ns[timeline].saturating_add(time_ns);
        self.sums_ns[timeline] += time_ns as f64;
        match self.by_visit_ns.get_mut(visit) {
            Some(sum_ns) => *sum_ns += time_ns as f64,
            None => self.by_visit_ns.push(time_ns as f64),
        }
    }

    fn finish(self) -> Visits {
        let count = self.times_ns.len() as f64;
        let most = self.by_visit_ns.len();
        let are_together = self.visits.iter().all(|visits| *visits == 0 || *visits == most);
        let most = match are_together {
            true => {
                Most::Each(self.by_visit_ns.iter().map(|sum_ns| (sum_ns / count).round() as i64).collect())
            }
            false => {
                let mean_ns = self.sums_ns.iter().sum::<f64>() / count;
                let factor = |sum_ns: &f64| (*sum_ns > mean_ns).then(|| sum_ns / mean_ns);
                Most::Sum(self.sums_ns.iter().map(factor).collect())
            }
        };
        Visits { times_ns: self.times_ns, are_together, most }
    }
}

impl Visits {
    /// What is left of a visit of a timeline that took so long, in nanoseconds.
    pub(crate) fn at_most_mean_ns(&self, timeline: usize, visit: usize, time_ns: i64) -> i64 {
        match &self.most {
            Most::Each(means_ns) => means_ns.get(visit).map_or(time_ns, |mean_ns| time_ns.min(*mean_ns)),
            Most::Sum(factors) => factors[timeline].map_or(time_ns, |factor| divided(time_ns, factor)),
        }
    }
}

/// A time in nanoseconds that is so many times shorter.
pub(crate) fn divided(time_ns: i64, factor: f64) -> i64 {
    (time_ns as f64 / factor).round() as i64
}
