//! The seat loop: say Hello, follow the match, answer what is asked, come back when cut off.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use tonic::transport::Endpoint;
use tonic::{Code, Status};

use crate::deal::HIDDEN_MOVES;
use crate::error::{BotError, Result, lost, proof, quoted, say, usage};
use crate::files::{StateFile, draw, load_secret};
use crate::hex;
use crate::keys::{PublicKey, usable_key};
use crate::options::{Level, Options};
use crate::outcome::{Outcome, Score};
use crate::pb;
use crate::pb::play_input::Input;
use crate::pb::play_item::Item;
use crate::receipts::{ReceiptFile, Receipts};
use crate::seal::{MatchId, Opened, ReceiptItem};
use crate::stream::{PlayStream, endpoint};
use crate::view::{Choose, Refusal, View, seat_of};
use crate::witness::{Claim, Witness};

const PROTOCOL_VERSION: u32 = 1;
/// No referee is waited for longer than this because it says so.
const LONGEST_DRAIN: Duration = Duration::from_secs(3_600);

/// How often an operator is told that the referee is still away.
pub(crate) const TOLD_EVERY: Duration = Duration::from_secs(10);

/// What the operator is told while nobody answers, and how long we go on trying.
pub(crate) fn no_word(address: &str, fault: &str, left: Duration, still: bool) -> String {
    let begins = if still { "still no word" } else { "no word" };
    let seconds = left.as_secs_f64();
    format!("{begins} from {address} ({fault}); trying again for {seconds:.0} s")
}

/// How often and how long to try again when the referee is away.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// The first pause; each further one is twice as long.
    pub first: Duration,
    /// The longest pause.
    pub most: Duration,
    /// When to give up.
    pub total: Duration,
}

impl Default for Pace {
    fn default() -> Self {
        Self {
            first: Duration::from_millis(200),
            most: Duration::from_secs(5),
            total: Duration::from_secs(60),
        }
    }
}

/// Play one match to its end; an error says why it could not be.
pub async fn play(choose: impl Choose, options: &Options, pace: Pace) -> Result<Outcome> {
    // What is named and does not do is said before the match.
    let endpoint = endpoint(&options.place)?;
    if let Some(path) = &options.secret_file {
        load_secret(path)?;
    }
    if let Some(path) = &options.state_file {
        StateFile::open(path, None)?;
    }
    SeatLoop::new(choose, options, pace).play(&endpoint).await
}

/// Where we sit, and our own account of the match.
struct Seated {
    welcome: pb::Welcome,
    witness: Witness,
}

/// What we have said and the referee has not answered.
struct Pending {
    input: pb::PlayInput,
    deal: u32,
}

/// One seat's conversation, over as many connections as it takes.
struct SeatLoop<'a, C> {
    choose: C,
    options: &'a Options,
    pace: Pace,
    away_since: Option<Instant>,
    told_at: Option<Instant>,
    delay: Duration,
    retry_after: Duration,
    seated: Option<Seated>,
    pending: Option<Pending>,
    unanswered: Option<pb::Ask>,
    refused: Option<Refusal>,
    last: Option<Score>,
    outcome: Option<Outcome>,
}

impl<'a, C: Choose> SeatLoop<'a, C> {
    fn new(choose: C, options: &'a Options, pace: Pace) -> Self {
        Self {
            choose,
            options,
            pace,
            away_since: None,
            told_at: None,
            delay: pace.first,
            retry_after: Duration::ZERO,
            seated: None,
            pending: None,
            unanswered: None,
            refused: None,
            last: None,
            outcome: None,
        }
    }

    /// Follow the match over reconnects until it is closed.
    async fn play(mut self, endpoint: &Endpoint) -> Result<Outcome> {
        loop {
            let fault = match PlayStream::open(endpoint, self.hello()).await {
                Ok(stream) => self.follow(stream).await?,
                Err(status) => fault(&status)?,
            };
            if let Some(outcome) = self.outcome {
                return Ok(outcome);
            }
            self.wait(&fault).await?;
        }
    }

