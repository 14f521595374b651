"""AdjudicationService.JudgeRecord over a real server: what the command line says, on the wire."""

from google.protobuf.json_format import MessageToDict

from referee.pb.euchre.referee.v1 import adjudication_pb2
from referee.records import judge, read_record
from tests.records.support import F1, F4
from tests.service.support import PATIENCE_S, SEATS, Served, on_loop, refusal, serving

NORTH, EAST, SOUTH, WEST = SEATS
RENEGED = F1.replace("JD AH KH JH", "JD QC KH JH").replace("KS TC QC 9C", "KS TC AH 9C")


async def judged(
    served: Served, request: adjudication_pb2.JudgeRecordRequest
) -> adjudication_pb2.JudgeRecordResponse:
    found: adjudication_pb2.JudgeRecordResponse = await served.rules.JudgeRecord(
        request, timeout=PATIENCE_S
    )
    return found


@on_loop
async def test_a_record_is_judged_as_on_the_command_line() -> None:
    async with serving() as served:
        for text in (F1, F4, RENEGED):
            local = judge(read_record(text.encode()))
            request = adjudication_pb2.JudgeRecordRequest(record=text.encode())
            answer = await judged(served, request)
            assert (answer.exit, dict(answer.rules)) == (local.exit, local.knobs)
            assert dict(answer.table_rules) == local.table_rules
            (deal,), (expected,) = answer.deals, local.deals
            assert deal.outcome == expected.outcome
            assert (deal.points.ns, deal.points.ew) == expected.points
            assert [item.rule for item in deal.irregularities] == [
                item.rule for item in expected.irregularities
            ]
            assert [play.card for trick in deal.play for play in trick.plays] == [
                card for trick in expected.tricks for _, card in trick.plays
            ]


@on_loop
async def test_a_claim_in_the_request_is_ruled_on() -> None:
    async with serving() as served:
        claim = adjudication_pb2.RenegeClaim(by=NORTH, against=EAST, trick=1)
        request = adjudication_pb2.JudgeRecordRequest(
            record=RENEGED.encode(), claims=[claim], rules={"renege_points": "3"}
        )
        answer = await judged(served, request)
        penalties = [MessageToDict(penalty) for penalty in answer.deals[0].penalties]
        assert penalties == [{"side": "ew", "points": 3}]
        assert (answer.score.ns, answer.score.ew) == (3, 0)


@on_loop
async def test_what_is_no_record_no_rule_and_no_claim_is_refused() -> None:
    async with serving() as served:
        bad = {
            "record": adjudication_pb2.JudgeRecordRequest(record=b"hello"),
            "rules": adjudication_pb2.JudgeRecordRequest(record=F1.encode(), rule_set="standrad"),
            "table_rules": adjudication_pb2.JudgeRecordRequest(
                record=F1.encode(), table_rules={"laydown": "maybe"}
            ),
            "claims[0]": adjudication_pb2.JudgeRecordRequest(
                record=F1.encode(), claims=[adjudication_pb2.RenegeClaim(by=NORTH)]
            ),
        }
        for field, request in bad.items():
            refused = await refusal(served.rules.JudgeRecord(request, timeout=PATIENCE_S))
            assert refused.code == "INVALID_ARGUMENT"
            assert refused.fields == [field]
        large = adjudication_pb2.JudgeRecordRequest(record=bytes(1 << 20) + b"x")
        refused = await refusal(served.rules.JudgeRecord(large, timeout=PATIENCE_S))
        assert (refused.code, refused.reason) == ("RESOURCE_EXHAUSTED", "RECORD_TOO_LARGE")
        many = F1 + "laydown by=west trick=1 number=5\n" * 65
        slow = adjudication_pb2.JudgeRecordRequest(record=many.encode())
        refused = await refusal(served.rules.JudgeRecord(slow, timeout=PATIENCE_S))
        assert (refused.code, refused.reason) == ("RESOURCE_EXHAUSTED", "RECORD_TOO_LARGE")
