//! One deal as its seat follows it: what was promised, and whether it was kept.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

use crate::canonical::Fields;
use crate::dealing::{SWAP_POSITIONS, UPCARD_POSITION};
use crate::error::{Result, proof, quoted};
use crate::hex;
use crate::keys::SIGNATURE_BYTES;
use crate::seal::{
    Hash, Opened, chain_descend, commit_set, leaf, move_signed_bytes, reveal_signed_bytes,
    seat_commit, tree_head,
};
use crate::seat::Seat;

mod cards;
mod close;
mod terms;

pub use terms::{CommitSet, Link, Terms};

/// The actions that hide cards, and so take a blind for each.
pub(crate) const HIDDEN_MOVES: [&str; 3] = ["discard", "give", "swap"];

/// The commitment of a seat to cards that it keeps face down.
#[derive(Clone, Debug)]
struct Hidden {
    seat: Seat,
    word: String,
    commit: Hash,
}

impl Hidden {
    /// Whether cards at these positions may be what it kept face down.
    fn may_open(&self, places: &[u32], cards: usize) -> bool {
        let count = if self.word == "swap" { SWAP_POSITIONS.len() } else { 1 };
        let in_pack = |at: &u32| usize::try_from(*at).is_ok_and(|at| at < cards);
        places.len() == count && places.is_sorted_by(|a, b| a < b) && places.iter().all(in_pack)
    }
}

/// What is known of a deal so far; every step that breaks a promise is refused.
#[derive(Debug)]
pub struct Deal {
    /// What holds for the whole match.
    pub terms: Rc<Terms>,
    /// Its number.
    pub number: u32,
    /// Who cuts.
    pub cutter: Option<Seat>,
    /// Our own commitment, as soon as it can be known.
    pub mine: Option<Hash>,
    /// The commitments so far.
    pub commits: [Option<Hash>; 4],
    /// The commit set, once it stands.
    pub set: Option<CommitSet>,
    /// The heads after the turn-up and the actions.
    pub heads: HashMap<u32, Hash>,
    /// What we sent, by the number of its event.
    pub sent: HashMap<u32, String>,
    /// Which of that was accepted.
    pub accepted: HashSet<u32>,
    /// Whether it was closed void though its commit set stood.
    pub voided: bool,
    revealed: bool,
    blamed: bool,
    stood: HashSet<u32>,
    link: Link,
    dealer: Option<Seat>,
    seeds: Option<Vec<Vec<u8>>>,
    cut: Option<u8>,
    leaves: Vec<Hash>,
    root: Option<Hash>,
    start: Option<Seat>,
    opened: Vec<Opened>,
    hand: Vec<(u32, String)>,
    hidden: BTreeMap<u32, Hidden>,
    awaited: Option<String>,
}

impl Deal {
    /// A deal that has just been opened.
    #[must_use]
    pub fn new(
        terms: Rc<Terms>,
        number: u32,
        link: Link,
        dealer: Option<Seat>,
        cutter: Option<Seat>,
    ) -> Self {
        Self {
            terms,
            number,
            cutter,
            mine: None,
            commits: [None; 4],
            set: None,
            heads: HashMap::new(),
            sent: HashMap::new(),
            accepted: HashSet::new(),
            voided: false,
            revealed: false,
            blamed: false,
            stood: HashSet::new(),
            link,
            dealer,
            seeds: None,
            cut: None,
            leaves: Vec::new(),
            root: None,
            start: None,
            opened: Vec::new(),
            hand: Vec::new(),
            hidden: BTreeMap::new(),
            awaited: None,
        }
    }

    /// The commitment that a seat makes with a seed and, where it cuts, a cut.
    #[must_use]
    pub fn commitment(&self, seat: Seat, seed: &[u8], cut: Option<u8>) -> Hash {
        seat_commit(&self.terms.id, self.number, seat.index(), seed, cut)
    }

    fn is_declined(&self, seat: Seat) -> bool {
        self.terms.declined[seat.index()]
    }

    /// A seat's commitment.
    pub fn take_commit(&mut self, fields: &Fields) -> Result<()> {
        let seat = fields.seat("seat")?;
        let commit: Hash = fields.octets("commit")?;
        if self.set.is_some() || self.commits[seat.index()].is_some() || self.is_declined(seat) {
            return Err(proof(format!("{}: {seat} cannot commit now", fields.place)));
        }
        if seat == self.terms.seat && self.mine != Some(commit) {
            return Err(proof(format!(
                "{}: the commitment of {seat} is not the one of our secret",
                fields.place
            )));
        }
        self.commits[seat.index()] = Some(commit);
        Ok(())
    }

