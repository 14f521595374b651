"""A service behind its rpcs, where a handler may answer with bytes that are a message already."""

from collections.abc import Callable
from typing import Final

import grpc
from google.protobuf.descriptor import Descriptor, MethodDescriptor, ServiceDescriptor
from google.protobuf.empty_pb2 import Empty
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass

_KINDS: Final = {
    (False, False): grpc.unary_unary_rpc_method_handler,
    (False, True): grpc.unary_stream_rpc_method_handler,
    (True, False): grpc.stream_unary_rpc_method_handler,
    (True, True): grpc.stream_stream_rpc_method_handler,
}
"""What makes a handler, by whether the client streams and whether the server does."""


UNREADABLE: Final = Empty()
"""What a handler is given for bytes that are no message of its kind: the transport would call it a
fault of the server, with a traceback in the log."""


def decoder(kind: Descriptor) -> Callable[[bytes], Message]:
    """What makes a message of the bytes that came, or `UNREADABLE`."""
    parse = GetMessageClass(kind).FromString

    def decode(data: bytes) -> Message:
        try:
            return parse(data)
        except DecodeError:
            return UNREADABLE

    return decode


def encoded(message: Message | bytes) -> bytes:
    """The bytes of an answer."""
    return message if isinstance(message, bytes) else message.SerializeToString()


def _handler(servicer: object, rpc: MethodDescriptor) -> "grpc.RpcMethodHandler[Message, Message]":
    make = _KINDS[rpc.client_streaming, rpc.server_streaming]
    return make(
        getattr(servicer, rpc.name),
        request_deserializer=decoder(rpc.input_type),
        response_serializer=encoded,
    )


def add_service(
    server: grpc.aio.Server, servicer: object, service: ServiceDescriptor, name: str = ""
) -> None:
    """Take a servicer's rpcs in, as the generated code would but for the bytes of its answers.

    A `name` is what the service is called here, where that is not its own.
    """
    name = name or service.full_name
    handlers = {rpc.name: _handler(servicer, rpc) for rpc in service.methods}
    generic = grpc.method_handlers_generic_handler(name, handlers)
    server.add_generic_rpc_handlers((generic,))
    server.add_registered_method_handlers(name, handlers)
