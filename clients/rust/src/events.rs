//! The event chain of one match: in order, unbroken, signed where it must be.

use crate::canonical::Fields;
use crate::error::{Result, proof};
use crate::keys::{PublicKey, verifies};
use crate::seal::{Hash, event_head, referee_signed_bytes};

/// The kinds that the referee has to sign.
const SIGNED_KINDS: [&str; 5] =
    ["match_open", "commit_set", "deck_root", "deal_close", "match_close"];

/// A public event that has its place in the chain.
#[derive(Clone, Debug)]
pub struct Event {
    /// Its number.
    pub seq: u32,
    /// Its kind, as `turn_up`.
    pub kind: String,
    /// What it says.
    pub fields: Fields,
    /// The head of the chain after it.
    pub head: Hash,
}

/// The chain as far as it has been seen.
#[derive(Debug, Default)]
pub struct EventChain {
    /// The head after the last event.
    pub head: Hash,
    /// The number that the next event must have.
    pub next_seq: u32,
    /// The referee's key, once `match_open` has named it.
    pub key: Vec<u8>,
}

impl EventChain {
    /// The next event; one that is not next, or not the referee's, is refused.
    pub fn take(&mut self, raw: &[u8], sig: &[u8]) -> Result<Event> {
        let place = format!("event {}", self.next_seq);
        let fields = Fields::parse(&place, raw)?;
        let kind = fields.text("kind")?.to_owned();
        let fields = fields.at(format!("{place} ({kind})"));
        let seq = fields.number("seq")?;
        if seq != self.next_seq {
            return Err(proof(format!("event {seq} ({kind}) came where {place} was due")));
        }
        if fields.octets("prev")? != self.head {
            return Err(proof(format!("{} does not continue the chain of events", fields.place)));
        }
        if (seq == 0) != (kind == "match_open") {
            return Err(proof(format!(
                "{}: the match has to open with match_open, once",
                fields.place
            )));
        }
        if seq == 0 {
            self.key = referee_key(&fields)?;
        }
        let head = event_head(&self.head, raw);
        if !sig.is_empty() || SIGNED_KINDS.contains(&kind.as_str()) {
            self.check_signature(&fields, &head, sig)?;
        }
        self.head = head;
        self.next_seq += 1;
        Ok(Event { seq, kind, fields, head })
    }

    fn check_signature(&self, fields: &Fields, head: &Hash, sig: &[u8]) -> Result<()> {
        if sig.is_empty() {
            return Err(proof(format!("{} is not signed by the referee", fields.place)));
        }
        if !verifies(&self.key, sig, &referee_signed_bytes(head)) {
            return Err(proof(format!(
                "{} has a signature that is not the referee's",
                fields.place
            )));
        }
        Ok(())
    }
}

fn referee_key(fields: &Fields) -> Result<Vec<u8>> {
    let key = PublicKey::parse(fields.text("referee_key")?);
    key.map(|key| key.public)
        .map_err(|_| proof(format!("{}: the referee's key is not a sound one", fields.place)))
}
