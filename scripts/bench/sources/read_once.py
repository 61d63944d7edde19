"""One tool reads one table of PostgreSQL into a Parquet file, and says what that took: `read_once.py <order as JSON>`."""

import atexit
import json
import os
import resource
import shutil
import sys
import tempfile
import time
from pathlib import Path

order = json.loads(sys.argv[1])
address, file = order["address"], order["file"]
query = f'SELECT * FROM "{order["schema"]}"."{order["table"]}"'


def by_duckdb():
    import duckdb
    import duckdb_extension_postgres_scanner as extension

    (path,) = Path(extension.__file__).parent.rglob("*.duckdb_extension")
    database = duckdb.connect(config={"allow_unsigned_extensions": "true"})
    database.execute(f"LOAD '{path}'")
    database.execute(f"ATTACH '{address}' AS source (TYPE postgres, READ_ONLY)")
    table = f'source."{order["schema"]}"."{order["table"]}"'
    return lambda: database.execute(f"COPY (FROM {table}) TO '{file}'").fetchone()[0]


def by_connectorx():
    import connectorx
    from pyarrow import parquet

    def read():
        rows = connectorx.read_sql(address, query, return_type="arrow")
        parquet.write_table(rows, file)
        return rows.num_rows

    return read


def by_adbc():
    from adbc_driver_postgresql import dbapi
    from pyarrow import parquet

    connection = dbapi.connect(address)

    def read():
        with connection.cursor() as cursor:
            cursor.execute(query)
            reader = cursor.fetch_record_batch()
            count = 0
            with parquet.ParquetWriter(file, reader.schema) as writer:
                for batch in reader:
                    writer.write_batch(batch)
                    count += batch.num_rows
        return count

    return read


def by_dlt():
    # It keeps its state there, which is gone with this process, and reports to nobody.
    folder = Path(tempfile.mkdtemp(prefix="dlt-", dir=Path(file).parent))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    os.environ.update(DLT_DATA_DIR=str(folder), DLT_PROJECT_DIR=str(folder), RUNTIME__DLTHUB_TELEMETRY="false")
    os.chdir(folder)
    import dlt
    from dlt.sources.sql_database import sql_table

    rows = sql_table(
        address.replace("postgresql:", "postgresql+psycopg2:"),
        schema=order["schema"],
        table=order["table"],
        backend="connectorx",
        reflection_level="full_with_precision",
        backend_kwargs={"conn": address, "return_type": "arrow_stream"},
        chunk_size=100_000,
    )
    destination = dlt.destinations.filesystem((folder / "lake").as_uri())
    pipeline = dlt.pipeline("bench", destination=destination, dataset_name="bench", pipelines_dir=str(folder))

    def read():
        pipeline.run(rows, loader_file_format="parquet")
        return pipeline.last_trace.last_normalize_info.row_counts[order["table"]]

    return read


def cpu_seconds():
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


# What a process loads once is no part of the rate.
read = {"duckdb": by_duckdb, "connectorx": by_connectorx, "adbc": by_adbc, "dlt": by_dlt}[order["tool"]]()
cpu, started = cpu_seconds(), time.perf_counter()
rows = read()
took, cpu = time.perf_counter() - started, cpu_seconds() - cpu
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps({"rows": rows, "ms": took * 1000, "cpuMs": cpu * 1000, "peakMb": peak}))
