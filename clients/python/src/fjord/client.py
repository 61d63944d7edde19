"""The client that waits. It does what plans ask for; the rules are in `plans/`, which the async client runs as well."""

from __future__ import annotations

import time
import uuid
from contextlib import suppress
from typing import IO, Any, Callable, Mapping, Optional, Union

import httpx

from . import sending
from .plans.effects import Answer, Plan, Platform, Send, Value, Wait, json_of
from .plans.retry import Repeat, RetryPolicy, send
from .plans.statement import Statement, ask, cancel, semantic_statement, sql_statement
from .plans.upload import Upload, UploadState, upload
from .plans.write import Target, write_table
from .results import Result
from .settings import find_platform

# The longest that a statement may take, and a little for the way.
ANSWER_SECONDS = 16 * 60.0


class Client:
    """
    A team's platform, for one key. Without an address and a key they are those of FJORD_URL and FJORD_KEY, or of the
    profile that `fjord login` keeps. Close it, or use it by `with`. It may be used by several threads.
    """

    def __init__(
        self,
        url: Optional[str] = None,
        key: Optional[str] = None,
        *,
        profile: Optional[str] = None,
        retry: RetryPolicy = RetryPolicy(),
        answer_seconds: float = ANSWER_SECONDS,
        transport: Optional[httpx.BaseTransport] = None,
    ) -> None:
        self._platform = Platform(*find_platform(url, key, profile), answer_seconds)
        self._retry = retry
        self._http = httpx.Client(transport=transport)

    def query(
        self,
        sql: str,
        parameters: Optional[Mapping[str, Any]] = None,
        *,
        integration: Optional[str] = None,
        deadline: Optional[float] = None,
        request_id: Optional[str] = None,
        fresh: bool = False,
    ) -> Result:
        """
        Runs one statement on the lake, or on the database whose integration's id is given. `deadline` are seconds, 110
        when absent. `fresh` runs it whatever is kept of its result. Raises `Problem`, or `OutcomeUnknown` where nobody
        knows whether it was written: that is never sent again by itself.
        """
        return self.resend(
            sql_statement(
                sql, parameters, integration=integration, deadline=deadline, request_id=request_id, fresh=fresh
            )
        )

    def semantic(
        self,
        query: Mapping[str, Any],
        *,
        integration: Optional[str] = None,
        deadline: Optional[float] = None,
        request_id: Optional[str] = None,
        fresh: bool = False,
    ) -> Result:
        """Asks a semantic model: `{"measures": ["orders.count"], "dimensions": [...]}`, in Cube's format."""
        return self.resend(
            semantic_statement(query, integration=integration, deadline=deadline, request_id=request_id, fresh=fresh)
        )

    def resend(self, statement: Statement) -> Result:
        """Sends a statement under its own id: that of an `OutcomeUnknown` is written once, however often it is sent."""
        plan = ask(self._platform, self._retry, statement)
        return Result(self._run_statement(plan, statement.request_id), statement.request_id)

    def cancel(self, request_id: str) -> bool:
        """Cancels a statement that runs, also one of another process; false where it has ended."""
        return self._run(cancel(self._platform, request_id))

    def write(
        self,
        data: Any,
        to: Target,
        *,
        mode: str = "create",
        deadline: Optional[float] = None,
    ) -> int:
        """
        Writes an Arrow table or a DataFrame to `schema.table` of the lake by `mode` (create, replace or append), or as a
        Parquet file to `drive:path`. Answers how many rows were written. Raises `OutcomeUnknown` where nobody knows
        whether they were: `resend` its statement.
        """
        with sending.parquet(data, to, mode) as prepared:
            if prepared.drive_path is not None:
                self.upload(prepared.file, prepared.drive_path)
                return prepared.rows
            request_id = str(uuid.uuid4())
            plan = write_table(self._platform, self._retry, prepared.writing(request_id, deadline))
            return self._run_statement(plan, request_id)

    def upload(
        self,
        file: Union[str, bytes, IO[bytes]],
        path: str,
        *,
        resume: Optional[UploadState] = None,
        on_progress: Optional[Callable[[int, int], None]] = None,
        on_state: Optional[Callable[[UploadState], None]] = None,
    ) -> str:
        """
        Sends a file (its name, its bytes, or what is open and can seek) to a path of the drive, and answers the address
        by which SQL reads it. `on_state` is called with what `resume` takes after each part that has arrived.
        """
        with sending.opened(file) as (source, size):
            job = Upload(path, source, size, resume, on_progress, on_state)
            return self._run(upload(self._platform, self._retry, job)).sql_path

    def request(self, method: str, path: str, body: Optional[object] = None) -> Any:
        """Any other operation of the API, as `request("GET", "/v4/me")`: its document, or the `Problem`."""
        repeat = Repeat.READ if method in ("GET", "HEAD") else Repeat.WRITE
        request = self._platform.request(method, path, body=body)
        return json_of(self._run(send(request, repeat, self._retry)))

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _run_statement(self, plan: Plan[Value], request_id: str) -> Value:
        """Ctrl-C cancels the statement, too: a platform may not notice that its caller is gone."""
        try:
            return self._run(plan)
        except KeyboardInterrupt:
            # Whoever interrupts wants to be gone; the statement has its deadline.
            with suppress(Exception):
                self.cancel(request_id)
            raise

    def _run(self, plan: Plan[Value]) -> Value:
        try:
            effect = next(plan)
            while True:
                try:
                    outcome = self._perform(effect)
                except Exception as error:
                    effect = plan.throw(error)
                else:
                    effect = plan.send(outcome)
        except StopIteration as end:
            value: Value = end.value
            return value

    def _perform(self, effect: Union[Send, Wait]) -> Optional[Answer]:
        if isinstance(effect, Wait):
            time.sleep(effect.seconds)
            return None
        response = self._http.send(sending.request_of(self._http, effect), stream=True)
        if effect.streams and response.is_success:
            return Answer(response.status_code, response.headers, stream=response)
        content = sending.BoundedBody()
        try:
            for chunk in response.iter_bytes():
                content.add(chunk)
        finally:
            response.close()
        return Answer(response.status_code, response.headers, content.whole())
