//! The arithmetic of the seal, against claims that another implementation made.

use euchre_bot::canonical::Fields;
use euchre_bot::dealing::drawn_dealer;
use euchre_bot::keys::{PublicKey, verifies};
use euchre_bot::seal::{self, Hash, Ingredients, Opened, ReceiptItem};
use euchre_bot::{Seat, hex};
use serde_json::Value;

use crate::{cases, vectors};

/// The input of a claim, read by the names of its parts.
struct Input<'a>(&'a Value);

impl Input<'_> {
    fn text(&self, key: &str) -> &str {
        self.0[key].as_str().expect("the claim has this text")
    }

    fn hex(&self, key: &str) -> Vec<u8> {
        hex::decode(self.text(key)).expect("bytes are lower-case hex")
    }

    fn hash(&self, key: &str) -> Option<Hash> {
        self.hex(key).try_into().ok()
    }

    fn number(&self, key: &str) -> u32 {
        self.maybe(key).expect("the claim has this number")
    }

    fn maybe(&self, key: &str) -> Option<u32> {
        self.0[key].as_u64().and_then(|number| u32::try_from(number).ok())
    }

    fn cut(&self) -> Option<u8> {
        self.maybe("cut").and_then(|cut| u8::try_from(cut).ok())
    }

    fn seat(&self) -> usize {
        self.number("seat") as usize
    }

    fn flag(&self, key: &str) -> bool {
        self.0[key].as_bool().expect("the claim has this flag")
    }

    fn items(&self, key: &str) -> Vec<Input<'_>> {
        self.0[key].as_array().expect("the claim has this list").iter().map(Input).collect()
    }

    fn own_hex(&self) -> Vec<u8> {
        hex::decode(self.0.as_str().expect("a text")).expect("bytes are lower-case hex")
    }

    fn hexes(&self, key: &str) -> Vec<Vec<u8>> {
        self.items(key).iter().map(Input::own_hex).collect()
    }

    fn hashes(&self, key: &str) -> Vec<Hash> {
        self.hexes(key).into_iter().filter_map(|bytes| bytes.try_into().ok()).collect()
    }

    fn numbers(&self, key: &str) -> Vec<u32> {
        self.items(key).iter().map(|n| n.0.as_u64().expect("a number") as u32).collect()
    }

    fn faces(&self) -> Vec<&'static str> {
        seal::pack(self.text("pack")).unwrap_or_default()
    }

    fn is_signed(&self, message: &[u8]) -> bool {
        let key = PublicKey::parse(self.text("key"));
        key.is_ok_and(|key| verifies(&key.public, &self.hex("sig"), message))
    }
}

/// Whether a reveal is one that this seat may make, and its commitment holds it.
fn commits(
    of: &Input<'_>,
    seat: usize,
    declined: bool,
    seed: &[u8],
    cut: Option<u8>,
    commit: &[u8],
) -> bool {
    let fits = cut.is_none_or(|cut| usize::from(cut) < of.faces().len() && !declined);
    let sound = seed.len() == if declined { 0 } else { 32 };
    let made = seal::seat_commit(&of.hex("match"), of.number("deal"), seat, seed, cut);
    fits && sound && made == commit
}

fn differ(all: &[Hash]) -> bool {
    all.iter().collect::<std::collections::HashSet<_>>().len() == 4
}

