"""A statement, under an id of its own, by which it is cancelled and written once."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any, Dict, Mapping, Optional

from ..errors import NoAnswer, OutcomeUnknown, Problem
from ..parameters import encode_parameters
from .effects import Answer, Deadline, Plan, Platform
from .retry import Repeat, RetryPolicy, send

ARROW = "application/vnd.apache.arrow.stream"
CANCEL_SECONDS = 5.0
# The platform ends a statement at its deadline, and is given this long to say so.
GRACE_SECONDS = 10.0


@dataclass(frozen=True)
class Statement:
    """What is sent, whole: sending it again asks the same under the same id."""

    request_id: str
    body: Mapping[str, Any]
    deadline_seconds: Optional[float] = None

    @property
    def is_read(self) -> bool:
        return "cube_query" in self.body


def sql_statement(
    sql: str,
    parameters: Optional[Mapping[str, Any]],
    *,
    integration: Optional[str] = None,
    deadline: Optional[float] = None,
    request_id: Optional[str] = None,
    fresh: bool = False,
) -> Statement:
    body: Dict[str, Any] = {"sql": sql}
    if parameters:
        body["parameters"] = encode_parameters(parameters)
    return _statement(body, integration, deadline, request_id, fresh)


def semantic_statement(
    query: Mapping[str, Any],
    *,
    integration: Optional[str] = None,
    deadline: Optional[float] = None,
    request_id: Optional[str] = None,
    fresh: bool = False,
) -> Statement:
    return _statement({"cube_query": dict(query)}, integration, deadline, request_id, fresh)


def _statement(
    body: Dict[str, Any],
    integration: Optional[str],
    deadline: Optional[float],
    request_id: Optional[str],
    fresh: bool,
) -> Statement:
    if integration is not None:
        body["integration_id"] = integration
    if deadline is not None:
        body["timeout_ms"] = round(deadline * 1_000)
    if fresh:
        body["invalidate"] = True
    return Statement(request_id or str(uuid.uuid4()), body, deadline)


def ask(platform: Platform, policy: RetryPolicy, statement: Statement, streams: bool = True) -> Plan[Answer]:
    """
    The answer, whose body is still to come where it `streams`. Raises OutcomeUnknown where nobody knows what became of
    a statement that may write.
    """
    seconds = statement.deadline_seconds
    request = platform.request(
        "POST",
        "/v1/query",
        body=statement.body,
        headers={"accept": ARROW, "x-request-id": statement.request_id},
        answer_seconds=None if seconds is None else seconds + GRACE_SECONDS,
        streams=streams,
    )
    repeat = Repeat.READ if statement.is_read else Repeat.STATEMENT
    try:
        return (yield from send(request, repeat, policy, Deadline.after(seconds)))
    except NoAnswer as error:
        if statement.is_read or not error.was_sent:
            raise
        raise OutcomeUnknown(f"{error} Whether it was written is not known.", statement) from error
    except Problem as problem:
        if problem.code != "write_outcome_unknown":
            raise
        raise OutcomeUnknown(problem.message, statement) from problem


def cancel(platform: Platform, request_id: str) -> Plan[bool]:
    """Whether there was one to cancel: it may have ended by itself."""
    request = platform.request("DELETE", f"/v1/query/{request_id}", answer_seconds=CANCEL_SECONDS)
    try:
        yield from send(request, Repeat.READ, RetryPolicy(tries_max=2, wait_seconds_max=1.0))
        return True
    except Problem as problem:
        if problem.status != 404:
            raise
        return False
