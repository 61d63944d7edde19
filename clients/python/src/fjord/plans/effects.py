"""A plan is a generator: it yields a request or a wait, and is sent the answer, or thrown what hindered it."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field
from typing import Any, Generator, Mapping, Optional, TypeVar, Union

import httpx

Value = TypeVar("Value")


@dataclass(frozen=True)
class Send:
    """
    One request, sent once. `streams` leaves the body of a success unread. `answer_seconds` is the longest that the
    answer, or its next bytes, may take.
    """

    method: str
    url: str = field(repr=False)
    answer_seconds: float
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    content: Optional[bytes] = field(default=None, repr=False)
    streams: bool = False


@dataclass(frozen=True)
class Answer:
    """What came back. `content` is the body, unless it is still to come: then `stream` has it."""

    status_code: int
    headers: Mapping[str, str]
    content: bytes = b""
    stream: Optional[httpx.Response] = None

    @property
    def is_success(self) -> bool:
        return 200 <= self.status_code < 300


@dataclass(frozen=True)
class Wait:
    """A pause before a request is sent again."""

    seconds: float


Plan = Generator[Union[Send, Wait], Any, Value]


@dataclass(frozen=True)
class Platform:
    """Where requests go, and as whom. The key is shown by no `repr`."""

    url: str
    key: str = field(repr=False)
    answer_seconds: float

    def request(
        self,
        method: str,
        path: str,
        *,
        body: Optional[object] = None,
        headers: Optional[Mapping[str, str]] = None,
        answer_seconds: Optional[float] = None,
        streams: bool = False,
    ) -> Send:
        """A request of the API, under the caller's key. Its path can lead to no other host."""
        if not path.startswith("/"):
            raise ValueError(f"The path {path!r} does not begin with a slash.")
        content = None if body is None else json.dumps(body, allow_nan=False).encode()
        typed = {} if content is None else {"content-type": "application/json"}
        return Send(
            method,
            self.url + path,
            self.answer_seconds if answer_seconds is None else answer_seconds,
            {"accept": "application/json", **typed, **(headers or {}), "authorization": f"Bearer {self.key}"},
            content,
            streams,
        )


@dataclass(frozen=True)
class Deadline:
    """An instant of this process's own clock after which nothing is begun; `at` None is never."""

    at: Optional[float]

    @classmethod
    def after(cls, seconds: Optional[float]) -> "Deadline":
        return cls(None if seconds is None else time.monotonic() + seconds)

    def allows(self, seconds: float) -> bool:
        return self.at is None or time.monotonic() + seconds < self.at


def json_of(answer: Answer) -> Any:
    """The document of an answer that has been read; None where it is no JSON."""
    try:
        return json.loads(answer.content)
    except ValueError:
        return None
