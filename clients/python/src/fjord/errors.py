"""Failures as classes: those that the platform names, by their code, and those where it did not answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Dict, Mapping, Optional, Sequence, Type

if TYPE_CHECKING:
    from .plans.statement import Statement

UNKNOWN_CODE = "unknown"


class FjordError(Exception):
    """Every failure of this client is one; what is wrong with the arguments themselves is a ValueError or TypeError."""


@dataclass(frozen=True)
class Flaw:
    """One thing that is wrong with a request, at a JSON pointer into it."""

    pointer: str
    message: str


class Problem(FjordError):
    """
    The platform's own document of a failure. Programs decide by the class or by `code`, never by the message.
    `retry_after` are the seconds that the answer asked for; `details` is the document's member `error` as it came.
    """

    def __init__(self, status: int, document: Mapping[str, Any], retry_after: Optional[float] = None) -> None:
        error = document.get("error")
        details: Dict[str, Any] = dict(error) if isinstance(error, dict) else {}
        self.status = status
        self.code = str(details.get("code", UNKNOWN_CODE))
        self.retryable = details.get("retryable") is True
        self.flaws: Sequence[Flaw] = [
            Flaw(str(flaw.get("pointer", "")), str(flaw.get("message", "")))
            for flaw in details.get("flaws") or []
            if isinstance(flaw, dict)
        ]
        meta = document.get("meta")
        self.request_id: Optional[str] = meta.get("requestId") if isinstance(meta, dict) else None
        self.retry_after = retry_after
        self.details = details
        self.message = str(document.get("message") or f"The platform answered {status} without a reason.")
        super().__init__(self._text())

    def _text(self) -> str:
        flaws = [f"  {flaw.pointer}: {flaw.message}" for flaw in self.flaws] if len(self.flaws) > 1 else []
        return "\n".join([self.message, *flaws, f"({self.code})"])


class QueryFailed(Problem):
    """The statement is wrong, or failed. `line` and `column` count from 1, in the text that was sent."""

    @property
    def line(self) -> Optional[int]:
        return self.details.get("line")

    @property
    def column(self) -> Optional[int]:
        return self.details.get("column")


class Invalid(Problem):
    """The request is wrong; `flaws` says where."""


class NotSignedIn(Problem):
    """The key is missing, wrong, revoked or expired."""


class NotAllowed(Problem):
    """The caller may not do that."""


class NotFound(Problem):
    """It is not there, or it is another team's."""


class Conflict(Problem):
    """Something is in the way, or has changed since it was read."""


class WriteCommitted(Conflict):
    """The statement had been written before; only its answer was lost. There is nothing more to do."""


class TimedOut(Problem):
    """The statement did not end within its deadline."""


class Cancelled(Problem):
    """The statement was cancelled."""


class TooManyRequests(Problem):
    """Too many statements wait; `retry_after` says when to try again."""


class QuotaExceeded(Problem):
    """A bound of the team's plan is reached."""


class SourceFailed(Problem):
    """The connected database can't be reached, or refused the connection."""


class Unavailable(Problem):
    """A part of the platform is not there now, or failed."""


class NoAnswer(FjordError):
    """No answer came. `was_sent` is false where nothing of the request has left this machine."""

    def __init__(self, message: str, was_sent: bool = True) -> None:
        super().__init__(message)
        self.was_sent = was_sent


class IncompleteResult(FjordError):
    """A result broke off. What has come of it is no result."""


class OutcomeUnknown(FjordError):
    """
    Nobody knows whether a statement was written. `client.resend(error.statement)` asks under its first id, under which
    it is written once: it answers the result, or raises `WriteCommitted` where the first sending had been written.
    """

    def __init__(self, message: str, statement: "Statement") -> None:
        super().__init__(message)
        self.statement = statement


# Each code of the platform; test/tidy/clients.test.ts holds the list to src/core/problem.ts.
CLASSES: Mapping[str, Type[Problem]] = {
    "invalid_request": Invalid,
    "invalid_path": Invalid,
    "query_failed": QueryFailed,
    "connection_failed": SourceFailed,
    "source_unreachable": SourceFailed,
    "auth_invalid_token": NotSignedIn,
    "forbidden_invalid_key": NotSignedIn,
    "forbidden_insufficient_permissions": NotAllowed,
    "heavy_engine_restricted": NotAllowed,
    "resource_not_found": NotFound,
    "method_not_allowed": Invalid,
    "not_acceptable": Invalid,
    "query_timeout": TimedOut,
    "resource_conflict": Conflict,
    "write_committed": WriteCommitted,
    "work_in_progress": Conflict,
    "precondition_failed": Conflict,
    "body_too_large": Invalid,
    "unsupported_media_type": Invalid,
    "recipient_not_allowed": Invalid,
    "validation_failed": Invalid,
    "business_quota_exceeded": QuotaExceeded,
    "monthly_quota_exceeded": QuotaExceeded,
    "too_many_requests": TooManyRequests,
    "query_cancelled": Cancelled,
    "write_outcome_unknown": Unavailable,
    "internal_error": Unavailable,
    "sandbox_unavailable": Unavailable,
    "source_unavailable": SourceFailed,
    "mail_unavailable": Unavailable,
    "engine_unavailable": Unavailable,
}


def problem_of(status: int, document: object, retry_after: Optional[float]) -> Problem:
    """The failure that an answer is, whatever its body."""
    members = document if isinstance(document, dict) else {}
    error = members.get("error")
    code = error.get("code") if isinstance(error, dict) else None
    return CLASSES.get(str(code), Problem)(status, members, retry_after)
