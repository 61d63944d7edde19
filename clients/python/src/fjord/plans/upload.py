"""An upload to the drive: a small file at once, a larger one in parts, so that what has arrived is not sent again."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import IO, Any, Callable, List, Mapping, Optional, Tuple

import httpx

from ..errors import FjordError, NoAnswer
from .effects import Answer, Plan, Platform, Send, Wait, json_of
from .retry import Repeat, RetryPolicy, send

MIB = 1024 * 1024
PART_BYTES = 16 * MIB
PART_SECONDS_MAX = 15 * 60.0
TRIES_MAX = 3
# URLs are good for an hour; a few at a time are asked for, just before they are used.
SIGNED_AT_ONCE = 8


@dataclass(frozen=True)
class UploadState:
    """How far an upload in parts has come: plain data, which a program can keep and hand back to resume."""

    upload_id: str
    part_bytes: int
    size: int
    etags: Tuple[str, ...] = ()


@dataclass(frozen=True)
class Upload:
    """
    A file of a known size, and where it goes. `on_progress` is called with the bytes that have arrived and with all;
    `on_state` with the state to resume from. `temporary` lets the platform pick the path, where the file is small.
    """

    path: str
    file: IO[bytes]
    size: int
    resume: Optional[UploadState] = None
    on_progress: Optional[Callable[[int, int], None]] = field(default=None)
    on_state: Optional[Callable[[UploadState], None]] = field(default=None)
    temporary: bool = False

    def part(self, start: int, count: int) -> bytes:
        self.file.seek(start)
        content = self.file.read(count)
        if len(content) != min(count, self.size - start):
            raise FjordError(f"The file for {self.path} has changed while it was sent.")
        return content

    def arrived(self, count: int) -> None:
        if self.on_progress is not None:
            self.on_progress(min(count, self.size), self.size)


@dataclass(frozen=True)
class Uploaded:
    """The path in the drive, and the address under which SQL reads the file."""

    path: str
    sql_path: str


def upload(platform: Platform, policy: RetryPolicy, job: Upload) -> Plan[Uploaded]:
    """A file that is at the path is replaced, once all of the new one has arrived."""
    if job.size > PART_BYTES or job.resume is not None:
        return (yield from _upload_parts(platform, policy, job))
    name = job.path.rsplit("/", 1)[-1]
    body = {"temporary": True, "ttl_days": 1, "filename_hint": name} if job.temporary else {"path": job.path}
    begun = yield from _post(platform, policy, "/v3/drive/upload-url", body, Repeat.READ)
    yield from _put(begun["upload_url"], begun["headers"], job.part(0, job.size))
    job.arrived(job.size)
    return Uploaded(_drive_path(begun["gcs_path"], job), begun["gcs_path"])


def _upload_parts(platform: Platform, policy: RetryPolicy, job: Upload) -> Plan[Uploaded]:
    state = job.resume
    if state is None:
        begun = yield from _post(platform, policy, "/v3/drive/uploads", {"path": job.path}, Repeat.READ)
        state = UploadState(begun["upload_id"], part_size(job.size, begun), job.size)
    if state.size != job.size:
        raise ValueError("The file is not the one whose upload broke off: its size is another.")
    etags: List[str] = list(state.etags)
    count = math.ceil(job.size / state.part_bytes)
    base = f"/v3/drive/uploads/{state.upload_id}"
    while len(etags) < count:
        first = len(etags) + 1
        numbers = list(range(first, min(first + SIGNED_AT_ONCE, count + 1)))
        signed = yield from _post(platform, policy, f"{base}/parts", {"part_numbers": numbers}, Repeat.READ)
        for part in signed["parts"]:
            start = len(etags) * state.part_bytes
            etag = yield from _put(part["upload_url"], signed["headers"], job.part(start, state.part_bytes))
            etags.append(etag)
            job.arrived(len(etags) * state.part_bytes)
            if job.on_state is not None:
                job.on_state(UploadState(state.upload_id, state.part_bytes, job.size, tuple(etags)))
    parts = [{"part_number": at + 1, "etag": etag} for at, etag in enumerate(etags)]
    done = yield from _post(platform, policy, f"{base}/complete", {"parts": parts}, Repeat.WRITE)
    return Uploaded(_drive_path(done["gcs_path"], job), done["gcs_path"])


def part_size(size: int, bounds: Mapping[str, Any]) -> int:
    """All parts but the last have this size: so large that they suffice for the file, and small enough to send again."""
    least = math.ceil(size / int(bounds["parts_max"]) / MIB) * MIB
    return min(int(bounds["part_bytes_max"]), max(PART_BYTES, int(bounds["part_bytes_min"]), least))


def _drive_path(sql_path: str, job: Upload) -> str:
    """A temporary file's path is what follows the drive's root in its address."""
    return sql_path.split("/drive/", 1)[1] if job.temporary and "/drive/" in sql_path else job.path


def _post(platform: Platform, policy: RetryPolicy, path: str, body: object, repeat: Repeat) -> Plan[Any]:
    """An upload that is begun twice leaves one that the platform gives up by itself."""
    answer = yield from send(platform.request("POST", path, body=body), repeat, policy)
    return json_of(answer)


def _put(url: str, headers: Mapping[str, str], content: bytes) -> Plan[str]:
    """The entity tag of what the store now has. The signed address is the whole permission: no key goes there."""
    for tries in range(1, TRIES_MAX + 1):
        reason = ""
        try:
            answer: Answer = yield Send("PUT", url, PART_SECONDS_MAX, headers, content)
            if answer.is_success:
                return str(answer.headers.get("etag", "")).replace('"', "")
            reason = f"answered {answer.status_code}: {answer.content[:500]!r}"
            if answer.status_code < 500 and answer.status_code != 429:
                break
        except httpx.TransportError as error:
            reason = f"did not answer: {error or type(error).__name__}"
        if tries < TRIES_MAX:
            yield Wait(float(tries))
    raise NoAnswer(f"The object store {reason}")
