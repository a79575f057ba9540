pub mod simulation;
