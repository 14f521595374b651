//! The close of a deal: its deck derived again, its hidden cards opened, its faults held to account.

use std::collections::HashSet;

use super::{Deal, Link, seat_sig};
use crate::canonical::Fields;
use crate::dealing::drawn_dealer;
use crate::error::{Result, proof, quoted};
use crate::seal::{Ingredients, SealedDeck, hidden_moves, move_signed_bytes, sealed_deck};

impl Deal {
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
