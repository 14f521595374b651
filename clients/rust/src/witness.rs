//! The seat's own account of a match: every duty of the seal, event by event.

use std::collections::BTreeMap;
use std::rc::Rc;

use serde_json::json;

use crate::canonical::{Fields, dump};
use crate::deal::{Deal, Link, Terms};
use crate::dealing::{cutter, positions};
use crate::error::{Result, proof, quoted};
use crate::events::{Event, EventChain};
use crate::files::{StateFile, draw};
use crate::keys::{PublicKey, SeatKey, verifies};
use crate::options::Level;
use crate::receipts::{PrivateDeal, Receipts};
use crate::seal::{
    Hash, MatchId, Opened, PROTOCOL, ReceiptItem, below, move_signed_bytes, pack, rule_set_id,
    seat_seed,
};
use crate::seat::Seat;

/// Which kinds of events may follow which: nothing is left out and nothing comes twice.
fn may_follow(last: &str) -> &'static [&'static str] {
    match last {
        "" => &["match_open"],
        "match_open" => &["deal_open", "match_close"],
        "deal_open" | "seat_commit" => &["seat_commit", "commit_set", "deal_close"],
        "commit_set" => &["reveal_set", "deal_close"],
        "reveal_set" => &["deck_root"],
        "deck_root" => &["dealer_draw", "turn_up"],
        "dealer_draw" => &["deal_close"],
        "turn_up" | "action" => &["action", "deal_close"],
        "deal_close" => &["deal_open", "match_close"],
        _ => &[],
    }
}

/// What the seat was told in Welcome, and what it said of itself.
#[derive(Debug)]
pub struct Claim {
    /// The match.
    pub id: MatchId,
    /// Ours.
    pub seat: Seat,
    /// Our name.
    pub name: String,
    /// Every knob of the rule set.
    pub rules: BTreeMap<String, String>,
    /// The referee's key.
    pub referee_key: Vec<u8>,
    /// What we do for the seal; at `plays` we give no seeds.
    pub level: Level,
    /// Our own key, where we sign.
    pub key: Option<Rc<SeatKey>>,
}

/// What the seat opens once the commit set has passed its checks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reveal {
    /// Our seed.
    pub seed: Hash,
    /// Our cut, where we are the cutter.
    pub cut: Option<u8>,
    /// The commit set that we answer.
    pub cset: Hash,
    /// The head after it.
    pub head: Hash,
    /// Our signature, where we sign.
    pub sig: Vec<u8>,
}

/// Follows one match for one seat; whatever does not hold is refused.
pub struct Witness {
    claim: Claim,
    secret: Hash,
    state: StateFile,
    receipts: Receipts,
    chain: EventChain,
    last: String,
    terms: Option<Rc<Terms>>,
    r0: Hash,
    link: Link,
    drawn: Option<Seat>,
    deals: BTreeMap<u32, Deal>,
    twins: [bool; 4],
}

impl Witness {
    /// A witness who has seen nothing yet.
    #[must_use]
    pub fn new(claim: Claim, secret: Hash, state: StateFile, receipts: Receipts) -> Self {
        Self {
            claim,
            secret,
            state,
            receipts,
            chain: EventChain::default(),
            last: String::new(),
            terms: None,
            r0: [0; 32],
            link: Link { index: 0, value: [0; 32] },
            drawn: None,
            deals: BTreeMap::new(),
            twins: [false; 4],
        }
    }

    /// The first event not yet seen: the position to resume from.
    #[must_use]
    pub fn next_seq(&self) -> u32 {
        self.chain.next_seq
    }

    /// Follow one public event.
    pub fn take(&mut self, raw: &[u8], sig: &[u8]) -> Result<Event> {
        let before = self.chain.head;
        let event = self.chain.take(raw, sig)?;
        let (fields, kind) = (&event.fields, event.kind.as_str());
        if !may_follow(&self.last).contains(&kind) {
            let after = if self.last.is_empty() { "the beginning" } else { &self.last };
            return Err(proof(format!("{} cannot come after {after}", fields.place)));
        }
        self.last = event.kind.clone();
        self.receipts.saw(event.seq, &event.head)?;
        match kind {
            "match_open" => self.open(fields)?,
            "match_close" => self.check_end(fields)?,
            "deal_open" => self.open_deal(fields)?,
            _ => self.step(&event, &before)?,
        }
        Ok(event)
    }