fn judge_deck(of: &Input<'_>) -> bool {
    let (id, deal, faces) = (of.hex("match"), of.number("deal"), of.faces());
    let (r, cut, made) = (of.hex("r"), of.cut(), of.hashes("commits"));
    let (seeds, declined) = (of.hexes("seeds"), of.items("declined"));
    let cutter = of.maybe("cutter").map(|seat| seat as usize);
    let shapes = made.len() == 4 && seeds.len() == 4 && declined.len() == 4;
    if !shapes || cutter.is_some() != of.maybe("cut").is_some() || cutter.is_some_and(|c| c > 3) {
        return false;
    }
    let revealed = (0..4).all(|seat| {
        let own_cut = cut.filter(|_| cutter == Some(seat));
        let is_declined = declined[seat].0.as_bool() == Some(true);
        commits(of, seat, is_declined, &seeds[seat], own_cut, &made[seat])
    });
    let r_commit = of.hex("r_commit");
    if !revealed || !differ(&made) || seal::chain_step(&id, deal + 1, &r) != r_commit.as_slice() {
        return false;
    }
    let cset = seal::commit_set(&id, deal, of.text("pack"), &r_commit, &made);
    let from = Ingredients { id: &id, deal, faces: &faces, r: &r, cset: &cset, seeds: &seeds, cut };
    let deck = seal::sealed_deck(&from);
    deck.leaves == of.hashes("leaves")
        && Some(deck.root) == of.hash("root")
        && deck.cards.join(" ") == of.text("deck")
}

fn judge_cards(of: &Input<'_>, cards: &[Opened], leaves: &[Hash]) -> bool {
    let opens = |card: &Opened| {
        let made =
            seal::leaf(&of.hex("match"), of.number("deal"), card.position, &card.card, &card.salt);
        leaves.get(card.position as usize) == Some(&made)
    };
    Some(seal::tree_head(leaves)) == of.hash("root") && cards.iter().all(opens)
}

fn opened(of: &Input<'_>) -> Opened {
    Opened {
        position: of.number("position"),
        card: of.text("card").to_owned(),
        salt: of.hex("salt"),
    }
}

fn judge_private_deal(of: &Input<'_>) -> bool {
    let cards: Vec<_> = of.items("cards").iter().map(opened).collect();
    let (id, deal, root) = (of.hex("match"), of.number("deal"), of.hex("root"));
    let signed = seal::private_deal_bytes(&id, deal, of.seat(), &root, &cards);
    let held: Vec<_> = cards.iter().map(|card| card.position).collect();
    of.is_signed(&signed)
        && held == of.numbers("positions")
        && judge_cards(of, &cards, &of.hashes("leaves"))
}

fn judge_hidden(of: &Input<'_>) -> bool {
    let (places, blinds) = (of.numbers("positions"), of.hexes("blinds"));
    let due = if of.text("move") == "swap" { 3 } else { 1 };
    let size = of.faces().len() as u32;
    let sound = places.len() == due && blinds.len() == due && places.iter().all(|p| *p < size);
    let hidden: Vec<_> = places.iter().copied().zip(blinds.iter().map(Vec::as_slice)).collect();
    sound
        && places.is_sorted_by(|a, b| a < b)
        && seal::hidden_moves(&of.hex("match"), of.number("deal"), of.seat(), &hidden)
            == of.hex("commit").as_slice()
}

fn judge_below(of: &Input<'_>) -> bool {
    let bytes = of.hex("bytes");
    let mut left = bytes.iter().copied();
    let found = seal::below(&mut left, of.number("m") as usize);
    found == Some(of.number("value") as usize)
        && bytes.len() - left.len() == of.number("taken") as usize
}

fn judge_receipt(of: &Input<'_>) -> bool {
    let item = |item: &Input<'_>| ReceiptItem {
        id: item.hex("match"),
        deal: item.number("deal"),
        seq: item.number("seq"),
        head: item.hex("head"),
    };
    let items: Vec<_> = of.items("items").iter().map(item).collect();
    of.is_signed(&seal::receipt_bytes(&items))
}

fn judge_form(of: &Input<'_>) -> bool {
    let bytes: Option<Vec<u8>> = of.text("text").chars().map(|c| u8::try_from(c).ok()).collect();
    bytes.is_some_and(|bytes| Fields::parse("the text", &bytes).is_ok())
}

