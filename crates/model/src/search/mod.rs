//! Finding a formula where none is given.
mod candidates;
mod evidence;
mod families;
mod finder;
mod finding;
mod fitted;
mod forward;
mod grid;
mod measurements;
mod mixture;
mod orthogonal;
mod shape;
mod student;
mod term;

pub use finder::{Finder, find};
pub use finding::{Combined, Finding};
pub use measurements::Measurements;
pub use shape::Shape;

impl Finding {
    /// For looking.
    pub fn describe(&self) -> Vec<String> {
        self.models
            .iter()
            .map(|m| {
                let pieces: Vec<String> = m
                    .pieces
                    .iter()
                    .map(|p| {
                        let terms: Vec<String> =
                            p.factors[..p.count].iter().zip(&p.constants).map(|(t, c)| format!("{c:.4e}{}", term::text(t, self.measurements.variables()))).collect();
                        terms.join(" + ")
                    })
                    .collect();
                format!("{:.3} n={:.2} s={:.2e} nu={} {:?} {:?} {}", m.weight, m.noisy, (m.squares / m.freedom.max(1) as f64).sqrt(), m.freedom, m.split, m.disturbed, pieces.join(" | "))
            })
            .collect()
    }
}
