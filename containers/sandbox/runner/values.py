"""Frames and values between datasets: Arrow streams with exact types, JSON with all its digits."""

import datetime
import decimal
import json
import math
import os

DEPTH_MAX = 200
# The report's part of a result is kept in one row, whatever the columns are called; the stored stream has it all.
COLUMNS_REPORTED_MAX = 1_000
NAME_CHARACTERS_MAX = 200
TYPE_CHARACTERS_MAX = 400


class Unwritable(Exception):
    """A `result` that can't be kept; the message is for the author."""


# ── Reading ────────────────────────────────────────────────────────────────────────────────────────────────────────


def read(kind, paths):
    """
    `frame`, records, a query's `answer` and the files of either's table become a DataFrame, other `json` the value it
    was, `none` None.
    """
    if kind == "none":
        return None
    if kind in ("table", "answer_table"):
        return _read_table(paths, kind == "answer_table")
    (path,) = paths
    if kind == "json":
        with open(path, encoding="utf-8") as file:
            return _read_json(json.load(file))
    import pyarrow

    _know_pandas_types()

    with pyarrow.OSFile(path) as file:
        table = pyarrow.ipc.open_stream(file).read_all()
        return to_frame(_with_floats(table) if kind == "answer" else table)


def _read_table(paths, is_answer):
    """No file means no row, and nothing is known of the columns."""
    import pandas
    import pyarrow
    import pyarrow.parquet

    if not paths:
        return pandas.DataFrame()
    table = pyarrow.concat_tables([pyarrow.parquet.read_table(path) for path in paths])
    return to_frame(_with_floats(table) if is_answer else table)


def _with_floats(table):
    """
    SQL's decimals with a fraction as pandas' own readers of databases give them: arithmetic with floats works, and is
    fast.
    """
    import pyarrow

    for at, field in enumerate(table.schema):
        if pyarrow.types.is_decimal(field.type) and field.type.scale > 0:
            table = table.set_column(at, field.name, table.column(at).cast(pyarrow.float64()))
    return table


def _read_json(value):
    """Records that were of mixed types, or none at all, are a DataFrame to who reads them, as all others are."""
    if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
        return value
    try:
        import pandas
    except ImportError:
        return value
    return pandas.DataFrame(value)


def _know_pandas_types():
    """pandas tells Arrow of its periods and intervals when it first writes one; here they are only read."""
    try:
        import pandas.core.arrays.arrow.extension_types  # noqa: F401
    except ImportError:
        pass


def to_frame(table):
    """Integers and booleans with nulls stay what they are, instead of becoming floats and objects."""
    import pandas
    import pyarrow

    nullable = {
        pyarrow.int8(): pandas.Int8Dtype(),
        pyarrow.int16(): pandas.Int16Dtype(),
        pyarrow.int32(): pandas.Int32Dtype(),
        pyarrow.int64(): pandas.Int64Dtype(),
        pyarrow.uint8(): pandas.UInt8Dtype(),
        pyarrow.uint16(): pandas.UInt16Dtype(),
        pyarrow.uint32(): pandas.UInt32Dtype(),
        pyarrow.uint64(): pandas.UInt64Dtype(),
        pyarrow.bool_(): pandas.BooleanDtype(),
    }
    # Any index that a frame was written with is a column by now.
    table = table.replace_schema_metadata(None)
    for at, field in enumerate(table.schema):
        # SQL's integers of 128 bits come as this type, as does the sum of any integers; few need more than 64 bits.
        if field.type == pyarrow.decimal128(38, 0):
            try:
                table = table.set_column(at, field.name, table.column(at).cast(pyarrow.int64()))
            except pyarrow.ArrowInvalid:
                pass
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
    fields = [table.schema.field(at) for at in range(min(len(table.schema), COLUMNS_REPORTED_MAX))]
    columns = [
        {"name": field.name[:NAME_CHARACTERS_MAX], "type": str(field.type)[:TYPE_CHARACTERS_MAX]} for field in fields
    ]
    return {"kind": kind, "rows": table.num_rows, "columns": columns, "bytes": size}


