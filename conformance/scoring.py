"""Scoring: what a verdict counts for, once requirements and baselines are known."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from conformance.baseline import Known, Ledger, Outcome
from conformance.corpus import Corpus, spread
from conformance.report.records import Scored, said
from conformance.report.words import NOT_SCORED, executed
from conformance.requirements import Requirements
from conformance.runner import Result, Run
from conformance.targets.base import Hello


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What every target of a run is held to."""

    today: date
    strict: bool
    required: Requirements | None
    baseline: Sequence[Known]

    def scorer(self, target: str, hello: Hello) -> "Scorer":
        """The scorer of one target; our own referee is always held to our own rulings."""
        strict = self.strict or target == "referee:"
        return Scorer(self, Run(target=target, hello=hello, results=(), planned=0, strict=strict))


class Scorer:
    """Gives the results of one target their words."""

    def __init__(self, terms: Terms, run: Run) -> None:
        self.terms = terms
        self.strict = run.strict
        self._run = run
        self._ledger = Ledger(terms.baseline, run.target, run.hello.name)

    def score(self, result: Result) -> Scored:
        """The word for a result, and whether it makes the run fail."""
        required = self.terms.required
        if required is not None and not required.score(result.check.case.id, result.check.ruleset):
            word = NOT_SCORED if executed(result.word) else result.word
            return Scored(word=word, bad=False)
        stands = self._ledger.stand(
            Outcome(
                check=result.check.id,
                word=result.word,
                said=said(result),
                bad=self._run.bad(result),
            )
        )
        return Scored(word=stands.word, bad=stands.bad, differs=stands.differs, note=stands.note)

    def baseline_problems(self, corpus: Corpus) -> list[str]:
        """What is wrong with the entries that apply to this target."""
        if not self._ledger.entries:
            return []
        return list(self._ledger.problems(check_ids(corpus), self.terms.today))


def check_ids(corpus: Corpus) -> list[str]:
    """The id of every check that the corpus has."""
    return [
        f"{case.id}@{ruleset}"
        for case in corpus.cases
        if case.status in ("stable", "disputed")
        for ruleset in spread(case, corpus.rulesets)
    ]
