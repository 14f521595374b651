//! A referee and three seats that a test plays, and north, who is the client.

use ed25519_dalek::{Signer, SigningKey};
use euchre_bot::dealing::positions;
use euchre_bot::files::StateFile;
use euchre_bot::keys::PublicKey;
use euchre_bot::receipts::{ReceiptFile, Receipts};
use euchre_bot::seal::{self, Hash, Ingredients, MatchId, Opened, ReceiptItem, SealedDeck};
use euchre_bot::witness::{Claim, Witness};
use euchre_bot::{Level, Result, Seat, canonical, hex};
use serde_json::{Value, json};

use crate::Folder;

const ID: MatchId = [7; 16];
const SECRET: Hash = [9; 32];
const BLIND: Hash = [5; 32];
const DEALER: Seat = Seat::West;

/// What a lying referee changes in the events of a kind, before it signs them.
pub type Lie = fn(&str, &mut Value);

/// The table, with everything that a referee knows.
pub struct Table {
    pub north: Witness,
    key: SigningKey,
    lie: Lie,
    head: Hash,
    seq: u32,
    seeds: Vec<Vec<u8>>,
    chain: [Hash; 3],
    deck: Option<SealedDeck>,
}

impl Table {
    pub fn new(folder: &Folder, lie: Lie) -> Self {
        let key = SigningKey::from_bytes(&[3; 32]);
        let public = key.verifying_key().to_bytes().to_vec();
        let receipts = ReceiptFile::open(&folder.file("receipts")).expect("receipts are kept");
        let claim = Claim {
            id: ID,
            seat: Seat::North,
            name: "rust".to_owned(),
            rules: serde_json::from_value(rules()).expect("rules are texts"),
            referee_key: public.clone(),
            level: Level::Checks,
            key: None,
        };
        let state = StateFile::open(&folder.file("state"), Some(Seat::North)).expect("a state");
        let receipts = Receipts::new(ID, public, receipts);
        let north = Witness::new(claim, SECRET, state, receipts);
        let seeds = (0..4u8)
            .map(|seat| match seat {
                0 => seal::seat_seed(&SECRET, &ID, 1).to_vec(),
                _ => vec![seat; 32],
            })
            .collect();
        let last = [8; 32];
        let chain = [seal::chain_descend(&ID, last, 2, 0), seal::chain_step(&ID, 2, &last), last];
        Self { north, key, lie, head: [0; 32], seq: 0, seeds, chain, deck: None }
    }

    pub fn sign(&self, message: &[u8]) -> Vec<u8> {
        self.key.sign(message).to_bytes().to_vec()
    }

    /// The next event, with the lie in it if it is of that kind.
    pub fn event(&mut self, kind: &str, mut event: Value, signed: bool) -> Result<()> {
        event["kind"] = json!(kind);
        event["seq"] = json!(self.seq);
        event["prev"] = json!(hex::encode(&self.head));
        (self.lie)(kind, &mut event);
        let raw = canonical::dump(&event);
        self.head = seal::event_head(&self.head, &raw);
        self.seq += 1;
        let sig = match signed {
            true => self.sign(&seal::referee_signed_bytes(&self.head)),
            false => Vec::new(),
        };
        self.north.take(&raw, &sig).map(|_| ())
    }

    pub fn open(&mut self) -> Result<()> {
        let public = self.key.verifying_key().to_bytes().to_vec();
        let seat = |name: &str| json!({"name": name, "level": "checks", "seed_by": "seat"});
        let knobs = rules();
        let open = json!({
            "match": hex::encode(&ID),
            "protocol": seal::PROTOCOL,
            "rules": knobs,
            "rule_set": hex::encode(&seal::rule_set_id(&canonical::dump(&knobs))),
            "pack": "E24",
            "chain": 2,
            "policy": {"rated": true},
            "r0": hex::encode(&self.chain[0]),
            "referee_key": PublicKey { name: "ref".to_owned(), public }.to_string(),
            "seats": [seat("rust"), seat("b"), seat("c"), seat("d")],
        });
        self.event("match_open", open, true)?;
        self.event("deal_open", json!({"deal": 1, "dealer": DEALER.word()}), false)
    }

    fn commits(&self) -> Vec<Hash> {
        let made = |(seat, seed): (usize, &Vec<u8>)| seal::seat_commit(&ID, 1, seat, seed, None);
        self.seeds.iter().enumerate().map(made).collect()
    }

    /// The seats commit; a test may give another seat another seed before.
    pub fn commit(&mut self) -> Result<()> {
        self.north.commit(1, false)?;
        let commits = self.commits();
        for (seat, commit) in Seat::ALL.iter().zip(&commits) {
            let said = json!({"deal": 1, "seat": seat.word(), "commit": hex::encode(commit)});
            self.event("seat_commit", said, false)?;
        }
        let cset = seal::commit_set(&ID, 1, "E24", &self.chain[1], &commits);
        let commits: Vec<_> = commits.iter().map(|commit| hex::encode(commit)).collect();
        let set = json!({
            "deal": 1,
            "r_commit": hex::encode(&self.chain[1]),
            "commits": commits,
            "cset": hex::encode(&cset),
        });
        self.event("commit_set", set, true)
    }

