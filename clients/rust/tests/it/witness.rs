//! The duties of the seal: an honest deal is followed, and every lie is told.

use std::fs;

use euchre_bot::{BotError, Result, Seat};
use serde_json::json;

use crate::Folder;
use crate::table::{Lie, Table};

const HONEST: Lie = |_, _| {};

/// What a broken promise is called; anything but one fails the test.
fn told(result: Result<()>) -> String {
    match result {
        Err(err @ BotError::DealProof(_)) => err.to_string(),
        other => panic!("it was not told: {other:?}"),
    }
}

#[test]
fn an_honest_deal_is_followed_to_its_end() {
    let folder = Folder::new();
    assert_eq!(Table::new(&folder, HONEST).play(), Ok(()));
}

#[test]
fn a_lie_in_an_event_is_told_though_it_is_well_signed() {
    const OTHER: &str = "1111111111111111111111111111111111111111111111111111111111111111";
    let lies: [(Lie, &str); 17] = [
        (
            |k, e| {
                if k == "match_open" {
                    e["pack"] = json!("E25")
                }
            },
            "pack is not that of the rules",
        ),
        (
            |k, e| {
                if k == "match_open" {
                    e["rules"]["cut"] = json!("dealers_left")
                }
            },
            "rules are not those we were told",
        ),
        (
            |k, e| {
                if k == "match_open" {
                    e["seats"][0]["seed_by"] = json!("host")
                }
            },
            "our seat is not entered as we said",
        ),
        (
            |k, e| {
                if k == "deal_open" {
                    e["deal"] = json!(2)
                }
            },
            "deal 2 is not the next one",
        ),
        (
            |k, e| {
                if k == "deal_open" {
                    e["cutter"] = json!("east")
                }
            },
            "the wrong seat cuts",
        ),
        (
            |k, e| {
                if k == "seat_commit" && e["seat"] == "north" {
                    e["commit"] = json!(OTHER)
                }
            },
            "the commitment of north is not the one of our secret",
        ),
        (
            |k, e| {
                if k == "commit_set" {
                    e["commits"][0] = json!(OTHER)
                }
            },
            "our own commitment is not in its place",
        ),
        (
            |k, e| {
                if k == "commit_set" {
                    e["commits"][2] = e["commits"][1].clone()
                }
            },
            "two seats have the same commitment",
        ),
        (
            |k, e| {
                if k == "commit_set" {
                    e["commits"][1] = json!(OTHER)
                }
            },
            "the commitment of east is not the one it made",
        ),
        (
            |k, e| {
                if k == "commit_set" {
                    e["r_commit"] = json!(OTHER)
                }
            },
            "r_commit does not continue the referee's chain",
        ),
        (
            |k, e| {
                if k == "commit_set" {
                    e["cset"] = json!(OTHER)
                }
            },
            "cset is not the hash",
        ),
        (
            |k, e| {
                if k == "reveal_set" {
                    e["seeds"][3] = json!(OTHER)
                }
            },
            "the seed of west is not the one it committed to",
        ),
        (
            |k, e| {
                if k == "deck_root" {
                    e["leaves"][23] = json!(OTHER)
                }
            },
            "the root is not that of the leaves",
        ),
        (
            |k, e| {
                if k == "turn_up" {
                    e["salt"] = json!(OTHER)
                }
            },
            "at position 20 is not the sealed card",
        ),
        (
            |k, e| {
                if k == "action" && e["seat"] == "north" {
                    e["action"] = json!("order")
                }
            },
            "'order' is not the move we made, 'pass'",
        ),
        (
            |k, e| {
                if k == "deal_close" {
                    e["r"] = json!(OTHER)
                }
            },
            "r does not continue the referee's chain",
        ),
        (
            |k, e| {
                if k == "deal_close" {
                    e["openings"] = json!([])
                }
            },
            "was never opened",
        ),
    ];
    let untold = lies.into_iter().filter_map(|(lie, words)| {
        let folder = Folder::new();
        let done = Table::new(&folder, lie).play();
        let told = matches!(&done, Err(BotError::DealProof(said)) if said.contains(words));
        (!told).then(|| format!("{words}: {done:?}"))
    });
    assert_eq!(untold.collect::<Vec<_>>(), Vec::<String>::new());
}

#[test]
fn a_deck_that_is_not_that_of_the_seeds_is_told_at_the_close() {
    let folder = Folder::new();
    let lie: Lie = |kind, event| {
        if kind == "deal_close" {
            let deck = event["deck"].as_str().unwrap_or_default().to_owned();
            let (first, rest) = deck.split_once(' ').unwrap();
            event["deck"] = json!(format!("{rest} {first}"));
        }
    };
    let said = told(Table::new(&folder, lie).play());
    assert!(said.contains("the deck is not the one that the seeds give"), "{said}");
}

