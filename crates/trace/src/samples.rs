/// Measurements of one experiment in columns of equal length.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Samples {
    /// Names of [`Samples::columns`]: `P`, then the variables of the experiment.
    pub names: Vec<String>,
    /// Values of `P` and of the variables, one column for each name.
    pub columns: Vec<Vec<f64>>,
    /// Processor that measured.
    pub processor: Vec<u32>,
    /// Run of the [`Dataset`](crate::Dataset) that the sample is from; 0 in a fresh trace.
    pub run: Vec<u32>,
    /// The response of each measurement: times in seconds, or what else was measured, in [`Experiment::unit`](crate::Experiment::unit).
    pub time_s: Vec<f64>,
    /// How many measurements or executions each sample stands for; empty if each is one.
    pub count: Vec<u64>,
    /// Names of [`Samples::counters`].
    pub counter_names: Vec<String>,
    /// What was counted meanwhile, one column for each name; NaN where that is not known. These are results, as times are.
    pub counters: Vec<Vec<f64>>,
}

/// The numbers with the other sign; 0 stays as it is.
pub(crate) fn negate(values: &mut [f64]) {
    values.iter_mut().for_each(|value| *value = 0.0 - *value);
}

impl Samples {
    /// No samples with columns of these names.
    pub(crate) fn named(names: Vec<String>, counter_names: Vec<String>) -> Samples {
        let (columns, counters) = (vec![Vec::new(); names.len()], vec![Vec::new(); counter_names.len()]);
        Samples { names, columns, counter_names, counters, ..Samples::default() }
    }

    /// The number of samples.
    pub fn len(&self) -> usize {
        self.time_s.len()
    }

    /// Whether there are no samples.
    pub fn is_empty(&self) -> bool {
        self.time_s.is_empty()
    }

    /// The column of a name.
    pub fn column(&self, name: &str) -> Option<&[f64]> {
        let position = self.names.iter().position(|candidate| candidate == name)?;
        self.columns.get(position).map(Vec::as_slice)
    }

    /// How many measurements or executions a sample stands for.
    pub fn count_of(&self, index: usize) -> u64 {
        self.count.get(index).copied().unwrap_or(1)
    }

    /// How many all of them stand for.
    pub fn executions(&self) -> u64 {
        (0..self.len()).fold(0, |sum, index| sum.saturating_add(self.count_of(index)))
    }

    /// The samples whose index is chosen, in their order.
    pub fn select(&self, is_chosen: impl Fn(usize) -> bool) -> Samples {
        let chosen: Vec<usize> = (0..self.len()).filter(|index| is_chosen(*index)).collect();
        self.pick(&chosen)
    }

    /// With responses of the other sign, so that the largest is the least.
    pub(crate) fn negate(&mut self) {
        negate(&mut self.time_s);
    }

    /// Leaves out all samples, but not their room.
    pub(crate) fn clear(&mut self) {
        self.columns.iter_mut().chain(&mut self.counters).for_each(Vec::clear);
        self.processor.clear();
        self.run.clear();
        self.time_s.clear();
        self.count.clear();
    }

    /// For how many samples there is room.
    pub(crate) fn capacity(&self) -> usize {
        self.time_s.capacity()
    }

    /// Makes room for more samples of a trace that is read.
    pub(crate) fn reserve(&mut self, additional: usize) {
        self.columns.iter_mut().chain(&mut self.counters).for_each(|column| column.reserve_exact(additional));
        self.processor.reserve_exact(additional);
        self.time_s.reserve_exact(additional);
    }

    /// The samples with these indices, in this order.
    ///
    /// # Panics
    /// If there is no sample with one of them.
    pub fn pick(&self, indices: &[usize]) -> Samples {
        fn values<T: Copy>(column: &[T], indices: &[usize]) -> Vec<T> {
            indices.iter().map(|index| column[*index]).collect()
        }
        let columns = |columns: &[Vec<f64>]| columns.iter().map(|column| values(column, indices)).collect();
        Samples {
            names: self.names.clone(),
            columns: columns(&self.columns),
            processor: values(&self.processor, indices),
            run: values(&self.run, indices),
            time_s: values(&self.time_s, indices),
            count: if self.count.is_empty() { Vec::new() } else { values(&self.count, indices) },
            counter_names: self.counter_names.clone(),
            counters: columns(&self.counters),
        }
    }

