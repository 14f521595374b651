//! What a bot is shown before it chooses: plain words and lists.

use serde::{Deserialize, Serialize};

use crate::error::{Result, proof};
use crate::pb;
use crate::seat::Seat;

/// A count for each side.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq, Serialize)]
pub struct Sides {
    /// North and south.
    pub ns: u32,
    /// East and west.
    pub ew: u32,
}

/// How many cards each seat holds.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// In north's hand.
    pub north: u32,
    /// In east's hand.
    pub east: u32,
    /// In south's hand.
    pub south: u32,
    /// In west's hand.
    pub west: u32,
}

/// A card on the table, and who played it.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub struct Played {
    /// Who.
    pub seat: Seat,
    /// What.
    pub card: String,
}

/// Why the last answer to this very question was refused.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub struct Refusal {
    /// What was answered.
    pub action: String,
    /// One word of the closed list, as `MUST_FOLLOW_SUIT`.
    pub reason: String,
    /// One sentence.
    pub text: String,
}

/// What one seat has seen of a deal; what has no meaning yet is `None`.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub struct View {
    /// The match, in hex.
    #[serde(rename = "match", default)]
    pub id: String,
    /// The deal's number.
    #[serde(default)]
    pub deal: u32,
    /// The number of the last event.
    #[serde(default)]
    pub state_version: u64,
    /// How long there is to decide, in milliseconds.
    #[serde(default)]
    pub limit_ms: u64,
    /// Whose view this is.
    pub seat: Seat,
    /// `round_one`, `round_two`, `discard`, `alone`, `play` and others under house rules.
    pub phase: String,
    /// Who dealt.
    pub dealer: Seat,
    /// The seat's cards.
    pub hand: Vec<String>,
    /// How many cards each seat holds.
    #[serde(default)]
    pub counts: Counts,
    /// The card turned after the deal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub upcard: Option<String>,
    /// `turned`, `taken` or `turned_down`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub upcard_state: Option<String>,
    /// `C`, `D`, `H`, `S`, or `N` for no trump.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trump: Option<String>,
    /// Who made trump.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub maker: Option<Seat>,
    /// Who plays alone.
    #[serde(default)]
    pub alone: Vec<Seat>,
    /// Who sits out.
    #[serde(default)]
    pub out: Vec<Seat>,
    /// The card led to the present trick.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub led: Option<String>,
    /// The present trick, in the order it fell.
    #[serde(default)]
    pub trick: Vec<Played>,
    /// Tricks taken so far.
    #[serde(default)]
    pub tricks: Sides,
    /// The running game's score.
    #[serde(default)]
    pub score: Sides,
    /// Who acts next.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<Seat>,
    /// What may be done now.
    #[serde(default)]
    pub legal: Vec<String>,
    /// Why the last answer to this very question was refused; the clock runs on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<Refusal>,
}

/// A bot: the view and the legal actions go in, one of the actions comes out.
pub trait Choose {
    /// The action to take.
    fn choose(&mut self, view: &View, legal: &[String]) -> String;
}

impl<F: FnMut(&View, &[String]) -> String> Choose for F {
    fn choose(&mut self, view: &View, legal: &[String]) -> String {
        self(view, legal)
    }
}

/// A seat of the wire.
pub(crate) fn seat_of(seat: i32) -> Result<Seat> {
    match pb::Seat::try_from(seat) {
        Ok(pb::Seat::North) => Ok(Seat::North),
        Ok(pb::Seat::East) => Ok(Seat::East),
        Ok(pb::Seat::South) => Ok(Seat::South),
        Ok(pb::Seat::West) => Ok(Seat::West),
        _ => Err(proof(format!("the referee named seat {seat}, which is no seat"))),
    }
}

fn seats_of(seats: &[i32]) -> Result<Vec<Seat>> {
    seats.iter().map(|seat| seat_of(*seat)).collect()
}

fn sides_of(sides: Option<pb::Sides>) -> Sides {
    sides.map_or_else(Sides::default, |pb::Sides { ns, ew }| Sides { ns, ew })
}

fn counts_of(counts: &[u32]) -> Counts {
    let of = |seat: Seat| counts.get(seat.index()).copied().unwrap_or_default();
    Counts {
        north: of(Seat::North),
        east: of(Seat::East),
        south: of(Seat::South),
        west: of(Seat::West),
    }
}

fn unless_empty(text: String) -> Option<String> {
    Some(text).filter(|text| !text.is_empty())
}

impl View {
    /// A view of the wire in a bot's words.
    pub(crate) fn read(view: pb::View, id: &str, limit_ms: u64) -> Result<Self> {
        let on_table =
            |played: pb::PlayedCard| Ok(Played { seat: seat_of(played.seat)?, card: played.card });
        Ok(Self {
            id: id.to_owned(),
            deal: view.deal,
            state_version: view.state_version,
            limit_ms,
            seat: seat_of(view.seat)?,
            phase: view.phase,
            dealer: seat_of(view.dealer)?,
            hand: view.hand,
            counts: counts_of(&view.counts),
            upcard: unless_empty(view.upcard),
            upcard_state: unless_empty(view.upcard_state),
            trump: view.trump,
            maker: view.maker.map(seat_of).transpose()?,
            alone: seats_of(&view.alone)?,
            out: seats_of(&view.out)?,
            led: view.led,
            trick: view.trick.into_iter().map(on_table).collect::<Result<_>>()?,
            tricks: sides_of(view.tricks),
            score: sides_of(view.score),
            turn: view.turn.map(seat_of).transpose()?,
            legal: view.legal,
            refused: None,
        })
    }
}
