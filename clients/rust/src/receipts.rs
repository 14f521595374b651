//! The referee's receipts: checked at once against the record, and kept as JSON Lines.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::canonical::{dump, is_canonical};
use crate::error::{Result, proof, quoted, reason, usage};
use crate::files::open_kept;
use crate::hex;
use crate::keys::verifies;
use crate::seal::{Hash, MatchId, Opened, ReceiptItem, private_deal_bytes, receipt_bytes};
use crate::seat::Seat;

/// Cards that the referee's signature deals to a seat.
#[derive(Clone, Debug)]
pub struct PrivateDeal {
    /// The match.
    pub id: MatchId,
    /// The deal.
    pub deal: u32,
    /// Whose they are.
    pub seat: Seat,
    /// The root that they are under.
    pub root: Vec<u8>,
    /// The cards.
    pub cards: Vec<Opened>,
    /// The referee's signature.
    pub sig: Vec<u8>,
}

impl PrivateDeal {
    /// What the referee has signed, if it has.
    #[must_use]
    pub fn signed_bytes(&self) -> Vec<u8> {
        private_deal_bytes(&self.id, self.deal, self.seat.index(), &self.root, &self.cards)
    }

    /// Its line among the receipts, where it can be read at all.
    fn row(&self) -> Option<Value> {
        let cards: Vec<_> = self
            .cards
            .iter()
            .map(|c| json!({"card": c.card, "position": c.position, "salt": hex::encode(&c.salt)}))
            .collect();
        let row = json!({
            "cards": cards,
            "deal": self.deal,
            "match": hex::encode(&self.id),
            "root": hex::encode(&self.root),
            "seat": self.seat.word(),
            "sig": hex::encode(&self.sig),
        });
        let hashes = self.root.len() == 32 && self.cards.iter().all(|card| card.salt.len() == 32);
        (hashes && is_canonical(&row)).then_some(row)
    }
}

/// Receipts, one JSON line each, as `euchre-referee verify --receipts` reads them.
///
/// Private deals stand among them where they were wrong.
pub struct ReceiptFile {
    file: File,
    path: PathBuf,
}

impl ReceiptFile {
    /// Open the file at its end, made on first use.
    pub fn open(path: &Path) -> Result<Self> {
        let mut file = open_kept(path, "receipts")?;
        to_whole_line(&mut file).map_err(|err| {
            usage(format!("cannot open the receipts {}: {}", quoted(path.display()), reason(&err)))
        })?;
        Ok(Self { file, path: path.to_owned() })
    }

    fn write(&mut self, row: &Value) -> Result<()> {
        let mut line = dump(row);
        line.push(b'\n');
        self.file.write_all(&line).map_err(|err| {
            usage(format!("cannot write {}: {}", quoted(self.path.display()), reason(&err)))
        })
    }
}

/// Cut off a line that a crash has torn, which proves nothing, and go to the end.
fn to_whole_line(file: &mut File) -> io::Result<()> {
    let mut kept = Vec::new();
    file.read_to_end(&mut kept)?;
    let whole = kept.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1) as u64;
    file.set_len(whole)?;
    file.seek(SeekFrom::Start(whole)).map(|_| ())
}

/// What the referee has acknowledged to one seat of one match.
pub struct Receipts {
    id: MatchId,
    key: Vec<u8>,
    file: ReceiptFile,
    due: Vec<(u32, Option<u32>)>,
    heads: HashMap<u32, Hash>,
    promised: HashMap<u32, Vec<u8>>,
}

impl Receipts {
    /// The receipts of a match under the referee's key, kept in a file.
    #[must_use]
    pub fn new(id: MatchId, key: Vec<u8>, file: ReceiptFile) -> Self {
        let (due, heads, promised) = (Vec::new(), HashMap::new(), HashMap::new());
        Self { id, key, file, due, heads, promised }
    }

    /// An input of ours was accepted: a receipt for it has to come in the same message.
    ///
    /// `seq` is the event it became or answered; `None` where that event is still to come.
    pub fn accepted(&mut self, deal: u32, seq: Option<u32>) {
        self.due.push((deal, seq));
    }

    /// Check a receipt against the record as far as it is known, and keep it.
    pub fn take(&mut self, items: &[ReceiptItem], sig: &[u8]) -> Result<()> {
        if !verifies(&self.key, sig, &receipt_bytes(items)) {
            return Err(proof("a receipt has a signature that is not the referee's"));
        }
        let rows: Vec<_> = items
            .iter()
            .map(|item| {
                json!({
                    "match": hex::encode(&item.id),
                    "deal": item.deal,
                    "seq": item.seq,
                    "head": hex::encode(&item.head),
                })
            })
            .collect();
        self.file.write(&json!({"items": rows, "sig": hex::encode(sig)}))?;
        let id = self.id;
        items.iter().filter(|item| item.id == id).try_for_each(|item| self.settle(item))
    }

    fn settle(&mut self, item: &ReceiptItem) -> Result<()> {
        let covers = |(deal, seq): &(u32, Option<u32>)| {
            *deal == item.deal && seq.is_none_or(|seq| seq == item.seq)
        };
        if let Some(place) = self.due.iter().position(covers) {
            self.due.remove(place);
        }
        let seen = self.heads.get(&item.seq);
        compare(item.seq, seen.map(<[u8; 32]>::as_slice), Some(&item.head))?;
        compare(item.seq, self.promised.get(&item.seq).map(Vec::as_slice), Some(&item.head))?;
        if seen.is_none() {
            self.promised.insert(item.seq, item.head.clone());
        }
        Ok(())
    }

    /// Keep cards that the referee signed and did not seal; false where they cannot be.
    pub fn keep_deal(&mut self, dealt: &PrivateDeal) -> Result<bool> {
        match dealt.row() {
            Some(row) => self.file.write(&row).map(|()| true),
            None => Ok(false),
        }
    }

    /// Insist on a receipt for everything that the message accepted.
    pub fn end_of_message(&self) -> Result<()> {
        let Some((deal, seq)) = self.due.first() else { return Ok(()) };
        let what =
            seq.map_or("our commitment".to_owned(), |seq| format!("what stands in event {seq}"));
        Err(proof(format!("deal {deal}: the referee accepted {what} without a receipt")))
    }

    /// An event has come: what was promised of it must hold.
    pub fn saw(&mut self, seq: u32, head: &Hash) -> Result<()> {
        compare(seq, Some(head), self.promised.remove(&seq).as_deref())?;
        self.heads.insert(seq, *head);
        Ok(())
    }

    /// Let go of events that no receipt will name any more.
    pub fn forget_before(&mut self, seq: u32) {
        self.heads.retain(|known, _| *known >= seq);
    }
}

fn compare(seq: u32, one: Option<&[u8]>, other: Option<&[u8]>) -> Result<()> {
    match (one, other) {
        (Some(one), Some(other)) if one != other => Err(proof(format!(
            "event {seq} is not the one that the referee gave us a receipt for \
             (the receipt is kept: it is the proof)"
        ))),
        _ => Ok(()),
    }
}
