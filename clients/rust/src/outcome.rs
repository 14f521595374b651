//! How a match ended, in the words that `euchre-referee match` ends with.

use std::fmt;

use crate::error::Result;
use crate::events::Event;

/// What both sides have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Score {
    /// North and south.
    pub ns: u32,
    /// East and west.
    pub ew: u32,
}

impl Score {
    /// The score in the event that closes a deal or a match.
    pub(crate) fn read(close: &Event) -> Result<Self> {
        let score = close.fields.child("score")?;
        Ok(Self { ns: score.number("ns")?, ew: score.number("ew")? })
    }
}

impl fmt::Display for Score {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "ns {} ew {}", self.ns, self.ew)
    }
}

/// How a match ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The match, in hex.
    pub id: String,
    /// `finished`, `forfeit`, `aborted` or `void`.
    pub outcome: String,
    /// The seat whose fault or wish it was.
    pub by: Option<String>,
    /// `ns` or `ew`, where anybody won.
    pub winner: Option<String>,
    /// The score of the match.
    pub score: Score,
    /// Whether the score counts games, and not points.
    pub games: bool,
    /// The score of the game at hand, as the last closed deal left it.
    pub last: Option<Score>,
    /// The deals that counted.
    pub deals: u32,
}

impl Outcome {
    pub(crate) fn read(close: &Event, id: &str, games: bool) -> Result<Self> {
        let fields = &close.fields;
        Ok(Self {
            id: id.to_owned(),
            outcome: fields.text("outcome")?.to_owned(),
            by: fields.maybe("by", |f, key| f.text(key).map(str::to_owned))?,
            winner: fields.maybe("winner", |f, key| f.text(key).map(str::to_owned))?,
            score: Score::read(close)?,
            games,
            last: None,
            deals: fields.number("deals")?,
        })
    }
}

impl fmt::Display for Outcome {
    /// One line, the winner's count first.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { id, outcome, score, deals, .. } = self;
        write!(out, "match {id}: {outcome}")?;
        if let Some(seat) = &self.by {
            write!(out, " by {seat}")?;
        }
        match self.winner.as_deref() {
            None => write!(out, ": nobody wins, {score}")?,
            Some("ew") => write!(out, ": ew wins {}-{}", score.ew, score.ns)?,
            Some(winner) => write!(out, ": {winner} wins {}-{}", score.ns, score.ew)?,
        }
        write!(out, " in {}", if self.games { "games" } else { "points" })?;
        if let Some(last) = self.last.filter(|_| self.games) {
            write!(out, ", the last one {last}")?;
        }
        write!(out, ", after {deals} deal{}", if *deals == 1 { "" } else { "s" })
    }
}
