"""The fingerprint of a target: which house rules it plays, told from its answers."""

from conformance.fingerprint.asking import Asked, Question, ask, questions
from conformance.fingerprint.fit import Fit, Fitter, fitted, predicting
from conformance.fingerprint.take import take
from conformance.fingerprint.words import Fingerprint, fingerprint

__all__ = [
    "Asked",
    "Fingerprint",
    "Fit",
    "Fitter",
    "Question",
    "ask",
    "fingerprint",
    "fitted",
    "predicting",
    "questions",
    "take",
]
