use call_model::Model;

/// What the caches of a machine miss, as fitted formulas of counts.
#[derive(Debug, Clone)]
pub struct CountedMisses {
    levels: Vec<Option<Model>>,
}

impl CountedMisses {
    /// Of each level of a machine, in their order; none where that one was not counted. The formulas have the terms of the one whose
    /// constants are guessed.
    pub fn new(levels: Vec<Option<Model>>) -> CountedMisses {
        CountedMisses { levels }
    }

    /// Whether all caches of the machine were counted; its last level is the memory, which misses nothing.
    pub fn is_of_all_caches(&self) -> bool {
        self.levels.split_last().is_some_and(|(_, caches)| caches.iter().all(Option::is_some))
    }

    /// How many lines each level misses for one of the terms of the formula, whose basis has this value at a point.
    pub fn at(&self, term: usize, basis: f64, point: &[f64]) -> Vec<Option<f64>> {
        let of = |model: &Model| {
            let cell = model.predict(point).cell;
            f64::max(model.cells()[cell].fit.coefficients[term] * basis, 0.0)
        };
        self.levels.iter().map(|model| model.as_ref().map(of)).collect()
    }
}
