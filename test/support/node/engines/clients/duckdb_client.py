"""DuckDB with its extension `iceberg` reads the catalog."""

import importlib.util
import json
import pathlib
import sys

import duckdb

from conversation import serve, table_of

CATALOGS = json.loads(sys.argv[1])
EXTENSIONS = ["httpfs", "avro", "iceberg"]
TYPES = {"timestamptz": "TIMESTAMPTZ", "binary": "BLOB", "string": "VARCHAR", "long": "BIGINT"}


def extension_file(name):
    folder = pathlib.Path(importlib.util.find_spec(f"duckdb_extension_{name}").origin).parent
    return next(folder.rglob(f"{name}.duckdb_extension"))


connection = duckdb.connect(config={"allow_unsigned_extensions": "true"})
for name in EXTENSIONS:
    connection.execute(f"LOAD '{extension_file(name)}'")
connection.execute("SET TimeZone = 'UTC'; SET threads = 2")
# A file that was read once would be read from memory when its credential has ended.
connection.execute("SET enable_external_file_cache = false")
for name, (address, warehouse, key) in CATALOGS.items():
    connection.execute(f"CREATE SECRET {name} (TYPE iceberg, TOKEN '{key}')")
    connection.execute(
        f"ATTACH '{warehouse}' AS {name} (TYPE iceberg, ENDPOINT '{address}/iceberg', SECRET {name}, READ_ONLY)")


def source(catalog, table, snapshot):
    schema, name = table
    return f'{catalog}."{schema}"."{name}"' + ("" if snapshot is None else f" AT (VERSION => {snapshot})")


def predicate(column, operator, value, type):
    return f"\"{column}\" {operator} CAST('{value}' AS {TYPES.get(type, type)})"


def list_tables(catalog):
    return [list(row) for row in connection.execute(
        f"SELECT schema_name, table_name FROM duckdb_tables() WHERE database_name = '{catalog}'").fetchall()]


def read(catalog, table, snapshot, by=connection):
    result = by.execute(f"SELECT * FROM {source(catalog, table, snapshot)}")
    return table_of([column[0] for column in result.description], result.fetchall())


def count(catalog, table, predicates):
    return [connection.execute(f"SELECT count(*) FROM {source(catalog, table, None)} WHERE {predicate(**each)}").fetchone()[0]
            for each in predicates]


def write(catalog, table):
    connection.execute(f"DELETE FROM {source(catalog, table, None)}")


holder = connection.cursor()


def hold(catalog, table):
    """Within a transaction, which other reads have no part in, a table is loaded once."""
    holder.execute("BEGIN")
    read(catalog, table, None, holder)


def read_held(catalog, table):
    return read(catalog, table, None, holder)


def release(catalog):
    holder.execute("COMMIT")


serve({"tables": list_tables, "read": read, "count": count, "write": write,
       "hold": hold, "read_held": read_held, "release": release})