    async fn wait(&mut self, fault: &str) -> Result<()> {
        let (now, still) = (Instant::now(), self.away_since.is_some());
        let since = *self.away_since.get_or_insert(now + self.retry_after);
        let left = (since + self.pace.total).saturating_duration_since(now);
        if !still || self.told_at.is_none_or(|told| now >= told + TOLD_EVERY) {
            self.told_at = Some(now);
            say(no_word(&self.options.place.address, fault, left, still));
        }
        let pause = self.delay.max(self.retry_after);
        if pause > left {
            return Err(lost(format!(
                "gave up on {} after {} s: {fault} (start the bot again with the same files to go on)",
                self.options.place.address,
                self.pace.total.as_secs()
            )));
        }
        self.retry_after = Duration::ZERO;
        self.delay = self.pace.most.min(2 * self.delay);
        tokio::time::sleep(pause).await;
        Ok(())
    }

    fn arrived(&mut self) {
        self.away_since = None;
        self.delay = self.pace.first;
    }

    fn hello(&self) -> pb::PlayRequest {
        let options = self.options;
        let seat = pb::SeatHello {
            token: options.token.clone(),
            name: options.name.clone(),
            level: pb::Level::from(options.level).into(),
            own_seeds: options.level != Level::Plays,
            key: options.seat_key.as_ref().map_or_else(Vec::new, |key| key.public().to_vec()),
            resume: self.seated.as_ref().map_or(0, |seated| seated.witness.next_seq().into()),
        };
        let hello = pb::Hello { protocol: PROTOCOL_VERSION, seats: vec![seat] };
        pb::PlayRequest { hello: Some(hello), inputs: Vec::new() }
    }

    /// Take what comes until the match or the stream ends; then why the stream did.
    async fn follow(&mut self, mut stream: PlayStream) -> Result<String> {
        loop {
            let message = match stream.next().await {
                Ok(Some(message)) => message,
                Ok(None) => return Ok("the referee ended the stream".to_owned()),
                Err(status) => return fault(&status),
            };
            for item in message.items {
                self.take(item, &stream).await?;
            }
            if let Some(seated) = &self.seated {
                seated.witness.end_of_message()?;
            }
            if self.outcome.is_some() {
                return Ok(String::new());
            }
        }
    }

    // -- items

    async fn take(&mut self, item: pb::PlayItem, stream: &PlayStream) -> Result<()> {
        match item.item {
            Some(Item::Welcome(welcome)) => self.greet(welcome, stream),
            Some(Item::Event(event)) => self.take_event(&event),
            Some(Item::PrivateDeal(dealt)) => self.take_cards(dealt),
            Some(Item::Ask(ask)) => self.take_ask(ask, stream),
            Some(Item::Ruling(ruling)) => self.take_ruling(ruling, stream),
            Some(Item::Receipt(receipt)) => self.take_receipt(receipt),
            Some(Item::Status(status)) => self.take_status(&item.request_id, &status, stream).await,
            Some(Item::Draining(draining)) => {
                self.retry_after = Duration::from_millis(draining.retry_ms).min(LONGEST_DRAIN);
                Ok(())
            }
            Some(Item::Superseded(_)) => Err(BotError::SeatTaken(
                "another process has taken this seat with the same token".to_owned(),
            )),
            Some(Item::Fault(notice)) => {
                say(format_args!("{} is at fault: {}", seat_of(notice.seat)?, notice.why));
                Ok(())
            }
            None => Ok(()), // a kind from after this client was written
        }
    }

    fn seated(&mut self, what: &str) -> Result<&mut Seated> {
        self.seated.as_mut().ok_or_else(|| lost(format!("the referee sent {what} before Welcome")))
    }

