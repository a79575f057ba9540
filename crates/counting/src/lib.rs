//! How often statements run: polynomials of a program's variables.
//!
//! A [`Domain`] is what surrounds a statement, loops between bounds that are linear in the variables of loops further out, and
//! [`Domain::sum`] counts it. Nothing here knows C.
//!
//! ```
//! use call_counting::{Domain, Level, Polynomial};
//!
//! // for (i = 0; i < n; i++) for (j = i; j < n; j++)
//! let (n, one) = (Polynomial::name("n"), Polynomial::from(1));
//! let last = &n - &one;
//! let nest = Domain {
//!     levels: vec![
//!         Level::Range { index: 0, from: vec![Polynomial::default()], to: vec![last.clone()] },
//!         Level::Range { index: 1, from: vec![Polynomial::index(0)], to: vec![last] },
//!     ],
//!     ..Domain::default()
//! };
//! assert_eq!(nest.sum(&one).unwrap().times.to_string(), "(n*n + n)/2");
//! ```
#![warn(missing_docs)]
#![warn(clippy::disallowed_methods)]

mod assumed;
mod bound;
mod count;
mod decide;
mod functions;
mod growth;
mod guard;
mod level;
mod notation;
mod number;
mod polynomial;
mod proofs;
mod quality;
mod rounding;
mod sorted;
mod substitution;
mod sum;
mod tiles;

pub use bound::Bound;
pub use count::Domain;
pub use growth::{growth, is_dominated, is_remainder, leading, leading_terms, smooth};
pub use level::Level;
pub use number::Number;
pub use polynomial::{Atom, Monomial, Polynomial};
pub use proofs::Proofs;
pub use quality::{Assumption, Count, Quality, Unknown};
pub use sorted::SortedMap;
