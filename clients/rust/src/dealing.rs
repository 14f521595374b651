//! Who is dealt which positions, who cuts, and who wins the dealer draw.

use crate::seat::Seat;

/// Where the upcard lies.
pub const UPCARD_POSITION: u32 = 20;
/// The three cards of the kitty that a house rule's swap takes.
pub const SWAP_POSITIONS: [u32; 3] = [21, 22, 23];

/// How many cards each seat gets the first and the second time round, from the dealer's left.
fn packet_sizes(packets: &str) -> Option<[[u32; 4]; 2]> {
    match packets {
        "3-2" => Some([[3; 4], [2; 4]]),
        "2-3" => Some([[2; 4], [3; 4]]),
        "3-2-3-2" => Some([[3, 2, 3, 2], [2, 3, 2, 3]]),
        "2-3-2-3" => Some([[2, 3, 2, 3], [3, 2, 3, 2]]),
        _ => None,
    }
}

/// The five places in the deal order that are a seat's, rising; `None` for an unknown pattern.
///
/// ```
/// use euchre_bot::{Seat, dealing::positions};
/// assert_eq!(positions("3-2", Seat::West, Seat::North), Some(vec![0, 1, 2, 12, 13]));
/// ```
#[must_use]
pub fn positions(packets: &str, dealer: Seat, seat: Seat) -> Option<Vec<u32>> {
    let turn = (seat.index() + 3 - dealer.index()) % 4;
    if packets == "single" {
        return Some((0..UPCARD_POSITION).skip(turn).step_by(4).collect());
    }
    let [first, second] = packet_sizes(packets)?;
    let packet = |start: u32, sizes: [u32; 4]| {
        let begin = start + sizes[..turn].iter().sum::<u32>();
        begin..begin + sizes[turn]
    };
    Some(packet(0, first).chain(packet(first.iter().sum(), second)).collect())
}

/// Who cuts, where anybody does.
#[must_use]
pub fn cutter(cut: &str, dealer: Seat) -> Option<Seat> {
    match cut {
        "dealers_right" => Some(dealer.left(3)),
        "dealers_left" => Some(dealer.left(1)),
        _ => None,
    }
}

/// Who deals first, by the cards turned from the top of the draw's own deck.
#[must_use]
pub fn drawn_dealer(deck: &[&str], method: &str, start: Seat) -> Seat {
    let first = |stops: &[&str]| {
        start.left(deck.iter().position(|card| stops.contains(card)).unwrap_or_default())
    };
    match method {
        "black_jack" => first(&["JC", "JS"]),
        "any_jack" => first(&["JC", "JD", "JH", "JS"]),
        "draw_low" => extreme(deck, start, |rank| rank),
        "draw_high" => extreme(deck, start, |rank| 7 - rank),
        _ => start,
    }
}

/// The seat whose card is least by `key`; tied seats go on drawing.
fn extreme(deck: &[&str], start: Seat, key: impl Fn(usize) -> usize) -> Seat {
    let mut ranks = deck
        .iter()
        .filter(|card| !matches!(**card, "2S" | "BB"))
        .filter_map(|card| "A789TJQK".find(&card[..1]));
    let mut tied: Vec<Seat> = (0..4).map(|step| start.left(step)).collect();
    while tied.len() > 1 {
        let mut drawn = Vec::new();
        for seat in &tied {
            let Some(rank) = ranks.next() else { return tied[0] };
            drawn.push((key(rank), *seat));
        }
        let best = drawn.iter().map(|(rank, _)| *rank).min();
        tied = drawn.into_iter().filter(|(r, _)| Some(*r) == best).map(|(_, seat)| seat).collect();
    }
    tied[0]
}
