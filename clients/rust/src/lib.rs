//! Play sealed Euchre matches: write one function and `run` it.
//!
//! ```no_run
//! use euchre_bot::View;
//!
//! fn choose(_view: &View, legal: &[String]) -> String {
//!     let pass = legal.iter().find(|action| *action == "pass");
//!     pass.unwrap_or(&legal[0]).clone()
//! }
//!
//! fn main() -> std::process::ExitCode {
//!     euchre_bot::run("my-bot", choose)
//! }
//! ```
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod bots;
pub mod canonical;
pub mod deal;
pub mod dealing;
mod error;
pub mod events;
pub mod files;
pub mod hex;
mod joining;
pub mod keys;
mod options;
mod outcome;
pub mod receipts;
mod run;
pub mod seal;
mod seat;
mod seat_loop;
mod stream;
mod view;
pub mod witness;

/// The messages of the referee's service, as the build has generated them.
mod pb {
    #![allow(missing_docs, clippy::all, clippy::pedantic)]

    include!(concat!(env!("OUT_DIR"), "/protos.rs"));

    pub use self::euchre::referee::v1::*;
    pub use self::google::rpc::Status;
}

pub use error::{BotError, Result, say};
pub use options::{Flags, Level, Options, Place, SeatFiles};
pub use outcome::{Outcome, Score};
pub use run::{run, run_with};
pub use seat::Seat;
pub use seat_loop::{Pace, play};
pub use view::{Choose, Counts, Played, Refusal, Sides, View};
