// The queries of TPC-H, of TPC-DS and of ClickBench through `/v1/query`, beside bare DuckDB on the same Parquet files.

import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { alternate, fixed, machineLoad, median, printTable, ratio, say, timed } from "../../support/measure.ts";
import { reportShuffled, SECONDS_DEFAULT } from "../../concurrency/shuffled-connections.ts";
import { printPhases, type PhaseTimes } from "../../support/phases.ts";
import { startPlatform, type Platform } from "../../support/platform.ts";
import { askProduct } from "../ask.ts";
import { CLICKBENCH } from "../clickbench/hits.ts";
import { openBareDuckdb, type BareDuckdb } from "../bare-duckdb.ts";
import { fetchLakeFiles, grantLake } from "../files.ts";
import { areEqual } from "./equal-rows.ts";
import { loadTables, type Suite } from "./suite.ts";
import { TPCDS } from "./tpcds.ts";
import { TPCH } from "./tpch.ts";

const SCALES = [0.5, 1];
const ROUNDS = 3;
/** The engine brings in the rest of files that as many statements have read in part, while none fetches. */
const WARM_ROUNDS = 3;
const COMPLETED_MS = 5_000;
const AIM = { mean: 1.2, sum: 1.1 };

export async function benchTpch({ scale }: { scale?: number }): Promise<void> {
  for (const each of scale === undefined ? SCALES : [scale]) await benchSuite(TPCH, each);
}

export const benchTpcds = ({ scale = 1 }: { scale?: number }): Promise<void> => benchSuite(TPCDS, scale);

/** `seconds`: how long ten connections send the queries after that. */
export const benchClickbench = ({ scale = 1, seconds = SECONDS_DEFAULT }: { scale?: number; seconds?: number }) =>
  benchSuite(CLICKBENCH, scale, (platform, queries) => reportShuffled(platform, queries, seconds));

type Queries = Readonly<Record<string, string>>;

/** `then`: what follows on the same platform. */
async function benchSuite(
  suite: Suite,
  scale: number,
  then: (platform: Platform, queries: Queries) => Promise<void> = async () => {},
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), `fjord-bench-${suite.schema}-`));
  const stops: (() => Promise<unknown> | void)[] = [() => rm(folder, { recursive: true, force: true })];
  try {
    const queries = await suite.generate(folder, scale);
    const platform = await startPlatform();
    stops.push(() => platform.stop());
    await loadTables(platform, folder, suite);
    const { files } = await fetchLakeFiles(platform, await grantLake(platform), join(folder, "lake"));
    const bare = await openBareDuckdb(files);
    stops.push(() => bare.close());
    const equal = await selectEqual({ queries, tied: suite.tied }, bare, platform);
    await compare(`${suite.name}, scale ${scale}`, equal, bare, platform);
    await then(platform, queries);
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

async function compare(title: string, equal: Queries, bare: BareDuckdb, platform: Platform): Promise<void> {
  const results = new Map<string, Record<"bare" | "product", number[]>>();
  const phases = new Map<string, PhaseTimes[]>();
  await warmUp(equal, platform);
  for (const [name, sql] of Object.entries(equal)) {
    const rounds: PhaseTimes[] = [];
    const contenders = {
      bare: () => timed(() => bare.run(sql)),
      product: () => timed(async () => rounds.push((await askProduct(platform, sql)).phases)),
    };
    results.set(name, await alternate(ROUNDS, contenders));
    phases.set(name, rounds);
  }
  report(title, results);
  printPhases("Where the product's time went: ms, medians; phases that go on side by side count twice", phases);
}

/** Speed over other rows would mean nothing: the queries that answer the same in both, and says which do not. */
async function selectEqual(
  { queries, tied }: { queries: Queries; tied: Suite["tied"] },
  bare: BareDuckdb,
  platform: Platform,
): Promise<Queries> {
  const equal: Record<string, string> = {};
  for (const [name, sql] of Object.entries(queries)) {
    const rows = await askProduct(platform, sql).then(
      (answer) => answer.rows,
      (error: Error) => say(`${name} was not answered: ${error.message}`),
    );
    if (!rows) continue;
    const theirs = await bare.rows(sql);
    if (tied?.has(name) ? rows.length === theirs.length : areEqual(rows, theirs)) equal[name] = sql;
    else say(`${name} answers other rows than bare DuckDB.`);
  }
  const [same, all] = [equal, queries].map((each) => Object.keys(each).length);
  say(`${same} of ${all} queries answer the same rows as bare DuckDB.`);
  return equal;
}

/** Until there is nothing left to bring in: the first round was that of the rows. */
async function warmUp(queries: Queries, platform: Platform): Promise<void> {
  for (let round = 1; round < WARM_ROUNDS; round++)
    for (const sql of Object.values(queries)) await askProduct(platform, sql);
  await new Promise((resolve) => setTimeout(resolve, COMPLETED_MS));
}

function report(title: string, results: ReadonlyMap<string, Record<"bare" | "product", number[]>>): void {
  const medians = [...results].map(([name, { bare, product }]) => ({
    name,
    theirs: median(bare),
    ours: median(product),
    ratio: ratio(product, bare),
  }));
  printTable(
    `${title}, warm: ms, ${availableParallelism()} threads each, medians of ${ROUNDS} alternating rounds`,
    ["", "bare DuckDB", "the product", "added", "ratio"],
    medians.map(({ name, theirs, ours, ratio }) => [
      name,
      fixed(theirs),
      fixed(ours),
      fixed(ours - theirs),
      fixed(ratio, 2),
    ]),
  );
  const mean = Math.exp(medians.reduce((sum, { ratio }) => sum + Math.log(ratio), 0) / medians.length);
  const sumOf = (side: "ours" | "theirs"): number => medians.reduce((sum, each) => sum + each[side], 0);
  const sum = sumOf("ours") / sumOf("theirs");
  say(
    `Geometric mean of the ratios ${fixed(mean, 2)} (aim ${AIM.mean}: ${mean <= AIM.mean ? "reached" : "missed"}), ` +
      `ratio of the sums ${fixed(sum, 2)} (aim ${AIM.sum}: ${sum <= AIM.sum ? "reached" : "missed"}). Load of the ` +
      `machine ${machineLoad()}.`,
  );
}
