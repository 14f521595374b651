//! The sealed deal, from seeds to deck: the arithmetic that every party repeats.
//!
//! Bytes in, bytes out; no clock, no chance, no files.

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

/// What SHA-256 gives: a commitment, a leaf, a salt, a head.
pub type Hash = [u8; 32];
/// What names a match.
pub type MatchId = [u8; 16];

/// The seal's name, as `match_open` has it.
pub const PROTOCOL: &str = "euchre-sealed/v1";
const PREFIX: &str = "euchre-sealed/v1/";

const E24: &str = "9C TC JC QC KC AC 9D TD JD QD KD AD 9H TH JH QH KH AH 9S TS JS QS KS AS";
const E28: &str = "8C 9C TC JC QC KC AC 8D 9D TD JD QD KD AD \
                   8H 9H TH JH QH KH AH 8S 9S TS JS QS KS AS";
const E32: &str = "7C 8C 9C TC JC QC KC AC 7D 8D 9D TD JD QD KD AD \
                   7H 8H 9H TH JH QH KH AH 7S 8S 9S TS JS QS KS AS";

/// The cards of a pack in its fixed order; `None` where no pack has this id.
#[must_use]
pub fn pack(id: &str) -> Option<Vec<&'static str>> {
    let (cards, further) = match id {
        "E24" => (E24, None),
        "E25" => (E24, Some("2S")),
        "E28" => (E28, None),
        "E32" => (E32, None),
        "E25J" => (E24, Some("BB")),
        "E33J" => (E32, Some("BB")),
        _ => return None,
    };
    Some(cards.split_whitespace().chain(further).collect())
}

/// The parts, counted and each preceded by its length, so that no two lists collide.
///
/// ```
/// use euchre_bot::seal::lp;
/// assert_eq!(lp(&[b"ab", b""]), *b"\0\0\0\x02\0\0\0\x02ab\0\0\0\0");
/// ```
#[must_use]
pub fn lp(parts: &[&[u8]]) -> Vec<u8> {
    let mut made = length(parts.len()).to_vec();
    for part in parts {
        made.extend(length(part.len()));
        made.extend_from_slice(part);
    }
    made
}

fn length(size: usize) -> [u8; 4] {
    u32::try_from(size).expect("a message of the seal is short").to_be_bytes()
}

/// The parts under a tag that no other use shares.
fn tagged(tag: &str, parts: &[&[u8]]) -> Vec<u8> {
    let tag = format!("{PREFIX}{tag}");
    let mut all = vec![tag.as_bytes()];
    all.extend_from_slice(parts);
    lp(&all)
}

/// SHA-256 of the parts under a tag.
#[must_use]
pub fn tagged_hash(tag: &str, parts: &[&[u8]]) -> Hash {
    Sha256::digest(tagged(tag, parts)).into()
}

fn mac(key: &[u8], message: &[u8]) -> Hash {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("a key of any length will do");
    mac.update(message);
    mac.finalize().into_bytes().into()
}

/// R of `index` - 1, from R of `index`.
#[must_use]
pub fn chain_step(id: &[u8], index: u32, value: &[u8]) -> Hash {
    tagged_hash("ref-chain", &[id, &index.to_be_bytes(), value])
}

/// R of `end`, from `value` which claims to be R of `start`; `start` is not below `end`.
#[must_use]
pub fn chain_descend(id: &[u8], value: Hash, start: u32, end: u32) -> Hash {
    (end + 1..=start).rev().fold(value, |value, index| chain_step(id, index, &value))
}

/// The seed that the holder of `secret` gives to a deal.
#[must_use]
pub fn seat_seed(secret: &[u8], id: &[u8], deal: u32) -> Hash {
    mac(secret, &tagged("seat-seed", &[id, &deal.to_be_bytes()]))
}

/// The cut as it is hashed: one byte, or none where nothing is cut.
fn cut_bytes(cut: Option<u8>) -> Vec<u8> {
    cut.into_iter().collect()
}

/// The number of a seat as it is hashed.
fn seat_bytes(seat: usize) -> [u8; 4] {
    length(seat)
}

/// A seat's commitment to its seed, and to the cut where it is the cutter.
#[must_use]
pub fn seat_commit(id: &[u8], deal: u32, seat: usize, seed: &[u8], cut: Option<u8>) -> Hash {
    let parts: [&[u8]; 5] = [id, &deal.to_be_bytes(), &seat_bytes(seat), seed, &cut_bytes(cut)];
    tagged_hash("seat-commit", &parts)
}

