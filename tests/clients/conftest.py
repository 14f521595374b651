"""Every test here is run with each client that is built; the others are skipped, and told why."""

import pytest

from tests.clients.known import BRIDGE, CLIENTS, Client


@pytest.fixture(params=(*CLIENTS, BRIDGE), ids=lambda client: client.name)
def client(request: pytest.FixtureRequest) -> Client:
    found = request.param
    assert isinstance(found, Client)
    if found.missing is not None:
        pytest.skip(found.missing)
    return found
