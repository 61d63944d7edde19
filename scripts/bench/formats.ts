// A million rows of TPC-H's lineitem in each format, from the engine and through the product, beside DuckDB's own Arrow
// tables and its COPY of the same Parquet files to nowhere.

import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { findPython } from "../../containers/sandbox/python/interpreter.ts";
import { prepareBase } from "../../containers/sandbox/python/packages.ts";
import { defaultCacheDirectory } from "../../containers/sandbox/core/settings.ts";
import { aStatement, startEngine } from "../../test/support/node/programs/engine.ts";
import { listFamily } from "../../test/support/node/programs/processes.ts";
import { openBareDuckdb } from "./lake/bare-duckdb.ts";
import { fetchLakeFiles, grantLake, type LakeFile } from "./lake/files.ts";
import { loadTables } from "./lake/tpc/suite.ts";
import { TPCH } from "./lake/tpc/tpch.ts";
import { drain, type Drained } from "./support/ask.ts";
import {
  alternate,
  cpuMs,
  fixed,
  machineLoad,
  median,
  memoryMb,
  printTable,
  ratio,
  say,
  timed,
} from "./support/measure.ts";
import { printPhases, type PhaseTimes } from "./support/phases.ts";
import { startPlatform, withoutProxy, type Platform } from "./support/platform.ts";
import { runProgram } from "./support/program.ts";

/** The scale at which lineitem has 1,000,252 rows. */
const SCALE = 0.1667;
const SQL = "SELECT * FROM LAKE.tpch.lineitem";
const ROUNDS = 5;
const STATEMENT_MS = 300_000;

const FORMATS = {
  arrow: { accept: "application/vnd.apache.arrow.stream", aim: 2.5, yardstick: "Python's Arrow table" },
  csv: { accept: "text/csv", aim: 1.5, yardstick: "COPY" },
  ndjson: { accept: "application/x-ndjson", aim: 2.2, yardstick: "COPY" },
} as const;
type Format = keyof typeof FORMATS;

/** `ms`: what an answer takes, to its last byte or row. `cpuMs`: what it takes of the engine's processes. */
type TimedAnswer = { ms: number; cpuMs?: number } & Partial<Drained>;
type Ask = (format: Format) => Promise<TimedAnswer>;

