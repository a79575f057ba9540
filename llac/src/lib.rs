//! The analyser of CALL: a session that loads, fits, predicts and plots.
