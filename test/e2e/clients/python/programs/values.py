"""Each kind of value that comes back equals what the API says of it in JSON, and each parameter comes back as itself."""

import base64
import datetime
import decimal
import json
import math
import os

import fjord
import httpx
import numpy
import pandas

URL, KEY = os.environ["BASE"], os.environ["KEY"]
SQL = """SELECT * FROM (VALUES
  (1, 9007199254740993, 12345678901234567890123::HUGEINT, 1.50::DECIMAL(10,2), 0.1::DOUBLE, 'NaN'::DOUBLE, true,
   DATE '2024-02-29', TIME '10:00:00.5', TIMESTAMP '2026-01-31 10:00:00.123456', TIMESTAMPTZ '2026-01-31 12:00:00+02',
   'a''b\\', '\\xAB\\x00'::BLOB, [1, NULL, 3], {'d': 1.25::DECIMAL(4,2), 'when': DATE '2026-01-02', 'in': [{'x': 'NaN'::DOUBLE}]},
   '00000000-0000-4000-8000-000000000001'::UUID, INTERVAL 1 DAY),
  (NULL, NULL, NULL, NULL, '-Infinity'::DOUBLE, NULL, NULL, NULL, NULL, NULL, NULL, '', NULL, NULL, NULL, NULL, NULL)
) t(small, big, huge, exact, double, nan, truth, day, time, local, instant, text, bytes, list, nested, id, span)"""


def as_json(value):
    """A value of Python in the API's spelling."""
    if isinstance(value, dict):
        return {name: as_json(each) for name, each in value.items()}
    if isinstance(value, list):
        return [as_json(each) for each in value]
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, datetime.datetime):
        text = value.isoformat()
        return text.replace("+00:00", "Z")
    if isinstance(value, (datetime.date, datetime.time)):
        text = value.isoformat()
        return text.rstrip("0") if "." in text else text
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    return value


def exact(value):
    """Numbers by their digits, so that 1.5 is not 1.50."""
    if isinstance(value, dict):
        return {name: exact(each) for name, each in value.items()}
    if isinstance(value, list):
        return [exact(each) for each in value]
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return value
    return repr(float(value)) if isinstance(value, float) else str(value)


def api_rows(sql):
    """The API's numbers keep their digits: floats are read as floats where Arrow says that they are."""
    answer = httpx.post(f"{URL}/v1/query", headers={"authorization": f"Bearer {KEY}"}, json={"sql": sql})
    return json.loads(answer.text, parse_float=decimal.Decimal)["data"]


client = fjord.Client(URL, KEY)
mine = exact(as_json(client.query(SQL).rows()))
theirs = exact(api_rows(SQL))
found = {"differing": [(name, ours, row[name]) for at, row in enumerate(theirs) for name, ours in mine[at].items() if ours != row[name]]}
found["columns"] = len(theirs[0]) == len(mine[0])

VALUES = {
    "t": "it's $t \\ ü",
    "n": None,
    "i": 2**53 + 1,
    "low": -(2**63),
    "f": 0.1,
    "d": decimal.Decimal("12345678901234567890.123456789"),
    "b": False,
    "day": datetime.date(2024, 2, 29),
    "local": datetime.datetime(2026, 1, 31, 10, 0, 0, 123456),
    "instant": datetime.datetime(2026, 1, 31, 12, 0, tzinfo=datetime.timezone(datetime.timedelta(hours=2))),
}
bound = client.query("SELECT " + ", ".join(f"${name} AS {name}" for name in VALUES), VALUES).rows()[0]
found["changed"] = [name for name, value in VALUES.items() if bound[name] != value]

LISTS = {
    "texts": ["a", None, "b"],
    "ints": [1, 2**60],
    "decimals": [decimal.Decimal("1.50"), 2],
    "days": [datetime.date(2026, 1, 1)],
    "array": numpy.array([1, 2, 3]),
    "series": pandas.Series([1.5, 2.5]),
}
answer = client.query("SELECT " + ", ".join(f'[${name}] AS "{name}"' for name in LISTS), LISTS).rows()[0]
found["empty"] = client.query("SELECT 1 IN ($none) AS is_in", {"none": fjord.typed("integer", [])}).rows()
found["lists"] = {name: exact(as_json(value)) for name, value in answer.items()}
found["typed"] = client.query("SELECT $a - $b AS days", {"a": fjord.typed("date", "2026-02-01"), "b": datetime.date(2026, 1, 1)}).rows()
found["numpy"] = client.query("SELECT $a + $b AS n", {"a": numpy.int64(1), "b": numpy.int32(2)}).rows()


def refusal(value):
    try:
        client.query("SELECT $x", {"x": value})
    except (TypeError, ValueError) as error:
        return f"{type(error).__name__}: {error}"


found["refused"] = [
    refusal(value)
    for value in (math.nan, b"x", {"a": 1}, [], [1, "a"], pandas.Timestamp("2026-01-01 00:00:00.000000001"), pandas.NaT)
]
frame = client.query(SQL).pandas()
found["types"] = {name: str(frame[name].dtype) for name in ("small", "big", "truth", "exact", "double")}
found["big"] = str(frame["big"][0])
print(json.dumps(found))