    fn step(&mut self, event: &Event, before: &Hash) -> Result<()> {
        let fields = &event.fields;
        let number = fields.number("deal")?;
        let deal = open_deal(&mut self.deals, &fields.place, number)?;
        if matches!(event.kind.as_str(), "turn_up" | "action") {
            deal.heads.insert(event.seq, event.head);
        }
        match event.kind.as_str() {
            "seat_commit" => deal.take_commit(fields)?,
            "commit_set" => {
                let cset = deal.take_commit_set(fields, event.head)?;
                self.state.check_answer(&self.claim.id, number, &cset)?;
            }
            "reveal_set" => deal.take_reveal_set(fields)?,
            "deck_root" => deal.take_deck_root(fields)?,
            "dealer_draw" => self.drawn = Some(deal.take_dealer_draw(fields)?),
            "turn_up" => deal.take_turn_up(fields)?,
            "action" => deal.take_action(fields, event.seq, before)?,
            _ => self.link = deal.take_close(fields)?,
        }
        deal.check_stood(event.seq)
    }

    /// The other seat whose commitment our own secret gives, if this event is its first.
    pub fn twin(&mut self, event: &Event) -> Option<Seat> {
        if event.kind != "seat_commit" || self.claim.level == Level::Plays {
            return None;
        }
        let (_, deal) = self.deals.last_key_value()?;
        let seat = event.fields.seat("seat").ok()?;
        if seat == self.claim.seat || self.twins[seat.index()] {
            return None;
        }
        let seed = self.seed(deal.number);
        let made = deal.commits[seat.index()]?;
        let cuts: Vec<Option<u8>> = match deal.cutter {
            Some(cutter) if cutter == seat => (0..=u8::MAX).map(Some).collect(),
            _ => vec![None],
        };
        let same = cuts.into_iter().any(|cut| deal.commitment(seat, &seed, cut) == made);
        self.twins[seat.index()] = same;
        same.then_some(seat)
    }

    fn open(&mut self, fields: &Fields) -> Result<()> {
        let claim = &self.claim;
        let rules: BTreeMap<_, _> = fields.child("rules")?.texts()?.into_iter().collect();
        let rule = |knob: &str, otherwise: &str| {
            rules.get(knob).map_or(otherwise, String::as_str).to_owned()
        };
        let (pack_id, packets) = (fields.text("pack")?, rule("packets", ""));
        let faces = pack(pack_id).unwrap_or_default();
        let checks = [
            (fields.octets("match")? == claim.id, "match is not the one we joined"),
            (fields.text("protocol")? == PROTOCOL, "protocol is not euchre-sealed/v1"),
            (self.chain.key == claim.referee_key, "referee_key is not the one we were told"),
            (rules == claim.rules, "rules are not those we were told"),
            (
                fields.octets("rule_set")? == rule_set_id(&dump(&json!(rules))),
                "rule_set is not the hash of the rules",
            ),
            (pack_id == rule("pack", ""), "pack is not that of the rules"),
            (!faces.is_empty(), "pack is not one we know"),
            (
                positions(&packets, Seat::North, Seat::North).is_some(),
                "packets are not a pattern we know",
            ),
        ];
        if let Some((_, fault)) = checks.iter().find(|(holds, _)| !holds) {
            return Err(proof(format!("{}: {fault}", fields.place)));
        }
        let entries = fields.children("seats")?;
        let Ok([north, east, south, west]) = <[Fields; 4]>::try_from(entries) else {
            return Err(proof(format!("{}: seats are not four", fields.place)));
        };
        let entries = [&north, &east, &south, &west];
        self.check_entry(entries[claim.seat.index()])?;
        let (mut declined, mut keys) = ([false; 4], [const { None }; 4]);
        for (place, entry) in entries.into_iter().enumerate() {
            declined[place] = entry.text("level")? == Level::Plays.word();
            keys[place] = key_of(entry)?;
        }
        let terms = Terms {
            id: claim.id,
            seat: claim.seat,
            pack: pack_id.to_owned(),
            faces,
            packets,
            cut: rule("cut", "none"),
            first_dealer: rule("first_dealer", "agreed"),
            chain: fields.number("chain")?,
            rated: fields.child("policy")?.truth("rated")?,
            declined,
            keys,
        };
        self.r0 = fields.octets("r0")?;
        self.link = Link { index: 0, value: self.r0 };
        self.state.check_match(&terms.id, &self.r0)?;
        self.terms = Some(Rc::new(terms));
        Ok(())
    }

    /// Our own entry: who we are, what we do for the seal, and whose our seeds are.
    fn check_entry(&self, mine: &Fields) -> Result<()> {
        let claim = &self.claim;
        let seed_by = if claim.level == Level::Plays { "host" } else { "seat" };
        let said = (mine.text("name")?, mine.text("level")?, mine.text("seed_by")?);
        if said != (&claim.name, claim.level.word(), seed_by) {
            return Err(proof(format!(
                "{}: our seat is not entered as we said: {said:?}",
                mine.place
            )));
        }
        if key_of(mine)? != claim.key.as_ref().map(|key| key.public().to_vec()) {
            return Err(proof(format!("{}: our key is not the one we gave", mine.place)));
        }
        Ok(())
    }

