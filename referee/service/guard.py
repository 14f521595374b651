"""What an rpc ends with when its handler raises: the status of the error, never its traceback."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias, TypeVar

import grpc
from google.protobuf.message import Message

from referee.service.status import Context, end

OURS: Final = "/euchre."
Q = TypeVar("Q")
A = TypeVar("A")
_Handler: TypeAlias = "grpc.RpcMethodHandler[Q, A] | None"
_Behavior: TypeAlias = Callable[[Message, Context], Awaitable[Message | None]]


class Guard(grpc.aio.ServerInterceptor):
    """Turns what our handlers raise into statuses; other services are left alone."""

    async def intercept_service(
        self,
        continuation: "Callable[[grpc.HandlerCallDetails], Awaitable[_Handler[Q, A]]]",
        handler_call_details: grpc.HandlerCallDetails,
    ) -> "_Handler[Q, A]":
        """Wrap the handler of one call."""
        handler = await continuation(handler_call_details)
        if handler is None or not handler_call_details.method.startswith(OURS):
            return handler
        coders = (handler.request_deserializer, handler.response_serializer)
        for name, make in _MAKERS.items():
            behavior = getattr(handler, name)
            if behavior is not None:
                return make(_guarded(behavior), *coders)
        return handler


_MAKERS: Final = {
    "unary_unary": grpc.unary_unary_rpc_method_handler,
    "unary_stream": grpc.unary_stream_rpc_method_handler,
    "stream_unary": grpc.stream_unary_rpc_method_handler,
    "stream_stream": grpc.stream_stream_rpc_method_handler,
}


def _guarded(behavior: _Behavior) -> _Behavior:
    async def handle(request: Message, context: Context) -> Message | None:
        try:
            return await behavior(request, context)
        except (grpc.aio.AbortError, asyncio.CancelledError):
            raise
        except Exception as err:  # noqa: BLE001 -- our own bugs become INTERNAL with a number
            await end(context, err)

    return handle
