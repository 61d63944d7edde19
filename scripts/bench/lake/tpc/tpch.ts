// TPC-H: 22 queries over eight tables.

import { join } from "node:path";
import { runProgram } from "../../support/program.ts";
import { fetchWheels } from "../../support/wheels.ts";
import { GENERATE_MS, type Suite } from "./suite.ts";
import { QUERIES } from "./tpch-queries.ts";

/** A generator in Rust, as a wheel that holds its program. */
const GENERATOR = "tpchgen-cli==4.0.0";

export const TPCH = {
  name: "TPC-H",
  schema: "tpch",
  aim: 1.1,
  tables: ["region", "nation", "supplier", "customer", "part", "partsupp", "orders", "lineitem"],

  async generate(folder, scale) {
    const tool = await fetchWheels(folder, [GENERATOR]);
    const options = ["--scale-factor", String(scale), "--output-dir", folder];
    await runProgram(join(tool, "bin", "tpchgen-cli"), ["parquet", ...options], {}, GENERATE_MS);
    return QUERIES;
  },
} as const satisfies Suite;
