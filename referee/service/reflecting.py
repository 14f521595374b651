"""Server reflection, under the name that it has now and the one that older tools ask for."""

from collections.abc import Sequence
from typing import Final

import grpc
from google.protobuf import descriptor_pool, text_format
from google.protobuf.descriptor import FileDescriptor
from google.protobuf.descriptor_pb2 import FileDescriptorProto
from grpc_reflection.v1alpha import reflection, reflection_pb2

from referee.service.guard import polite
from referee.service.handlers import add_service

OLD_NAME: Final = reflection.SERVICE_NAME
NAME: Final = OLD_NAME.replace("v1alpha", "v1")


def version_one() -> FileDescriptor:
    """What version 1 looks like: the same messages under another name."""
    pool = descriptor_pool.Default()
    old = FileDescriptorProto()
    reflection_pb2.DESCRIPTOR.CopyToProto(old)
    new = FileDescriptorProto()
    text_format.Parse(text_format.MessageToString(old).replace("v1alpha", "v1"), new)
    pool.AddSerializedFile(new.SerializeToString())  # a second time changes nothing
    return pool.FindFileByName(new.name)


def add_reflection(server: grpc.aio.Server, names: Sequence[str]) -> None:
    """Let tools ask which services there are, and what their messages look like."""
    version_one()
    listed = (*names, NAME, OLD_NAME)
    service = descriptor_pool.Default().FindServiceByName(OLD_NAME)
    servicer = polite(reflection.aio.ReflectionServicer(listed), service)
    for name in (NAME, OLD_NAME):
        add_service(server, servicer, service, name)
