// TPC-H's queries in Trino's SQL, which writes an interval's number in quotes.

import { QUERIES } from "../../../../../scripts/bench/lake/tpc/tpch-queries.ts";

export const TPCH: readonly string[] = Object.values(QUERIES).map((sql) =>
  sql.replaceAll(/INTERVAL (\d+)/g, "INTERVAL '$1'"),
);
