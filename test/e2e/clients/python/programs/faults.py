"""Faults of the network and of the platform, as the caller of this client sees them."""

import asyncio
import json
import os
import threading
import time
import uuid

import fjord

FRONT, BASE, KEY, TABLE = (os.environ[name] for name in ("FRONT", "BASE", "KEY", "TABLE"))
LONG = "SELECT sum(a.range * b.range) FROM range(100000000) a, range(100000000) b"
direct = fjord.Client(BASE, KEY)


def behind(fault):
    return fjord.Client(f"{FRONT}/{fault}", KEY)


def failure(work):
    try:
        return work()
    except fjord.FjordError as error:
        return type(error).__name__


def count():
    return direct.query(f"SELECT count(*) AS n FROM LAKE.{TABLE}").rows()[0]["n"]


found = {}
try:
    direct.request("GET", "@127.0.0.1:9/v4/me")
except ValueError as error:
    found["another host"] = str(error)
rows = "FROM range(300000)"
for fault in ("cut", "short"):
    found[fault] = [
        failure(lambda: behind(fault).query(rows).arrow()),
        failure(lambda: behind(fault).query(rows).rows()),
        failure(lambda: sum(batch.num_rows for batch in behind(fault).query(rows).batches())),
    ]
seen = 0
try:
    for batch in behind("short").query(rows).batches():
        seen += batch.num_rows
except fjord.IncompleteResult:
    found["seen before the cut"] = seen

# A write whose answer is lost is not sent again; under its own id it is written once.
direct.query(f"CREATE OR REPLACE TABLE LAKE.{TABLE} (n INTEGER)").arrow()
for fault in ("lost", "gateway"):
    before = count()
    try:
        behind(fault).query(f"INSERT INTO LAKE.{TABLE} VALUES (1)")
        found[fault] = "answered"
    except fjord.OutcomeUnknown as error:
        written = count() - before
        found[fault] = [written, failure(lambda: direct.resend(error.statement)), count() - before]
before = count()
try:
    behind("lost").write(fjord_table := direct.query("SELECT 7::INTEGER AS n").arrow(), TABLE, mode="append")
except fjord.OutcomeUnknown as error:
    found["lost write"] = [count() - before, failure(lambda: direct.resend(error.statement)), count() - before]
before = count()
try:
    behind("cut").write(fjord_table, TABLE, mode="append")
except fjord.OutcomeUnknown as error:
    found["cut write"] = [count() - before, failure(lambda: direct.resend(error.statement)), count() - before]

# What only reads is sent again.
found["read again"] = failure(lambda: fjord.Client(f"{FRONT}/lost", KEY).request("GET", "/v4/me")["data"]["role"])
started = time.monotonic()
found["busy"] = behind("busy").query("SELECT 1 AS one").rows()
found["waited"] = time.monotonic() - started >= 2
found["nobody"] = failure(
    lambda: fjord.Client("http://127.0.0.1:1", KEY, retry=fjord.RetryPolicy(tries_max=2)).query("SELECT 1")
)
started = time.monotonic()
found["deadline"] = [failure(lambda: direct.query(LONG, deadline=1.0)), time.monotonic() - started < 10]

id = str(uuid.uuid4())


def cancel_soon():
    while not direct.cancel(id):
        time.sleep(0.1)


threading.Thread(target=cancel_soon).start()
found["cancelled"] = failure(lambda: direct.query(LONG, request_id=id))


async def cancel_task():
    id = str(uuid.uuid4())
    async with fjord.AsyncClient(BASE, KEY) as client:
        task = asyncio.create_task(client.query(LONG, request_id=id))
        await asyncio.sleep(1)
        task.cancel()
        try:
            await task
        except asyncio.CancelledError:
            for _ in range(100):
                if not await client.cancel(id):
                    return "cancelled"
                await asyncio.sleep(0.1)


found["cancelled task"] = asyncio.run(cancel_task())


async def faults_of_async():
    async with fjord.AsyncClient(f"{FRONT}/cut", KEY) as client:
        try:
            await (await client.query(rows)).arrow()
        except fjord.IncompleteResult:
            return "IncompleteResult"


found["async cut"] = asyncio.run(faults_of_async())
found["refused"] = [
    failure(lambda: direct.query("SELEC 1")),
    failure(lambda: direct.request("GET", "/v4/docs/00000000-0000-4000-8000-000000000000")),
    failure(lambda: fjord.Client(BASE, "nobody").query("SELECT 1")),
    failure(lambda: direct.query("SELECT $a", {"b": 1})),
]
try:
    direct.query("SELECT 1,\n nothing")
except fjord.QueryFailed as error:
    found["place"] = [error.code, error.line, error.column, error.retryable]
print(json.dumps(found, default=str))
