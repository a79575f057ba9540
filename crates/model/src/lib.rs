//! Formula, samples and fit joined into a model that predicts.
