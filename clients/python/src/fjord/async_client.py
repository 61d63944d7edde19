"""The client for programs with an event loop. It does what plans ask for, as `Client` does."""

from __future__ import annotations

import uuid
from contextlib import suppress
from typing import IO, Any, Callable, Mapping, Optional, Union

import anyio
import httpx

from . import sending
from .client import ANSWER_SECONDS
from .plans.effects import Answer, Plan, Platform, Send, Value, Wait, json_of
from .plans.retry import Repeat, RetryPolicy, send
from .plans.statement import Statement, ask, cancel, semantic_statement, sql_statement
from .plans.upload import Upload, UploadState, upload
from .plans.write import Target, write_table
from .results import AsyncResult
from .settings import find_platform


class AsyncClient:
    """The methods of `Client`, to be awaited; it runs on asyncio and on trio. Close it, or use it by `async with`."""

    def __init__(
        self,
        url: Optional[str] = None,
        key: Optional[str] = None,
        *,
        profile: Optional[str] = None,
        retry: RetryPolicy = RetryPolicy(),
        answer_seconds: float = ANSWER_SECONDS,
        transport: Optional[httpx.AsyncBaseTransport] = None,
    ) -> None:
        self._platform = Platform(*find_platform(url, key, profile), answer_seconds)
        self._retry = retry
        self._http = httpx.AsyncClient(transport=transport)

    async def query(
        self,
        sql: str,
        parameters: Optional[Mapping[str, Any]] = None,
        *,
        integration: Optional[str] = None,
        deadline: Optional[float] = None,
        request_id: Optional[str] = None,
        fresh: bool = False,
    ) -> AsyncResult:
        """
        Runs one statement on the lake, or on the database whose integration's id is given. `deadline` are seconds, 110
        when absent. `fresh` runs it whatever is kept of its result. Raises `Problem`, or `OutcomeUnknown` where nobody
        knows whether it was written: that is never sent again by itself.
        """
        return await self.resend(
            sql_statement(
                sql, parameters, integration=integration, deadline=deadline, request_id=request_id, fresh=fresh
            )
        )

    async def semantic(
        self,
        query: Mapping[str, Any],
        *,
        integration: Optional[str] = None,
        deadline: Optional[float] = None,
        request_id: Optional[str] = None,
        fresh: bool = False,
    ) -> AsyncResult:
        """Asks a semantic model: `{"measures": ["orders.count"], "dimensions": [...]}`, in Cube's format."""
        return await self.resend(
            semantic_statement(query, integration=integration, deadline=deadline, request_id=request_id, fresh=fresh)
        )

    async def resend(self, statement: Statement) -> AsyncResult:
        """Sends a statement under its own id: that of an `OutcomeUnknown` is written once, however often it is sent."""
        plan = ask(self._platform, self._retry, statement)
        return AsyncResult(await self._run_statement(plan, statement.request_id), statement.request_id)

    async def cancel(self, request_id: str) -> bool:
        """Cancels a statement that runs, also one of another process; false where it has ended."""
        return await self._run(cancel(self._platform, request_id))

    async def write(
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
                await self.upload(prepared.file, prepared.drive_path)
                return prepared.rows
            request_id = str(uuid.uuid4())
            plan = write_table(self._platform, self._retry, prepared.writing(request_id, deadline))
            return await self._run_statement(plan, request_id)

    async def upload(
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
            return (await self._run(upload(self._platform, self._retry, job))).sql_path

    async def request(self, method: str, path: str, body: Optional[object] = None) -> Any:
        """Any other operation of the API, as `request("GET", "/v4/me")`: its document, or the `Problem`."""
        repeat = Repeat.READ if method in ("GET", "HEAD") else Repeat.WRITE
        request = self._platform.request(method, path, body=body)
        return json_of(await self._run(send(request, repeat, self._retry)))

    async def close(self) -> None:
        await self._http.aclose()

    async def __aenter__(self) -> "AsyncClient":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def _run_statement(self, plan: Plan[Value], request_id: str) -> Value:
        """A task that is cancelled cancels its statement: a platform may not notice that its caller is gone."""
        try:
            return await self._run(plan)
        except anyio.get_cancelled_exc_class():
            with suppress(Exception), anyio.CancelScope(shield=True):
                await self.cancel(request_id)
            raise

    async def _run(self, plan: Plan[Value]) -> Value:
        try:
            effect = next(plan)
            while True:
                try:
                    outcome = await self._perform(effect)
                except Exception as error:
                    effect = plan.throw(error)
                else:
                    effect = plan.send(outcome)
        except StopIteration as end:
            value: Value = end.value
            return value

    async def _perform(self, effect: Union[Send, Wait]) -> Optional[Answer]:
        if isinstance(effect, Wait):
            await anyio.sleep(effect.seconds)
            return None
        response = await self._http.send(sending.request_of(self._http, effect), stream=True)
        if effect.streams and response.is_success:
            return Answer(response.status_code, response.headers, stream=response)
        content = sending.BoundedBody()
        try:
            async for chunk in response.aiter_bytes():
                content.add(chunk)
        finally:
            await response.aclose()
        return Answer(response.status_code, response.headers, content.whole())
