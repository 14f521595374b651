//! The way from one function to a seat at the table.

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser};

use crate::error::{Result, say, usage};
use crate::joining::take_seat;
use crate::options::{Flags, Options, check_place};
use crate::outcome::Outcome;
use crate::seat_loop::{Pace, play};
use crate::view::Choose;

const STOPPED: i32 = 130;

#[derive(Parser)]
struct Plain {
    #[command(flatten)]
    flags: Flags,
}

/// Read the flags, play one match with `choose`, and come back with the exit status.
///
/// 0 the match was closed; 1 the referee was lost or the bot failed; 2 a flag or file is wrong, or
/// the key is not the pinned one; 3 the seal does not hold; 4 another process took the seat.
pub fn run(name: &'static str, choose: impl Choose) -> ExitCode {
    let about = format!("{name}: plays one Euchre match under a referee");
    let given = Plain::command().name(name).about(about).get_matches();
    match Plain::from_arg_matches(&given) {
        Ok(Plain { flags }) => run_with(flags, name, choose),
        Err(err) => err.exit(),
    }
}

/// As `run`, with flags that a bot's own parser has read.
pub fn run_with(flags: Flags, name: &str, choose: impl Choose) -> ExitCode {
    match run_to_end(flags, name, choose) {
        Ok(outcome) => {
            say(outcome);
            ExitCode::SUCCESS
        }
        Err(err) => {
            say(&err);
            ExitCode::from(err.exit_code())
        }
    }
}

fn run_to_end(flags: Flags, name: &str, choose: impl Choose) -> Result<Outcome> {
    check_place(&flags)?;
    // The connection lives on a thread of its own, so that it stays alive while the bot thinks.
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .map_err(|err| usage(format!("this machine gives us no threads: {err}")))?;
    runtime.spawn(stop_when_told());
    runtime.block_on(async {
        take_seat(&flags).await?;
        play(choose, &Options::read(flags, name)?, Pace::default()).await
    })
}

/// Leave at once on Ctrl-C, also while the bot thinks; everything that counts is on disk.
async fn stop_when_told() {
    if tokio::signal::ctrl_c().await.is_ok() {
        say("stopped; the seat stays ours: start again with the same files to go on");
        std::process::exit(STOPPED);
    }
}
