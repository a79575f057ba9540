//! What a model is worth: figures of quality, residuals, and warnings that say what to do.

mod absent;
mod along;
mod apart;
mod conditions;
mod constants;
mod dropped;
mod fitted;
mod growing;
mod held_out;
mod leave_one_out;
mod negative;
mod quality;
mod source;
mod substitution;
mod trend;

use call_fit::StopReason;

use crate::noise::CellNoise;
use crate::sampled::Sampled;
use crate::{Error, Model, Prepared, Warning};

pub use conditions::MeasuringConditions;
pub use held_out::HeldOut;
pub use leave_one_out::LeaveOneOut;
pub use quality::{Estimate, FitQuality, Residual};

/// Everything that samples say about a model of them.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    /// The figures.
    pub quality: FitQuality,
    /// A row for each sample of the fit, sorted by its variables: what a picture of residuals shows.
    pub residuals: Vec<Residual>,
    /// What the user should know, the weightier first.
    pub warnings: Vec<Warning>,
}

/// What the parts of a judgement look at.
#[derive(Clone, Copy)]
struct JudgedCase<'a> {
    model: &'a Model,
    prepared: &'a Prepared,
    sampled: &'a Sampled,
    noise: &'a [CellNoise],
}

impl Model {
    /// Judges the model by the samples that it was fitted to. Intervals of constants hold a share `level` (0.95 is usual).
    /// The conditions come from the headers of the traces.
    ///
    /// # Errors
    /// If the samples lack a variable of the formula.
    pub fn judge(
        &self,
        prepared: &Prepared,
        conditions: &MeasuringConditions,
        level: f64,
    ) -> Result<Judgement, Error> {
        let sampled = Sampled::of(self, prepared)?;
        let noise = CellNoise::of_cells(self, &sampled);
        let case = JudgedCase { model: self, prepared, sampled: &sampled, noise: &noise };
        let left_out = leave_one_out::Errors::of(&case);
        let held_out = held_out::all(&case);
        let quality = quality::quality(&case, left_out.as_ref(), held_out.clone(), level);
        let points = sampled.condensed();
        // A formula that lacks a variable may have any trend.
        let mut warnings = absent::warnings(&case);
        if warnings.is_empty() {
            warnings = trend::warnings(&JudgedCase { sampled: &points, ..case });
        }
        if let Some(change) = substitution::warning(&case) {
            warnings.insert(0, change);
        } else if let Some(along) = along::warning(&case) {
            // What else describes these cells describes what is wrong with them.
            warnings.clear();
            warnings.push(along);
        }
        let is_wrong = !warnings.is_empty();
        warnings.extend(source::warnings(&case, conditions.source_counts.as_ref()));
        // With the samples at hand more is known about these.
        let replaced = |warning: &Warning| match warning {
            Warning::Undetermined { .. } => true,
            Warning::ErrorsRemain { outcome, .. } => is_wrong || *outcome == StopReason::NoBetterSplit,
            _ => false,
        };
        let known = self.warnings().into_iter().filter(|warning| !replaced(warning));
        warnings.extend(known.map(|warning| dropped::located(warning, &case)));
        warnings.extend(apart::warnings(&case));
        warnings.extend(constants::warnings(&case));
        if is_wrong {
            // Constants of a wrong formula mean little: one cure after the other.
            warnings.retain(|warning| !warning.is_of_constants());
        }
        warnings.extend(left_out.as_ref().and_then(|errors| errors.warning(&case)));
        warnings.extend(held_out.iter().filter_map(HeldOut::warning));
        warnings.extend(negative::warning(&case));
        warnings.extend(Warning::of_points_without_time(prepared.below_resolution()));
        warnings.extend(conditions.warnings(&sampled));
        // How long the processor itself worked says more than how long others had it.
        warnings.extend(conditions::outside_processor(prepared).or_else(|| conditions.disturbed(prepared)));
        warnings.extend(conditions::summed_up(prepared));
        warnings.extend(self.run_effect.and_then(|effect| effect.warning(level)));
        warnings.extend(growing::warning(&case)?);
        let noise = (!is_wrong).then(|| quality::noise_warning(&case)).flatten();
        warnings.extend(noise.map(|noise| absent::instead_of_noise(&case).unwrap_or(noise)));
        Ok(Judgement { residuals: quality::residuals(&case, left_out.as_ref()), quality, warnings })
    }
}
