"""Euchre as an environment of PettingZoo, for programs that learn to play.

`env()` is the environment as PettingZoo's users expect it, `EuchreEnv` the bare one beneath.
It needs the extra `rl`; nothing else of the package imports it.
"""

try:
    import numpy as np  # noqa: F401 -- only to see that it is here
    import pettingzoo  # noqa: F401 -- as above
except ImportError as err:
    raise ImportError(
        f"the environment cannot be loaded: {err}"
        ' (install it: python -m pip install "euchre-referee[rl]")'
    ) from err

from referee.rl.encoding import ACTIONS, FIELDS, SIZE, Observation
from referee.rl.environment import Episode, EuchreEnv, OptionError, env

__all__ = [
    "ACTIONS",
    "FIELDS",
    "SIZE",
    "Episode",
    "EuchreEnv",
    "Observation",
    "OptionError",
    "env",
]