export async function benchFormats(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "fjord-bench-formats-"));
  const stops: (() => Promise<unknown> | void)[] = [() => rm(folder, { recursive: true, force: true })];
  try {
    await TPCH.generate(folder, SCALE);
    const platform = await startPlatform();
    stops.push(() => platform.stop());
    await loadTables(platform, folder, TPCH);
    const lake = await grantLake(platform);
    const { files } = await fetchLakeFiles(platform, lake, join(folder, "lake"));
    const duckdb = await openYardsticks(files.filter(({ schema }) => schema === "tpch"));
    stops.push(() => duckdb.close());
    const engine = await startEngine({ hostsAllowed: "loopback", platformUrl: platform.url });
    stops.push(() => engine.stop());
    const statement = (format: Format) =>
      aStatement({ sql: SQL, format, deadlineMs: STATEMENT_MS, leaseMs: STATEMENT_MS, target: { kind: "lake", lake } });
    const drained = (at: { url: string; key: string }, bodyOf: (format: Format) => unknown): Ask => {
      return async (format) => {
        let answer: Drained | undefined;
        const ask = () => drain({ ...at, accept: FORMATS[format].accept, body: bodyOf(format) });
        const ms = await timed(async () => (answer = await ask()));
        return { ms, ...answer };
      };
    };
    const ofProduct = () => ({ sql: SQL, invalidate: true });
    const queryAt = ({ url, key }: Pick<Platform, "url" | "key">) => ({ url: `${url}/v1/query`, key });
    await report({
      duckdb: duckdb.ask,
      engine: withCpu(engine.pid, drained({ url: `${engine.url}/statements`, key: engine.secret }, statement)),
      runtime: drained(queryAt(await withoutProxy(platform)), ofProduct),
      product: drained(queryAt(platform), ofProduct),
    });
    const peaks = await Promise.all((await listFamily(engine.pid)).map(({ pid }) => memoryMb(pid)));
    say(`Peak memory of the engine's processes: ${peaks.map((each) => fixed(each?.peak ?? 0, 0)).join(", ")} MB.`);
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

/** A busy machine makes an answer take longer, but hardly more CPU. */
const withCpu =
  (pid: number, ask: Ask): Ask =>
  async (format) => {
    const before = await familyCpuMs(pid);
    const answer = await ask(format);
    return { ...answer, cpuMs: (await familyCpuMs(pid)) - before };
  };

async function familyCpuMs(ancestor: number): Promise<number> {
  const used = await Promise.all((await listFamily(ancestor)).map(({ pid }) => cpuMs(pid)));
  return used.reduce<number>((sum, ms) => sum + (ms ?? 0), 0);
}

/** DuckDB's own writers, in this process; its Arrow tables in Python's, since its module for Node makes none. */
async function openYardsticks(files: LakeFile[]): Promise<{ ask: Ask; close(): void }> {
  const bare = await openBareDuckdb(files);
  const askPython = await preparePython(files.filter(({ table }) => table === "lineitem").map(({ path }) => path));
  const copy = (options: string) => timed(() => bare.run(`COPY (${SQL}) TO '/dev/null' (${options})`));
  return {
    ask: async (format) => ({
      ms: await (format === "arrow" ? askPython() : copy(format === "csv" ? "FORMAT csv, HEADER" : "FORMAT json")),
    }),
    close: () => bare.close(),
  };
}

/** Prints the milliseconds of the second of two runs. */
const PYTHON = `
import sys, time, duckdb
threads, *paths = sys.argv[1:]
connection = duckdb.connect(config={"threads": int(threads)})
for _ in range(2):
    started = time.perf_counter()
    table = connection.read_parquet(paths).to_arrow_table()
    ms = (time.perf_counter() - started) * 1000
print(ms)
`;

/** With the packages that datasets have. */
async function preparePython(paths: string[]): Promise<() => Promise<number>> {
  const python = await findPython(process.env);
  const packages = await prepareBase(python, defaultCacheDirectory());
  const args = ["-c", PYTHON, String(availableParallelism()), ...paths];
  return async () => Number(await runProgram(python.command, args, { PYTHONPATH: packages }));
}

async function report(ask: Record<"duckdb" | "engine" | "runtime" | "product", Ask>) {
  const rows: string[][] = [];
  const phases = new Map<string, PhaseTimes[]>();
  for (const [format, { aim, yardstick }] of Object.entries(FORMATS) as [Format, (typeof FORMATS)[Format]][]) {
    const contenders = {
      duckdb: () => ask.duckdb(format),
      engine: () => ask.engine(format),
      runtime: () => ask.runtime(format),
      product: () => ask.product(format),
    };
    await alternate(1, contenders);
    const answers = await alternate(ROUNDS, contenders);
    const msOf = (asked: TimedAnswer[]): number[] => asked.map(({ ms }) => ms);
    const [duckdb, ...ofFjord] = [answers.duckdb, answers.engine, answers.runtime, answers.product].map(msOf);
    for (const name of ["engine", "product"] as const)
      phases.set(
        `${format}, the ${name}`,
        answers[name].map((each) => each.phases!),
      );
    const ratios = ofFjord.map((ms) => ratio(ms, duckdb!));
    const ours = ratios.at(-1)!;
    rows.push([
      `${format}, beside ${yardstick}`,
      fixed(answers.product[0]!.bytes! / 1e6, 0),
      ...[duckdb!, ...ofFjord].map((ms) => fixed(median(ms), 0)),
      fixed(median(answers.engine.map((answer) => answer.cpuMs!)), 0),
      ...ratios.map((each) => fixed(each, 2)),
      `${aim}: ${ours <= aim ? "reached" : "missed"}`,
    ]);
  }
  printTable(
    `A million rows of lineitem: ms, ${availableParallelism()} threads each, medians of ${ROUNDS} alternating rounds`,
    [
      "",
      "MB",
      "DuckDB",
      "engine",
      "no proxy",
      "product",
      "engine's CPU",
      "engine ÷ DuckDB",
      "no proxy ÷",
      "product ÷",
      "aim",
    ],
    rows,
  );
  say(`Load of the machine ${machineLoad()}.`);
  printPhases("Of that, until the first byte: ms, medians", phases);
}
