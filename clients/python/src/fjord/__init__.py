"""The Python client of Fjord: statements and semantic queries as Arrow tables and DataFrames, and data back."""

from __future__ import annotations

from typing import Any

from .async_client import AsyncClient
from .client import Client
from .errors import (
    Cancelled,
    Conflict,
    FjordError,
    Flaw,
    IncompleteResult,
    Invalid,
    NoAnswer,
    NotAllowed,
    NotFound,
    NotSignedIn,
    OutcomeUnknown,
    Problem,
    QueryFailed,
    QuotaExceeded,
    SourceFailed,
    TimedOut,
    TooManyRequests,
    Unavailable,
    WriteCommitted,
)
from .parameters import Typed, typed
from .plans.retry import RetryPolicy
from .plans.statement import Statement
from .plans.upload import UploadState
from .results import AsyncResult, Result

__version__ = "0.1.0"

__all__ = [
    "AsyncClient",
    "AsyncResult",
    "Cancelled",
    "Client",
    "Conflict",
    "FjordError",
    "Flaw",
    "IncompleteResult",
    "Invalid",
    "NoAnswer",
    "NotAllowed",
    "NotFound",
    "NotSignedIn",
    "OutcomeUnknown",
    "Problem",
    "QueryFailed",
    "QuotaExceeded",
    "Result",
    "RetryPolicy",
    "SourceFailed",
    "Statement",
    "TimedOut",
    "TooManyRequests",
    "Typed",
    "Unavailable",
    "UploadState",
    "WriteCommitted",
    "typed",
]


def load_ipython_extension(ipython: Any) -> None:
    """Makes `%%fjord` known to a notebook, by `%load_ext fjord`."""
    from .magic import FjordMagics

    ipython.register_magics(FjordMagics)