    /// Another seat has another seed, so that there is another commit set.
    pub fn reseed(&mut self, seat: Seat) {
        self.seeds[seat.index()] = vec![99; 32];
    }

    pub fn reveal(&mut self) -> Result<()> {
        self.north.reveal(1)?;
        let seeds: Vec<_> = self.seeds.iter().map(|seed| hex::encode(seed)).collect();
        let shown = json!({"deal": 1, "seeds": seeds, "sigs": ["", "", "", ""]});
        self.event("reveal_set", shown, false)
    }

    pub fn seal(&mut self) -> Result<()> {
        let faces = seal::pack("E24").expect("it is a pack");
        let cset = seal::commit_set(&ID, 1, "E24", &self.chain[1], &self.commits());
        let deck = seal::sealed_deck(&Ingredients {
            id: &ID,
            deal: 1,
            faces: &faces,
            r: &self.chain[2],
            cset: &cset,
            seeds: &self.seeds,
            cut: None,
        });
        let leaves: Vec<_> = deck.leaves.iter().map(|leaf| hex::encode(leaf)).collect();
        let root = json!({"deal": 1, "leaves": leaves, "root": hex::encode(&deck.root)});
        self.deck = Some(deck);
        self.event("deck_root", root, true)
    }

    pub fn deck(&self) -> &SealedDeck {
        self.deck.as_ref().expect("the deck is sealed")
    }

    pub fn card(&self, position: u32) -> Opened {
        let at = position as usize;
        let card = self.deck().cards[at].to_owned();
        Opened { position, card, salt: self.deck().salts[at].to_vec() }
    }

    /// The cards of a seat, as its private deal has them.
    pub fn cards(&self, seat: Seat) -> Vec<Opened> {
        let places = positions("3-2", DEALER, seat).expect("it is a pattern");
        places.into_iter().map(|place| self.card(place)).collect()
    }

    /// Give north cards, under the referee's signature.
    pub fn give(&mut self, cards: Vec<Opened>) -> Result<()> {
        let root = self.deck().root;
        let sig = self.sign(&seal::private_deal_bytes(&ID, 1, 0, &root, &cards));
        self.north.private_deal(1, root.to_vec(), cards, sig)
    }

    pub fn turn_up(&mut self) -> Result<()> {
        let Opened { position, card, salt } = self.card(20);
        let salt = hex::encode(&salt);
        let up = json!({"deal": 1, "position": position, "card": card, "salt": salt});
        self.event("turn_up", up, false)
    }

    /// North passes, and the referee takes it.
    pub fn north_passes(&mut self) -> Result<()> {
        let seq = self.seq;
        self.north.act(1, seq, "pass", b"")?;
        self.north.accepted(1, Some(seq), false)?;
        self.event("action", json!({"deal": 1, "seat": "north", "action": "pass"}), false)
    }

    /// A receipt for the event that came last.
    pub fn receipt(&mut self, head: Option<Hash>) -> Result<()> {
        let head = head.unwrap_or(self.head).to_vec();
        let items = [ReceiptItem { id: ID.to_vec(), deal: 1, seq: self.seq - 1, head }];
        let sig = self.sign(&seal::receipt_bytes(&items));
        self.north.receipt(&items, &sig)?;
        self.north.end_of_message()
    }

    /// The dealer buries the upcard, and the deal is closed.
    pub fn close(&mut self) -> Result<()> {
        let commit = seal::hidden_moves(&ID, 1, DEALER.index(), &[(20, &BLIND)]);
        let (word, commit, seq) = (DEALER.word(), hex::encode(&commit), self.seq);
        let buried = json!({"deal": 1, "seat": word, "action": "discard", "commit": commit});
        self.event("action", buried, false)?;
        let opening = json!({"seq": seq, "positions": [20], "blinds": [hex::encode(&BLIND)]});
        let close = json!({
            "deal": 1,
            "outcome": "played",
            "faults": [],
            "r": hex::encode(&self.chain[2]),
            "deck": self.deck().cards.join(" "),
            "openings": [opening],
            "attempts": [],
        });
        self.event("deal_close", close, true)
    }

    /// The deal as far as the cards of north.
    pub fn deal(&mut self) -> Result<()> {
        self.open()?;
        self.commit()?;
        self.reveal()?;
        self.seal()?;
        self.give(self.cards(Seat::North))?;
        self.turn_up()
    }

    /// A whole deal, as it should be but for the lie.
    pub fn play(&mut self) -> Result<()> {
        self.deal()?;
        self.north_passes()?;
        self.receipt(None)?;
        self.close()
    }
}

fn rules() -> Value {
    json!({"pack": "E24", "packets": "3-2", "cut": "none", "first_dealer": "agreed"})
}
