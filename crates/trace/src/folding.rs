use crate::Samples;
use crate::point::Points;

/// How repeated samples of the same point become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Folding {
    /// They stay as they are.
    Each,
    /// The median time (of an even number, the mean of the middle two): what disturbs fewer than half of the repetitions leaves no
    /// trace.
    #[default]
    Median,
    /// The shortest time: what the point costs when nothing disturbs it.
    Minimum,
    /// The mean time.
    Mean,
}

impl Samples {
    /// Folds the samples with equal values in all columns, whatever their run and processor. The folded samples stand in the
    /// order of their first members and keep the run and processor of those.
    pub fn fold(&self, folding: Folding) -> Samples {
        if folding == Folding::Each {
            return self.clone();
        }
        let mut points = Points::new();
        let mut firsts = Vec::new();
        let mut times_s: Vec<Vec<f64>> = Vec::new();
        for index in 0..self.len() {
            let point = points.number(self, index, 0);
            if point == firsts.len() {
                firsts.push(index);
                times_s.push(Vec::new());
            }
            times_s[point].push(self.time_s[index]);
        }
        let mut folded = self.pick(&firsts);
        for (time_s, repetitions_s) in folded.time_s.iter_mut().zip(&mut times_s) {
            *time_s = fold(repetitions_s, folding);
        }
        folded
    }
}

/// One time for at least one repetition.
fn fold(times_s: &mut [f64], folding: Folding) -> f64 {
    let count = times_s.len();
    match folding {
        Folding::Each => times_s[0],
        Folding::Minimum => times_s.iter().copied().fold(f64::INFINITY, f64::min),
        Folding::Mean => times_s.iter().sum::<f64>() / count as f64,
        Folding::Median => {
            times_s.sort_unstable_by(f64::total_cmp);
            let upper = times_s[count / 2];
            if count % 2 == 1 { upper } else { times_s[count / 2 - 1].midpoint(upper) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples() -> Samples {
        Samples {
            names: vec!["P".into(), "N".into()],
            columns: vec![vec![1.0; 7], vec![8.0, 16.0, 8.0, 8.0, 16.0, 8.0, -0.0]],
            processor: vec![0, 0, 0, 1, 0, 0, 0],
            run: vec![0, 0, 0, 0, 1, 1, 1],
            time_s: vec![3.0, 5.0, 1.0, 100.0, 7.0, 2.0, 4.0],
        }
    }

    #[test]
    fn repetitions_become_one() {
        for (folding, expected) in [
            (Folding::Median, [2.5, 6.0, 4.0]),
            (Folding::Minimum, [1.0, 5.0, 4.0]),
            (Folding::Mean, [26.5, 6.0, 4.0]),
        ] {
            let folded = samples().fold(folding);
            assert_eq!(folded.time_s, expected, "{folding:?}");
            assert_eq!(folded.columns[1], [8.0, 16.0, 0.0]);
            assert_eq!(folded.run, [0, 0, 1]);
        }
        assert_eq!(samples().fold(Folding::Each), samples());
        assert!(Samples::default().fold(Folding::Median).is_empty());
    }

    #[test]
    fn the_median_of_an_odd_number_is_one_of_them() {
        assert_eq!(fold(&mut [9.0, 1.0, 2.0], Folding::Median), 2.0);
        assert_eq!(fold(&mut [7.0], Folding::Median), 7.0);
    }
}