    /// The deal with which the match has to end: its deck was known, and it was thrown away.
    fn last_deal(&self) -> Option<u32> {
        let rated = self.terms.as_ref().is_some_and(|terms| terms.rated);
        self.deals.last_key_value().filter(|(_, deal)| rated && deal.voided).map(|(at, _)| *at)
    }

    fn check_end(&self, fields: &Fields) -> Result<()> {
        let outcome = fields.text("outcome")?;
        match self.last_deal() {
            Some(deal) if !matches!(outcome, "void" | "aborted") => Err(proof(format!(
                "{}: it is closed {} after deal {deal}, which was closed void after its commit set",
                fields.place,
                quoted(outcome)
            ))),
            _ => Ok(()),
        }
    }

    fn open_deal(&mut self, fields: &Fields) -> Result<()> {
        let place = &fields.place;
        let Some(terms) = self.terms.clone() else {
            return Err(proof(format!("{place} came before match_open")));
        };
        let number = fields.number("deal")?;
        if let Some(deal) = self.last_deal() {
            return Err(proof(format!(
                "{place}: the match goes on after deal {deal}, which was closed void after its \
                 commit set"
            )));
        }
        let next = match self.deals.last_key_value() {
            Some((last, _)) => number == last + 1,
            None => number <= 1,
        };
        if !next {
            return Err(proof(format!("{place}: deal {number} is not the next one")));
        }
        if number >= terms.chain {
            return Err(proof(format!(
                "{place}: the referee's chain has no link for deal {number}"
            )));
        }
        let dealer = fields.maybe("dealer", Fields::seat)?;
        if dealer.is_none() != (number == 0) {
            return Err(proof(format!("{place}: a deal has a dealer, the draw for it has none")));
        }
        if number == 1 && self.drawn.is_some() && dealer != self.drawn {
            return Err(proof(format!("{place}: the dealer is not the one who was drawn")));
        }
        let due = dealer.and_then(|dealer| cutter(&terms.cut, dealer));
        let due = due.filter(|seat| !terms.declined[seat.index()]);
        if fields.maybe("cutter", Fields::seat)? != due {
            return Err(proof(format!("{place}: the wrong seat cuts")));
        }
        let mut deal = Deal::new(terms, number, self.link, dealer, due);
        deal.mine = self.promised_commit(&deal)?;
        self.deals.insert(number, deal);
        self.receipts.forget_before(self.chain.next_seq - 1);
        Ok(())
    }

    /// Our commitment as far as it is settled: a cutter's is not before its cut is promised.
    fn promised_commit(&mut self, deal: &Deal) -> Result<Option<Hash>> {
        let me = self.claim.seat;
        if deal.terms.declined[me.index()] {
            return Ok(Some(deal.commitment(me, b"", None)));
        }
        let seed = self.seed(deal.number);
        if deal.cutter != Some(me) {
            return Ok(Some(deal.commitment(me, &seed, None)));
        }
        let cut = self.state.promised_cut(&self.claim.id, deal.number)?;
        Ok(cut.map(|cut| deal.commitment(me, &seed, Some(cut))))
    }

    fn seed(&self, deal: u32) -> Hash {
        seat_seed(&self.secret, &self.claim.id, deal)
    }

    /// Our commitment to a deal, promised on disk before it is returned.
    pub fn commit(&mut self, number: u32, asked_to_cut: bool) -> Result<Hash> {
        let (me, id, seed) = (self.claim.seat, self.claim.id, self.seed(number));
        let deal = open_deal(&mut self.deals, "ask for a commitment", number)?;
        if asked_to_cut != (deal.cutter == Some(me)) {
            return Err(proof(format!("deal {number}: we are asked for a cut against deal_open")));
        }
        let cut = if asked_to_cut { Some(drawn_cut(deal.terms.faces.len())?) } else { None };
        let cut = self.state.promise(&id, &self.r0, number, cut)?;
        let mine = deal.commitment(me, &seed, cut);
        deal.mine = Some(mine);
        Ok(mine)
    }

    /// Our seed and cut, once the commit set has been checked and written down.
    pub fn reveal(&mut self, number: u32) -> Result<Reveal> {
        let (me, id, seed) = (self.claim.seat, self.claim.id, self.seed(number));
        let deal = open_deal(&mut self.deals, "ask for a reveal", number)?;
        let Some(set) = &deal.set else {
            return Err(proof(format!(
                "deal {number}: we are asked to reveal before the commit set"
            )));
        };
        self.state.answer(&id, number, &set.cset)?;
        let cut = match deal.cutter == Some(me) {
            true => self.state.promised_cut(&id, number)?,
            false => None,
        };
        let message = deal.reveal_message(set, me);
        let sig = self.claim.key.as_ref().map_or_else(Vec::new, |key| key.sign(&message));
        Ok(Reveal { seed, cut, cset: set.cset, head: set.head, sig })
    }