    /// Appends samples of the same variables, whose columns may stand in another order. Either side may lack counters.
    pub(crate) fn append(&mut self, others: Samples) {
        let (before, added) = (self.len(), others.len());
        if self.names.is_empty() {
            *self = Samples::named(others.names.clone(), Vec::new());
        }
        if !(self.count.is_empty() && others.count.is_empty()) {
            self.count.resize(before, 1);
            self.count.extend(&others.count);
            self.count.resize(before + added, 1);
        }
        for (name, mut column) in others.names.into_iter().zip(others.columns) {
            if let Some(position) = self.names.iter().position(|own| *own == name) {
                self.columns[position].append(&mut column);
            }
        }
        for (name, mut column) in others.counter_names.into_iter().zip(others.counters) {
            match self.counter_names.iter().position(|own| *own == name) {
                Some(position) => self.counters[position].append(&mut column),
                None => {
                    let mut unknown = vec![f64::NAN; before];
                    unknown.append(&mut column);
                    self.counter_names.push(name);
                    self.counters.push(unknown);
                }
            }
        }
        for column in &mut self.counters {
            column.resize(before + added, f64::NAN);
        }
        self.processor.extend(others.processor);
        self.run.extend(others.run);
        self.time_s.extend(others.time_s);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples() -> Samples {
        Samples {
            names: vec!["P".into(), "N".into()],
            columns: vec![vec![1.0, 2.0, 2.0], vec![8.0, 16.0, 32.0]],
            processor: vec![0, 0, 1],
            run: vec![0, 1, 1],
            time_s: vec![0.1, 0.2, 0.3],
            count: vec![1, 2, 3],
            counter_names: vec!["cycles".into()],
            counters: vec![vec![10.0, 20.0, 30.0]],
        }
    }

    #[test]
    fn columns_are_found_by_name() {
        assert_eq!(samples().column("N"), Some([8.0, 16.0, 32.0].as_slice()));
        assert_eq!(samples().column("M"), None);
        assert_eq!((samples().len(), samples().is_empty(), Samples::default().is_empty()), (3, false, true));
    }

    #[test]
    fn selecting_keeps_whole_samples_in_order() {
        let chosen = samples().select(|index| index != 1);
        assert_eq!(chosen.columns, [[1.0, 2.0], [8.0, 32.0]]);
        assert_eq!((chosen.processor, chosen.run, chosen.time_s), (vec![0, 1], vec![0, 1], vec![0.1, 0.3]));
        assert_eq!((chosen.count, chosen.counters), (vec![1, 3], vec![vec![10.0, 30.0]]));
        assert!(samples().select(|_| false).is_empty());
        assert_eq!(samples().select(|_| true), samples());
    }

    #[test]
    fn appended_samples_may_have_other_counters_and_another_order() {
        let mut all = Samples { count: Vec::new(), ..samples() };
        all.append(Samples {
            names: vec!["N".into(), "P".into()],
            columns: vec![vec![64.0], vec![4.0]],
            processor: vec![3],
            run: vec![2],
            time_s: vec![0.4],
            count: Vec::new(),
            counter_names: vec!["misses".into()],
            counters: vec![vec![5.0]],
        });
        assert_eq!((all.columns[0][3], all.columns[1][3], all.run[3], all.count_of(3)), (4.0, 64.0, 2, 1));
        assert_eq!(all.counter_names, ["cycles", "misses"]);
        assert_eq!(format!("{:?}", all.counters), "[[10.0, 20.0, 30.0, NaN], [NaN, NaN, NaN, 5.0]]");
        assert!(all.count.is_empty());
        all.append(samples());
        assert_eq!(all.count, [1, 1, 1, 1, 1, 2, 3]);
        assert_eq!(format!("{:?}", all.counters[1]), "[NaN, NaN, NaN, 5.0, NaN, NaN, NaN]");

        let mut none = Samples::default();
        none.append(samples());
        assert_eq!(none, samples());
    }
}
