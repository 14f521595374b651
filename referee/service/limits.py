"""What one client may take of the server: of its connections, streams, messages and time.

The transport takes a misspelt option for none at all, so each of these is tested by what it does.
"""

from typing import Final

LARGEST_MESSAGE: Final = 4 << 20
"""Bytes of a message that comes in, after it was unpacked."""
LARGEST_METADATA: Final = 8 << 10
"""Bytes of the headers of a call up to which they are surely taken; at twice as many surely not."""
MOST_STREAMS: Final = 1_024
"""Calls at a time on one connection."""
MOST_PENDING: Final = 4_096
"""Calls that wait until we get to them, as when a whole league comes back at once; of those beyond
the transport drops more and more, and says nothing of why."""
MOST_CONNECTIONS: Final = 4_096
HANDSHAKE_MS: Final = 10_000
"""A connection says in that time that it speaks HTTP/2, or it is closed."""
IDLE_MS: Final = 300_000
"""A connection without a call is closed then; clients connect anew by themselves."""
PING_EVERY_MS: Final = 20_000
PING_ANSWER_MS: Final = 10_000
"""Whoever leaves a ping unanswered is gone, though the connection never said so."""
PINGS_APART_MS: Final = 10_000
MOST_EARLY_PINGS: Final = 2
"""Pings of a client that come sooner than that; then the connection is closed."""
HELLO_S: Final = 10.0
"""The first message of a stream of seats comes in that time."""
STALLED_S: Final = 30.0
"""A message that its reader does not take in that time is the last of its stream."""
LONGEST_QUEUE: Final = 20_000
"""Items that may wait for a slow reader; it then starts again from where it was."""
MOST_AT_ONCE: Final = 4_096
"""Items that are taken at once, so that a long backlog does not hold the loop."""
EVENTS_A_MESSAGE: Final = 64
"""Events in one message to a watcher; one message is what waits for each that does not read."""
MOST_INPUTS: Final = 4_096
"""Inputs in one message that comes in."""
AT_A_STRETCH: Final = 64
"""Inputs of a stream that are taken before the other streams get their turn."""

OPTIONS: Final = (
    ("grpc.so_reuseport", 0),  # two servers shall not share a port by accident
    ("grpc.max_receive_message_length", LARGEST_MESSAGE),
    ("grpc.max_metadata_size", LARGEST_METADATA),
    ("grpc.absolute_max_metadata_size", 2 * LARGEST_METADATA),
    ("grpc.server.max_pending_requests", MOST_PENDING),
    ("grpc.server.max_pending_requests_hard_limit", 2 * MOST_PENDING),
    ("grpc.max_concurrent_streams", MOST_STREAMS),  # a rapid reset starves others without it
    ("grpc.max_allowed_incoming_connections", MOST_CONNECTIONS),
    ("grpc.server_handshake_timeout_ms", HANDSHAKE_MS),
    ("grpc.max_connection_idle_ms", IDLE_MS),
    ("grpc.http2.bdp_probe", 0),  # bounds the memory of a slow reader
    ("grpc.keepalive_time_ms", PING_EVERY_MS),
    ("grpc.keepalive_timeout_ms", PING_ANSWER_MS),
    ("grpc.http2.ping_timeout_ms", PING_ANSWER_MS),  # without it the one above waits a minute
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.min_ping_interval_without_data_ms", PINGS_APART_MS),
    ("grpc.http2.max_ping_strikes", MOST_EARLY_PINGS),
)
