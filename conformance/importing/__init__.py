"""Records of real deals (EGN, PTN, plain text), read as far as cases need them.

A small reader of the suite's own: the suite does not import what it judges.
"""

from conformance.importing.cases import cases_from
from conformance.importing.reading import Game, Told, read_game

__all__ = ["Game", "Told", "cases_from", "read_game"]
