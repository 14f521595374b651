//! Our own cards in a deal: where they lay, what may come to us, what a move of ours hides.

use super::Deal;
use crate::dealing::{SWAP_POSITIONS, positions};
use crate::error::{Result, proof, quoted};
use crate::hex;
use crate::seal::{Opened, hidden_moves};
use crate::seat::Seat;

impl Deal {
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
}
