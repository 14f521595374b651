//! Plays any legal action.

use std::process::ExitCode;

use clap::Parser;
use euchre_bot::{Flags, View, bots::random, run_with};

/// Plays any legal action in one Euchre match.
#[derive(Parser)]
#[command(name = "random")]
struct Args {
    #[command(flatten)]
    flags: Flags,
    /// Another seed gives another game
    #[arg(long, default_value = "0")]
    seed: String,
}

fn main() -> ExitCode {
    let Args { flags, seed } = Args::parse();
    run_with(flags, "random", move |view: &View, legal: &[String]| {
        random::choose(&seed, view, legal)
    })
}
