//! What a seat keeps on disk: its secret, and what it has bound itself to.

use std::collections::HashMap;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::fcntl::{FcntlArg, fcntl};
use nix::libc::{F_UNLCK, F_WRLCK, SEEK_SET, flock};
use serde::{Deserialize, Serialize};

use crate::error::{BotError, Result, proof, quoted, reason, usage};
use crate::hex;
use crate::seal::{Hash, MatchId};
use crate::seat::Seat;

/// More bytes than a file of one line has: a token, a secret, a request.
pub(crate) const LONGEST_LINE: u64 = 1 << 12;
/// More bytes than keys and certificates have, all that a machine trusts together too.
pub(crate) const LONGEST: u64 = 1 << 20;
/// The mode of everything that is kept.
const PRIVATE: u32 = 0o600;
/// How long a state file may be held by another process, which needs it for a moment only.
const LOCK_PATIENCE: Duration = Duration::from_secs(5);
const LOCK_PAUSE: Duration = Duration::from_millis(10);

/// Where secrets and state lie unless flags say otherwise.
#[must_use]
pub fn default_directory() -> PathBuf {
    let named = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    let home = named("XDG_STATE_HOME").map(PathBuf::from).unwrap_or_else(|| {
        named("HOME").map(PathBuf::from).unwrap_or_default().join(".local").join("state")
    });
    home.join("euchre-bot")
}

/// Make the folder of a file.
fn make_parent(path: &Path) -> Result<()> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    parent.map_or(Ok(()), |parent| {
        DirBuilder::new().recursive(true).mode(0o700).create(parent).map_err(|err| {
            usage(format!(
                "cannot make the directory of {}: {}",
                quoted(path.display()),
                reason(&err)
            ))
        })
    })
}

/// Put the name of a new file on the disk, which its own flush does not.
fn flush_folder(path: &Path) -> Result<()> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    File::open(parent.unwrap_or(Path::new("."))).and_then(|folder| folder.sync_all()).map_err(
        |err| {
            usage(format!(
                "cannot flush the directory of {}: {}",
                quoted(path.display()),
                reason(&err)
            ))
        },
    )
}

/// Refuse a file that others may read.
fn check_private(path: &Path, file: &File) -> Result<()> {
    let shown = quoted(path.display());
    let about =
        file.metadata().map_err(|err| usage(format!("cannot read {shown}: {}", reason(&err))))?;
    if about.permissions().mode() & 0o077 != 0 {
        return Err(usage(format!("others may read {shown}: run chmod 600 on it")));
    }
    Ok(())
}

/// Refuse what is there and is no file, as a folder, a pipe and a device are none.
fn check_regular(path: &Path, what: &str) -> Result<()> {
    if fs::metadata(path).is_ok_and(|about| !about.is_file()) {
        let shown = quoted(path.display());
        return Err(usage(format!("{what} {shown} is no regular file (name another)")));
    }
    Ok(())
}

/// All bytes of a file that a flag names; one that can be none of ours is refused.
pub(crate) fn read_file(path: &Path, what: &str, most: u64) -> Result<Vec<u8>> {
    read_checked(path, what, most, |_| Ok(()))
}

/// As `read_file`; a file that others may read is refused.
pub(crate) fn read_private_file(path: &Path, what: &str, most: u64) -> Result<Vec<u8>> {
    read_checked(path, what, most, |file| check_private(path, file))
}

fn read_checked(
    path: &Path,
    what: &str,
    most: u64,
    check: impl FnOnce(&File) -> Result<()>,
) -> Result<Vec<u8>> {
    let shown = quoted(path.display());
    let unread = |err| usage(format!("cannot read {what} {shown}: {}", reason(&err)));
    check_regular(path, what)?;
    let file = File::open(path).map_err(unread)?;
    check(&file)?;
    let mut held = Vec::new();
    let size = file.take(most + 1).read_to_end(&mut held).map_err(unread)?;
    if size as u64 > most {
        return Err(usage(format!("{what} {shown} is longer than {most} bytes (name another)")));
    }
    Ok(held)
}

