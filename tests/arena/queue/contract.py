"""What every engine of the work queue is held to.

An engine's tests are a class of five lines:

    class TestMine(QueueContract):
        def opener(self, place: Path, retries: Retries) -> Opener:
            return partial(MyQueue, place / "mine", retries=retries)
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import pytest

from referee.arena.queue.interface import (
    Counts,
    Ending,
    FailureKind,
    Lease,
    LeaseLostError,
    QueueError,
    Retries,
    Task,
    TaskClashError,
    TaskState,
    WorkQueue,
)
from tests.arena.queue.workers import (
    Opener,
    claim_and_die,
    ended,
    started,
    tasks,
    work,
    work_under_fire,
)

RETRIES = Retries(failures=3, losses=4, first_ms=100, longest_ms=150)
TASK = Task("r1 e0", "boards 1-4")
LATE = 10**9
NO_LIMIT = Retries(losses=10_000)


def claimed(queue: WorkQueue, *, now_ms: int = 0, lease_ms: int = 100, who: str = "w") -> Lease:
    lease = queue.claim(who, lease_ms=lease_ms, now_ms=now_ms)
    assert lease is not None
    return lease


def keys(queue: WorkQueue, number: int) -> Sequence[str]:
    return [claimed(queue).task.key for _ in range(number)]


class QueueContract(ABC):
    """The tests; `opener` makes the function that opens an engine's queue."""

    @abstractmethod
    def opener(self, place: Path, retries: Retries) -> Opener:
        """A function that can be pickled and opens the one queue in a directory."""

    @pytest.fixture
    def queue(self, tmp_path: Path) -> Iterator[WorkQueue]:
        queue = self.opener(tmp_path, RETRIES)()
        queue.enqueue([TASK], now_ms=0)
        yield queue
        queue.close()

    # enqueue

    def test_same_task_is_enqueued_once(self, queue: WorkQueue) -> None:
        assert queue.enqueue([TASK, Task("r1 e1", "x"), TASK], now_ms=5) == 1
        assert queue.counts(now_ms=5) == Counts(waiting=2)

    def test_other_payload_under_the_same_key_is_refused_with_all_beside_it(
        self, queue: WorkQueue
    ) -> None:
        with pytest.raises(TaskClashError, match=r"'r1 e0' is in the queue already.*'boards 1-4'"):
            queue.enqueue([Task("new", "x"), Task("r1 e0", "boards 5-8")], now_ms=0)
        assert queue.state("new") is None
        assert claimed(queue).task == TASK

    def test_task_that_is_done_is_not_enqueued_again(self, queue: WorkQueue) -> None:
        queue.complete(claimed(queue), ["x"], now_ms=1)
        assert queue.enqueue([TASK], now_ms=2) == 0
        assert queue.state(TASK.key) is TaskState.DONE

    # claim

    def test_claim_tells_task_worker_attempt_and_end_of_the_lease(self, queue: WorkQueue) -> None:
        lease = queue.claim("worker 1", lease_ms=250, now_ms=1_000)
        assert lease == Lease(TASK, "worker 1", attempt=1, expires_ms=1_250)
        assert queue.claim("worker 2", lease_ms=250, now_ms=1_001) is None

    def test_tasks_are_claimed_by_priority_and_then_in_order(self, queue: WorkQueue) -> None:
        queue.enqueue([Task("a", ""), Task("b", "", 2), Task("c", "", -1), Task("d", "", 2)],
                      now_ms=0)  # fmt: skip
        assert keys(queue, 5) == ["b", "d", "r1 e0", "a", "c"]

    def test_task_that_comes_back_keeps_its_place(self, queue: WorkQueue) -> None:
        queue.enqueue([Task("a", "")], now_ms=0)
        queue.release(claimed(queue), now_ms=0)
        assert keys(queue, 2) == ["r1 e0", "a"]

    def test_lease_that_ran_out_is_claimed_by_the_next(self, queue: WorkQueue) -> None:
        claimed(queue, now_ms=0, lease_ms=100)
        assert queue.claim("w2", lease_ms=100, now_ms=99) is None
        assert claimed(queue, now_ms=100, who="w2").attempt == 2
        assert [each.ending for each in queue.attempts(TASK.key)] == [Ending.LOST, None]

    def test_task_whose_workers_die_again_and_again_is_dead(self, queue: WorkQueue) -> None:
        for turn in range(RETRIES.losses):
            claimed(queue, now_ms=turn * 100, lease_ms=100)
        assert queue.claim("w", lease_ms=100, now_ms=LATE) is None
        [dead] = queue.dead()
        assert (dead.task, dead.attempts, dead.kind) == (TASK, 4, FailureKind.INFRA)
        assert "its lease ran out, time 4 of 4" in dead.why

    def test_due_is_the_first_time_at_which_there_may_be_something(self, queue: WorkQueue) -> None:
        assert queue.due_ms() == 0
        lease = claimed(queue, now_ms=1_000, lease_ms=100)
        assert queue.due_ms() == 1_100
        queue.fail(lease, FailureKind.INFRA, "", now_ms=1_000)
        assert queue.due_ms() == 1_000 + RETRIES.first_ms
        queue.cancel(TASK.key, now_ms=1_000)
        assert queue.due_ms() is None

    # heartbeat

    def test_heartbeat_keeps_the_lease(self, queue: WorkQueue) -> None:
        lease = queue.heartbeat(claimed(queue, now_ms=0), lease_ms=100, now_ms=90)
        assert lease.expires_ms == 190
        assert queue.claim("w2", lease_ms=100, now_ms=189) is None

    def test_heartbeat_after_the_end_holds_what_nobody_took(self, queue: WorkQueue) -> None:
        lease = queue.heartbeat(claimed(queue, now_ms=0), lease_ms=100, now_ms=5_000)
        queue.complete(lease, ["x"], now_ms=5_001)

    def test_heartbeat_says_that_the_lease_was_lost(self, queue: WorkQueue) -> None:
        lease = claimed(queue, now_ms=0)
        claimed(queue, now_ms=100)
        with pytest.raises(LeaseLostError, match="no longer attempt 1's: attempt 2 has it") as lost:
            queue.heartbeat(lease, lease_ms=100, now_ms=101)
        assert lost.value.lease == lease

    # complete

    def test_results_are_kept_in_order_with_their_attempt(self, queue: WorkQueue) -> None:
        queue.complete(claimed(queue), ["board 1", "board 2"], now_ms=3)
        assert [(each.key, each.attempt, each.body) for each in queue.results(TASK.key)] == [
            ("r1 e0", 1, "board 1"),
            ("r1 e0", 1, "board 2"),
        ]
        assert queue.counts(now_ms=3) == Counts(done=1)
        [attempt] = queue.attempts(TASK.key)
        assert (attempt.claimed_ms, attempt.ended_ms, attempt.ending) == (0, 3, Ending.DONE)

    def test_late_completion_is_refused_and_changes_nothing(self, queue: WorkQueue) -> None:
        late = claimed(queue, now_ms=0)
        newer = claimed(queue, now_ms=100)
        with pytest.raises(LeaseLostError):
            queue.complete(late, ["late"], now_ms=101)
        assert queue.results() == ()
        assert queue.state(TASK.key) is TaskState.LEASED
        queue.complete(newer, ["in time"], now_ms=102)
        with pytest.raises(LeaseLostError):
            queue.complete(late, ["late"], now_ms=103)
        assert [each.body for each in queue.results()] == ["in time"]

    def test_completing_twice_is_completing_once(self, queue: WorkQueue) -> None:
        lease = claimed(queue)
        queue.complete(lease, ["x"], now_ms=1)
        queue.complete(lease, ["x"], now_ms=2)
        assert len(queue.results()) == 1

    def test_other_results_of_the_same_attempt_are_refused(self, queue: WorkQueue) -> None:
        lease = claimed(queue)
        queue.complete(lease, ["x"], now_ms=1)
        with pytest.raises(TaskClashError, match="with other results"):
            queue.complete(lease, ["y"], now_ms=2)
        assert [each.body for each in queue.results()] == ["x"]

    def test_task_may_be_completed_without_results(self, queue: WorkQueue) -> None:
        queue.complete(claimed(queue), [], now_ms=1)
        assert queue.state(TASK.key) is TaskState.DONE

    # fail, release, cancel, retry

    def test_failure_of_ours_is_tried_again_after_pauses_that_grow(self, queue: WorkQueue) -> None:
        assert queue.fail(claimed(queue), FailureKind.INFRA, "fork", now_ms=0) is TaskState.WAITING
        assert queue.counts(now_ms=99) == Counts(waiting=1, pausing=1)
        assert queue.claim("w", lease_ms=100, now_ms=99) is None
        queue.fail(claimed(queue, now_ms=100), FailureKind.INFRA, "fork", now_ms=100)
        assert queue.claim("w", lease_ms=100, now_ms=249) is None
        last = claimed(queue, now_ms=250)
        assert queue.fail(last, FailureKind.INFRA, "no memory", now_ms=250) is TaskState.DEAD
        [dead] = queue.dead()
        assert (dead.attempts, dead.kind, dead.why) == (3, FailureKind.INFRA, "no memory")

    def test_failure_of_a_bot_is_not_tried_again(self, queue: WorkQueue) -> None:
        assert queue.fail(claimed(queue), FailureKind.BOT, "no hello", now_ms=0) is TaskState.DEAD
        assert queue.claim("w", lease_ms=100, now_ms=LATE) is None
        assert [(each.kind, each.why) for each in queue.dead()] == [(FailureKind.BOT, "no hello")]

    def test_attempt_that_is_cancelled_cancels_its_task(self, queue: WorkQueue) -> None:
        state = queue.fail(claimed(queue), FailureKind.CANCELLED, "", now_ms=0)
        assert state is TaskState.CANCELLED
        assert queue.dead() == ()

    def test_failed_attempt_can_do_nothing_more(self, queue: WorkQueue) -> None:
        lease = claimed(queue)
        queue.fail(lease, FailureKind.INFRA, "", now_ms=0)
        with pytest.raises(LeaseLostError, match="this attempt has ended"):
            queue.complete(lease, ["x"], now_ms=1)
        with pytest.raises(LeaseLostError):
            queue.fail(lease, FailureKind.BOT, "", now_ms=1)
        assert queue.state(TASK.key) is TaskState.WAITING

    def test_released_task_is_claimed_at_once_and_has_failed_nothing(
        self, queue: WorkQueue
    ) -> None:
        for _ in range(RETRIES.losses + RETRIES.failures):
            queue.release(claimed(queue), now_ms=0)
        assert claimed(queue).attempt == RETRIES.losses + RETRIES.failures + 1

    def test_cancelled_task_is_lost_to_its_worker(self, queue: WorkQueue) -> None:
        lease = claimed(queue)
        assert queue.cancel(TASK.key, now_ms=1)
        with pytest.raises(LeaseLostError, match="the task is CANCELLED"):
            queue.complete(lease, ["x"], now_ms=2)
        assert queue.counts(now_ms=2) == Counts(cancelled=1)
        assert queue.results() == ()

    def test_task_that_is_done_cannot_be_cancelled(self, queue: WorkQueue) -> None:
        queue.complete(claimed(queue), ["x"], now_ms=1)
        assert not queue.cancel(TASK.key, now_ms=2)
        assert not queue.retry(TASK.key, now_ms=2)
        assert queue.state(TASK.key) is TaskState.DONE

    def test_dead_task_that_is_retried_begins_anew_under_a_new_number(
        self, queue: WorkQueue
    ) -> None:
        queue.fail(claimed(queue), FailureKind.BOT, "", now_ms=0)
        assert queue.retry(TASK.key, now_ms=1)
        lease = claimed(queue)
        assert lease.attempt == 2
        assert queue.fail(lease, FailureKind.INFRA, "", now_ms=1) is TaskState.WAITING

    def test_task_that_is_not_there_is_named(self, queue: WorkQueue) -> None:
        with pytest.raises(QueueError, match="no task of the queue: 'r9 e9'"):
            queue.cancel("r9 e9", now_ms=0)
        with pytest.raises(QueueError, match="no task of the queue"):
            queue.heartbeat(Lease(Task("r9 e9", ""), "w", 1, 0), lease_ms=1, now_ms=0)
        assert queue.state("r9 e9") is None
        assert queue.attempts("r9 e9") == ()

    # clocks

    def test_clock_that_went_back_makes_no_lease_longer_than_it_was_given(
        self, queue: WorkQueue
    ) -> None:
        claimed(queue, now_ms=1_000_000, lease_ms=100)
        assert queue.claim("w2", lease_ms=100, now_ms=500) is None
        assert queue.claim("w2", lease_ms=100, now_ms=599) is None
        assert claimed(queue, now_ms=600).attempt == 2

    def test_clock_that_went_back_makes_no_pause_longer_than_the_longest(
        self, queue: WorkQueue
    ) -> None:
        queue.fail(claimed(queue), FailureKind.INFRA, "", now_ms=1_000_000)
        assert queue.claim("w", lease_ms=100, now_ms=0) is None
        assert claimed(queue, now_ms=RETRIES.longest_ms).attempt == 2

    def test_worker_whose_clock_is_ahead_takes_a_task_but_its_results_come_once(
        self, queue: WorkQueue
    ) -> None:
        slow = claimed(queue, now_ms=0)
        queue.complete(claimed(queue, now_ms=LATE), ["hasty"], now_ms=LATE)
        with pytest.raises(LeaseLostError):
            queue.complete(slow, ["slow"], now_ms=10)
        assert [each.body for each in queue.results()] == ["hasty"]

    # processes

    def test_queue_is_still_there_for_the_next_process(
        self, queue: WorkQueue, tmp_path: Path
    ) -> None:
        queue.complete(claimed(queue), ["x"], now_ms=0)
        again = self.opener(tmp_path, RETRIES)()
        assert [each.body for each in again.results()] == ["x"]
        again.close()

    def test_worker_that_is_killed_after_its_claim_loses_only_its_attempt(
        self, tmp_path: Path
    ) -> None:
        opener = self.opener(tmp_path, NO_LIMIT)
        queue = opener()
        queue.enqueue(tasks(3), now_ms=0)
        assert ended(started(claim_and_die, opener)) == -9
        assert queue.counts(now_ms=0).leased == 1
        assert ended(started(work, opener, "heir")) == 0
        assert [(each.attempt, each.body) for each in queue.results("task 0")] == [
            (2, "payload 0"),
            (2, "heir"),
        ]
        queue.close()

    def test_many_processes_that_claim_at_once_do_each_task_once(self, tmp_path: Path) -> None:
        opener = self.opener(tmp_path, NO_LIMIT)
        queue = opener()
        queue.enqueue(tasks(60), now_ms=0)
        workers = [started(work, opener, f"worker {n}") for n in range(6)]
        assert [ended(worker) for worker in workers] == [0] * 6
        self._each_once(queue, 60)
        queue.close()

    def test_workers_that_are_killed_leave_every_result_there_once(self, tmp_path: Path) -> None:
        chance = Random(8)  # noqa: S311 -- who is killed, and when
        self._under_fire(tmp_path, number=100, kills=8, chance=chance)

    @pytest.mark.heavy
    def test_thousand_tasks_with_workers_killed_give_a_thousand_results(
        self, tmp_path: Path
    ) -> None:
        chance = Random(1_000)  # noqa: S311 -- who is killed, and when
        self._under_fire(tmp_path, number=1_000, kills=100, chance=chance)

    def _under_fire(self, place: Path, *, number: int, kills: int, chance: Random) -> None:
        opener = self.opener(place, NO_LIMIT)
        queue = opener()
        queue.enqueue(tasks(number), now_ms=0)
        assert work_under_fire(opener, chance, workers=4, kills=kills)
        self._each_once(queue, number)
        queue.close()

    def _each_once(self, queue: WorkQueue, number: int) -> None:
        assert queue.counts(now_ms=0) == Counts(done=number)
        payloads = Counter(each.body for each in queue.results() if each.body.startswith("payload"))
        assert payloads == Counter(task.payload for task in tasks(number))
        assert len(queue.results()) == 2 * number
