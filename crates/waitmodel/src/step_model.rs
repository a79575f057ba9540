use call_search::{FormulaFinder, FoundFormulas, FoundModel};
use call_waiting::{Code, State};

use crate::ends::{StepAt, found};
use crate::law::law;
use crate::role::Role;

/// What a processor of a role spends with a step on average, in a whole run, as it depends on the variables.
#[derive(Debug, Clone)]
pub struct StepModel {
    /// Whose step it is, an index into the roles.
    pub role: usize,
    /// What is done.
    pub code: Code,
    /// How time is spent there.
    pub state: State,
    /// The mean of the role's processors in each run, seconds; NaN in runs without the role.
    pub mean_s: Vec<f64>,
    pub(crate) finding: FoundFormulas,
}

impl StepModel {
    pub(crate) fn fit(
        (role, code, state): (usize, Code, State),
        mean_s: Vec<f64>,
        variables: &[String],
        points: &[Vec<f64>],
        finder: &mut FormulaFinder,
    ) -> StepModel {
        let finding = law(variables, points.iter().map(Vec::as_slice), &mean_s, finder);
        StepModel { role, code, state, mean_s, finding }
    }

    pub(crate) fn at(&self, roles: &[Role], point: &[f64], level: f64) -> StepAt {
        let is_there = roles[self.role].processors(point) != Some(0.0);
        StepAt { ends: found(&self.finding, point, level), is_there }
    }

    /// The most plausible formula; predictions use all plausible ones together.
    pub fn formula(&self, name: &str) -> Option<FoundModel> {
        self.finding.ranked(name).into_iter().next()
    }
}