def write_table(result, descriptor):
    """Writes the rows of `result` as a Parquet file, and answers as `write` does."""
    _, table = (None, None) if result is None else _to_table(result)
    if table is None or table.num_columns == 0:
        raise Unwritable("`result` is to become rows of a table: make it a DataFrame, an Arrow table or records.")
    import pyarrow
    import pyarrow.parquet

    try:
        with os.fdopen(os.dup(descriptor), "wb") as file:
            pyarrow.parquet.write_table(table, file, compression="zstd")
            size = file.tell()
    except (pyarrow.ArrowException, NotImplementedError) as error:
        raise Unwritable(f"`result` can't become rows of a table: {error}") from error
    return {"kind": "table", "rows": table.num_rows, "columns": None, "bytes": size}


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
    if isinstance(result, list) and result and all(_is_record(one) for one in result):
        return _from_records(result)
    return None, None


def _is_record(value):
    return isinstance(value, dict) and all(isinstance(key, str) for key in value)


def _from_records(records):
    import pyarrow

    names = dict.fromkeys(name for record in records for name in record)
    try:
        columns = {name: pyarrow.array([_plain(record.get(name)) for record in records]) for name in names}
        return "records", pyarrow.table(columns)
    except (pyarrow.ArrowException, TypeError, ValueError, OverflowError):
        # Values of mixed types can be written as JSON, but not as columns.
        return None, None


def _plain(value):
    is_scalar = type(value).__module__ == "numpy" and hasattr(value, "item") and getattr(value, "ndim", 1) == 0
    return value.item() if is_scalar else value


def _from_frame(frame):
    """An index becomes columns in front, except one without a name that only numbers rows: that is left out."""
    import pandas
    import pyarrow

    only_numbers = lambda level: pandas.api.types.is_integer_dtype(frame.index.get_level_values(level).dtype)
    kept = [level for level, name in enumerate(frame.index.names) if name is not None or not only_numbers(level)]
    if kept:
        frame = frame.reset_index(level=kept, allow_duplicates=True)
    labels = [_label(label) for label in frame.columns]
    names, columns, taken = [], [], set()
    for at, original in enumerate(labels):
        name, number = original, 2
        while name in taken or (name != original and name in labels):
            name, number = f"{original}_{number}", number + 1
        taken.add(name)
        try:
            column = pyarrow.Array.from_pandas(_plain_column(frame.iloc[:, at]))
        except (pyarrow.ArrowException, TypeError, ValueError, OverflowError) as error:
            message = f"The column {name!r} of `result` can't be stored: {error}. Give all its values one type."
            raise Unwritable(message) from error
        names.append(name)
        columns.append(column)
    if not columns:
        return pyarrow.table({})
    return pyarrow.Table.from_arrays(columns, names=names)


def _label(label):
    return "_".join(str(part) for part in label if part != "") if isinstance(label, tuple) else str(label)


def _plain_column(column):
    """
    What Arrow has no column for: sparse ones are written out, and the ranges that `pandas.cut` sorts into are named.
    """
    import pandas

    if isinstance(column.dtype, pandas.SparseDtype):
        return column.sparse.to_dense()
    if isinstance(column.dtype, pandas.CategoricalDtype):
        categories = column.cat.categories
        if isinstance(categories.dtype, (pandas.IntervalDtype, pandas.PeriodDtype)):
            return column.cat.rename_categories(categories.astype(str))
    return column


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
    raise Unwritable(
        f"`result` holds a {type(value).__module__}.{type(value).__qualname__}, which can't be stored. "
        "It may be a DataFrame, a Series, records, or what JSON can say."
    )


def _key(key):
    if isinstance(key, str):
        return key
    if isinstance(key, bool) or key is None:
        return to_json(key)
    return str(key)


def _unbounded(value):
    return "NaN" if value != value else "Infinity" if value > 0 else "-Infinity"
