"""TPC-DS is made by DuckDB's extension: a Parquet file of each table, and the queries as one JSON document."""

import json
import sys
from pathlib import Path

import duckdb
import duckdb_extension_tpcds

folder, scale = Path(sys.argv[1]), float(sys.argv[2])
(extension,) = Path(duckdb_extension_tpcds.__file__).parent.rglob("tpcds.duckdb_extension")
database = duckdb.connect(str(folder / "tpcds.duckdb"), config={"allow_unsigned_extensions": "true"})
database.execute(f"LOAD '{extension}'")
database.execute(f"CALL dsdgen(sf = {scale})")
for (table,) in database.execute("SELECT table_name FROM duckdb_tables()").fetchall():
    database.execute(f"COPY {table} TO '{folder / table}.parquet'")
queries = database.execute("SELECT query_nr, query FROM tpcds_queries() ORDER BY query_nr").fetchall()
(folder / "queries.json").write_text(json.dumps({f"Q{number}": text for number, text in queries}))