/// Bytes that nobody can guess.
pub fn draw<const N: usize>() -> Result<[u8; N]> {
    let mut drawn = [0; N];
    getrandom::fill(&mut drawn)
        .map_err(|err| usage(format!("this machine gives no random bytes: {err}")))?;
    Ok(drawn)
}

/// Open a file of ours to read on and append, made on first use.
pub(crate) fn open_kept(path: &Path, what: &str) -> Result<File> {
    make_parent(path)?;
    check_regular(path, &format!("the {what}"))?;
    let mut options = OpenOptions::new();
    options.read(true).append(true).create(true).mode(PRIVATE);
    options.open(path).map_err(|err| {
        usage(format!("cannot open the {what} {}: {}", quoted(path.display()), reason(&err)))
    })
}

/// Write a file that nobody else can read, over whatever is there.
pub(crate) fn write_private(path: &Path, text: &str) -> Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true).mode(PRIVATE);
    options
        .open(path)
        .and_then(|mut file| writeln!(file, "{text}"))
        .map_err(|err| usage(format!("cannot write {}: {}", quoted(path.display()), reason(&err))))
}

/// The seat's 32-byte secret; made on first use, readable by its owner alone.
pub fn load_secret(path: &Path) -> Result<Hash> {
    let shown = quoted(path.display());
    make_parent(path)?;
    if !path.exists() {
        create_secret(path, &draw()?)
            .map_err(|err| usage(format!("cannot make the secret {shown}: {}", reason(&err))))?;
        flush_folder(path)?;
    }
    let text = read_private_file(path, "the secret", LONGEST_LINE)?;
    let secret = hex::decode(&String::from_utf8_lossy(&text).trim().to_ascii_lowercase());
    secret
        .and_then(|octets| octets.try_into().ok())
        .ok_or_else(|| usage(format!("the secret {shown} does not hold 64 hex digits: restore it")))
}

/// Write a draft and link it into place, so that the file is never there without its secret.
fn create_secret(path: &Path, secret: &Hash) -> io::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.draft", std::process::id()));
    let draft = path.with_file_name(name);
    let mut options = OpenOptions::new();
    let mut file = options.write(true).create_new(true).mode(PRIVATE).open(&draft)?;
    let linked = writeln!(file, "{}", hex::encode(secret))
        .and_then(|()| file.sync_all())
        .and_then(|()| fs::hard_link(&draft, path));
    fs::remove_file(&draft)?;
    match linked {
        Err(err) if err.kind() == io::ErrorKind::AlreadyExists => Ok(()), // another was first
        other => other,
    }
}

/// Lock or unlock a file without waiting, so that POSIX locks, as Java's, see it too.
fn set_lock(file: &File, kind: i32) -> nix::Result<()> {
    let whole =
        flock { l_type: kind as i16, l_whence: SEEK_SET as i16, l_start: 0, l_len: 0, l_pid: 0 };
    #[cfg(target_os = "linux")]
    let lock = FcntlArg::F_OFD_SETLK(&whole);
    #[cfg(not(target_os = "linux"))]
    let lock = FcntlArg::F_SETLK(&whole);
    fcntl(file, lock).map(|_| ())
}

/// One line of the state file: what we commit to, or the commit set that we reveal for.
#[derive(Default, Deserialize, Serialize)]
struct Row {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cset: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cut: Option<u8>,
    deal: u32,
    #[serde(rename = "match")]
    id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    r0: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seat: Option<String>,
}

/// What one match holds us to, and in which seat.
#[derive(Default)]
struct Promises {
    seat: Option<String>,
    r0: Option<String>,
    cuts: HashMap<u32, Option<u8>>,
    answered: HashMap<u32, String>,
}

