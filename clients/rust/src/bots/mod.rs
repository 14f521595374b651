//! The sample bots.

pub mod random;
pub mod sensible;
