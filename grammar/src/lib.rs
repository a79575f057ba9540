//! The directive language of CALL: scanning, parsing, canonical formulas and their evaluation.