    fn greet(&mut self, welcome: pb::Welcome, stream: &PlayStream) -> Result<()> {
        self.arrived(); // it is there, though nothing may happen for a while
        match &self.seated {
            None => self.sit_down(welcome)?,
            Some(Seated { welcome: first, .. }) => {
                if (&welcome.r#match, welcome.seat) != (&first.r#match, first.seat) {
                    return Err(lost("the referee now has this token for another match"));
                }
                check_key(&welcome.referee_key, self.options.key.as_ref())?;
                if welcome.referee_key != first.referee_key {
                    return Err(proof("the referee's key is not the one it showed us before"));
                }
            }
        }
        if let Some(pending) = &self.pending {
            stream.send(pending.input.clone());
        }
        Ok(())
    }

    /// Our own account of the match, on the seat's files.
    fn sit_down(&mut self, welcome: pb::Welcome) -> Result<()> {
        let options = self.options;
        check_key(&welcome.referee_key, options.key.as_ref())?;
        let (id, seat) = (match_id(&welcome.r#match)?, seat_of(welcome.seat)?);
        let files = options.files(&id, seat);
        let secret = load_secret(&files.secret)?;
        let receipts = ReceiptFile::open(&files.receipts)?;
        let claim = Claim {
            id,
            seat,
            name: options.name.clone(),
            rules: welcome.rules.clone().into_iter().collect(),
            referee_key: welcome.referee_key.clone(),
            level: options.level,
            key: options.seat_key.clone(),
        };
        let receipts = Receipts::new(id, welcome.referee_key.clone(), receipts);
        let state = StateFile::open(&files.state, Some(seat))?;
        say(format_args!("seated {seat} in match {}", welcome.r#match));
        let witness = Witness::new(claim, secret, state, receipts);
        self.seated = Some(Seated { welcome, witness });
        Ok(())
    }

    fn take_event(&mut self, event: &pb::Event) -> Result<()> {
        let pinned = self.options.key.is_some();
        let Seated { welcome, witness } = self.seated("event")?;
        let taken = witness.take(&event.event, &event.sig)?;
        if taken.kind == "match_open" && !pinned {
            let line = taken.fields.text("referee_key")?;
            say(format_args!("warning: the referee's key is not pinned; to pin it: --key {line}"));
        }
        if let Some(twin) = witness.twin(&taken) {
            say(format_args!(
                "warning: {twin} plays with our secret: two equal seeds count for one \
                 (give each seat its own --secret-file)"
            ));
        }
        let closed = match taken.kind.as_str() {
            "match_close" => {
                let games = welcome.rules.get("deals").is_none_or(|deals| deals == "none");
                Some(Outcome::read(&taken, &welcome.r#match, games)?)
            }
            _ => None,
        };
        if taken.kind == "deal_close" && taken.fields.text("outcome")? != "draw" {
            self.last = Some(Score::read(&taken)?);
        }
        if taken.kind == "action" {
            (self.unanswered, self.refused) = (None, None);
        }
        self.outcome = closed.map(|outcome| Outcome { last: self.last, ..outcome });
        self.arrived();
        Ok(())
    }

    fn take_cards(&mut self, dealt: pb::PrivateDeal) -> Result<()> {
        let open = |card: pb::OpenedCard| Opened {
            position: card.position,
            card: card.card,
            salt: card.salt,
        };
        let cards = dealt.cards.into_iter().map(open).collect();
        let seated = self.seated("private_deal")?;
        seated.witness.private_deal(dealt.deal, dealt.root, cards, dealt.sig)
    }

    fn take_receipt(&mut self, receipt: pb::Receipt) -> Result<()> {
        let item = |item: pb::ReceiptItem| {
            let seq = number(item.seq)?;
            Ok(ReceiptItem { id: item.r#match, deal: item.deal, seq, head: item.head })
        };
        let items: Vec<_> = receipt.items.into_iter().map(item).collect::<Result<_>>()?;
        self.seated("receipt")?.witness.receipt(&items, &receipt.sig)
    }

    // -- answers

    fn take_ask(&mut self, ask: pb::Ask, stream: &PlayStream) -> Result<()> {
        if self.pending.as_ref().is_some_and(|pending| answers(&pending.input, &ask)) {
            self.unanswered = Some(ask); // sent already; its ruling is on the way
            return Ok(());
        }
        self.answer(ask, stream)
    }

    fn answer(&mut self, ask: pb::Ask, stream: &PlayStream) -> Result<()> {
        self.unanswered = None;
        let deal = ask.deal;
        let said = match ask.what.as_str() {
            "commit" => {
                let commit = self.seated("ask")?.witness.commit(deal, ask.cutter)?.to_vec();
                Input::Commit(pb::Commit { deal, commit })
            }
            "reveal" => {
                let shown = self.seated("ask")?.witness.reveal(deal)?;
                Input::Reveal(pb::Reveal {
                    deal,
                    seed: shown.seed.to_vec(),
                    cut: shown.cut.map(u32::from),
                    cset: shown.cset.to_vec(),
                    head: shown.head.to_vec(),
                    sig: shown.sig,
                })
            }
            "act" => Input::Act(self.decide(ask)?),
            what => {
                return Err(lost(format!(
                    "the referee asks for {}: update this client",
                    quoted(what)
                )));
            }
        };
        let Seated { welcome, .. } = self.seated("ask")?;
        let input = pb::PlayInput {
            r#match: welcome.r#match.clone(),
            seat: welcome.seat,
            request_id: draw::<16>()?.to_vec(),
            input: Some(said),
        };
        stream.send(input.clone());
        self.pending = Some(Pending { input, deal });
        Ok(())
    }

    fn decide(&mut self, ask: pb::Ask) -> Result<pb::Act> {
        let refused = self.refused.clone();
        let Seated { welcome, witness } = self.seated("ask")?;
        let shown = ask.view.unwrap_or_default();
        let seq = number(shown.state_version.saturating_add(1))?;
        witness.check_ask(ask.deal, seq, &shown.hand)?;
        let view = View { refused, ..View::read(shown, &welcome.r#match, ask.limit_ms)? };
        let action = chosen(&mut self.choose, &view)?;
        let mut words = action.split(' ');
        let hides = words.next().is_some_and(|word| HIDDEN_MOVES.contains(&word));
        let blind = match hides && view.legal.contains(&action) {
            true => words.map(|_| draw::<32>()).collect::<Result<Vec<_>>>()?.concat(),
            false => Vec::new(),
        };
        let Seated { witness, .. } = self.seated("ask")?;
        let seat_sig = witness.act(ask.deal, seq, &action, &blind)?;
        Ok(pb::Act { seq: seq.into(), action, blind, seat_sig })
    }

    fn take_ruling(&mut self, ruling: pb::Ruling, stream: &PlayStream) -> Result<()> {
        let ours = |pending: &mut Pending| pending.input.request_id == ruling.request_id;
        let Some(pending) = self.pending.take_if(ours) else { return Ok(()) };
        let act = match pending.input.input {
            Some(Input::Act(ref act)) => Some(act),
            _ => None,
        };
        if ruling.accepted {
            (self.unanswered, self.refused) = (None, None);
            let seq = act.map(|act| number(act.seq)).transpose()?;
            let reveal = matches!(pending.input.input, Some(Input::Reveal(_)));
            return self.seated("ruling")?.witness.accepted(pending.deal, seq, reveal);
        }
        let action = act.map_or_else(String::new, |act| act.action.clone());
        let (reason, text) = (ruling.reason, ruling.text);
        say(format_args!("refused {}: {reason}: {text}", quoted(&action)));
        self.refused = Some(Refusal { action, reason, text });
        self.answer_again(stream)
    }

    async fn take_status(
        &mut self,
        request_id: &[u8],
        status: &pb::Status,
        stream: &PlayStream,
    ) -> Result<()> {
        let code = Code::from(status.code);
        let words = format!("the referee says {}: {}", word_of(code), status.message);
        let pending = self.pending.take_if(|pending| pending.input.request_id == request_id);
        let Some(pending) = pending else {
            say(words);
            return Ok(());
        };
        if matches!(code, Code::Unavailable | Code::ResourceExhausted) {
            self.wait(&words).await?;
            stream.send(pending.input.clone());
            self.pending = Some(pending);
            return Ok(());
        }
        if code != Code::Aborted {
            say(words);
        }
        self.answer_again(stream)
    }

    fn answer_again(&mut self, stream: &PlayStream) -> Result<()> {
        match self.unanswered.take() {
            Some(ask) => self.answer(ask, stream),
            None => Ok(()),
        }
    }
}

/// What the bot answers; where its function panics, the match cannot go on.
fn chosen(choose: &mut impl Choose, view: &View) -> Result<String> {
    catch_unwind(AssertUnwindSafe(|| choose.choose(view, &view.legal))).map_err(|_| {
        BotError::BotFailed(
            "the bot's own function panicked (the seat stays ours: mend it, and start again with \
             the same files to go on)"
                .to_owned(),
        )
    })
}

/// Whether an input is an answer to a question.
fn answers(said: &pb::PlayInput, ask: &pb::Ask) -> bool {
    let version = ask.view.as_ref().map_or(0, |view| view.state_version);
    match (&said.input, ask.what.as_str()) {
        (Some(Input::Act(act)), "act") => act.seq == version.saturating_add(1),
        (Some(Input::Commit(commit)), "commit") => commit.deal == ask.deal,
        (Some(Input::Reveal(reveal)), "reveal") => reveal.deal == ask.deal,
        _ => false,
    }
}

/// Why the stream broke; where trying again is hopeless, an error.
fn fault(status: &Status) -> Result<String> {
    let details = match status.message() {
        "" => "no details",
        some => some,
    };
    let hopeless = match status.code() {
        Code::Unauthenticated => {
            return Err(usage(format!(
                "the referee does not know this token: ask for a new one ({details})"
            )));
        }
        Code::PermissionDenied => "this token is for another seat",
        Code::FailedPrecondition => "the referee does not accept our Hello",
        Code::InvalidArgument => "the referee does not understand our Hello",
        Code::Unimplemented => "there is no Euchre referee at this address",
        code => return Ok(format!("{}: {details}", word_of(code))),
    };
    Err(lost(format!("{hopeless} ({details})")))
}

/// A status in the spelling that every language has for it, as `UNAVAILABLE`.
pub(crate) fn word_of(code: Code) -> String {
    let mut word = String::new();
    for (place, letter) in format!("{code:?}").chars().enumerate() {
        if place > 0 && letter.is_ascii_uppercase() {
            word.push('_');
        }
        word.push(letter.to_ascii_uppercase());
    }
    word
}

fn number(seq: u64) -> Result<u32> {
    u32::try_from(seq)
        .map_err(|_| lost(format!("the referee named event {seq}, which is too many")))
}

fn match_id(text: &str) -> Result<MatchId> {
    hex::decode(text).and_then(|id| id.try_into().ok()).ok_or_else(|| {
        lost(format!("the referee named a match {}, which is no match id", quoted(text)))
    })
}

fn check_key(public: &[u8], pinned: Option<&PublicKey>) -> Result<()> {
    if !usable_key(public) {
        return Err(usage("the referee shows no sound Ed25519 key: do not play there"));
    }
    match pinned {
        Some(key) if key.public != public => {
            let shown = PublicKey { name: key.name.clone(), public: public.to_vec() };
            Err(usage(format!("the referee's key is not the pinned one but '{shown}'")))
        }
        _ => Ok(()),
    }
}
