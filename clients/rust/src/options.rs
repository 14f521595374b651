//! The flags of a bot, and what they come to.

use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::{Args, ValueEnum};

use crate::error::{Result, quoted, usage};
use crate::files::{LONGEST, LONGEST_LINE, default_directory, read_file};
use crate::keys::{PublicKey, SeatKey, is_name};
use crate::seal::MatchId;
use crate::seat::Seat;
use crate::{hex, pb};

/// How much of the seal a seat does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Level {
    /// Gives no seeds; the match is unrated.
    Plays,
    /// Gives seeds.
    Seeds,
    /// Also checks everything that can be checked.
    Checks,
    /// Also signs every reveal and move.
    Signs,
}

impl Level {
    /// Its word, as `checks`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Plays => "plays",
            Self::Seeds => "seeds",
            Self::Checks => "checks",
            Self::Signs => "signs",
        }
    }
}

impl From<Level> for pb::Level {
    fn from(level: Level) -> Self {
        match level {
            Level::Plays => Self::Plays,
            Level::Seeds => Self::Seeds,
            Level::Checks => Self::Checks,
            Level::Signs => Self::Signs,
        }
    }
}

/// The flags that every bot has; flatten them into a parser of your own to add more.
#[derive(Args, Clone, Debug)]
pub struct Flags {
    /// Where the referee is: HOST:PORT or unix:PATH
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:8377")]
    pub referee: String,
    /// File with the seat's token (or set EUCHRE_TOKEN)
    #[arg(long, value_name = "FILE", value_parser = path())]
    pub token_file: Option<PathBuf>,
    /// Take the seat of CODE; its token goes to the token file
    #[arg(long, value_name = "CODE")]
    pub invitation: Option<String>,
    /// The bot's name at the table [default: the bot's own]
    #[arg(long)]
    pub name: Option<String>,
    /// What we do for the seal: plays, seeds, checks (the default) or signs (with --seat-key)
    #[arg(long, hide_possible_values = true)]
    pub level: Option<Level>,
    /// The seat's private key (PEM): sign every reveal and move
    #[arg(long, value_name = "FILE", value_parser = path())]
    pub seat_key: Option<PathBuf>,
    /// The secret that our seeds come from [default: one a name and seat in ~/.local/state/euchre-bot]
    #[arg(long, value_name = "FILE", value_parser = path())]
    pub secret_file: Option<PathBuf>,
    /// What we have committed to [default: as for the secret]
    #[arg(long, value_name = "FILE", value_parser = path())]
    pub state_file: Option<PathBuf>,
    /// Folder for the referee's receipts [default: beside the state file]
    #[arg(long, value_name = "DIR", value_parser = path())]
    pub receipts: Option<PathBuf>,
    /// The referee's public key to insist on: name+id+base64
    #[arg(long, visible_alias = "referee-key", value_name = "KEY")]
    pub key: Option<String>,
    /// PEM file of the authority behind the referee's TLS certificate
    #[arg(long, value_name = "FILE", value_parser = path())]
    pub ca: Option<PathBuf>,
    /// Our own certificate (PEM), where the referee asks for one
    #[arg(long, value_name = "FILE", value_parser = path())]
    pub cert: Option<PathBuf>,
    /// Its private key (PEM)
    #[arg(long, value_name = "FILE", value_parser = path())]
    pub cert_key: Option<PathBuf>,
    /// Send the token in the clear to another machine
    #[arg(long)]
    pub insecure: bool,
}

/// Takes a path that is empty too, so that it is refused as every other flag is.
fn path() -> impl TypedValueParser<Value = PathBuf> {
    OsStringValueParser::new().map(PathBuf::from)
}

/// Refuse a flag with nothing in it, as `--state-file "$STATE"` has where there is no STATE.
fn check_filled(flags: &Flags) -> Result<()> {
    let paths = [
        ("--token-file", &flags.token_file),
        ("--seat-key", &flags.seat_key),
        ("--secret-file", &flags.secret_file),
        ("--state-file", &flags.state_file),
        ("--receipts", &flags.receipts),
        ("--ca", &flags.ca),
        ("--cert", &flags.cert),
        ("--cert-key", &flags.cert_key),
    ];
    let is_empty = |path: &PathBuf| path.as_os_str().is_empty();
    let path = paths.iter().find(|(_, path)| path.as_ref().is_some_and(is_empty));
    let code = flags.invitation.as_ref().filter(|code| code.is_empty());
    match path.map(|(flag, _)| *flag).or(code.map(|_| "--invitation")) {
        Some(flag) => Err(usage(format!("{flag} is empty (give it a value, or leave it out)"))),
        None => Ok(()),
    }
}

/// Where the referee is, and what a connection to it needs.
#[derive(Clone, Debug)]
pub struct Place {
    /// HOST:PORT or unix:PATH.
    pub address: String,
    /// The authority behind its certificate; with one, the connection is TLS.
    pub ca: Option<Vec<u8>>,
    /// Our own certificate and its private key.
    pub identity: Option<(Vec<u8>, Vec<u8>)>,
}

impl Place {
    /// The place that parsed flags name; a token goes to another machine over TLS only, unless we
    /// are told otherwise.
    pub fn read(flags: &Flags) -> Result<Self> {
        check_place(flags)?;
        Ok(Self {
            address: flags.referee.clone(),
            ca: flags.ca.as_deref().map(authority).transpose()?,
            identity: identity(flags)?,
        })
    }
}

fn authority(path: &Path) -> Result<Vec<u8>> {
    read_file(path, "the authority", LONGEST)
}

