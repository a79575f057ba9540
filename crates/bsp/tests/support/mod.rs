pub mod recorded;
pub mod simulation;
