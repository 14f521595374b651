"""Chromium without a window, spoken to through a pair of pipes as its developer tools do."""

import base64
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

CHROMIUM: Final = next(
    filter(None, map(shutil.which, ("chromium", "google-chrome", "chrome"))), None
)
OPTIONS: Final = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--hide-scrollbars",
    "--no-first-run",
    "--disable-background-networking",
    "--remote-debugging-pipe",
)
HEIGHT: Final = 900
Said: TypeAlias = "dict[str, object]"


@dataclass(frozen=True, slots=True)
class Seen:
    """What a browser found on a page: how wide it is, what it asked for, what it complained of."""

    width: int
    shown: int
    requests: tuple[str, ...]
    complaints: tuple[str, ...]


class Browser:
    """One browser with one tab."""

    def __init__(self, to: int, back: int) -> None:
        self._to = to
        self._back = back
        self._buffer = b""
        self._last = 0
        self._events: list[Said] = []
        self._session = ""
        target = self._ask("Target.createTarget", url="about:blank")["targetId"]
        attached = self._ask("Target.attachToTarget", targetId=str(target), flatten=True)
        self._session = str(attached["sessionId"])
        for domain in ("Page", "Network", "Log", "Runtime"):
            self._ask(f"{domain}.enable")

    def open(self, path: Path, width: int, *, dark: bool = False) -> Seen:
        """Open a page at a width, and look at it."""
        self._ask("Emulation.setDeviceMetricsOverride", width=width, height=HEIGHT,
                  deviceScaleFactor=1, mobile=True)  # fmt: skip
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self._ask("Emulation.setEmulatedMedia", features=[scheme])
        self._events.clear()
        self._ask("Page.navigate", url=path.resolve().as_uri())
        while not any(event["method"] == "Page.loadEventFired" for event in self._events):
            self._events.append(self._next())
        found = self.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
        if not isinstance(found, list):
            raise TypeError(found)
        return Seen(int(found[0]), int(found[1]), self._requests(), self._complaints())

    def evaluate(self, script: str) -> object:
        """The value of an expression on the page."""
        answer = self._ask("Runtime.evaluate", expression=script, returnByValue=True)
        result = answer["result"]
        return result.get("value") if isinstance(result, dict) else None

    def picture(self, path: Path) -> None:
        """Keep what the page looks like, from its top to its end."""
        shot = self._ask("Page.captureScreenshot", captureBeyondViewport=True)
        path.write_bytes(base64.b64decode(str(shot["data"])))

    def _requests(self) -> tuple[str, ...]:
        return tuple(
            str(_inner(_inner(event, "params"), "request").get("url"))
            for event in self._events
            if event["method"] == "Network.requestWillBeSent"
        )

    def _complaints(self) -> tuple[str, ...]:
        loud = ("Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled")
        return tuple(json.dumps(event) for event in self._events if event["method"] in loud)

    def _ask(self, method: str, **params: object) -> Said:
        self._last += 1
        asked: Said = {"id": self._last, "method": method, "params": params}
        if self._session:
            asked["sessionId"] = self._session
        os.write(self._to, json.dumps(asked).encode() + b"\0")
        while True:
            said = self._next()
            if said.get("id") == self._last:
                if "error" in said:
                    raise ValueError(said["error"])
                return _inner(said, "result")
            if "method" in said:
                self._events.append(said)

    def _next(self) -> Said:
        while b"\0" not in self._buffer:
            read = os.read(self._back, 1 << 20)
            if not read:
                raise EOFError("the browser has ended")
            self._buffer += read
        line, _, self._buffer = self._buffer.partition(b"\0")
        said: object = json.loads(line)
        if not isinstance(said, dict):
            raise TypeError(said)
        return said


def _inner(said: Mapping[str, object], name: str) -> Said:
    found = said.get(name)
    return found if isinstance(found, dict) else {}


@contextmanager
def browser() -> Iterator[Browser]:
    """A browser, which is gone afterwards."""
    to_read, to_write = os.pipe()
    back_read, back_write = os.pipe()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        run = f'exec "$0" "$@" 3<&{to_read} 4>&{back_write}'
        process = subprocess.Popen(
            ["bash", "-c", run, str(CHROMIUM), *OPTIONS, f"--user-data-dir={profile}"],
            pass_fds=(to_read, back_write),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_read)
        os.close(back_write)
        try:
            yield Browser(to_write, back_read)
        finally:
            process.kill()
            process.wait()
            os.close(to_write)
            os.close(back_read)
