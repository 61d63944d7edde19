// TPC-DS: 99 queries over 24 tables. DuckDB's own extension makes the tables, and has the queries.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runProgram } from "../../support/program.ts";
import { fetchWheels } from "../../support/wheels.ts";
import { GENERATE_MS, type Suite } from "./suite.ts";

const WHEELS = ["duckdb==1.5.5", "duckdb-extension-tpcds==1.5.5"];
const GENERATOR = fileURLToPath(new URL("make_tpcds.py", import.meta.url));

export const TPCDS = {
  name: "TPC-DS",
  // The queries name their tables without a schema.
  schema: "main",
  aim: 1.2,
  tables: [
    ...["call_center", "catalog_page", "catalog_returns", "catalog_sales", "customer", "customer_address"],
    ...["customer_demographics", "date_dim", "household_demographics", "income_band", "inventory", "item"],
    ...["promotion", "reason", "ship_mode", "store", "store_returns", "store_sales", "time_dim", "warehouse"],
    ...["web_page", "web_returns", "web_sales", "web_site"],
  ],

  async generate(folder, scale) {
    const tool = await fetchWheels(folder, WHEELS);
    await runProgram("python3", [GENERATOR, folder, String(scale)], { PYTHONPATH: tool }, GENERATE_MS);
    return JSON.parse(await readFile(join(folder, "queries.json"), "utf8")) as Record<string, string>;
  },
} as const satisfies Suite;
