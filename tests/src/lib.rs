//! End-to-end tests: C, call, cc, run, llac.
