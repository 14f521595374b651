"""Records in plain text, and their judgement."""

from collections.abc import Mapping

from referee.records import JudgedDeal, Judgement, judge, read_record

L, P, R, D = "north", "east", "south", "west"
"""The seats of the worked deals: west deals, so that north is the dealer's left."""


def judged(
    text: str, table: Mapping[str, str] | None = None, rules: str | None = None
) -> Judgement:
    return judge(read_record(text.encode()), rules=rules, table_rules=table)


def only(judgement: Judgement) -> JudgedDeal:
    (deal,) = judgement.deals
    return deal


def found(text: str, table: Mapping[str, str] | None = None) -> list[str]:
    """Every irregularity of the last deal as `rule seat trick`, shortest first where one is out."""
    return [
        " ".join(
            word
            for word in (
                item.rule,
                "" if item.seat is None else item.seat.word,
                "" if item.trick is None else str(item.trick),
            )
            if word
        )
        for item in judged(text, table).deals[-1].irregularities
    ]


HANDS = """\
hand north JD AD 9H KC TC
hand east AH QD 9S AC QC
hand south KH TD JS TS 9C
hand west JH QH AS KS 9D
"""
CALLED = "calls pass pass pass order\ndiscard 9D\n"
PLAY = """\
trick JD AH KH JH
trick QH 9H QD TD
trick TH AD 9S JS
trick AS KC AC TS
trick KS TC QC 9C
"""
F1 = "deal 1 dealer west up TH\n" + HANDS + CALLED + PLAY
F2 = """\
deal 1 dealer west up TH
hand north 9S TS 9D TD 9C
hand east AD KD QS 9H QC
hand south JC JS AC KC AS
hand west TC KS QD AH KH
calls pass pass pass pass pass pass name C alone
trick east: AD KC QD
trick JC TC QC
trick JS KS 9H
trick AC AH KD
trick AS KH QS
"""
F3 = """\
rules ontario
deal 1 dealer west up TH
hand north AS KS 9D TD QC
hand east JH JD AH KH QH
hand south 9H AC KC QS TS
hand west 9C TC JC JS AD
calls pass order alone
discard TH
trick AS QH TS
trick JH 9H 9D
trick JD QS TD
trick AH KC KS
trick KH AC QC
"""
F4 = """\
rules defend-alone
deal 1 dealer west up TH
hand north 9S TS 9D TD 9C
hand east AD KD QS 9H QC
hand south JC AS KS KC QD
hand west JS AC TC AH KH
calls pass pass pass pass pass pass name C alone west alone
trick south: JC TC
trick KC AC
trick AH AS
trick KH KS
trick JS QD
"""
F5 = """\
score 8-9
deal 1 dealer west up KC
hand north JS JC AS 9H TH
hand east 9S QH KH 9D TD
hand south KS AH QD 9C TC
hand west QS TS AD KD AC
calls pass pass pass pass pass pass pass name S
trick JS 9S KS TS
trick JC 9D 9C QS
trick AS TD TC AC
trick 9H QH AH KD
trick QD AD TH KH
"""


def both_alone(tricks: int) -> str:
    """Both alone, clubs: south made trump and takes so many tricks, west defends (F9)."""
    south, west, play = BOTH_ALONE[tricks]
    rest = "hand north 9S TS 9D TD 9H\nhand east QS JD QH JH KD\n"
    return (
        "rules defend-alone\ndeal 1 dealer west up TH\n"
        f"{rest}hand south {south}\nhand west {west}\n"
        f"calls pass pass pass pass pass pass name C alone west alone\n{play}"
    )


BOTH_ALONE = {
    3: ("JC JS AC QD KS", "9C TC QC AD AS",
        "trick south: JC 9C\ntrick JS TC\ntrick AC QC\ntrick QD AD\ntrick AS KS\n"),
    5: ("JC JS AC KC AS", "9C TC QC AH KH",
        "trick south: JC 9C\ntrick JS TC\ntrick AC QC\ntrick KC AH\ntrick AS KH\n"),
    2: ("JC JS QD KS AS", "AC KC QC AH KH",
        "trick south: JC KC\ntrick JS QC\ntrick QD AC\ntrick AH KS\ntrick KH AS\n"),
    0: ("9C TC QD KS AS", "JC JS AC AH KH",
        "trick south: 9C JC\ntrick JS TC\ntrick AC QD\ntrick AH KS\ntrick KH AS\n"),
}  # fmt: skip
