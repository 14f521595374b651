"""Several instances of a target at work side by side, each in a thread that waits for it."""

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from queue import SimpleQueue
from threading import Event, Thread
from traceback import extract_tb
from typing import TypeVar

from conformance.errors import OUR_ERROR, SuiteError, SuiteFaultError
from conformance.targets.base import Target

Made = TypeVar("Made")


@contextmanager
def our_fault(doing: str) -> Iterator[None]:
    """Whatever goes wrong in here is an error of our own, told as one."""
    try:
        yield
    except SuiteError:
        raise
    except Exception as err:
        place = extract_tb(err.__traceback__)[-1]
        raise SuiteFaultError(
            f"{OUR_ERROR} while {doing}: {err!r} at {place.filename}:{place.lineno} (report it)"
        ) from err


def spread_over(
    instances: Sequence[Target], work: Callable[[Target], Iterator[Made]]
) -> Generator[Made, None, None]:
    """What `work` makes with each instance, as it comes."""
    if len(instances) == 1:
        yield from work(instances[0])
        return
    made: SimpleQueue[Made | _Ended] = SimpleQueue()
    stop = Event()
    threads = [Thread(target=_labor, args=(work, one, made, stop)) for one in instances]
    for thread in threads:
        thread.start()
    try:
        for _ in threads:
            while not isinstance(found := made.get(), _Ended):
                yield found
            if found.by is not None:
                raise found.by
    finally:
        stop.set()
        for thread in threads:
            thread.join()


class _Ended:
    """The work of one instance has ended, by itself or by an error."""

    def __init__(self, by: BaseException | None) -> None:
        self.by = by


def _labor(
    work: Callable[[Target], Iterator[Made]],
    one: Target,
    made: "SimpleQueue[Made | _Ended]",
    stop: Event,
) -> None:
    try:
        for found in work(one):
            made.put(found)
            if stop.is_set():
                break
    except BaseException as err:  # noqa: BLE001 -- raised again where the results are taken
        made.put(_Ended(err))
    else:
        made.put(_Ended(None))
