//! The four places at the table.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A place at the table; play goes north, east, south, west.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Seat {
    /// Partner of south.
    North,
    /// Partner of west.
    East,
    /// Partner of north.
    South,
    /// Partner of east.
    West,
}

impl Seat {
    /// All seats, in the order of play.
    pub const ALL: [Self; 4] = [Self::North, Self::East, Self::South, Self::West];

    /// 0 for north, to 3 for west.
    #[must_use]
    pub fn index(self) -> usize {
        self as usize
    }

    /// The seat so many places to the left.
    #[must_use]
    pub fn left(self, places: usize) -> Self {
        Self::ALL[(self.index() + places) % 4]
    }

    /// The seat opposite.
    #[must_use]
    pub fn partner(self) -> Self {
        self.left(2)
    }

    /// The seat of a word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|seat| seat.word() == word)
    }

    /// Its word, as `north`.
    #[must_use]
    pub fn word(self) -> &'static str {
        ["north", "east", "south", "west"][self.index()]
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.word())
    }
}
