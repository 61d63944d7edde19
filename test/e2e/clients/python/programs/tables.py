"""Tables there and back: to the lake, to the drive, in parts, and asynchronously."""

import asyncio
import datetime
import io
import json
import os
from decimal import Decimal

import fjord
import numpy
import pandas
import pyarrow as pa

BASE, KEY, SCHEMA = (os.environ[name] for name in ("BASE", "KEY", "SCHEMA"))
client = fjord.Client()
found = {}


def uploads():
    files = client.request("GET", "/v3/drive/files")["files"]
    return {file["path"] for file in files if file["path"].startswith(("fjord-python/", "_tmp/"))}


before = uploads()
table = pa.table(
    {
        "id": pa.array([1, 2, None], pa.int64()),
        "price": pa.array([Decimal("1.50"), None, Decimal("-2.25")], pa.decimal128(18, 2)),
        "ratio": [0.1, float("nan"), None],
        "at": pa.array([datetime.datetime(2026, 1, 31, 10, 0, 0, 123456), None, None], pa.timestamp("us")),
        "instant": pa.array([datetime.datetime(2026, 1, 31, tzinfo=datetime.timezone.utc)] * 3, pa.timestamp("us", "UTC")),
        "tags": [["a", None], [], None],
        "nested": [{"x": 1, "y": ["z"]}, None, {"x": None, "y": None}],
        "odd name \"'": ["ä", "", None],
    }
)
name = (SCHEMA, "there and. back")
found["written"] = client.write(table, name)
back = client.query(f'FROM LAKE.{SCHEMA}."there and. back"').arrow()
found["back"] = [repr(row) for row in back.to_pylist()] == [
    repr(row) for row in table.cast(back.schema).to_pylist()
]
try:
    client.write(table, name)
except fjord.FjordError as error:
    found["there already"] = type(error).__name__
found["appended"] = client.write(table.select(["id", "price"]), name, mode="append")
frame = pandas.DataFrame({"n": [1, 2], "t": ["x", None]}, index=pandas.Index([10, 20], name="key"))
found["replaced"] = client.write(frame, f"LAKE.{SCHEMA}.frame", mode="replace")
found["frame"] = client.query(f"FROM LAKE.{SCHEMA}.frame ORDER BY key").pandas().replace({float("nan"): None}).to_dict("list")

# Larger than one part.
large = pa.table({"x": numpy.random.default_rng(1).integers(0, 2**62, 2_500_000)})
found["large"] = client.write(large, f"{SCHEMA}.large")
found["sum"] = str(client.query(f"SELECT sum(x) AS s FROM LAKE.{SCHEMA}.large").rows()[0]["s"]) == str(
    sum(int(x) for x in large.column("x").to_numpy())
)
found["left"] = sorted(uploads() - before)

# An upload that broke off goes on where it ended.
content = bytes(range(256)) * 160_000
states, sent = [], []


def keep(state):
    states.append(state)
    if len(states) == 2:
        raise KeyboardInterrupt


try:
    client.upload(content, f"{SCHEMA}/large.bin", on_state=keep)
except KeyboardInterrupt:
    address = client.upload(
        io.BytesIO(content), f"{SCHEMA}/large.bin", resume=states[-1], on_progress=lambda done, all: sent.append(done)
    )
    found["resumed"] = [sent, address.endswith(f"/drive/{SCHEMA}/large.bin")]
listed = client.request("GET", f"/v3/drive/files?prefix={SCHEMA}/large.bin")["files"]
found["bytes"] = listed[0]["bytes"] == len(content)
found["drive"] = client.write(frame, f"drive:{SCHEMA}/frame.parquet")
path = client.request("GET", f"/v3/drive/file?path={SCHEMA}/frame.parquet")["gcs_path"]
found["file"] = client.query(f"SELECT sum(n)::INTEGER AS n FROM read_parquet('{path}')").rows()


def refusal(data, to, **more):
    try:
        client.write(data, to, **more)
    except (TypeError, ValueError) as error:
        return "TypeError" if isinstance(error, TypeError) else "ValueError"


found["refused"] = [
    refusal([1], f"{SCHEMA}.x"),
    refusal(table, "x"),
    refusal(table, f"{SCHEMA}.x", mode="merge"),
    refusal(pa.table({"t": pa.array([1], pa.timestamp("ns"))}), f"{SCHEMA}.x"),
]


async def everything():
    async with fjord.AsyncClient() as other:
        written = await other.write(frame, f"{SCHEMA}.asynchronous")
        async with await other.query(f"FROM LAKE.{SCHEMA}.asynchronous") as result:
            rows = sum([batch.num_rows async for batch in result.batches()])
        both = await asyncio.gather(*(other.query("SELECT $n AS n", {"n": n}) for n in range(3)))
        return [written, rows, [(await result.rows())[0]["n"] for result in both]]


found["async"] = asyncio.run(everything())
print(json.dumps(found))
