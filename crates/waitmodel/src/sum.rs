use call_search::{Finding, FormulaFinder, Measurements};

/// A step in a sum.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Term {
    /// An index into the steps of the model.
    pub step: usize,
    /// How often what a processor of the role spends with it in a whole run is in the sum: 0.1 if one of ten rounds is waited for.
    pub times: f64,
}

/// What a wait, or the run time, is made of where it was seen.
#[derive(Debug, Clone)]
pub struct Sum {
    /// Signed steps, the largest first.
    pub terms: Vec<Term>,
    /// What steps that are too short for terms add, as a share of all terms without their signs.
    pub rest: f64,
    /// The runs that have this sum, as indices.
    pub runs: Vec<usize>,
    /// How many times the sum each of them has: 1 but where the number of those that one waits for, or how unevenly work is shared out, depends
    /// on the variables.
    pub scales: Vec<f64>,
    pub(crate) law: Option<Finding>,
}

impl Sum {
    /// The most plausible formula of the scales, if they differ.
    pub fn scale_formula(&self, name: &str) -> Option<call_search::FoundModel> {
        self.law.as_ref()?.ranked(name).into_iter().next()
    }
}

/// Where the runs lie.
pub(crate) struct Places<'a> {
    pub(crate) variables: &'a [String],
    pub(crate) points: &'a [Vec<f64>],
}

/// Sums are what something is made of if so many of its runs have one that others have, too.
const MOST: f64 = 0.7;

/// One that others have, too: so many of the runs.
const SOME: f64 = 0.15;

/// A sum whose rest is larger than this share of its terms says nothing.
const TOLD: f64 = 0.5;

/// Whether most of the runs have sums that several of them have: else each run is made of something else, as where noise is waited for.
pub(crate) fn are_common(sums: &[Sum]) -> bool {
    let all: usize = sums.iter().map(|sum| sum.runs.len()).sum();
    let is_common = |sum: &&Sum| {
        let count = sum.runs.len();
        count >= 2 && count as f64 >= SOME * all as f64 && !sum.terms.is_empty() && sum.rest.abs() < TOLD
    };
    let common: usize = sums.iter().filter(is_common).map(|sum| sum.runs.len()).sum();
    common as f64 >= MOST * all as f64
}

/// The sum that a run has.
#[derive(Debug, Clone)]
pub(crate) struct RecordedSum {
    pub(crate) run: usize,
    /// By step of the model, seconds.
    pub(crate) by_step_s: Vec<f64>,
    pub(crate) rest_s: f64,
}

/// Sums of two runs are the same if the shares of their terms, at one of them, differ by less than this in all.
const ALIKE: f64 = 0.25;

/// Scales that differ by less are the same.
const EVEN: f64 = 0.05;

/// Terms that are never more than this share of their sum go to the rest.
const SMALL: f64 = 0.002;

/// Runs with the same sum.
struct Group<'a> {
    members: Vec<&'a RecordedSum>,
    mean_s: &'a [Vec<f64>],
}

fn size_s(by_step_s: &[f64]) -> f64 {
    by_step_s.iter().map(|time_s| time_s.abs()).sum()
}

