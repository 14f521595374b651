//! Plays as a careful beginner would.

use std::process::ExitCode;

use euchre_bot::bots::sensible;

fn main() -> ExitCode {
    euchre_bot::run("sensible", sensible::choose)
}
