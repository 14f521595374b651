"""The gRPC door of the referee."""

import os

# The library's own log lines would stand between a user and our one sentence; it reads this once,
# when it is first imported.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")
