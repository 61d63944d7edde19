"""PyIceberg reads the catalog, by Arrow's own file system."""

import json
import sys

from pyiceberg.catalog import load_catalog
from pyiceberg.expressions import EqualTo, GreaterThanOrEqual, LessThanOrEqual

from conversation import serve, table_of

OPERATORS = {"=": EqualTo, ">=": GreaterThanOrEqual, "<=": LessThanOrEqual}
READ = {"int": int, "long": int, "float": float, "double": float, "boolean": lambda text: text == "true"}

catalogs = {
    name: load_catalog(name, type="rest", uri=f"{address}/iceberg", warehouse=warehouse, token=key)
    for name, (address, warehouse, key) in json.loads(sys.argv[1]).items()
}
held = {}


def list_tables(catalog):
    known = catalogs[catalog]
    return [list(table) for namespace in known.list_namespaces() for table in known.list_tables(namespace)]


def rows_of(arrow):
    columns = [column.to_pylist(maps_as_pydicts="strict") for column in arrow.columns]
    return table_of(arrow.column_names, zip(*columns) if columns else [])


def read(catalog, table, snapshot):
    return rows_of(catalogs[catalog].load_table(tuple(table)).scan(snapshot_id=snapshot).to_arrow())


def count(catalog, table, predicates):
    loaded = catalogs[catalog].load_table(tuple(table))
    return [loaded.scan(row_filter=predicate(**each), selected_fields=(each["column"],)).to_arrow().num_rows
            for each in predicates]


def predicate(column, operator, value, type):
    text = value.replace(" ", "T") if type.startswith("timestamp") else value
    return OPERATORS[operator](column, READ.get(type, str)(text))


def write(catalog, table):
    loaded = catalogs[catalog].load_table(tuple(table))
    loaded.append(loaded.scan().to_arrow())


def hold(catalog, table):
    held[catalog] = catalogs[catalog].load_table(tuple(table))


def read_held(catalog, table):
    return rows_of(held[catalog].scan().to_arrow())


def refresh(catalog):
    held[catalog].refresh()


serve({"tables": list_tables, "read": read, "count": count, "write": write,
       "hold": hold, "read_held": read_held, "refresh": refresh})
