"""What an rpc ends with when its handler raises: the status of the error, never its traceback."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TypeAlias, TypeVar

import grpc
from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.message import Message

from referee.meter import UNMETERED, Meter
from referee.service.doors import DOORS, Porter
from referee.service.handlers import UNREADABLE
from referee.service.status import Context, RefusedError, bad_field, code_of, end

S = TypeVar("S")
_Behavior: TypeAlias = Callable[[Message, Context], Awaitable[Message | None]]
_Talk: TypeAlias = Callable[[AsyncIterator[Message], Context], AsyncIterator[Message]]


def guarded(servicer: S, service: ServiceDescriptor, porter: Porter, meter: Meter = UNMETERED) -> S:
    """The servicer, with handlers behind their doors, counted; what they raise becomes a status.

    It is done once and for all: an interceptor makes a new handler for every call.
    """
    for rpc in service.methods:
        setattr(servicer, rpc.name, _guarded(getattr(servicer, rpc.name), rpc, porter, meter))
    return servicer


def _guarded(behavior: _Behavior, rpc: MethodDescriptor, porter: Porter, meter: Meter) -> _Behavior:
    name = f"{rpc.containing_service.name}/{rpc.name}"
    door = DOORS[name]
    streams = rpc.client_streaming or rpc.server_streaming
    timed = not streams

    async def handle(request: Message, context: Context) -> Message | None:
        meter.count("started", name)
        begun = time.perf_counter()
        code = "OK"
        try:
            if timed:
                check_deadline(context)
            check_readable(request)
            with porter.through(door, context, streams=streams):
                return await behavior(request, context)
        except asyncio.CancelledError:
            code = "CANCELLED"
            raise
        except grpc.aio.AbortError:
            code = "ABORTED"
            raise
        except Exception as err:  # noqa: BLE001 -- our own bugs become INTERNAL with a number
            code = code_of(err)
            await end(context, err, name)
        finally:
            meter.count("ended", f"{name} {code}")
            if timed:
                meter.observe("seconds", time.perf_counter() - begun, name)

    return handle


def polite(servicer: S, service: ServiceDescriptor) -> S:
    """A servicer of another house, which is never given bytes that are no message."""
    for rpc in service.methods:
        behavior = getattr(servicer, rpc.name)
        talks = rpc.client_streaming
        setattr(servicer, rpc.name, _talk(behavior) if talks else _question(behavior))
    return servicer


def _question(behavior: _Behavior) -> _Behavior:
    async def handle(request: Message, context: Context) -> Message | None:
        if request is UNREADABLE:
            await end(context, _unreadable())
        return await behavior(request, context)

    return handle


def _talk(behavior: _Talk) -> _Talk:
    async def handle(requests: AsyncIterator[Message], context: Context) -> AsyncIterator[Message]:
        async def readable() -> AsyncIterator[Message]:
            async for request in requests:
                if request is UNREADABLE:
                    await end(context, _unreadable())
                yield request

        async for answer in behavior(readable(), context):
            yield answer

    return handle


def check_readable(message: object) -> None:
    """Refuse bytes that are no message of the rpc's kind."""
    if message is UNREADABLE:
        raise _unreadable()


def _unreadable() -> RefusedError:
    return bad_field("request", "not a message of this rpc (look at its proto file)")


def check_deadline(context: Context) -> None:
    """Refuse a call that would wait for ever: whoever gave it up would never be known."""
    if context.time_remaining() is None:
        raise bad_field("grpc-timeout", "a call needs a deadline (set one of some seconds)")
