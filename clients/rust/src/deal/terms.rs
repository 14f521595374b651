//! What holds for every deal of a match, and what a deal is built on.

use crate::error::{Result, proof};
use crate::keys::verifies;
use crate::seal::{Hash, MatchId};
use crate::seat::Seat;

/// What `match_open` fixes for every deal.
#[derive(Debug)]
pub struct Terms {
    /// The match.
    pub id: MatchId,
    /// Ours.
    pub seat: Seat,
    /// The pack's id.
    pub pack: String,
    /// The pack's cards, in its order.
    pub faces: Vec<&'static str>,
    /// The pattern of dealing.
    pub packets: String,
    /// Who cuts.
    pub cut: String,
    /// How the first dealer is found.
    pub first_dealer: String,
    /// How many links the referee's chain has.
    pub chain: u32,
    /// Whether the result counts.
    pub rated: bool,
    /// Which seats give no seeds.
    pub declined: [bool; 4],
    /// The keys of the seats that sign.
    pub keys: [Option<Vec<u8>>; 4],
}

impl Terms {
    /// Refuse what a seat with a key has not signed, and what is signed without one.
    pub(super) fn check_seat_signature(
        &self,
        what: &str,
        seat: Seat,
        sig: &[u8],
        message: &[u8],
    ) -> Result<()> {
        match &self.keys[seat.index()] {
            None if sig.is_empty() => Ok(()),
            None => Err(proof(format!("{what} is signed, and its seat has no key"))),
            Some(key) if verifies(key, sig, message) => Ok(()),
            Some(_) => Err(proof(format!("{what} is not signed by its seat"))),
        }
    }
}

/// A value of the referee's hash chain that is already public, and its index.
#[derive(Clone, Copy, Debug)]
pub struct Link {
    /// Its index.
    pub index: u32,
    /// Its value.
    pub value: Hash,
}

/// The commit set once it has stood up to its checks.
#[derive(Debug)]
pub struct CommitSet {
    /// All four commitments.
    pub commits: Vec<Hash>,
    /// Their hash with all that the deck depends on.
    pub cset: Hash,
    /// The number of its event.
    pub seq: u32,
    /// The head after its event.
    pub head: Hash,
}
