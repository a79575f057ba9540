use call_model::{Error, Forecaster, MeasuringConditions, Model, Prepared, Warning, compare};

/// What new runs show beside other constants.
#[derive(Debug, Clone, PartialEq)]
pub enum StructureChange {
    /// A border of intervals of a variable is elsewhere, is no more, or is new.
    Border {
        /// The variable.
        variable: String,
        /// Where it was: the last value of the lower interval.
        before: Option<f64>,
        /// Where it is.
        after: Option<f64>,
    },
    /// The new runs need something that the formula lacks, and that those of the baseline did not.
    Formula(Warning),
    /// Far more new measurements than should be are outside of the intervals that the baseline predicts.
    Outside {
        /// So many are,
        outside: usize,
        /// of so many,
        measurements: usize,
        /// and the intervals hold this share.
        level: f64,
    },
}

/// A border of intervals that is elsewhere.
#[derive(Debug, Clone, PartialEq)]
pub struct MovedBorder {
    /// The variable.
    pub variable: String,
    /// The last value of the lower interval before.
    pub before: f64,
    /// The same of what came after it.
    pub after: f64,
}

impl MovedBorder {
    /// Whether a value has changed its interval.
    pub fn is_between(&self, value: f64) -> bool {
        self.before.min(self.after) < value && value <= self.before.max(self.after)
    }

    /// Whether the times between both places are no longer, in all, than those that a model has there.
    pub fn is_no_slower(&self, model: &Model, new: &Prepared) -> bool {
        let samples = new.samples();
        let variables = model.formula().variables().iter();
        let columns: Option<Vec<&[f64]>> =
            variables.map(|variable| samples.column(variable.name())).collect();
        let (Some(columns), Some(own)) = (columns, samples.column(&self.variable)) else { return false };
        let between = (0..samples.len()).filter(|row| self.is_between(own[*row]));
        let time = |row: usize| {
            let point: Vec<f64> = columns.iter().map(|column| column[row]).collect();
            [samples.time_s[row], model.predict(&point).time_s]
        };
        let [measured, predicted] =
            between.map(time).fold([0.0, 0.0], |sum, its| [sum[0] + its[0], sum[1] + its[1]]);
        measured <= predicted
    }
}

/// The borders of a model that another one of the same formula has elsewhere, by more than one of these sizes, and that cannot be at one place by
/// the sizes that either was fitted to.
pub fn moved_borders(before: &Model, after: &Model, sizes: &Prepared) -> Vec<MovedBorder> {
    let moved = |change| match change {
        StructureChange::Border { variable, before: Some(before), after: Some(after) } => {
            Some(MovedBorder { variable, before, after })
        }
        _ => None,
    };
    let is_elsewhere = |border: &MovedBorder| {
        let (one, other) =
            (gap(before, &border.variable, border.before), gap(after, &border.variable, border.after));
        one.1 <= other.0 || other.1 <= one.0
    };
    borders(before, after, sizes).into_iter().filter_map(moved).filter(is_elsewhere).collect()
}

/// Between which sampled values a border of a model may be.
fn gap(model: &Model, variable: &str, border: f64) -> (f64, f64) {
    let position = model.formula().variables().iter().position(|its| its.name() == variable);
    let gaps = model.gaps().iter().filter(|gap| Some(gap.variable) == position && gap.below == border);
    gaps.map(|gap| (gap.below, gap.above)).next().unwrap_or((border, border))
}

/// The formula of a baseline was in doubt itself from here on.
const DOUBTFUL: f64 = 0.5;

/// Outside are told from so many on, if they are so many times as many as should be.
const LEAST_OUTSIDE: usize = 5;
const TIMES_AS_MANY: f64 = 2.0;

/// What new samples, prepared together and with the formula and settings of the baseline, show beside constants. Nothing of it has a rate of
/// false alarms that is known, so it is for people to look at.
///
/// # Errors
/// If nothing can be fitted to them.
pub fn structure(baseline: &Forecaster, new: &Prepared, level: f64) -> Result<Vec<StructureChange>, Error> {
    let model = Model::fit(new)?;
    let mut changes = borders(baseline.model(), &model, new);
    if baseline.doubt() < DOUBTFUL {
        // Further cells would hide what is missing.
        let limited = new.with_most_cells(baseline.model().cells().len());
        let judgement = Model::fit(&limited)?.judge(&limited, &MeasuringConditions::default(), level)?;
        let is_of_formula = |warning: &Warning| {
            matches!(
                warning,
                Warning::MissingTerm { .. } | Warning::OtherVariable { .. } | Warning::AbsentVariable { .. }
            )
        };
        let lacks = judgement.warnings.into_iter().filter(is_of_formula);
        changes.extend(lacks.map(StructureChange::Formula));
    }
    // Without a finite prediction nothing is inside or outside.
    if let Ok(found) = compare(baseline, new, level) {
        let outside = found.measurements - found.inside;
        let expected = (1.0 - level) * found.measurements as f64;
        if outside >= LEAST_OUTSIDE && outside as f64 > TIMES_AS_MANY * expected {
            changes.push(StructureChange::Outside { outside, measurements: found.measurements, level });
        }
    }
    Ok(changes)
}

/// Borders that are elsewhere: by more than one of the new sizes, as a border is somewhere between two of them.
fn borders(before: &Model, after: &Model, new: &Prepared) -> Vec<StructureChange> {
    let mut changes = Vec::new();
    let all = before.borders().into_iter().zip(after.borders()).zip(after.formula().variables());
    for ((old, found), variable) in all {
        let mut sizes = new.samples().column(variable.name()).map_or(Vec::new(), <[f64]>::to_vec);
        sizes.sort_by(f64::total_cmp);
        sizes.dedup();
        let place = |border: f64| sizes.partition_point(|size| *size <= border);
        // Only where there are sizes on both sides a border can be found.
        let can_be_seen = |border: &f64| place(*border) >= 2 && place(*border) + 2 <= sizes.len();
        let is_same = |one: f64, other: f64| place(one).abs_diff(place(other)) <= 1;
        let mut gone: Vec<f64> = old.iter().copied().filter(can_be_seen).collect();
        gone.retain(|border| !found.iter().any(|other| is_same(*border, *other)));
        let mut come: Vec<f64> = found.clone();
        come.retain(|border| !old.iter().any(|other| is_same(*border, *other)));
        for index in 0..gone.len().max(come.len()) {
            changes.push(StructureChange::Border {
                variable: variable.name().to_owned(),
                before: gone.get(index).copied(),
                after: come.get(index).copied(),
            });
        }
    }
    changes
}
