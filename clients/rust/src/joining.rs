//! A seat taken with an invitation code: the token is kept in a file, and the bot plays with it.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tonic::transport::Endpoint;
use tonic::{Code, Request, Status};

use crate::error::{BotError, Result, lost, quoted, reason, say, usage};
use crate::files::{LONGEST_LINE, draw, read_file, write_private};
use crate::hex;
use crate::options::{Flags, Place};
use crate::pb;
use crate::pb::lobby_service_client::LobbyServiceClient;
use crate::seat_loop::{TOLD_EVERY, no_word, word_of};
use crate::stream::{connect, endpoint};

const PATIENCE: Duration = Duration::from_secs(10);
const TOTAL: Duration = Duration::from_secs(60);
const PAUSE: Duration = Duration::from_millis(500);

/// Take the seat of `--invitation`, unless the token file holds its token already.
///
/// The request is kept beside the token file until the token is there: whoever is stopped between
/// the two gets the same token when the same command is started again.
pub async fn take_seat(flags: &Flags) -> Result<()> {
    let Some(code) = &flags.invitation else { return Ok(()) };
    let Some(token_file) = &flags.token_file else {
        return Err(usage("--invitation needs --token-file FILE: the seat's token is kept there"));
    };
    if token_file.exists() {
        return Ok(());
    }
    let request_file = beside(token_file, ".request");
    let request_id = request_id(&request_file)?;
    let place = Place::read(flags)?;
    let endpoint = endpoint(&place)?;
    let asked = pb::JoinMatchRequest { code: code.clone(), request_id };
    let token = token(&endpoint, &place.address, asked).await.inspect_err(|err| {
        if matches!(err, BotError::Usage(_)) {
            let _ = fs::remove_file(&request_file); // it will never be answered
        }
    })?;
    let part = beside(token_file, ".part");
    write_private(&part, &token)?;
    fs::rename(&part, token_file).map_err(|err| {
        usage(format!("cannot write {}: {}", quoted(token_file.display()), reason(&err)))
    })?;
    let _ = fs::remove_file(&request_file); // one that stays behind does no harm
    Ok(())
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(ending);
    path.with_file_name(name)
}

/// The request's id, drawn the first time.
fn request_id(path: &Path) -> Result<Vec<u8>> {
    if !path.exists() {
        write_private(path, &hex::encode(&draw::<16>()?))?;
    }
    let bytes = read_file(path, "the request", LONGEST_LINE)?;
    let text = String::from_utf8_lossy(&bytes);
    hex::decode(text.trim()).filter(|id| id.len() == 16).ok_or_else(|| {
        usage(format!("{} is no request of ours: remove it, and try again", quoted(path.display())))
    })
}

/// The seat's token; a lost answer is asked for again.
async fn token(endpoint: &Endpoint, address: &str, asked: pb::JoinMatchRequest) -> Result<String> {
    let end = Instant::now() + TOTAL;
    let mut told: Option<Instant> = None;
    loop {
        let status = match join(endpoint, asked.clone()).await {
            Ok(answer) => return Ok(answer.token),
            Err(status) => status,
        };
        match status.code() {
            Code::InvalidArgument | Code::NotFound | Code::FailedPrecondition => {
                return Err(usage(format!("the invitation gives no seat: {}", status.message())));
            }
            Code::Unavailable if Instant::now() < end => {
                let now = Instant::now();
                if told.is_none_or(|told| now >= told + TOLD_EVERY) {
                    let why = format!("UNAVAILABLE: {}", status.message());
                    say(no_word(address, &why, end.saturating_duration_since(now), told.is_some()));
                    told = Some(now);
                }
                tokio::time::sleep(PAUSE).await;
            }
            code => return Err(lost(format!("{}: {}", word_of(code), status.message()))),
        }
    }
}

async fn join(
    endpoint: &Endpoint,
    asked: pb::JoinMatchRequest,
) -> std::result::Result<pb::JoinMatchResponse, Status> {
    let mut request = Request::new(asked);
    request.set_timeout(PATIENCE);
    let channel = connect(endpoint).await?;
    Ok(LobbyServiceClient::new(channel).join_match(request).await?.into_inner())
}
