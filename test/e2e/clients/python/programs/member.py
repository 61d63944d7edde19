"""A member whom a role shows a part of a table, and who may write nothing."""

import json
import os

import fjord
import pyarrow as pa

client = fjord.Client(os.environ["BASE"], os.environ["KEY"])
TABLE, CUBE = os.environ["TABLE"], os.environ["CUBE"]
found = {"seen": client.query(f"SELECT region, count(*) AS n FROM LAKE.{TABLE} GROUP BY ALL").rows()}
found["measured"] = client.semantic({"measures": ["sales.count"], "dimensions": ["sales.region"]}, integration=CUBE).rows()
for name, work in {
    "hidden": lambda: client.query("FROM LAKE.sample.orders"),
    "writes": lambda: client.query(f"DELETE FROM LAKE.{TABLE}"),
    "table": lambda: client.write(pa.table({"a": [1]}), f"{TABLE}2"),
}.items():
    try:
        work()
    except fjord.Problem as problem:
        found[name] = [type(problem).__name__, problem.code]
print(json.dumps(found))
