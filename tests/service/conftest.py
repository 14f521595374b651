"""The event loop of the service's tests ends with them."""

from collections.abc import Iterator

import pytest

from tests.service.support import RUNNER


@pytest.fixture(scope="session", autouse=True)
def _one_loop() -> Iterator[None]:
    yield
    RUNNER.close()
