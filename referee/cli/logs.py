"""Where log lines go: stderr, one event a line."""

import logging
import sys


def log_to_stderr(*, verbose: bool) -> None:
    """Send log lines to stderr; warnings only, unless told otherwise."""
    logging.basicConfig(
        stream=sys.stderr,
        level=logging.INFO if verbose else logging.WARNING,
        format="%(asctime)s %(levelname)s %(name)s %(message)s",
    )