    /// The signed set of commitments: ours in place, four that differ, the chain continued.
    pub fn take_commit_set(&mut self, fields: &Fields, head: Hash) -> Result<Hash> {
        let place = &fields.place;
        let commits = fields.hashes("commits", 4)?;
        if self.mine != Some(commits[self.terms.seat.index()]) {
            return Err(proof(format!("{place}: our own commitment is not in its place")));
        }
        if commits.iter().collect::<HashSet<_>>().len() != commits.len() {
            return Err(proof(format!("{place}: two seats have the same commitment")));
        }
        for (seat, commit) in Seat::ALL.into_iter().zip(&commits) {
            let made = match self.is_declined(seat) {
                true => Some(self.commitment(seat, b"", None)),
                false => self.commits[seat.index()],
            };
            if made != Some(*commit) {
                return Err(proof(format!(
                    "{place}: the commitment of {seat} is not the one it made"
                )));
            }
        }
        let r_commit = fields.octets("r_commit")?;
        if self.down(r_commit, self.number) != self.link.value {
            return Err(proof(format!("{place}: r_commit does not continue the referee's chain")));
        }
        let terms = &self.terms;
        let cset = commit_set(&terms.id, self.number, &terms.pack, &r_commit, &commits);
        if cset != fields.octets("cset")? {
            return Err(proof(format!("{place}: cset is not the hash of the commit set")));
        }
        self.set = Some(CommitSet { commits, cset, seq: fields.number("seq")?, head });
        Ok(cset)
    }

    /// A value that claims to be R of `index`, hashed down to the one that is public.
    fn down(&self, value: Hash, index: u32) -> Hash {
        chain_descend(&self.terms.id, value, index, self.link.index)
    }

    /// The seeds, each one that was committed to.
    pub fn take_reveal_set(&mut self, fields: &Fields) -> Result<()> {
        let place = &fields.place;
        let Some(set) = &self.set else {
            return Err(proof(format!("{place} came before commit_set")));
        };
        let seeds = fields.octets_list("seeds", 4, &[0, 32])?;
        let cut = self.named_cut(fields)?;
        for (seat, seed) in Seat::ALL.into_iter().zip(&seeds) {
            let own_cut = cut.filter(|_| Some(seat) == self.cutter);
            let kept = seed.is_empty() == self.is_declined(seat)
                && self.commitment(seat, seed, own_cut) == set.commits[seat.index()];
            if !kept {
                return Err(proof(format!(
                    "{place}: the seed of {seat} is not the one it committed to"
                )));
            }
        }
        let sigs = fields.octets_list("sigs", 4, &[0, SIGNATURE_BYTES])?;
        for (seat, sig) in Seat::ALL.into_iter().zip(&sigs) {
            let what = format!("{place}: the reveal of {seat}");
            let message = self.reveal_message(set, seat);
            self.terms.check_seat_signature(&what, seat, sig, &message)?;
        }
        (self.seeds, self.cut) = (Some(seeds), cut);
        Ok(())
    }

    fn named_cut(&self, fields: &Fields) -> Result<Option<u8>> {
        let cut = fields.maybe("cut", Fields::number)?;
        if cut.is_some() != self.cutter.is_some() {
            return Err(proof(format!(
                "{}: a cut goes with a cutter, and only with one",
                fields.place
            )));
        }
        let Some(cut) = cut else { return Ok(None) };
        let fits = u8::try_from(cut).ok().filter(|n| usize::from(*n) < self.terms.faces.len());
        match fits {
            Some(cut) => Ok(Some(cut)),
            None => {
                Err(proof(format!("{}: the cut {cut} is more than the pack holds", fields.place)))
            }
        }
    }

    /// What a seat signs of its reveal.
    #[must_use]
    pub fn reveal_message(&self, set: &CommitSet, seat: Seat) -> Vec<u8> {
        let commit = &set.commits[seat.index()];
        let (id, place) = (&self.terms.id, seat.index());
        reveal_signed_bytes(id, self.number, place, &set.cset, commit, &set.head)
    }

    /// The leaves of the deck and their root.
    pub fn take_deck_root(&mut self, fields: &Fields) -> Result<()> {
        if self.seeds.is_none() {
            return Err(proof(format!("{} came before reveal_set", fields.place)));
        }
        let leaves = fields.hashes("leaves", self.terms.faces.len())?;
        let root = fields.octets("root")?;
        if tree_head(&leaves) != root {
            return Err(proof(format!("{}: the root is not that of the leaves", fields.place)));
        }
        (self.leaves, self.root) = (leaves, Some(root));
        Ok(())
    }

