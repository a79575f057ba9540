/// A step in a sum.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Term {
    /// An index into the steps of the model.
    pub step: usize,
    /// How often what a processor of the role spends with it in a whole run is in the sum: 0.1 if one of ten rounds is waited for.
    pub times: f64,
}

/// What a wait, or the run time, is made of where it was seen.
#[derive(Debug, Clone, PartialEq)]
pub struct Sum {
    /// Signed steps, the largest first.
    pub terms: Vec<Term>,
    /// What steps that are too short for terms add, as a share of all terms without their signs.
    pub rest: f64,
    /// The runs that have this sum, as indices.
    pub runs: Vec<usize>,
}

/// The sum that a run has.
#[derive(Debug, Clone)]
pub(crate) struct RecordedSum {
    pub(crate) run: usize,
    /// By step of the model, seconds.
    pub(crate) by_step_s: Vec<f64>,
    pub(crate) rest_s: f64,
}

/// Sums of two runs are the same if their terms, at one of them, differ by less than this share of what they add up to without signs.
const ALIKE: f64 = 0.25;

/// Terms that are never more than this share of their sum go to the rest.
const SMALL: f64 = 0.002;

/// Runs with the same sum.
struct Group<'a> {
    members: Vec<&'a RecordedSum>,
}

impl Group<'_> {
    /// A ratio of sums, so that long runs, of which more is known, weigh more.
    fn times(&self, step: usize, mean_s: &[Vec<f64>]) -> f64 {
        let all_s: f64 = self.members.iter().map(|its| its.by_step_s[step]).sum();
        let means_s: f64 =
            self.members.iter().map(|its| mean_s[step][its.run]).filter(|mean_s| mean_s.is_finite()).sum();
        if means_s > 0.0 { all_s / means_s } else { 0.0 }
    }

    fn distance(&self, other: &RecordedSum, mean_s: &[Vec<f64>]) -> f64 {
        let (mut apart_s, mut size_s) = (0.0, 0.0);
        for (step, own_s) in other.by_step_s.iter().enumerate() {
            let here_s = mean_s[step][other.run];
            let its_s = if here_s.is_finite() { self.times(step, mean_s) * here_s } else { 0.0 };
            apart_s += (its_s - own_s).abs();
            size_s += 0.5 * (its_s.abs() + own_s.abs());
        }
        if size_s > 0.0 { apart_s / size_s } else { 0.0 }
    }

    fn sum(&self, mean_s: &[Vec<f64>]) -> Sum {
        let size_s = |of: &RecordedSum| of.by_step_s.iter().map(|time_s| time_s.abs()).sum::<f64>();
        let steps = 0..mean_s.len();
        let is_term =
            |step: &usize| self.members.iter().any(|its| its.by_step_s[*step].abs() > SMALL * size_s(its));
        let (terms, small): (Vec<usize>, Vec<usize>) = steps.partition(is_term);
        let rest_s =
            |of: &&RecordedSum| of.rest_s + small.iter().map(|step| of.by_step_s[*step]).sum::<f64>();
        let all_rest_s: f64 = self.members.iter().map(rest_s).sum();
        let all_s: f64 = self
            .members
            .iter()
            .map(|its| terms.iter().map(|step| its.by_step_s[*step].abs()).sum::<f64>())
            .sum();
        let weight = |step: usize| self.members.iter().map(|its| its.by_step_s[step].abs()).sum::<f64>();
        let mut terms: Vec<Term> =
            terms.into_iter().map(|step| Term { step, times: self.times(step, mean_s) }).collect();
        terms.sort_by(|left, right| weight(right.step).total_cmp(&weight(left.step)));
        Sum {
            terms,
            rest: if all_s > 0.0 { all_rest_s / all_s } else { 0.0 },
            runs: self.members.iter().map(|its| its.run).collect(),
        }
    }
}

/// The distinct sums, that of the most runs first. `mean_s` has, for each step, its mean in each run.
pub(crate) fn distinct(recorded: &[RecordedSum], mean_s: &[Vec<f64>]) -> Vec<Sum> {
    let mut groups: Vec<Group> = Vec::new();
    for one in recorded {
        let distances = groups.iter().map(|group| group.distance(one, mean_s)).enumerate();
        let nearest = distances.min_by(|left, right| left.1.total_cmp(&right.1));
        match nearest {
            Some((group, distance)) if distance < ALIKE => groups[group].members.push(one),
            _ => groups.push(Group { members: vec![one] }),
        }
    }
    let mut sums: Vec<Sum> = groups.iter().map(|group| group.sum(mean_s)).collect();
    sums.sort_by_key(|sum| std::cmp::Reverse(sum.runs.len()));
    sums
}
