//! What ends a match early, and the exit status of each.

use std::fmt;

/// The match cannot go on; the text says why and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BotError {
    /// The referee could not be reached, or would not have us.
    RefereeLost(String),
    /// The bot's own function panicked.
    BotFailed(String),
    /// A flag, a file or an address is not usable.
    Usage(String),
    /// The referee's word does not hold: a seal, a signature or a promise is broken.
    DealProof(String),
    /// Another process has taken the seat.
    SeatTaken(String),
}

/// A result whose error ends the match.
pub type Result<T> = std::result::Result<T, BotError>;

impl BotError {
    /// The exit status that goes with it.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::RefereeLost(_) | Self::BotFailed(_) => 1,
            Self::Usage(_) => 2,
            Self::DealProof(_) => 3,
            Self::SeatTaken(_) => 4,
        }
    }
}

impl fmt::Display for BotError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::RefereeLost(why)
            | Self::BotFailed(why)
            | Self::Usage(why)
            | Self::DealProof(why)
            | Self::SeatTaken(why) => out.write_str(why),
        }
    }
}

impl std::error::Error for BotError {}

pub(crate) fn lost(why: impl Into<String>) -> BotError {
    BotError::RefereeLost(why.into())
}

pub(crate) fn usage(why: impl Into<String>) -> BotError {
    BotError::Usage(why.into())
}

pub(crate) fn proof(why: impl Into<String>) -> BotError {
    BotError::DealProof(why.into())
}

/// Text from outside as an error quotes it: in single quotes, on one line.
pub(crate) fn quoted(text: impl fmt::Display) -> String {
    let inner: String = text
        .to_string()
        .chars()
        .flat_map(|c| if matches!(c, '\'' | '"') { vec![c] } else { c.escape_debug().collect() })
        .collect();
    format!("'{inner}'")
}

/// Why the system refused, without its number.
pub(crate) fn reason(err: &std::io::Error) -> String {
    let text = err.to_string();
    text.split(" (os error").next().unwrap_or_default().to_owned()
}

/// Tell the operator, on standard error.
pub fn say(line: impl fmt::Display) {
    eprintln!("euchre-bot: {line}");
}
