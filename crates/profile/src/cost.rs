/// What is accumulated for each cost centre.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CostQuantity {
    /// Local computation, seconds.
    Computation,
    /// Communication with the latency that no processor is spared, seconds.
    Communication,
    /// Idle time: waiting without that latency, seconds.
    Waiting,
    /// The h-relation: the larger of what came in and what went out, bytes.
    H,
}

impl CostQuantity {
    /// All of them.
    pub const ALL: [CostQuantity; 4] =
        [CostQuantity::Computation, CostQuantity::Communication, CostQuantity::Waiting, CostQuantity::H];

    /// Its name in keys.
    pub fn key(self) -> &'static str {
        match self {
            CostQuantity::Computation => "comp",
            CostQuantity::Communication => "comm",
            CostQuantity::Waiting => "wait",
            CostQuantity::H => "hrel",
        }
    }
}

/// A quantity over all supersteps of a cost centre, summed up in two ways that differ: in the three sums over supersteps each
/// superstep counts with its own largest, mean or smallest processor; `by_processor` adds up each processor first.
///
/// Equation (2) ≥ (5) ≥ (3) ≥ (4) of the paper: `maximum` ≥ [`largest_processor`](Accumulated::largest_processor) ≥ `average` ≥ `minimum`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Accumulated {
    /// Σ over supersteps of the maximum over processors, equation (2): the BSP cost.
    pub maximum: f64,
    /// Σ over supersteps of the mean over processors, equation (3).
    pub average: f64,
    /// Σ over supersteps of the minimum over processors, equation (4).
    pub minimum: f64,
    /// For each processor the Σ over supersteps.
    pub by_processor: Vec<f64>,
}

/// Values that are looked at side by side.
const LANES: usize = 8;

impl Accumulated {
    fn new(processors: usize) -> Accumulated {
        Accumulated { by_processor: vec![0.0; processors], ..Accumulated::default() }
    }

    /// The largest of `by_processor`, equation (5).
    pub fn largest_processor(&self) -> f64 {
        self.by_processor.iter().copied().reduce(f64::max).unwrap_or(0.0)
    }

    /// How far the sum of maxima is above the mean: nothing, where all processors have the same but for the rounding of means.
    pub fn imbalance(&self) -> f64 {
        const ROUNDING: f64 = 1e-12;
        let imbalance = self.maximum - self.average;
        if imbalance.abs() <= ROUNDING * self.maximum { 0.0 } else { imbalance }
    }

    /// Each sum by itself as another; for those that grow with each other.
    pub(crate) fn map(&self, of: impl Fn(f64) -> f64) -> Accumulated {
        Accumulated {
            maximum: of(self.maximum),
            average: of(self.average),
            minimum: of(self.minimum),
            by_processor: self.by_processor.iter().copied().map(of).collect(),
        }
    }

    /// One more superstep, with a value of each processor.
    pub(crate) fn add_superstep(&mut self, values: &[f64]) {
        if values.is_empty() {
            return;
        }
        add_each(&mut self.by_processor, values);
        // Several lanes, for one value need not wait for the one before.
        let (mut largest, mut smallest, mut sums) =
            ([f64::NEG_INFINITY; LANES], [f64::INFINITY; LANES], [0.0; LANES]);
        let (chunks, rest) = values.as_chunks::<LANES>();
        for chunk in chunks {
            for lane in 0..LANES {
                let value = chunk[lane];
                largest[lane] = if value > largest[lane] { value } else { largest[lane] };
                smallest[lane] = if value < smallest[lane] { value } else { smallest[lane] };
                sums[lane] += value;
            }
        }
        for (lane, value) in rest.iter().enumerate() {
            largest[lane] = largest[lane].max(*value);
            smallest[lane] = smallest[lane].min(*value);
            sums[lane] += value;
        }
        self.maximum += largest.into_iter().fold(f64::NEG_INFINITY, f64::max);
        self.average += sums.iter().sum::<f64>() / values.len() as f64;
        self.minimum += smallest.into_iter().fold(f64::INFINITY, f64::min);
    }

    fn add(&mut self, other: &Accumulated) {
        self.maximum += other.maximum;
        self.average += other.average;
        self.minimum += other.minimum;
        add_each(&mut self.by_processor, &other.by_processor);
    }
}

/// The costs of a cost centre, or of several together. A cost adds up over cost centres.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Cost {
    /// Number of synchronisations.
    pub synchronisations: u64,
    /// How much of the communication is latency: waiting that no processor was spared, added up over supersteps, seconds.
    pub latency_s: f64,
    /// In the order of [`CostQuantity::ALL`].
    pub(crate) quantities: [Accumulated; 4],
    /// Bytes that came to each processor.
    pub in_bytes: Vec<f64>,
    /// Bytes that went from each processor.
    pub out_bytes: Vec<f64>,
}

impl Cost {
    /// Nothing yet.
    pub fn new(processors: usize) -> Cost {
        Cost {
            synchronisations: 0,
            latency_s: 0.0,
            quantities: [(); 4].map(|()| Accumulated::new(processors)),
            in_bytes: vec![0.0; processors],
            out_bytes: vec![0.0; processors],
        }
    }

    /// What was accumulated of a quantity.
    pub fn of(&self, quantity: CostQuantity) -> &Accumulated {
        &self.quantities[quantity as usize]
    }

    pub(crate) fn of_mut(&mut self, quantity: CostQuantity) -> &mut Accumulated {
        &mut self.quantities[quantity as usize]
    }

    /// The elapsed time of the BSP cost model: the sums of maxima of computation and communication, seconds.
    pub fn time_s(&self) -> f64 {
        self.of(CostQuantity::Computation).maximum + self.of(CostQuantity::Communication).maximum
    }

    /// Whether neither the BSP time nor the largest waiting is `share` of the BSP time of the whole.
    pub fn is_small(&self, whole: &Cost, share: f64) -> bool {
        self.time_s().max(self.of(CostQuantity::Waiting).maximum) < share * whole.time_s()
    }

    /// What perfect balance of computation and communication in each superstep would save at most, seconds.
    pub fn saving_s(&self) -> f64 {
        self.of(CostQuantity::Computation).imbalance() + self.of(CostQuantity::Communication).imbalance()
    }

    /// Adds the costs of something else that the same processors did.
    pub fn add(&mut self, other: &Cost) {
        self.synchronisations += other.synchronisations;
        self.latency_s += other.latency_s;
        for (own, others) in self.quantities.iter_mut().zip(&other.quantities) {
            own.add(others);
        }
        add_each(&mut self.in_bytes, &other.in_bytes);
        add_each(&mut self.out_bytes, &other.out_bytes);
    }
}

fn add_each(sums: &mut [f64], values: &[f64]) {
    for (sum, value) in sums.iter_mut().zip(values) {
        *sum += value;
    }
}
