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
    /// Measured times in seconds.
    pub time_s: Vec<f64>,
}

impl Samples {
    /// No samples of these names.
    pub(crate) fn named(names: Vec<String>) -> Samples {
        let columns = names.iter().map(|_| Vec::new()).collect();
        Samples { names, columns, ..Samples::default() }
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

    /// The samples whose index is chosen, in their order.
    pub fn select(&self, is_chosen: impl Fn(usize) -> bool) -> Samples {
        let chosen: Vec<usize> = (0..self.len()).filter(|index| is_chosen(*index)).collect();
        self.pick(&chosen)
    }

    /// The samples with these indices, in this order.
    pub(crate) fn pick(&self, indices: &[usize]) -> Samples {
        fn values<T: Copy>(column: &[T], indices: &[usize]) -> Vec<T> {
            indices.iter().map(|index| column[*index]).collect()
        }
        Samples {
            names: self.names.clone(),
            columns: self.columns.iter().map(|column| values(column, indices)).collect(),
            processor: values(&self.processor, indices),
            run: values(&self.run, indices),
            time_s: values(&self.time_s, indices),
        }
    }

    /// Appends samples of the same variables, whose columns may stand in another order, as those of a run.
    pub(crate) fn append(&mut self, others: Samples, run: u32) {
        let count = others.len();
        for (name, mut column) in others.names.into_iter().zip(others.columns) {
            if let Some(position) = self.names.iter().position(|own| *own == name) {
                self.columns[position].append(&mut column);
            }
        }
        self.processor.extend(others.processor);
        self.run.resize(self.run.len() + count, run);
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
        assert!(samples().select(|_| false).is_empty());
        assert_eq!(samples().select(|_| true), samples());
    }
}