    fn check_opened(&self, place: &str, card: &Opened) -> Result<()> {
        let Opened { position, card: face, salt } = card;
        let sealed = usize::try_from(*position).ok().and_then(|at| self.leaves.get(at));
        let Some(sealed) = sealed else {
            return Err(proof(format!("{place}: position {position} has no leaf yet")));
        };
        if !self.terms.faces.contains(&face.as_str()) {
            return Err(proof(format!("{place}: {} is not a card of the pack", quoted(face))));
        }
        if leaf(&self.terms.id, self.number, *position, face, salt) != *sealed {
            return Err(proof(format!(
                "{place}: {face} at position {position} is not the sealed card"
            )));
        }
        Ok(())
    }

    /// The dealer draw's cards, and the dealer it gives.
    pub fn take_dealer_draw(&mut self, fields: &Fields) -> Result<Seat> {
        self.start = Some(fields.seat("start")?);
        for item in fields.children("turned")? {
            let card = item.opened()?;
            self.check_opened(&item.place, &card)?;
            self.opened.push(card);
        }
        let dealer = fields.seat("dealer")?;
        self.dealer = Some(dealer);
        Ok(dealer)
    }

    /// The upcard.
    pub fn take_turn_up(&mut self, fields: &Fields) -> Result<()> {
        let card = fields.opened()?;
        if card.position != UPCARD_POSITION {
            return Err(proof(format!("{}: the upcard lies at {UPCARD_POSITION}", fields.place)));
        }
        self.check_opened(&fields.place, &card)?;
        self.opened.push(card);
        Ok(())
    }

    /// An action: ours is what we sent, a signing seat's is signed, unless it was played for it.
    ///
    /// One that hides a card is kept until its opening. `before` is the head that it follows.
    pub fn take_action(&mut self, fields: &Fields, seq: u32, before: &Hash) -> Result<()> {
        let place = &fields.place;
        let (seat, word) = (fields.seat("seat")?, fields.text("action")?);
        let commit: Option<Hash> = fields.maybe("commit", Fields::octets)?;
        let hides = HIDDEN_MOVES.iter().find(|hides| word.split(' ').next() == Some(hides));
        if hides.is_some() != commit.is_some() || hides.is_some_and(|hides| word != *hides) {
            return Err(proof(format!(
                "{place}: {} does not hide what it should, or hides what it should not",
                quoted(word)
            )));
        }
        let action = match commit {
            None => word.to_owned(),
            Some(commit) => format!("{word} {}", hex::encode(&commit)),
        };
        let sig = seat_sig(fields)?;
        let (ours, fallback) = (seat == self.terms.seat, fields.has("fallback"));
        if ours && fallback && self.accepted.contains(&seq) {
            return Err(proof(format!(
                "{place}: our move was accepted, and {} stands as played for us",
                quoted(&action)
            )));
        }
        if ours && !fallback {
            self.stood.insert(seq);
        }
        if !sig.is_empty() || !fallback {
            let message = move_signed_bytes(&self.terms.id, self.number, seq, before, &action);
            let what = format!("{place}: the move of {seat}");
            self.terms.check_seat_signature(&what, seat, &sig, &message)?;
            if let Some(sent) = self.sent.get(&seq).filter(|sent| ours && **sent != action) {
                return Err(proof(format!(
                    "{place}: {} is not the move we made, {}",
                    quoted(&action),
                    quoted(sent)
                )));
            }
        }
        if let Some(commit) = commit {
            let to_us =
                (word == "swap" && ours) || (word == "give" && seat == self.terms.seat.partner());
            if to_us {
                self.awaited = Some(word.to_owned());
            }
            self.hidden.insert(seq, Hidden { seat, word: word.to_owned(), commit });
        }
        Ok(())
    }

    /// A move of ours that was accepted for an event stands there.
    pub fn check_stood(&self, seq: u32) -> Result<()> {
        if self.accepted.contains(&seq) && !self.stood.contains(&seq) {
            return Err(proof(format!(
                "event {seq}: our move was accepted, and this is not the move we made"
            )));
        }
        Ok(())
    }

    /// Our reveal was accepted.
    pub fn revealed(&mut self) -> Result<()> {
        self.revealed = true;
        self.check_blame()
    }

    /// We are not said to have withheld a reveal that the referee has accepted.
    fn check_blame(&self) -> Result<()> {
        if self.blamed && self.revealed {
            return Err(proof(format!(
                "deal {}: we are said to have withheld, and our reveal was accepted \
                 (its receipt is kept: the proof)",
                self.number
            )));
        }
        Ok(())
    }
}

fn seat_sig(fields: &Fields) -> Result<Vec<u8>> {
    let sig = fields.maybe("seat_sig", Fields::octets::<SIGNATURE_BYTES>)?;
    Ok(sig.map_or_else(Vec::new, |sig| sig.to_vec()))
}
