"""Answers the queries of a JSON list about a DuckDB file, each as its rows."""

import json
import sys

import duckdb

with duckdb.connect(sys.argv[1], read_only=True) as shop:
    json.dump([shop.execute(sql).fetchall() for sql in json.load(sys.stdin)], sys.stdout)