/// Promises, one JSON line each, on disk before the referee hears of them.
///
/// Several processes may share the file, of other languages too: it is locked and read on before
/// each promise. In one match it is one seat's.
///
/// The file only grows, by whole lines at its end, and of two promises for one deal the first stands:
/// so it is sound also beside a process that cannot lock it, as Node's.
pub struct StateFile {
    file: File,
    path: PathBuf,
    seat: Option<Seat>,
    known_to: u64,
    torn: bool,
    matches: HashMap<String, Promises>,
}

impl StateFile {
    /// Open the file, made on first use; without a seat it is only looked at.
    pub fn open(path: &Path, seat: Option<Seat>) -> Result<Self> {
        let file = open_kept(path, "state")?;
        check_private(path, &file)?;
        flush_folder(path)?;
        let (path, matches) = (path.to_owned(), HashMap::new());
        let mut state = Self { file, path, seat, known_to: 0, torn: false, matches };
        state.locked(|_| Ok(()))?;
        Ok(state)
    }

    fn unusable(&self, err: &io::Error) -> BotError {
        usage(format!("cannot use the state {}: {}", quoted(self.path.display()), reason(err)))
    }

    /// Hold the file alone, with everything in it known.
    fn locked<T>(&mut self, within: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.lock()?;
        let done = self.read_on().and_then(|()| within(self));
        let unlocked = set_lock(&self.file, F_UNLCK).map_err(|err| self.unusable(&err.into()));
        done.and_then(|value| unlocked.map(|()| value))
    }

    /// Wait a while for the file, which others need for a moment only.
    fn lock(&self) -> Result<()> {
        let end = Instant::now() + LOCK_PATIENCE;
        loop {
            match set_lock(&self.file, F_WRLCK) {
                Ok(()) => return Ok(()),
                Err(Errno::EAGAIN | Errno::EACCES | Errno::EINTR) if Instant::now() < end => {
                    thread::sleep(LOCK_PAUSE);
                }
                Err(Errno::EAGAIN | Errno::EACCES) => {
                    return Err(usage(format!(
                        "the state {} is held by another process (wait for it to end, or give each \
                         bot its own --state-file)",
                        quoted(self.path.display()),
                    )));
                }
                Err(err) => return Err(self.unusable(&err.into())),
            }
        }
    }

    fn append(&mut self, row: &Row) -> Result<()> {
        let mut line = serde_json::to_vec(row).map_err(|err| self.unusable(&err.into()))?;
        line.push(b'\n');
        if self.torn {
            line.insert(0, b'\n');
        }
        let written = self.file.write_all(&line).and_then(|()| self.file.sync_all());
        written.map_err(|err| self.unusable(&err))?;
        self.read_on() // and not only this line: another may have come before it
    }

    fn read_on(&mut self) -> Result<()> {
        let news = self.news().map_err(|err| self.unusable(&err))?;
        for line in news.split_terminator('\n') {
            if line.is_empty() || (line.starts_with('{') && !line.ends_with('}')) {
                continue; // a crash has torn it, and nothing is sent before its line is flushed
            }
            let row = serde_json::from_str::<Row>(line).ok();
            let row =
                row.filter(|row| row.cset.is_some() || row.r0.is_some()).ok_or_else(|| {
                    usage(format!(
                        "the state {} holds a line that is not ours: {} \
                     (move the file away only if no match of yours is open)",
                        quoted(self.path.display()),
                        quoted(line.chars().take(80).collect::<String>()),
                    ))
                })?;
            self.learn(row);
        }
        Ok(())
    }

    /// The whole lines that were added since the last look.
    fn news(&mut self) -> io::Result<String> {
        self.file.seek(SeekFrom::Start(self.known_to))?;
        let mut news = Vec::new();
        self.file.read_to_end(&mut news)?;
        let whole = news.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
        self.torn = whole < news.len();
        self.known_to += whole as u64;
        news.truncate(whole);
        Ok(String::from_utf8_lossy(&news).into_owned())
    }