impl Group<'_> {
    /// A ratio of sums, so that long runs, of which more is known, weigh more.
    fn times(&self, step: usize) -> f64 {
        let all_s: f64 = self.members.iter().map(|its| its.by_step_s[step]).sum();
        let means_s = self.members.iter().map(|its| self.mean_s[step][its.run]);
        let means_s: f64 = means_s.filter(|mean_s| mean_s.is_finite()).sum();
        if means_s > 0.0 { all_s / means_s } else { 0.0 }
    }

    /// What the sum's terms come to in a run, by step, seconds.
    fn at(&self, run: usize) -> Vec<f64> {
        let at =
            |(step, mean_s): (usize, f64)| if mean_s.is_finite() { self.times(step) * mean_s } else { 0.0 };
        self.mean_s.iter().map(|mean_s| mean_s[run]).enumerate().map(at).collect()
    }

    fn distance(&self, other: &RecordedSum) -> f64 {
        let its_s = self.at(other.run);
        let sizes_s = [size_s(&its_s), size_s(&other.by_step_s)];
        let share = |time_s: f64, size_s: f64| if size_s > 0.0 { time_s / size_s } else { 0.0 };
        let both = its_s.iter().zip(&other.by_step_s);
        both.map(|(its_s, own_s)| (share(*its_s, sizes_s[0]) - share(*own_s, sizes_s[1])).abs()).sum()
    }

    fn sum(&self, places: &Places, finder: &mut FormulaFinder) -> Sum {
        let is_term = |step: &usize| {
            self.members.iter().any(|its| its.by_step_s[*step].abs() > SMALL * size_s(&its.by_step_s))
        };
        let (terms, small): (Vec<usize>, Vec<usize>) = (0..self.mean_s.len()).partition(is_term);
        let rest_s =
            |of: &&RecordedSum| of.rest_s + small.iter().map(|step| of.by_step_s[*step]).sum::<f64>();
        let all_rest_s: f64 = self.members.iter().map(rest_s).sum();
        let terms_s = |by_step_s: &[f64]| terms.iter().map(|step| by_step_s[*step].abs()).sum::<f64>();
        let all_s: f64 = self.members.iter().map(|its| terms_s(&its.by_step_s)).sum();
        let scale = |its: &&RecordedSum| {
            let scale = terms_s(&its.by_step_s) / terms_s(&self.at(its.run));
            if scale.is_finite() { scale } else { 1.0 }
        };
        let scales: Vec<f64> = self.members.iter().map(scale).collect();
        let runs: Vec<usize> = self.members.iter().map(|its| its.run).collect();
        let weight = |step: usize| self.members.iter().map(|its| its.by_step_s[step].abs()).sum::<f64>();
        let mut sorted = terms.clone();
        sorted.sort_by(|left, right| weight(*right).total_cmp(&weight(*left)));
        Sum {
            terms: sorted.into_iter().map(|step| Term { step, times: self.times(step) }).collect(),
            rest: if all_s > 0.0 { all_rest_s / all_s } else { 0.0 },
            law: law(&runs, &scales, places, finder),
            runs,
            scales,
        }
    }
}

/// How the scales depend on the variables; `None` if they hardly do.
fn law(runs: &[usize], scales: &[f64], places: &Places, finder: &mut FormulaFinder) -> Option<Finding> {
    if scales.iter().all(|scale| (scale - 1.0).abs() < EVEN) {
        return None;
    }
    let column = |variable: usize| runs.iter().map(|run| places.points[*run][variable]).collect::<Vec<f64>>();
    let columns: Vec<Vec<f64>> = (0..places.variables.len()).map(column).collect();
    let columns: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
    Some(finder.find(&Measurements::new(places.variables, &columns, scales)))
}

/// The distinct sums, that of the most runs first. `mean_s` has, for each step, its mean in each run.
pub(crate) fn distinct(
    recorded: &[RecordedSum],
    mean_s: &[Vec<f64>],
    places: &Places,
    finder: &mut FormulaFinder,
) -> Vec<Sum> {
    let mut groups: Vec<Group> = Vec::new();
    for one in recorded {
        let distances = groups.iter().map(|group| group.distance(one)).enumerate();
        let nearest = distances.min_by(|left, right| left.1.total_cmp(&right.1));
        match nearest {
            Some((group, distance)) if distance < ALIKE => groups[group].members.push(one),
            _ => groups.push(Group { members: vec![one], mean_s }),
        }
    }
    let mut sums: Vec<Sum> = groups.iter().map(|group| group.sum(places, finder)).collect();
    sums.sort_by_key(|sum| std::cmp::Reverse(sum.runs.len()));
    sums
}
