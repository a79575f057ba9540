use crate::{Error, Options, Samples, Segmentation};

pub(crate) fn segment(
    samples: &Samples,
    variables: &[&[f64]],
    options: &Options,
) -> Result<Segmentation, Error> {
    crate::segment::divide(samples, variables, options)
}