    fn learn(&mut self, row: Row) {
        let promises = self.matches.entry(row.id).or_default();
        if let Some(cset) = row.cset {
            promises.answered.entry(row.deal).or_insert(cset);
            return;
        }
        promises.r0 = promises.r0.take().or(row.r0);
        promises.seat = promises.seat.take().or(row.seat);
        promises.cuts.entry(row.deal).or_insert(row.cut);
    }

    fn known(&self, id: &MatchId) -> Option<&Promises> {
        self.matches.get(&hex::encode(id))
    }

    /// Refuse a match id that we know under another chain, or in another seat.
    pub fn check_match(&mut self, id: &MatchId, r0: &Hash) -> Result<()> {
        self.locked(|state| state.same_match(id, r0))
    }

    fn same_match(&self, id: &MatchId, r0: &Hash) -> Result<()> {
        let Some(known) = self.known(id) else { return Ok(()) };
        let ours = self.seat.map_or("", Seat::word);
        if let Some(other) = known.seat.as_deref().filter(|seat| *seat != ours) {
            return Err(usage(format!(
                "the state {} is that of {other} in this match: two seats with one secret have \
                 equal seeds (give each seat its own files)",
                quoted(self.path.display()),
            )));
        }
        if known.r0.as_ref().is_some_and(|known| *known != hex::encode(r0)) {
            return Err(proof(format!(
                "match {} was opened before with another r0: its seeds are spent",
                hex::encode(id),
            )));
        }
        Ok(())
    }

    /// Write down what we are about to commit to; the cut that stands, if one was promised.
    pub fn promise(
        &mut self,
        id: &MatchId,
        r0: &Hash,
        deal: u32,
        cut: Option<u8>,
    ) -> Result<Option<u8>> {
        self.locked(|state| {
            state.same_match(id, r0)?;
            if let Some(promised) = state.known(id).and_then(|known| known.cuts.get(&deal)) {
                return Ok(*promised);
            }
            state.append(&Row {
                cut,
                deal,
                id: hex::encode(id),
                r0: Some(hex::encode(r0)),
                seat: state.seat.map(|seat| seat.to_string()),
                ..Row::default()
            })?;
            state.same_match(id, r0)?;
            Ok(state.known(id).and_then(|known| known.cuts.get(&deal).copied().flatten()))
        })
    }

    /// The cut that we have committed to for a deal, if any.
    pub fn promised_cut(&mut self, id: &MatchId, deal: u32) -> Result<Option<u8>> {
        self.locked(|state| {
            Ok(state.known(id).and_then(|known| known.cuts.get(&deal).copied().flatten()))
        })
    }

    /// Refuse a commit set other than the one we have revealed a deal's seed for.
    pub fn check_answer(&mut self, id: &MatchId, deal: u32, cset: &Hash) -> Result<()> {
        self.locked(|state| state.same_answer(id, deal, cset).map(|_| ()))
    }

    /// Whether this very commit set was answered before; another one is refused.
    fn same_answer(&self, id: &MatchId, deal: u32, cset: &Hash) -> Result<bool> {
        let answered = self.known(id).and_then(|known| known.answered.get(&deal));
        let cset = hex::encode(cset);
        match answered {
            Some(other) if *other != cset => Err(proof(format!(
                "deal {deal} of match {} has a second commit set: {cset} after {other}, which we \
                 answered",
                hex::encode(id),
            ))),
            known => Ok(known.is_some()),
        }
    }

    /// Write down the commit set that we are about to reveal for; a second one is refused.
    pub fn answer(&mut self, id: &MatchId, deal: u32, cset: &Hash) -> Result<()> {
        self.locked(|state| {
            if state.same_answer(id, deal, cset)? {
                return Ok(());
            }
            let row =
                Row { cset: Some(hex::encode(cset)), deal, id: hex::encode(id), ..Row::default() };
            state.append(&row)?;
            state.same_answer(id, deal, cset).map(|_| ())
        })
    }
}