/// The hash of all that a deal's deck depends on, before anything is revealed.
#[must_use]
pub fn commit_set(id: &[u8], deal: u32, pack: &str, r_commit: &[u8], commits: &[Hash]) -> Hash {
    let deal = deal.to_be_bytes();
    let mut parts: Vec<&[u8]> = vec![id, &deal, pack.as_bytes(), r_commit];
    parts.extend(commits.iter().map(<[u8; 32]>::as_slice));
    tagged_hash("commit-set", &parts)
}

/// The key from which the deck, its salts and the first seat come.
#[must_use]
pub fn deck_key(cset: &[u8], r: &[u8], seeds: &[Vec<u8>], cut: Option<u8>) -> Hash {
    let cut = cut_bytes(cut);
    let mut parts = vec![r];
    parts.extend(seeds.iter().map(Vec::as_slice));
    parts.extend([cut.as_slice(), b""]);
    mac(&tagged_hash("deck-salt", &[cset]), &lp(&parts))
}

/// The bytes of a key's stream, without end.
fn stream(key: &Hash, tag: &'static str) -> impl Iterator<Item = u8> {
    (0u32..).flat_map(move |block| mac(key, &tagged(tag, &[&block.to_be_bytes()])))
}

/// A number below `bound`, each equally likely; `None` where the source ends or `bound` is not 1
/// to 256.
pub fn below(source: &mut impl Iterator<Item = u8>, bound: usize) -> Option<usize> {
    if !(1..=256).contains(&bound) {
        return None;
    }
    let limit = 256 - 256 % bound;
    source.map(usize::from).find(|&value| value < limit).map(|value| value % bound)
}

/// The permutation that a key gives to `size` cards.
#[must_use]
pub fn shuffled(key: &Hash, size: usize) -> Vec<usize> {
    let mut source = stream(key, "deck-stream");
    let mut order: Vec<usize> = (0..size).collect();
    for i in (1..size).rev() {
        let j = below(&mut source, i + 1).expect("a pack has at most 256 cards");
        order.swap(i, j);
    }
    order
}

/// The seat that is given the first card of the dealer draw.
#[must_use]
pub fn first_seat(key: &Hash) -> usize {
    below(&mut stream(key, "first-seat"), 4).expect("the stream does not end")
}

/// The salted leaf of one card at one position.
#[must_use]
pub fn leaf(id: &[u8], deal: u32, position: u32, card: &str, salt: &[u8]) -> Hash {
    let parts: [&[u8]; 5] =
        [id, &deal.to_be_bytes(), &position.to_be_bytes(), card.as_bytes(), salt];
    Sha256::new().chain_update([0]).chain_update(tagged("leaf", &parts)).finalize().into()
}

/// The salt of the leaf at a position.
#[must_use]
pub fn leaf_salt(key: &Hash, position: u32) -> Hash {
    mac(key, &tagged("leaf-salt", &[&position.to_be_bytes()]))
}

/// The RFC 6962 tree head over leaves that are hashed already; there is at least one.
#[must_use]
pub fn tree_head(leaves: &[Hash]) -> Hash {
    match leaves {
        [] => Sha256::digest([]).into(),
        [one] => *one,
        _ => {
            let (left, right) = leaves.split_at(leaves.len().next_power_of_two() / 2);
            Sha256::new()
                .chain_update([1])
                .chain_update(tree_head(left))
                .chain_update(tree_head(right))
                .finalize()
                .into()
        }
    }
}

/// A deck in deal order with the leaves that sealed it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SealedDeck {
    /// The cards.
    pub cards: Vec<&'static str>,
    /// The salt of each card's leaf.
    pub salts: Vec<Hash>,
    /// The leaf of each card.
    pub leaves: Vec<Hash>,
    /// The tree head over the leaves.
    pub root: Hash,
    /// Who is given the first card of a dealer draw, 0 to 3.
    pub first_seat: usize,
}

/// Everything that a deck is made of, once all of it is public.
#[derive(Clone, Copy, Debug)]
pub struct Ingredients<'a> {
    /// The match.
    pub id: &'a [u8],
    /// The deal.
    pub deal: u32,
    /// The cards of the pack, in its order.
    pub faces: &'a [&'static str],
    /// The referee's secret for the deal.
    pub r: &'a [u8],
    /// The commit set.
    pub cset: &'a [u8],
    /// The seats' seeds; empty where a seat declined.
    pub seeds: &'a [Vec<u8>],
    /// The cut, where there is one.
    pub cut: Option<u8>,
}

