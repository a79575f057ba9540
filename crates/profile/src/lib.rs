//! Call-graph profiles of BSP programs: where the time of recorded supersteps goes.
//!
//! A [`Profile`] has a [`Cost`] for each [`Centre`], the position of a synchronisation with its call stack. A [`View`] charges costs to
//! the procedures on the stacks, or to the paths through them, and a [`CriticalPath`] shades its nodes. Profiles come from recorded runs
//! ([`Profile::of_runs`]), from traces of the Oxford BSP Toolset ([`oxford`]), or superstep by superstep ([`ProfileBuilder`]).
//! The method is that of J. M. D. Hill, S. A. Jarvis, C. Siniolakis and V. P. Vasilev, *Portable and architecture independent parallel
//! performance tuning using a call-graph profiling tool*; equations are numbered as there.
//!
//! ```
//! use call_profile::{Centre, CriticalPath, Position, ProfileBuilder, CostQuantity, MachineSuperstep, View};
//!
//! let mut builder = ProfileBuilder::new(2);
//! let exchange = builder.centre(Centre::new(Position::new("sort.c", 80), ["exchange", "main"]));
//! let mut superstep = MachineSuperstep::new(2);
//! // Each processor is the slower one once.
//! for computing_s in [[3.0, 1.0], [1.0, 3.0]] {
//!     superstep.computation_s.copy_from_slice(&computing_s);
//!     builder.add(exchange, &superstep);
//! }
//! let profile = builder.finish();
//! let view = View::by_procedure(&profile);
//! let main = view.find("main")[0];
//! let cost = profile.cost_of(&view.nodes[main].centres);
//! let computation = cost.of(CostQuantity::Computation);
//! assert_eq!((computation.maximum, computation.average, computation.minimum), (6.0, 4.0, 2.0));
//! assert_eq!(computation.largest_processor(), 4.0);
//! assert_eq!(CriticalPath::named("comp/absolute").unwrap().score(&cost, &profile.total()), 1.0);
//! ```

mod blocks;
mod builder;
mod centre;
mod comparison;
mod cost;
mod critical;
mod exact;
mod machine;
pub mod oxford;
mod parts;
mod predicted;
mod prediction;
mod profile;
mod recorded;
mod steepness;
mod sum_models;
pub mod tools;
mod view;

pub use builder::{MachineSuperstep, ProfileBuilder};
pub use centre::{Centre, Position};
pub use comparison::{ComparedPath, compare};
pub use cost::{Accumulated, Cost, CostQuantity};
pub use critical::{CriticalPath, Scale};
pub use predicted::ProfileModels;
pub use prediction::{PredictedProfile, SumInterval};
pub use profile::{Facts, Profile};
pub use view::{Charging, Edge, Node, NodeKind, View};