/// Whether a claim holds; `None` where it is none that a client ever asks.
fn judge(op: &str, of: &Input<'_>) -> Option<bool> {
    Some(match op {
        "link" => {
            seal::chain_step(&of.hex("match"), of.number("k"), &of.hex("link"))
                == of.hex("below").as_slice()
        }
        "seed" => {
            seal::seat_seed(&of.hex("secret"), &of.hex("match"), of.number("deal"))
                == of.hex("seed").as_slice()
        }
        "commit" => {
            of.flag("cutter") == of.maybe("cut").is_some()
                && commits(
                    of,
                    of.seat(),
                    of.flag("declined"),
                    &of.hex("seed"),
                    of.cut(),
                    &of.hex("commit"),
                )
        }
        "commit_set" => {
            let (id, made) = (of.hex("match"), of.hashes("commits"));
            let (deal, pack) = (of.number("deal"), of.text("pack"));
            differ(&made)
                && Some(seal::commit_set(&id, deal, pack, &of.hex("r_commit"), &made))
                    == of.hash("cset")
        }
        "below" => judge_below(of),
        "start" => seal::first_seat(&of.hash("key")?) == of.seat(),
        "deck" => judge_deck(of),
        "opening" => {
            let card = opened(of);
            of.faces().contains(&card.card.as_str())
                && judge_cards(of, &[card], &of.hashes("leaves"))
        }
        "hidden" => judge_hidden(of),
        "form" => judge_form(of),
        "event" => {
            seal::event_head(&of.hex("prev"), of.text("event").as_bytes())
                == of.hex("head").as_slice()
        }
        "key" => PublicKey::parse(of.text("key")).is_ok(),
        "signature" => of.is_signed(&of.hex("message")),
        "reveal" => of.is_signed(&seal::reveal_signed_bytes(
            &of.hex("match"),
            of.number("deal"),
            of.seat(),
            &of.hex("cset"),
            &of.hex("commit"),
            &of.hex("head"),
        )),
        "move" => of.is_signed(&seal::move_signed_bytes(
            &of.hex("match"),
            of.number("deal"),
            of.number("seq"),
            &of.hex("prev"),
            of.text("move"),
        )),
        "private_deal" => judge_private_deal(of),
        "receipt" => judge_receipt(of),
        _ => return None, // a roster is a verifier's business, and a draw has a test of its own
    })
}

#[test]
fn every_claim_about_bytes_is_judged_as_the_vectors_say() {
    let mut judged = 0;
    for case in cases("tests/vectors/derivation-v1.json") {
        let op = case["op"].as_str().expect("a claim has an op");
        if let Some(holds) = judge(op, &Input(&case["input"])) {
            let said = case["result"].as_str() == Some("valid");
            assert_eq!(holds, said, "{}: {}", case["id"], case["comment"]);
            judged += 1;
        }
    }
    assert!(judged > 240, "only {judged} claims were judged");
}

#[test]
fn the_dealer_draw_names_the_dealer_that_the_vectors_name() {
    for case in cases("tests/vectors/derivation-v1.json") {
        let of = Input(&case["input"]);
        if case["op"].as_str() != Some("draw") || case["result"].as_str() != Some("valid") {
            continue;
        }
        let deck: Vec<_> = of.text("deck").split(' ').collect();
        let start = Seat::ALL[of.number("start") as usize];
        let dealer = drawn_dealer(&deck, of.text("method"), start);
        assert_eq!(dealer.index(), of.number("dealer") as usize, "{}", case["id"]);
    }
}

#[test]
fn decks_and_draws_are_those_of_the_independent_vectors() {
    let all = vectors("tests/vectors/sealed-v1.json");
    let id = Input(&all).hex("match");
    for deal in all["deals"].as_array().expect("there are deals") {
        let of = Input(deal);
        let faces = of.faces();
        let made = of.hashes("seat_commits");
        let number = of.number("deal");
        let cset =
            seal::commit_set(&id, number, of.text("pack"), &of.hex("referee_commitment"), &made);
        assert_eq!(Some(cset), of.hash("commit_set"), "{}", deal["id"]);
        let deck = seal::sealed_deck(&Ingredients {
            id: &id,
            deal: number,
            faces: &faces,
            r: &of.hex("r"),
            cset: &cset,
            seeds: &of.hexes("seeds"),
            cut: of.cut(),
        });
        assert_eq!(deck.cards.join(" "), of.text("deck"), "{}", deal["id"]);
        assert_eq!(Some(deck.root), of.hash("root"), "{}", deal["id"]);
    }
}
