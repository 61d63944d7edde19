// What the first answer after a start takes: an engine's beside a bare Node that opens DuckDB on the same files, and a
// sandbox's beside a bare Python. Everything is a fresh process each time; the files and the code are in the machine's
// memory.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findPython } from "../../containers/sandbox/python/interpreter.ts";
import { prepareBase } from "../../containers/sandbox/python/packages.ts";
import { defaultCacheDirectory } from "../../containers/sandbox/settings.ts";
import { RunPlatformStandIn } from "../../test/support/node/sandbox/run-platform.ts";
import { startSandbox } from "../../test/support/node/sandbox/sandbox.ts";
import { askEngine, askProduct, killEngines, startOwnEngine, type Answered } from "./lake/ask.ts";
import { fetchLakeFiles, grantLake } from "./lake/files.ts";
import { alternate, fixed, machineLoad, median, percentile, printTable, ratio, say, timed } from "./support/measure.ts";
import { printPhases, type PhaseTimes } from "./support/phases.ts";
import { startPlatform } from "./support/platform.ts";
import { runProgram } from "./support/program.ts";

const ROUNDS = 7;
const AIM_MS = 1_500;
/** After which the platform knows of an engine's end, as of one that fell asleep. */
const ASLEEP_MS = 1_500;
const SQL = `SELECT status, channel, count(*) AS orders FROM LAKE.sample.orders GROUP BY ALL ORDER BY ALL`;
const CODE = "result = sum(range(1000))";

export async function benchStart(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "fjord-bench-start-"));
  const stops: (() => Promise<unknown> | void)[] = [() => rm(folder, { recursive: true, force: true })];
  try {
    const runs = await new RunPlatformStandIn().start();
    stops.push(() => runs.stop());
    const platform = await startPlatform();
    stops.push(() => platform.stop());
    const grant = await grantLake(platform);
    const { files } = await fetchLakeFiles(platform, grant, folder);
    const paths = files.filter(({ table }) => table === "orders").map(({ path }) => path);
    const python = await findPython(process.env);
    const packages = await prepareBase(python, defaultCacheDirectory());
    const phases = new Map<string, PhaseTimes[]>();
    const keep = async (name: string, asked: Promise<Answered>): Promise<void> => {
      phases.set(name, [...(phases.get(name) ?? []), (await asked).phases]);
    };
    const contenders = {
      duckdb: () => timed(() => runProgram(process.execPath, ["--input-type=module", "-e", bareDuckdb(paths)])),
      engine: async () => {
        const startedAt = performance.now();
        const engine = await startOwnEngine(platform);
        await keep("the engine", askEngine(engine, grant, SQL));
        const ms = performance.now() - startedAt;
        await engine.stop();
        return ms;
      },
      asleep: async () => {
        await killEngines(platform);
        await new Promise((resolve) => setTimeout(resolve, ASLEEP_MS));
        return timed(() => keep("asleep", askProduct(platform, SQL)));
      },
      killed: async () => {
        await killEngines(platform);
        return timed(() => keep("just killed", askProduct(platform, SQL)));
      },
      python: () => timed(() => runProgram(python.command, ["-I", "-c", barePython(packages)])),
      sandbox: async () => {
        const startedAt = performance.now();
        const sandbox = await startSandbox(runs);
        const { error } = await sandbox.python(CODE);
        const ms = performance.now() - startedAt;
        await sandbox.stop();
        if (error !== null) throw new Error(error);
        return ms;
      },
    };
    // What Node compiles is kept from a first start on.
    await alternate(1, contenders);
    phases.clear();
    report(await alternate(ROUNDS, contenders));
    printPhases("Where the first query's time went: ms, medians", phases);
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

function report(ms: Record<"duckdb" | "engine" | "asleep" | "killed" | "python" | "sandbox", number[]>): void {
  const row = (name: string, ours: number[], theirs: number[]) => [
    name,
    fixed(median(ours), 0),
    fixed(percentile(ours, 0.95), 0),
    fixed(ratio(ours, theirs)),
  ];
  printTable(
    `From the start to the first answer, ms, ${ROUNDS} alternating rounds`,
    ["", "median", "p95", "÷ bare"],
    [
      row("bare Node, DuckDB opened, the query", ms.duckdb, ms.duckdb),
      row("an engine, the same query of the lake", ms.engine, ms.duckdb),
      row("the product, its engine asleep", ms.asleep, ms.duckdb),
      row("the product, its engine just killed", ms.killed, ms.duckdb),
      row("bare Python that imports pandas", ms.python, ms.python),
      row("a sandbox, a Python dataset", ms.sandbox, ms.python),
    ],
  );
  const missed = median(ms.asleep) > AIM_MS;
  say(`Aim of the product's first query: ${AIM_MS} ms, ${missed ? "missed" : "reached"}. Load ${machineLoad()}.`);
}

const bareDuckdb = (paths: string[]): string => `
  import { DuckDBInstance } from "@duckdb/node-api";
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  await connection.run(\`ATTACH ':memory:' AS "LAKE"; CREATE SCHEMA LAKE.sample;
    CREATE VIEW LAKE.sample.orders AS FROM read_parquet(${JSON.stringify(paths).replaceAll('"', "'")})\`);
  const reader = await connection.runAndReadAll(${JSON.stringify(SQL)});
  console.log(JSON.stringify(reader.getRowObjectsJson()));`;

const barePython = (packages: string): string =>
  `import sys; sys.path.insert(0, ${JSON.stringify(packages)}); import pandas\n${CODE}\nprint(result)`;
