//! Reads the traces that instrumented programs write.
