"""Frames and values between datasets: Arrow streams with exact types, JSON with all its digits."""

import datetime
import decimal
import json
import math
import os

DEPTH_MAX = 200
# What is told of a result is kept in one row, whatever the columns are called; the stored stream has it all.
COLUMNS_TOLD_MAX = 1_000
NAME_CHARACTERS_MAX = 200
TYPE_CHARACTERS_MAX = 400


class Unwritable(Exception):
    """A `result` that can't be kept; the message is for the author."""


# ── Reading ────────────────────────────────────────────────────────────────────────────────────────────────────────


def read(kind, path):
    """`frame` and `records` become a DataFrame, `json` the value it was, `none` None."""
    if kind == "none":
        return None
    if kind == "json":
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    import pyarrow

    with pyarrow.OSFile(path) as file:
        return to_frame(pyarrow.ipc.open_stream(file).read_all())


def to_frame(table):
    """Integers and booleans with nulls stay what they are, instead of becoming floats and objects."""
    import pandas
    import pyarrow

    nullable = {
        pyarrow.int8(): pandas.Int8Dtype(), pyarrow.int16(): pandas.Int16Dtype(), pyarrow.int32(): pandas.Int32Dtype(), pyarrow.int64(): pandas.Int64Dtype(),
        pyarrow.uint8(): pandas.UInt8Dtype(), pyarrow.uint16(): pandas.UInt16Dtype(), pyarrow.uint32(): pandas.UInt32Dtype(), pyarrow.uint64(): pandas.UInt64Dtype(),
        pyarrow.bool_(): pandas.BooleanDtype(),
    }
    # Whatever index a frame was written with is a column by now.
    table = table.replace_schema_metadata(None)
    frame = table.to_pandas()
    for at, field in enumerate(table.schema):
        if field.type in nullable and table.column(at).null_count > 0:
            frame.isetitem(at, table.column(at).to_pandas(types_mapper=nullable.get))
    return frame


# ── Writing ────────────────────────────────────────────────────────────────────────────────────────────────────────


def write(result, descriptor):
    """Writes `result` and answers {kind, rows, columns, bytes}."""
    if result is None:
        return {"kind": "none", "rows": None, "columns": None, "bytes": 0}
    kind, table = _to_table(result)
    if table is None:
        data = to_json(result).encode()
        with os.fdopen(os.dup(descriptor), "wb") as file:
            file.write(data)
        return {"kind": "json", "rows": None, "columns": None, "bytes": len(data)}
    import pyarrow

    with os.fdopen(os.dup(descriptor), "wb") as file:
        with pyarrow.ipc.new_stream(file, table.schema) as stream:
            stream.write_table(table, max_chunksize=65_536)
        size = file.tell()
    told = [table.schema.field(at) for at in range(min(len(table.schema), COLUMNS_TOLD_MAX))]
    columns = [{"name": field.name[:NAME_CHARACTERS_MAX], "type": str(field.type)[:TYPE_CHARACTERS_MAX]} for field in told]
    return {"kind": kind, "rows": table.num_rows, "columns": columns, "bytes": size}


def _to_table(result):
    """(kind, table), or (None, None) for what is written as JSON."""
    try:
        import pandas
        import pyarrow
    except ImportError:
        return None, None
    if isinstance(result, pyarrow.Table):
        return "frame", result
    if isinstance(result, pandas.Series):
        result = result.to_frame(result.name if result.name is not None else "value")
    if isinstance(result, pandas.DataFrame):
        return "frame", _from_frame(result)
    if isinstance(result, list) and result and all(isinstance(one, dict) and all(isinstance(key, str) for key in one) for one in result):
        return _from_records(result)
    return None, None


def _from_records(records):
    import pyarrow

    names = dict.fromkeys(name for record in records for name in record)
    try:
        return "records", pyarrow.table({name: pyarrow.array([_plain(record.get(name)) for record in records]) for name in names})
    except (pyarrow.ArrowException, TypeError, ValueError, OverflowError):
        # Of mixed types: JSON can say it, columns can't.
        return None, None


def _plain(value):
    return value.item() if type(value).__module__ == "numpy" and hasattr(value, "item") and getattr(value, "ndim", 1) == 0 else value


def _from_frame(frame):
    """A named index becomes columns in front; an index without a name only numbers rows, and is left out."""
    import pyarrow

    named = [name for name in frame.index.names if name is not None]
    if named:
        frame = frame.reset_index(level=named, allow_duplicates=True)
    names, columns, taken = [], [], set()
    for at in range(frame.shape[1]):
        label = frame.columns[at]
        name = original = "_".join(str(part) for part in label if part != "") if isinstance(label, tuple) else str(label)
        number = 2
        while name in taken:
            name, number = f"{original}_{number}", number + 1
        taken.add(name)
        try:
            column = pyarrow.Array.from_pandas(frame.iloc[:, at])
        except (pyarrow.ArrowException, TypeError, ValueError, OverflowError) as error:
            raise Unwritable(f"The column {name!r} of `result` can't be stored: {error}. Give all its values one type.") from error
        names.append(name)
        columns.append(column)
    if not columns:
        return pyarrow.table({})
    return pyarrow.Table.from_arrays(columns, names=names)


# ── JSON ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def to_json(value, depth=0):
    """Integers and decimals with all their digits; NaN and infinities, times and bytes (base64) as strings."""
    if depth > DEPTH_MAX:
        raise Unwritable(f"`result` is nested deeper than {DEPTH_MAX} levels, or contains itself.")
    if value is None or value is True or value is False:
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        return json.dumps(value)
    if isinstance(value, int):
        return int.__repr__(value)
    if isinstance(value, float):
        return float.__repr__(float(value)) if math.isfinite(value) else json.dumps(_unbounded(value))
    if isinstance(value, decimal.Decimal):
        return format(value, "f") if value.is_finite() else json.dumps(_unbounded(float(value)))
    if isinstance(value, dict):
        return "{" + ",".join(f"{json.dumps(_key(key))}:{to_json(one, depth + 1)}" for key, one in value.items()) + "}"
    if isinstance(value, (list, tuple, set, frozenset)):
        return "[" + ",".join(to_json(one, depth + 1) for one in value) + "]"
    if isinstance(value, (bytes, bytearray, memoryview)):
        import base64

        return json.dumps(base64.b64encode(value).decode())
    if isinstance(value, (datetime.datetime, datetime.date, datetime.time)):
        return "null" if value != value else json.dumps(value.isoformat())
    return _foreign_json(value, depth)


def _foreign_json(value, depth):
    """numpy's and pandas' values by what they hold."""
    module = type(value).__module__.partition(".")[0]
    if module in ("numpy", "pandas"):
        if type(value).__name__ in ("NAType", "NaTType"):
            return "null"
        if type(value).__name__ in ("DataFrame",):
            return to_json(value.to_dict("records"), depth + 1)
        if type(value).__name__ == "datetime64":
            return json.dumps(str(value))
        for turn in ("tolist", "isoformat", "item"):
            if hasattr(value, turn):
                return to_json(getattr(value, turn)(), depth + 1)
    import uuid

    if isinstance(value, (uuid.UUID, datetime.timedelta)):
        return json.dumps(str(value))
    raise Unwritable(f"`result` holds a {type(value).__module__}.{type(value).__qualname__}, which can't be stored. It may be a DataFrame, a Series, records, or what JSON can say.")


def _key(key):
    if isinstance(key, str):
        return key
    if isinstance(key, bool) or key is None:
        return to_json(key)
    return str(key)


def _unbounded(value):
    return "NaN" if value != value else "Infinity" if value > 0 else "-Infinity"
