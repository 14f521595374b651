"""Taking the fingerprint of a target: asking, fitting, and measuring a game of so many deals."""

from collections.abc import Callable, Sequence

from conformance.fingerprint.asking import Question, ask
from conformance.fingerprint.fit import Fit, fitted
from conformance.fingerprint.length import deals_of_a_game
from conformance.fingerprint.predict import Predictor
from conformance.fingerprint.words import Fingerprint, fingerprint
from conformance.jsontypes import Record
from conformance.knobs import RuleSets
from conformance.targets.base import Hello, Target


def take(
    target: Target,
    hello: Hello,
    asked: Sequence[Question],
    rulesets: RuleSets,
    *,
    predictor: Predictor | None = None,
    tell: Callable[[int, int], None] = lambda _done, _all: None,
) -> Fingerprint:
    """What the answers of a target that has said hello tell of its rules."""
    answers = list(ask(target, hello, asked, rulesets, tell))
    fitter, fit = fitted(asked, answers, rulesets, predictor)
    deals = _deals(target, hello, fit, rulesets)
    return fingerprint(target.name, fitter, fit, answers, deals=deals)


def _deals(target: Target, hello: Hello, fit: Fit, rulesets: RuleSets) -> int | None:
    """The number of deals of a game, where it has a number at all."""
    span = rulesets.knobs["deals"].span
    fixed = not fit.follows and fit.model["deals"].isdigit()
    if span is None or not fixed or ("game" not in hello.ops and hello.ops):
        return None

    def answer(request: Record) -> Record | None:
        return next(iter(target.ask([{"id": 1, **request}]))).answer

    return deals_of_a_game(answer, fit.rules_near(rulesets), span)
