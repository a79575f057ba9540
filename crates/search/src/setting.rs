use crate::fitted::NoiseLaw;

/// What a search takes for granted. No setting is right for all programs: see [`Siblings`](crate::Siblings).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Setting {
    /// Whether constants may be negative, as surfaces and halos want (`a*cbrt(N) - b`). The value of a model stays positive, where
    /// there are measurements and where the variables are larger.
    pub signed: bool,
    /// How the noise grows with the value, which says how much small values weigh.
    pub noise: NoiseLaw,
}

impl Setting {
    /// Costs do not become less, and noise is relative: the setting of a search that knows of one experiment only.
    pub const USUAL: Setting = Setting { signed: false, noise: NoiseLaw::Relative };
}
