//! Connections to the referee: a channel, and the `Play` stream on it.

use std::time::Duration;

use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio_stream::wrappers::UnboundedReceiverStream;
use tonic::transport::{Certificate, Channel, ClientTlsConfig, Endpoint, Identity};
use tonic::{Status, Streaming};

use crate::error::{Result, quoted, usage};
use crate::options::Place;
use crate::pb;
use crate::pb::play_service_client::PlayServiceClient;

/// How long one attempt to connect may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// How the referee is dialled, once the address and the certificates are known to be usable.
pub fn endpoint(place: &Place) -> Result<Endpoint> {
    let address = &place.address;
    let scheme = match &place.ca {
        _ if address.starts_with("unix:") => "",
        None => "http://",
        Some(_) => "https://",
    };
    let dialled = Endpoint::from_shared(format!("{scheme}{address}")).map_err(|_| {
        usage(format!("not an address: {} (write HOST:PORT or unix:PATH)", quoted(address)))
    })?;
    // A dead network is noticed also while the others think.
    let dialled = dialled
        .connect_timeout(PATIENCE)
        .http2_keep_alive_interval(Duration::from_secs(20))
        .keep_alive_timeout(Duration::from_secs(10))
        .keep_alive_while_idle(true);
    let Some(ca) = &place.ca else { return Ok(dialled) };
    if !String::from_utf8_lossy(ca).contains("-----BEGIN CERTIFICATE-----") {
        return Err(usage("the file of --ca holds no certificate (PEM)"));
    }
    let mut tls = ClientTlsConfig::new().ca_certificate(Certificate::from_pem(ca));
    if let Some((certificate, key)) = &place.identity {
        tls = tls.identity(Identity::from_pem(certificate, key));
    }
    dialled.tls_config(tls).map_err(|err| {
        usage(format!("the files of --ca, --cert and --cert-key are not usable: {}", causes(&err)))
    })
}

/// Everything that an error says, down to its first cause.
pub fn causes(err: &dyn std::error::Error) -> String {
    let mut text = err.to_string();
    let mut cause = err.source();
    while let Some(inner) = cause {
        let more = inner.to_string();
        if !text.contains(&more) {
            text = format!("{text}: {more}");
        }
        cause = inner.source();
    }
    text
}

/// Connect, or say why not as the status that stands for it.
pub async fn connect(endpoint: &Endpoint) -> std::result::Result<Channel, Status> {
    endpoint.connect().await.map_err(|err| Status::unavailable(causes(&err)))
}

/// An open `Play` stream; dropping it ends it.
pub struct PlayStream {
    outbox: UnboundedSender<pb::PlayRequest>,
    items: Streaming<pb::PlayResponse>,
}

impl PlayStream {
    /// Open a stream with its Hello.
    pub async fn open(
        endpoint: &Endpoint,
        hello: pb::PlayRequest,
    ) -> std::result::Result<Self, Status> {
        let channel = connect(endpoint).await?;
        let (outbox, requests) = unbounded_channel();
        Self::send_on(&outbox, hello)?;
        let mut service = PlayServiceClient::new(channel);
        let answer = service.play(UnboundedReceiverStream::new(requests)).await?;
        Ok(Self { outbox, items: answer.into_inner() })
    }

    fn send_on(
        outbox: &UnboundedSender<pb::PlayRequest>,
        request: pb::PlayRequest,
    ) -> std::result::Result<(), Status> {
        outbox.send(request).map_err(|_| Status::unavailable("the stream is closed"))
    }

    /// Queue an input; it leaves at once. Where the stream is gone, `next` says so.
    pub fn send(&self, input: pb::PlayInput) {
        let request = pb::PlayRequest { hello: None, inputs: vec![input] };
        let _ = Self::send_on(&self.outbox, request);
    }

    /// The referee's next message; `None` at the end of the stream.
    pub async fn next(&mut self) -> std::result::Result<Option<pb::PlayResponse>, Status> {
        self.items.message().await
    }
}
