"""A table to the lake or to a file of the drive: a Parquet file is uploaded, and a statement reads it."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import IO, Dict, Optional, Sequence, Union
from urllib.parse import urlencode

from ..arrow_stream import ArrowDecoder
from ..errors import FjordError, IncompleteResult, NotFound, OutcomeUnknown, Problem
from .effects import Plan, Platform
from .retry import Repeat, RetryPolicy, send
from .statement import ask, sql_statement
from .upload import Upload, upload

DRIVE = "drive:"
LAKE = "LAKE"
STATEMENTS: Dict[str, str] = {
    "create": "CREATE TABLE {table} AS FROM read_parquet({file})",
    "replace": "CREATE OR REPLACE TABLE {table} AS FROM read_parquet({file})",
    "append": "INSERT INTO {table} BY NAME FROM read_parquet({file})",
}

Target = Union[str, Sequence[str]]


def table_name(to: Target) -> str:
    """`schema.table`, also after `LAKE.`, or its parts, which may have dots; quoted."""
    parts = to.split(".") if isinstance(to, str) else list(to)
    if len(parts) == 3 and parts[0].upper() == LAKE:
        parts = parts[1:]
    if len(parts) != 2 or not all(parts):
        raise ValueError(f"{to!r} is no table of the lake: say schema.table, or a tuple of the two.")
    return ".".join([LAKE, *('"' + part.replace('"', '""') + '"' for part in parts)])


def drive_path(to: Target) -> Optional[str]:
    """The path of a target that is `drive:path`."""
    return to[len(DRIVE) :] if isinstance(to, str) and to.startswith(DRIVE) else None


@dataclass(frozen=True)
class Writing:
    """A Parquet file, and the table that it becomes by `mode`: create, replace or append."""

    table: str
    mode: str
    file: IO[bytes]
    size: int
    request_id: str
    deadline: Optional[float]


def statement_of(mode: str, table: str, sql_path: str) -> str:
    if mode not in STATEMENTS:
        raise ValueError(f"{mode!r} is no mode: {', '.join(STATEMENTS)}.")
    quoted = "'" + sql_path.replace("'", "''") + "'"
    return STATEMENTS[mode].format(table=table, file=quoted)


def write_table(platform: Platform, policy: RetryPolicy, writing: Writing) -> Plan[int]:
    """
    How many rows were written. The file goes once the outcome is known; until then a repeat of the statement needs it.
    """
    path = f"fjord-python/{writing.request_id}.parquet"
    file = yield from upload(platform, policy, Upload(path, writing.file, writing.size, temporary=True))
    sql = statement_of(writing.mode, writing.table, file.sql_path)
    statement = sql_statement(sql, None, deadline=writing.deadline, request_id=writing.request_id)
    try:
        answer = yield from ask(platform, policy, statement, streams=False)
    except Problem as problem:
        # A sending of the statement may still be at work with the file.
        if problem.code != "work_in_progress":
            yield from _delete(platform, policy, file.path)
        raise
    try:
        rows = count_of(answer.content)
    except IncompleteResult as error:
        raise OutcomeUnknown(f"{error} Whether it was written is not known.", statement) from error
    yield from _delete(platform, policy, file.path)
    return rows


def count_of(content: bytes) -> int:
    """A statement that writes answers one row, whose `count` says how many it wrote."""
    decoder = ArrowDecoder()
    batches = list(decoder.feed(content))
    decoder.end()
    if not batches or batches[0].num_rows != 1 or "count" not in batches[0].schema.names:
        raise IncompleteResult("The answer does not say how many rows were written.")
    return int(batches[0].column(batches[0].schema.get_field_index("count"))[0].as_py())


def _delete(platform: Platform, policy: RetryPolicy, path: str) -> Plan[None]:
    """What was or was not written does not change because its file could not be deleted."""
    request = platform.request("DELETE", f"/v3/drive/file?{urlencode({'path': path})}")
    try:
        yield from send(request, Repeat.READ, policy)
    except NotFound:
        return
    except FjordError as error:
        warnings.warn(f"The uploaded file drive:{path} could not be deleted: {error}", stacklevel=2)
