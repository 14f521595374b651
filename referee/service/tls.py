"""The server's certificate, and the authority that signs its clients'."""

import datetime as dt
import ssl
from pathlib import Path

import grpc
from cryptography import x509

from referee.errors import RefereeError


class ListenError(RefereeError):
    """The address cannot be listened on."""


def server_credentials(
    cert: Path | None, key: Path | None, client_ca: Path | None
) -> grpc.ServerCredentials | None:
    """What TLS needs, checked; None for plain text. With an authority nobody else comes in.

    Raises ListenError.
    """
    if cert is None and key is None and client_ca is None:
        return None
    if cert is None or key is None:
        raise ListenError("TLS needs both a certificate and its key (--tls-cert, --tls-key)")
    try:
        pair = (key.read_bytes(), cert.read_bytes())
        ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(cert, key)
    except ssl.SSLError as err:
        raise ListenError(
            f"{str(cert)!r} and {str(key)!r} are not a certificate and its key (PEM)"
        ) from err
    except OSError as err:
        raise ListenError(f"cannot read {err.filename!r}: {err.strerror}") from err
    _check_dates(cert, pair[1])
    ca = None if client_ca is None else _authority(client_ca)
    return grpc.ssl_server_credentials(
        [pair], root_certificates=ca, require_client_auth=ca is not None
    )


def _check_dates(path: Path, content: bytes) -> None:
    """With a certificate that has expired every client would turn away without a word."""
    ends = x509.load_pem_x509_certificate(content).not_valid_after_utc
    if ends <= dt.datetime.now(dt.UTC):
        raise ListenError(
            f"the certificate {str(path)!r} has expired on {ends:%Y-%m-%d} (renew it)"
        )


def _authority(path: Path) -> bytes:
    """The authority's certificate; without one nobody could come in."""
    try:
        content = path.read_bytes()
        ssl.create_default_context(cafile=path)
    except ssl.SSLError as err:
        raise ListenError(f"{str(path)!r} is not a certificate (PEM)") from err
    except OSError as err:
        raise ListenError(f"cannot read {str(path)!r}: {err.strerror}") from err
    return content
