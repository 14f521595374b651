//! One deal as its seat follows it: what was promised, and whether it was kept.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

use crate::canonical::Fields;
use crate::dealing::{SWAP_POSITIONS, UPCARD_POSITION, drawn_dealer, positions};
use crate::error::{Result, proof, quoted};
use crate::hex;
use crate::keys::{SIGNATURE_BYTES, verifies};
use crate::seal::{
    Hash, Ingredients, MatchId, Opened, SealedDeck, chain_descend, commit_set, hidden_moves, leaf,
    move_signed_bytes, reveal_signed_bytes, sealed_deck, seat_commit, tree_head,
};
use crate::seat::Seat;

/// The actions that hide cards, and so take a blind for each.
pub(crate) const HIDDEN_MOVES: [&str; 3] = ["discard", "give", "swap"];

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
    fn check_seat_signature(
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

    /// Cards of ours: the five at our places in the deal, then what a move has given us.
    ///
    /// A swap gives the first three of the kitty; a lone player is given one card by the partner.
    pub fn take_private_deal(&mut self, root: &[u8], cards: &[Opened]) -> Result<()> {
        let place = format!("the private deal of deal {}", self.number);
        if self.root.is_none_or(|sealed| sealed != root) {
            return Err(proof(format!("{place}: its root is not that of the deck")));
        }
        // The dealer draw names a dealer too, and deals no hands.
        let Some(dealer) = self.dealer.filter(|_| self.number > 0) else {
            return Err(proof(format!("{place}: the dealer draw deals no hands")));
        };
        let given: Vec<u32> = cards.iter().map(|card| card.position).collect();
        if !self.is_due(dealer, &given) {
            return Err(proof(format!(
                "{place}: positions {given:?} are not those of {}",
                self.terms.seat
            )));
        }
        cards.iter().try_for_each(|card| self.check_opened(&place, card))?;
        for card in cards {
            if !self.holds(card.position) {
                self.hand.push((card.position, card.card.clone()));
            }
        }
        self.awaited = None;
        Ok(())
    }

    fn holds(&self, position: u32) -> bool {
        self.hand.iter().any(|(held, _)| *held == position)
    }

    /// Whether these positions may come to us now; what we hold may come again.
    fn is_due(&self, dealer: Seat, given: &[u32]) -> bool {
        if self.hand.is_empty() {
            return positions(&self.terms.packets, dealer, self.terms.seat).as_deref()
                == Some(given);
        }
        if given.iter().all(|position| self.holds(*position)) {
            return true;
        }
        match self.awaited.as_deref() {
            Some("swap") => given == SWAP_POSITIONS,
            Some("give") => given.len() == 1,
            _ => false,
        }
    }

    /// The cards that a view shows as ours, against those that were sealed for us.
    pub fn check_view(&self, hand: &[String]) -> Result<()> {
        if self.hand.is_empty() && !hand.is_empty() {
            return Err(proof(format!(
                "deal {}: we are asked to act but were shown no sealed cards",
                self.number
            )));
        }
        let deals = self.dealer == Some(self.terms.seat);
        let ours = |card: &String| {
            self.hand.iter().any(|(_, held)| held == card)
                || (deals && self.opened.iter().any(|up| up.card == *card))
        };
        match hand.iter().find(|card| !ours(card)) {
            None => Ok(()),
            Some(card) => Err(proof(format!(
                "deal {}: {} in our view was not dealt to us",
                self.number,
                quoted(card)
            ))),
        }
    }

    /// Where a card of ours lay in the deal; the upcard counts as ours.
    fn position_of(&self, card: &str) -> Option<u32> {
        let up = self.opened.iter().find(|up| up.card == card).map(|up| up.position);
        up.or_else(|| self.hand.iter().find(|(_, held)| held == card).map(|(at, _)| *at))
    }

    /// A move of ours as it will stand in the record; `blind` is there where it hides cards.
    pub fn move_text(&self, action: &str, blind: &[u8]) -> Result<String> {
        if blind.is_empty() {
            return Ok(action.to_owned());
        }
        let mut words = action.split(' ');
        let word = words.next().unwrap_or_default();
        let places: Option<Vec<_>> = words.map(|card| self.position_of(card)).collect();
        let mut places = places.ok_or_else(|| {
            proof(format!(
                "deal {}: {} hides a card we were not dealt",
                self.number,
                quoted(action)
            ))
        })?;
        places.sort_unstable();
        let hidden: Vec<_> = places.into_iter().zip(blind.chunks(32)).collect();
        let commit = hidden_moves(&self.terms.id, self.number, self.terms.seat.index(), &hidden);
        Ok(format!("{word} {}", hex::encode(&commit)))
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

    /// The close: the whole deck derived again, and every hidden card opened.
    pub fn take_close(&mut self, fields: &Fields) -> Result<Link> {
        let r = fields.octets("r")?;
        let next = self.number + 1;
        if self.down(r, next) != self.link.value {
            return Err(proof(format!(
                "{}: r does not continue the referee's chain",
                fields.place
            )));
        }
        self.check_outcome(fields)?;
        match (&self.seeds, &self.set) {
            (Some(seeds), Some(set)) if !self.leaves.is_empty() => {
                let deck = sealed_deck(&Ingredients {
                    id: &self.terms.id,
                    deal: self.number,
                    faces: &self.terms.faces,
                    r: &r,
                    cset: &set.cset,
                    seeds,
                    cut: self.cut,
                });
                self.check_deck(fields, &deck)?;
            }
            _ if fields.has("deck") => {
                return Err(proof(format!(
                    "{}: a deck is named though none was sealed",
                    fields.place
                )));
            }
            _ => {}
        }
        self.check_openings(fields)?;
        self.check_attempts(fields)?;
        Ok(Link { index: next, value: r })
    }

    /// A deal is cut short by a fault or a void alone, and nobody withholds what was not due.
    fn check_outcome(&mut self, fields: &Fields) -> Result<()> {
        let (place, outcome) = (&fields.place, fields.text("outcome")?);
        let short = matches!(outcome, "fault" | "void");
        if self.leaves.is_empty() && !short {
            return Err(proof(format!(
                "{place}: only a fault or a void closes a deal before its deck, and it is closed {}",
                quoted(outcome)
            )));
        }
        if !short && (outcome == "draw") != (self.number == 0) {
            return Err(proof(format!(
                "{place}: the draw for the deal, and no other deal, is closed as draw"
            )));
        }
        self.voided = outcome == "void" && self.set.is_some();
        for fault in fields.children_if_any("faults")? {
            let seat = fault.seat("seat")?;
            if fault.text("why")? != "WITHHELD" {
                continue;
            }
            let committed = self.set.is_none() && self.commits[seat.index()].is_some();
            if self.is_declined(seat) || !self.leaves.is_empty() || committed {
                return Err(proof(format!(
                    "{}: {seat} is said to have withheld, and nothing of it was due",
                    fault.place
                )));
            }
            self.blamed |= seat == self.terms.seat;
        }
        self.check_blame()
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

    fn check_deck(&self, fields: &Fields, deck: &SealedDeck) -> Result<()> {
        let place = &fields.place;
        let differs = deck.leaves.iter().zip(&self.leaves).position(|(ours, said)| ours != said);
        if let Some(at) = differs {
            return Err(proof(format!(
                "{place}: the leaf at position {at} is not that of the seeds' deck"
            )));
        }
        if fields.text("deck")? != deck.cards.join(" ") {
            return Err(proof(format!("{place}: the deck is not the one that the seeds give")));
        }
        let Some(start) = self.start else { return Ok(()) };
        if start.index() != deck.first_seat {
            return Err(proof(format!("{place}: the dealer draw began at the wrong seat")));
        }
        if self.dealer != Some(drawn_dealer(&deck.cards, &self.terms.first_dealer, start)) {
            return Err(proof(format!("{place}: the dealer draw named the wrong dealer")));
        }
        Ok(())
    }

    /// An attempt counts against a signing seat only under its signature, and once.
    fn check_attempts(&self, fields: &Fields) -> Result<()> {
        let mut seen = HashSet::new();
        for tried in fields.children_if_any("attempts")? {
            let (seat, after) = (tried.seat("seat")?, tried.number("after")?);
            let (action, sig) = (tried.text("action")?, seat_sig(&tried)?);
            let message = match (self.heads.get(&after), after.checked_add(1)) {
                (Some(before), Some(seq)) => {
                    move_signed_bytes(&self.terms.id, self.number, seq, before, action)
                }
                _ => Vec::new(),
            };
            let what = format!("{}: the attempt of {seat}", tried.place);
            if !seen.insert((after, seat, action.to_owned())) && !sig.is_empty() {
                return Err(proof(format!("{what} is listed twice, and was signed once")));
            }
            self.terms.check_seat_signature(&what, seat, &sig, &message)?;
        }
        Ok(())
    }

    fn check_openings(&self, fields: &Fields) -> Result<()> {
        let mut left = self.hidden.clone();
        for opening in fields.children_if_any("openings")? {
            let (place, seq) = (&opening.place, opening.number("seq")?);
            let Some(card) = left.remove(&seq) else {
                return Err(proof(format!("{place}: event {seq} hides nothing")));
            };
            let places = opening.numbers("positions")?;
            let blinds = opening.octets_list("blinds", places.len(), &[32])?;
            let sound = card.may_open(&places, self.terms.faces.len());
            let hidden: Vec<_> = places.into_iter().zip(blinds.iter().map(Vec::as_slice)).collect();
            let made = hidden_moves(&self.terms.id, self.number, card.seat.index(), &hidden);
            if !sound || made != card.commit {
                return Err(proof(format!("{place}: it does not open what event {seq} hid")));
            }
        }
        match left.keys().next() {
            None => Ok(()),
            Some(seq) => Err(proof(format!("{}: event {seq} was never opened", fields.place))),
        }
    }
}

fn seat_sig(fields: &Fields) -> Result<Vec<u8>> {
    let sig = fields.maybe("seat_sig", Fields::octets::<SIGNATURE_BYTES>)?;
    Ok(sig.map_or_else(Vec::new, |sig| sig.to_vec()))
}