/// Refuse an empty flag, what is no address, and to send a token in the clear to another machine.
pub fn check_place(flags: &Flags) -> Result<()> {
    check_filled(flags)?;
    if !is_address(&flags.referee) {
        return Err(usage(format!(
            "not an address: {} (write HOST:PORT or unix:PATH)",
            quoted(&flags.referee)
        )));
    }
    if flags.ca.is_some() || flags.insecure || is_local(&flags.referee) {
        return Ok(());
    }
    Err(usage(format!(
        "{} is not this machine: a token goes there only over TLS (give --ca FILE, or --insecure \
         to send it in the clear)",
        quoted(&flags.referee)
    )))
}

fn is_address(address: &str) -> bool {
    if let Some(path) = address.strip_prefix("unix:") {
        return !path.is_empty();
    }
    let place = address.rsplit_once(':').filter(|(host, _)| !host.is_empty());
    place.is_some_and(|(_, port)| port.parse::<u16>().is_ok_and(|port| port > 0))
}

fn is_local(address: &str) -> bool {
    if address.starts_with("unix:") {
        return true;
    }
    let Some((host, port)) = address.rsplit_once(':') else { return false };
    port.parse::<u16>().is_ok()
        && (matches!(host, "localhost" | "[::1]")
            || host.parse().is_ok_and(|ip: Ipv4Addr| ip.is_loopback()))
}

fn identity(flags: &Flags) -> Result<Option<(Vec<u8>, Vec<u8>)>> {
    match (&flags.ca, &flags.cert, &flags.cert_key) {
        (_, None, None) => Ok(None),
        (Some(_), Some(cert), Some(key)) => Ok(Some((
            read_file(cert, "the certificate", LONGEST)?,
            read_file(key, "the certificate's key", LONGEST)?,
        ))),
        _ => Err(usage("--cert, --cert-key and --ca go together: give all three, or --ca alone")),
    }
}

/// Where to play, as whom, and with which files.
pub struct Options {
    /// Where the referee is.
    pub place: Place,
    /// The seat's token.
    pub token: String,
    /// Our name at the table.
    pub name: String,
    /// What we do for the seal.
    pub level: Level,
    /// Our private key, where we sign.
    pub seat_key: Option<Rc<SeatKey>>,
    /// The referee's key, where it is pinned.
    pub key: Option<PublicKey>,
    /// The secret's file, where a flag names it.
    pub secret_file: Option<PathBuf>,
    /// The state's file, where a flag names it.
    pub state_file: Option<PathBuf>,
    /// The receipts' folder, where a flag names it.
    pub receipts: Option<PathBuf>,
}

/// The files of one seat in one match.
#[derive(Debug, PartialEq, Eq)]
pub struct SeatFiles {
    /// Its secret.
    pub secret: PathBuf,
    /// What it has bound itself to.
    pub state: PathBuf,
    /// Its receipts.
    pub receipts: PathBuf,
}

impl Options {
    /// The options that parsed flags come to; files are read here.
    pub fn read(flags: Flags, own_name: &str) -> Result<Self> {
        check_place(&flags)?;
        let name = flags.name.clone().unwrap_or_else(|| own_name.to_owned());
        if !is_name(&name) {
            return Err(usage(format!(
                "not a name for a bot: {} (1 to 32 printable ASCII characters without space, \", \\ \
                 and +)",
                quoted(&name)
            )));
        }
        let level = flags.level.unwrap_or(match flags.seat_key {
            Some(_) => Level::Signs,
            None => Level::Checks,
        });
        if (level == Level::Signs) != flags.seat_key.is_some() {
            return Err(usage(format!(
                "level {} and --seat-key do not go together: give the key to sign with --level \
                 signs, or neither",
                level.word()
            )));
        }
        Ok(Self {
            token: token(flags.token_file.as_deref())?,
            name,
            level,
            seat_key: flags.seat_key.as_deref().map(SeatKey::load).transpose()?.map(Rc::new),
            key: flags.key.as_deref().map(PublicKey::parse).transpose()?,
            place: Place::read(&flags)?,
            secret_file: flags.secret_file,
            state_file: flags.state_file,
            receipts: flags.receipts,
        })
    }

    /// Secret, state and receipts of a seat; no two seats share them unless they are named.
    #[must_use]
    pub fn files(&self, id: &MatchId, seat: Seat) -> SeatFiles {
        let kept = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        let stem = self.name.replace(|c| !kept(c), "_");
        let ours = |named: &Option<PathBuf>, kind: &str| {
            named
                .clone()
                .unwrap_or_else(|| default_directory().join(format!("{stem}-{seat}.{kind}")))
        };
        let state = ours(&self.state_file, "state.jsonl");
        let folder = self.receipts.clone().unwrap_or_else(|| state.with_file_name("receipts"));
        SeatFiles {
            secret: ours(&self.secret_file, "secret"),
            receipts: folder.join(format!("{}-{seat}.jsonl", hex::encode(id))),
            state,
        }
    }
}

fn token(path: Option<&Path>) -> Result<String> {
    let (text, place) = match path {
        None => (std::env::var("EUCHRE_TOKEN").unwrap_or_default(), "EUCHRE_TOKEN".to_owned()),
        Some(path) => (
            String::from_utf8_lossy(&read_file(path, "the token", LONGEST_LINE)?).into_owned(),
            format!("the token file {}", quoted(path.display())),
        ),
    };
    let token = text.trim();
    if token.is_empty() || !token.bytes().all(|c| c.is_ascii_graphic()) {
        return Err(usage(format!(
            "{place} holds no token: give --token-file FILE with the token alone"
        )));
    }
    Ok(token.to_owned())
}
