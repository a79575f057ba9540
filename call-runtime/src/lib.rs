//! The C runtime of CALL, embedded so that the translator can hand it out.
