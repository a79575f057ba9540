//! Tables and plots of fitted models.
