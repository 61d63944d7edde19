// DuckDB's Node binding reads strings with a decoder that takes a leading U+FEFF for a byte order mark and drops it. A
// program that opens a DuckDB imports this first, so that every string it reads has all its characters.

import accessors from "@duckdb/node-api/lib/vectors/dataAccessors.js";

Object.assign(accessors, { textDecoder: new TextDecoder("utf-8", { ignoreBOM: true }) });