    /// Check the cards that were sent to us alone; signed ones that are wrong are kept.
    pub fn private_deal(
        &mut self,
        number: u32,
        root: Vec<u8>,
        cards: Vec<Opened>,
        sig: Vec<u8>,
    ) -> Result<()> {
        let (id, seat) = (self.claim.id, self.claim.seat);
        let dealt = PrivateDeal { id, deal: number, seat, root, cards, sig };
        if !verifies(&self.claim.referee_key, &dealt.sig, &dealt.signed_bytes()) {
            return Err(proof(format!(
                "the private deal of deal {number} has a signature that is not the referee's"
            )));
        }
        let Some(deal) = self.deals.get_mut(&number) else {
            return Err(proof(format!("the private deal of deal {number} came before the deal")));
        };
        deal.take_private_deal(&dealt.root, &dealt.cards).or_else(|err| {
            let kept = self.receipts.keep_deal(&dealt)?;
            Err(proof(format!("{err}{}", if kept { " (they are kept: the proof)" } else { "" })))
        })
    }

    /// Check that we are asked at the newest event, and shown the cards sealed for us.
    pub fn check_ask(&mut self, number: u32, seq: u32, hand: &[String]) -> Result<()> {
        let due = self.chain.next_seq;
        if seq != due {
            return Err(proof(format!("we are asked for event {seq}, and event {due} is next")));
        }
        open_deal(&mut self.deals, "ask for an action", number)?.check_view(hand)
    }

    /// Note what we are about to send, to know it again in the record; our signature of it.
    ///
    /// `blind` is there where the action is hidden; one that is not legal is signed as it is.
    pub fn act(&mut self, number: u32, seq: u32, action: &str, blind: &[u8]) -> Result<Vec<u8>> {
        let deal = open_deal(&mut self.deals, "our move", number)?;
        let text = deal.move_text(action, blind)?;
        let message = move_signed_bytes(&self.claim.id, number, seq, &self.chain.head, &text);
        deal.sent.insert(seq, text);
        Ok(self.claim.key.as_ref().map_or_else(Vec::new, |key| key.sign(&message)))
    }

    /// An input of ours was accepted: an action by its event's number, a reveal, or a commitment.
    pub fn accepted(&mut self, number: u32, act: Option<u32>, reveal: bool) -> Result<()> {
        if self.claim.level == Level::Plays {
            return Ok(());
        }
        let deal = self.deals.get_mut(&number);
        let answered = deal.as_ref().and_then(|deal| deal.set.as_ref()).map(|set| set.seq);
        self.receipts.accepted(number, if reveal { answered } else { act });
        let Some(deal) = deal else { return Ok(()) };
        if reveal {
            deal.revealed()?;
        }
        let Some(seq) = act else { return Ok(()) };
        deal.accepted.insert(seq);
        if seq < self.chain.next_seq { deal.check_stood(seq) } else { Ok(()) }
    }

    /// Check and keep what the referee says it has accepted.
    pub fn receipt(&mut self, items: &[ReceiptItem], sig: &[u8]) -> Result<()> {
        self.receipts.take(items, sig)
    }

    /// Insist on a receipt for everything that was accepted in the message.
    pub fn end_of_message(&self) -> Result<()> {
        self.receipts.end_of_message()
    }
}

/// The newest deal, if this is its number.
fn open_deal<'a>(
    deals: &'a mut BTreeMap<u32, Deal>,
    place: &str,
    number: u32,
) -> Result<&'a mut Deal> {
    match deals.last_entry() {
        Some(last) if *last.key() == number => Ok(last.into_mut()),
        _ => Err(proof(format!("{place}: deal {number} is not open"))),
    }
}

/// A place to cut, each equally likely.
fn drawn_cut(cards: usize) -> Result<u8> {
    loop {
        let drawn = below(&mut draw::<64>()?.into_iter(), cards);
        if let Some(cut) = drawn.and_then(|cut| u8::try_from(cut).ok()) {
            return Ok(cut);
        }
    }
}

/// The key of a seat that signs, and of no other.
fn key_of(entry: &Fields) -> Result<Option<Vec<u8>>> {
    let text = entry.maybe("key", |fields, key| fields.text(key).map(str::to_owned))?;
    if text.is_some() != (entry.text("level")? == Level::Signs.word()) {
        return Err(proof(format!(
            "{}: a key goes with the level signs, and only with it",
            entry.place
        )));
    }
    let Some(text) = text else { return Ok(None) };
    match PublicKey::parse(&text) {
        Ok(key) => Ok(Some(key.public)),
        Err(_) => Err(proof(format!(
            "{}: the seat's key is not a sound one ({})",
            entry.place,
            quoted(&text)
        ))),
    }
}
