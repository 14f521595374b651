"""What an rpc ends with when its handler raises: the status of the error, never its traceback."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeAlias, TypeVar

import grpc
from google.protobuf.descriptor import ServiceDescriptor
from google.protobuf.message import Message

from referee.service.status import Context, end

S = TypeVar("S")
_Behavior: TypeAlias = Callable[[Message, Context], Awaitable[Message | None]]


def guarded(servicer: S, service: ServiceDescriptor) -> S:
    """The servicer, with handlers that turn what they raise into statuses.

    It is done once and for all: an interceptor makes a new handler for every call.
    """
    for rpc in service.methods:
        setattr(servicer, rpc.name, _guarded(getattr(servicer, rpc.name)))
    return servicer


def _guarded(behavior: _Behavior) -> _Behavior:
    async def handle(request: Message, context: Context) -> Message | None:
        try:
            return await behavior(request, context)
        except (grpc.aio.AbortError, asyncio.CancelledError):
            raise
        except Exception as err:  # noqa: BLE001 -- our own bugs become INTERNAL with a number
            await end(context, err)

    return handle
