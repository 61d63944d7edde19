"""Arrow tables as rows and DataFrames, and whatever holds columns as a Parquet file."""

from __future__ import annotations

from typing import IO, Any, Dict, List

import pyarrow as pa
import pyarrow.parquet

ROW_GROUP_ROWS = 122_880
"""As many as DuckDB's own files have."""


def to_rows(table: Any) -> List[Dict[str, Any]]:
    """Python's own values: Decimal, datetime (in UTC where the column has a zone), date, bytes, list and dict."""
    return [row for batch in table.to_batches() for row in batch_rows(batch)]


def batch_rows(batch: Any) -> List[Dict[str, Any]]:
    return list(batch.to_pylist())


def to_pandas(table: Any) -> Any:
    """Integers and truth values with nulls keep their types, instead of becoming floats and objects."""
    import pandas

    nullable = {
        pa.int8(): pandas.Int8Dtype(),
        pa.int16(): pandas.Int16Dtype(),
        pa.int32(): pandas.Int32Dtype(),
        pa.int64(): pandas.Int64Dtype(),
        pa.uint8(): pandas.UInt8Dtype(),
        pa.uint16(): pandas.UInt16Dtype(),
        pa.uint32(): pandas.UInt32Dtype(),
        pa.uint64(): pandas.UInt64Dtype(),
        pa.bool_(): pandas.BooleanDtype(),
    }
    table = table.replace_schema_metadata(None)
    frame = table.to_pandas()
    for at, field in enumerate(table.schema):
        if field.type in nullable and table.column(at).null_count > 0:
            frame.isetitem(at, table.column(at).to_pandas(types_mapper=nullable.get))
    return frame


def to_table(data: Any) -> Any:
    """
    An Arrow table, batch or reader, a pandas DataFrame, or what speaks Arrow's C interface, as polars and DuckDB do. An
    index of pandas is a column where it has a name. Raises TypeError for anything else.
    """
    if isinstance(data, pa.Table):
        return data
    if isinstance(data, pa.RecordBatch):
        return pa.Table.from_batches([data])
    if isinstance(data, pa.RecordBatchReader):
        return data.read_all()
    if type(data).__module__.split(".")[0] == "pandas" and hasattr(data, "columns"):
        has_name = all(name is not None for name in data.index.names)
        return pa.Table.from_pandas(data, preserve_index=has_name).replace_schema_metadata(None)
    if hasattr(data, "__arrow_c_stream__"):
        return pa.table(data)
    raise TypeError(f"{type(data).__name__} is no table: send an Arrow table or a DataFrame.")


def write_parquet(table: Any, file: IO[bytes]) -> None:
    """Raises ValueError where a time has digits beyond microseconds, which the lake would not keep."""
    pyarrow.parquet.write_table(table, file, compression="zstd", coerce_timestamps="us", row_group_size=ROW_GROUP_ROWS)
