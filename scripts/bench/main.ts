// `npm run bench [-- <name> …]`, or `npm run bench:sync` and so on: our figures beside the yardstick's, in one run, on
// this machine. `--rows <n>` makes the one of syncs smaller, `--scale <n>` sets TPC-H, TPC-DS and ClickBench,
// `--files <n>` those of catalogs, `--seconds <n>` how long many connections send statements. Not part of the tests.

import { parseArgs } from "node:util";
import { MissingProgram } from "./sync/clients.ts";
import { benchCatalog } from "./catalog.ts";
import { benchConcurrency } from "./concurrency.ts";
import { benchConsole } from "./console.ts";
import { benchEndpoints } from "./endpoints.ts";
import { benchFormats } from "./formats.ts";
import { benchHttp } from "./http.ts";
import { benchIceberg } from "./iceberg.ts";
import { benchJobs } from "./jobs.ts";
import { benchLake } from "./lake.ts";
import { benchSandbox } from "./sandbox.ts";
import { benchSources } from "./sources.ts";
import { benchStart } from "./start.ts";
import { benchSync } from "./sync.ts";
import { benchTrino } from "./trino.ts";
import { benchClickbench, benchTpcds, benchTpch } from "./lake/tpc/bench.ts";

type Options = { rows?: number; scale?: number; files?: number; seconds?: number };
const BENCHES: Record<string, (options: Options) => Promise<void>> = {
  catalog: benchCatalog,
  clickbench: benchClickbench,
  concurrency: benchConcurrency,
  console: benchConsole,
  endpoints: benchEndpoints,
  formats: benchFormats,
  http: benchHttp,
  iceberg: benchIceberg,
  jobs: benchJobs,
  lake: benchLake,
  sandbox: benchSandbox,
  sources: benchSources,
  start: benchStart,
  sync: benchSync,
  tpcds: benchTpcds,
  tpch: benchTpch,
  trino: benchTrino,
};

const { values, positionals: names } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: {
    rows: { type: "string" },
    scale: { type: "string" },
    files: { type: "string" },
    seconds: { type: "string" },
  },
});
const options: Options = {
  ...(values.rows !== undefined && { rows: Number(values.rows) }),
  ...(values.scale !== undefined && { scale: Number(values.scale) }),
  ...(values.files !== undefined && { files: Number(values.files) }),
  ...(values.seconds !== undefined && { seconds: Number(values.seconds) }),
};
const unknown = names.find((name) => !(name in BENCHES));
if (unknown !== undefined) {
  console.error(`There is no benchmark "${unknown}"; there are: ${Object.keys(BENCHES).join(", ")}.`);
  process.exit(1);
}
if (options.rows !== undefined && !(Number.isInteger(options.rows) && options.rows >= 10_000)) {
  console.error("--rows is a whole number from 10,000 on.");
  process.exit(1);
}
if (options.scale !== undefined && !(options.scale >= 0.01 && options.scale <= 2)) {
  console.error("--scale is a number from 0.01 to 2.");
  process.exit(1);
}
if (options.files !== undefined && !(Number.isInteger(options.files) && options.files >= 10_000)) {
  console.error("--files is a whole number from 10,000 on.");
  process.exit(1);
}
if (options.seconds !== undefined && !(Number.isInteger(options.seconds) && options.seconds >= 1)) {
  console.error("--seconds is a whole number from 1 on.");
  process.exit(1);
}
try {
  for (const name of names.length ? names : Object.keys(BENCHES)) await BENCHES[name]!(options);
} catch (error) {
  if (!(error instanceof MissingProgram)) throw error;
  console.error(error.message);
  process.exit(1);
}
process.exit();