/// The deck of a deal, from everything that was revealed.
#[must_use]
pub fn sealed_deck(from: &Ingredients<'_>) -> SealedDeck {
    let size = from.faces.len();
    let key = deck_key(from.cset, from.r, from.seeds, from.cut);
    let order = shuffled(&key, size);
    let cut = usize::from(from.cut.unwrap_or(0));
    let cards: Vec<_> = (0..size).map(|p| from.faces[order[(p + cut) % size]]).collect();
    let salts: Vec<_> = (0u32..).take(size).map(|p| leaf_salt(&key, p)).collect();
    let leaves: Vec<_> = (0u32..)
        .zip(cards.iter().zip(&salts))
        .map(|(p, (card, salt))| leaf(from.id, from.deal, p, card, salt))
        .collect();
    let root = tree_head(&leaves);
    SealedDeck { cards, salts, leaves, root, first_seat: first_seat(&key) }
}

/// The commitment of one or more cards that stay face down, in rising position.
#[must_use]
pub fn hidden_moves(id: &[u8], deal: u32, seat: usize, hidden: &[(u32, &[u8])]) -> Hash {
    let (deal, seat) = (deal.to_be_bytes(), seat_bytes(seat));
    let places: Vec<_> = hidden.iter().map(|(place, _)| place.to_be_bytes()).collect();
    let mut parts: Vec<&[u8]> = vec![id, &deal, &seat];
    for (place, (_, blind)) in places.iter().zip(hidden) {
        parts.extend([place.as_slice(), blind]);
    }
    tagged_hash("hidden-move", &parts)
}

/// A card with the salt that opens its leaf.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opened {
    /// Where it lies in the deal.
    pub position: u32,
    /// The card.
    pub card: String,
    /// The salt of its leaf.
    pub salt: Vec<u8>,
}

/// What the referee signs when it gives a seat its cards.
#[must_use]
pub fn private_deal_bytes(
    id: &[u8],
    deal: u32,
    seat: usize,
    root: &[u8],
    cards: &[Opened],
) -> Vec<u8> {
    let (deal, seat) = (deal.to_be_bytes(), seat_bytes(seat));
    let places: Vec<_> = cards.iter().map(|card| card.position.to_be_bytes()).collect();
    let mut parts: Vec<&[u8]> = vec![id, &deal, &seat, root];
    for (place, card) in places.iter().zip(cards) {
        parts.extend([place.as_slice(), card.card.as_bytes(), &card.salt]);
    }
    tagged("private-deal", &parts)
}

/// The head of the event chain once `event` has been appended.
#[must_use]
pub fn event_head(previous: &[u8], event: &[u8]) -> Hash {
    tagged_hash("event", &[previous, event])
}

/// What the referee signs for the event that made `head`.
#[must_use]
pub fn referee_signed_bytes(head: &[u8]) -> Vec<u8> {
    tagged("sig/referee", &[head])
}

/// What a signing seat signs of its reveal; `head` is the head after `commit_set`.
#[must_use]
pub fn reveal_signed_bytes(
    id: &[u8],
    deal: u32,
    seat: usize,
    cset: &[u8],
    commit: &[u8],
    head: &[u8],
) -> Vec<u8> {
    let parts: [&[u8]; 6] = [id, &deal.to_be_bytes(), &seat_bytes(seat), cset, commit, head];
    tagged("sig/seat/reveal", &parts)
}

/// What a signing seat signs of a move; `before` is the head that it follows.
///
/// A hidden move is its word and the hex of its commitment.
#[must_use]
pub fn move_signed_bytes(id: &[u8], deal: u32, seq: u32, before: &[u8], text: &str) -> Vec<u8> {
    let parts: [&[u8]; 5] = [id, &deal.to_be_bytes(), &seq.to_be_bytes(), before, text.as_bytes()];
    tagged("sig/seat/move", &parts)
}

/// One thing that the referee has accepted: the event it stands in, and the head there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReceiptItem {
    /// The match.
    pub id: Vec<u8>,
    /// The deal.
    pub deal: u32,
    /// The event's number.
    pub seq: u32,
    /// The head of the chain after it.
    pub head: Vec<u8>,
}

/// What the referee signs for what it has accepted.
#[must_use]
pub fn receipt_bytes(items: &[ReceiptItem]) -> Vec<u8> {
    let numbers: Vec<_> =
        items.iter().map(|item| (item.deal.to_be_bytes(), item.seq.to_be_bytes())).collect();
    let count = length(items.len());
    let mut parts: Vec<&[u8]> = vec![&count];
    for ((deal, seq), item) in numbers.iter().zip(items) {
        parts.extend([item.id.as_slice(), deal, seq, &item.head]);
    }
    tagged("receipt", &parts)
}

/// The hash that names a rule set, from the canonical spelling of its knobs.
#[must_use]
pub fn rule_set_id(knobs: &[u8]) -> Hash {
    tagged_hash("rule-set", &[knobs])
}