#[test]
fn a_second_commit_set_gets_no_second_reveal_also_after_a_restart() {
    let folder = Folder::new();
    let mut first = Table::new(&folder, HONEST);
    assert_eq!(first.open().and_then(|()| first.commit()).and_then(|()| first.reveal()), Ok(()));
    drop(first);
    let mut again = Table::new(&folder, HONEST);
    again.reseed(Seat::East);
    let said = told(again.open().and_then(|()| again.commit()));
    assert!(said.contains("a second commit set"), "{said}");
}

#[test]
fn the_commit_set_is_on_disk_before_the_seed_is_shown() {
    let folder = Folder::new();
    let mut table = Table::new(&folder, HONEST);
    assert_eq!(table.open().and_then(|()| table.commit()), Ok(()));
    let before = fs::read_to_string(folder.file("state")).unwrap();
    assert!(before.contains("\"r0\"") && !before.contains("\"cset\""), "{before}");
    table.north.reveal(1).expect("the commit set stands");
    let after = fs::read_to_string(folder.file("state")).unwrap();
    assert!(after.contains("\"cset\""), "{after}");
}

#[test]
fn nothing_is_revealed_before_the_commit_set() {
    let folder = Folder::new();
    let mut table = Table::new(&folder, HONEST);
    assert_eq!(table.open(), Ok(()));
    let said = told(table.north.reveal(1).map(|_| ()));
    assert!(said.contains("before the commit set"), "{said}");
}

#[test]
fn a_card_that_was_not_sealed_is_told_and_kept_as_the_proof() {
    let folder = Folder::new();
    let mut table = Table::new(&folder, HONEST);
    let dealt = table.open().and_then(|()| table.commit()).and_then(|()| table.reveal());
    assert_eq!(dealt.and_then(|()| table.seal()), Ok(()));
    let mut cards = table.cards(Seat::North);
    cards[0].card = table.card(23).card;
    let said = told(table.give(cards));
    assert!(said.contains("is not the sealed card (they are kept: the proof)"), "{said}");
    let kept = fs::read_to_string(folder.file("receipts")).unwrap();
    assert!(kept.starts_with("{\"cards\":[{\"card\":") && kept.contains("\"root\""), "{kept}");
}

#[test]
fn the_cards_of_another_seat_are_refused() {
    let folder = Folder::new();
    let mut table = Table::new(&folder, HONEST);
    let dealt = table.open().and_then(|()| table.commit()).and_then(|()| table.reveal());
    assert_eq!(dealt.and_then(|()| table.seal()), Ok(()));
    let said = told(table.give(table.cards(Seat::East)));
    assert!(said.contains("are not those of north"), "{said}");
}

#[test]
fn a_view_with_a_card_that_was_not_dealt_is_refused() {
    let folder = Folder::new();
    let mut table = Table::new(&folder, HONEST);
    assert_eq!(table.deal(), Ok(()));
    let next = table.north.next_seq();
    let mine: Vec<_> = table.cards(Seat::North).into_iter().map(|card| card.card).collect();
    assert_eq!(table.north.check_ask(1, next, &mine), Ok(()));
    let said = told(table.north.check_ask(1, next, &[table.card(23).card]));
    assert!(said.contains("was not dealt to us"), "{said}");
    let said = told(table.north.check_ask(1, next - 1, &mine));
    assert!(said.contains("is next"), "{said}");
}

#[test]
fn an_accepted_move_without_a_receipt_is_told() {
    let folder = Folder::new();
    let mut table = Table::new(&folder, HONEST);
    assert_eq!(table.deal().and_then(|()| table.north_passes()), Ok(()));
    let said = told(table.north.end_of_message());
    assert!(said.contains("without a receipt"), "{said}");
}

#[test]
fn a_receipt_for_another_record_is_told_and_kept() {
    let folder = Folder::new();
    let mut table = Table::new(&folder, HONEST);
    assert_eq!(table.deal().and_then(|()| table.north_passes()), Ok(()));
    let said = told(table.receipt(Some([1; 32])));
    assert!(said.contains("is not the one that the referee gave us a receipt for"), "{said}");
    let kept = fs::read_to_string(folder.file("receipts")).unwrap();
    assert!(kept.starts_with("{\"items\":[{\"deal\":1,\"head\":\"0101"), "{kept}");
}
