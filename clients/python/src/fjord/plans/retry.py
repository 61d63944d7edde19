"""A request is sent again where the answer says that it may be, and where a repeat can do no harm."""

from __future__ import annotations

import email.utils
import random
import time
from dataclasses import dataclass
from enum import Enum
from typing import Optional

import httpx

from ..errors import UNKNOWN_CODE, FjordError, NoAnswer, Problem, problem_of
from .effects import Answer, Deadline, Plan, Send, Wait, json_of

FIRST_WAIT_SECONDS = 0.25


@dataclass(frozen=True)
class RetryPolicy:
    """How often a request is sent at most, and the longest wait before a try; a longer one is the caller's."""

    tries_max: int = 4
    wait_seconds_max: float = 30.0


class Repeat(Enum):
    """The harm that a repeat of a request may do where the outcome of the first is not known."""

    READ = "it only reads"
    STATEMENT = "it may write; the platform says which of its failures wrote nothing"
    WRITE = "it may be done twice"


# Nothing of such a request has left this machine.
NOT_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.UnsupportedProtocol)


def send(
    request: Send, repeat: Repeat, policy: RetryPolicy, deadline: Deadline = Deadline(None)
) -> Plan[Answer]:
    """
    An answer that succeeded. Raises the `Problem` that the platform answered, or `NoAnswer` where it is not known what
    became of the request.
    """
    # An earlier try of it may still be at work.
    has_arrived = False
    for tries in range(1, policy.tries_max + 1):
        failure: FjordError
        try:
            answer: Answer = yield request
        except httpx.TransportError as error:
            was_sent = not isinstance(error, NOT_SENT)
            text = f"{request.method} {httpx.URL(request.url).path} had no answer: {error or type(error).__name__}"
            failure = NoAnswer(text, was_sent or has_arrived)
            failure.__cause__ = error
            may = repeat is Repeat.READ or not was_sent
            wait = _backoff(tries, policy)
        else:
            if answer.is_success:
                return answer
            problem = problem_of(answer.status_code, json_of(answer), _retry_after(answer))
            has_arrived = has_arrived or problem.code == "work_in_progress"
            may = _may_repeat(problem, repeat)
            wait = problem.retry_after if problem.retry_after is not None else _backoff(tries, policy)
            failure = _gateway(problem) if is_gateway(problem) else problem
        if not may or tries == policy.tries_max or wait > policy.wait_seconds_max or not deadline.allows(wait):
            raise failure
        yield Wait(wait)
    raise AssertionError("A policy tries at least once.")


def is_gateway(problem: Problem) -> bool:
    """An answer of what stands before the platform says nothing of what the platform did."""
    return problem.code == UNKNOWN_CODE and problem.status >= 500


def _gateway(problem: Problem) -> NoAnswer:
    failure = NoAnswer(f"A gateway answered {problem.status}, and not the platform.")
    failure.__cause__ = problem
    return failure


def _may_repeat(problem: Problem, repeat: Repeat) -> bool:
    if is_gateway(problem):
        return repeat is Repeat.READ
    if not problem.retryable:
        return False
    # Work that is in the way may take hours: only a statement that meets its own first sending waits for it.
    if problem.status == 409:
        return repeat is Repeat.STATEMENT
    return problem.status < 500 or problem.status == 503 or repeat is not Repeat.WRITE


def _backoff(tries: int, policy: RetryPolicy) -> float:
    seconds = min(policy.wait_seconds_max, FIRST_WAIT_SECONDS * 2.0**tries)
    return seconds * (0.5 + random.random() / 2)


def _retry_after(answer: Answer) -> Optional[float]:
    """Seconds, which the header gives as a number or as a date."""
    value = answer.headers.get("retry-after", "")
    if value.isdigit():
        return float(value)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(value).timestamp() - time.time())
    except (TypeError, ValueError):
        return None
