"""Taking the fingerprint of a target: asking, fitting, and measuring a game of so many deals."""

from collections.abc import Callable, Sequence

from conformance.fingerprint.asking import Question, ask
from conformance.fingerprint.fit import Fit, Fitter, fitted
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
    deals = _deals(target, hello, fitter, fit)
    return fingerprint(target.name, fitter, fit, answers, deals=deals)


def _deals(target: Target, hello: Hello, fitter: Fitter, fit: Fit) -> int | None:
    """The number of deals of a game, where it has a number and the answers leave several open."""
    fixed = not fit.follows and fit.model["deals"].isdigit()
    if not fixed or ("game" not in hello.ops and hello.ops):
        return None
    open_numbers = fitter.alike(fit.model, "deals", fitter.touched(fit.model)["deals"])

    def answer(request: Record) -> Record | None:
        return next(iter(target.ask([{"id": 1, **request}]))).answer

    rules = fit.rules_near(fitter.rulesets)
    return deals_of_a_game(answer, rules, (open_numbers.low, open_numbers.high))
