"""Deals that chance alone seldom brings, and the search for one that tells two engines apart."""

from conformance.generate.kinds import KINDS
from conformance.generate.played import Played, played

__all__ = ["KINDS", "Played", "played"]
