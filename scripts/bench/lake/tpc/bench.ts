// The queries of TPC-H, of TPC-DS and of ClickBench through `/v1/query`, beside bare DuckDB on the same Parquet files.

import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import {
  alternate,
  besideAim,
  fixed,
  machineLoad,
  median,
  printTable,
  ratio,
  say,
  timed,
} from "../../support/measure.ts";
import { reportShuffled, SECONDS_DEFAULT } from "../../concurrency/shuffled-connections.ts";
import { printPhases, type PhaseTimes } from "../../support/phases.ts";
import { startPlatform, withoutProxy, type Platform } from "../../support/platform.ts";
import { askProduct, type Answered } from "../ask.ts";
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
const SUM_AIM = 1.1;

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
    const results = await compare(equal, bare, platform);
    report(`${suite.name}, scale ${scale}`, suite.aim, results);
    await then(platform, queries);
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

async function compare(equal: Queries, bare: BareDuckdb, platform: Platform): Promise<Map<string, Times>> {
  const results = new Map<string, Times>();
  const phases = new Map<string, PhaseTimes[]>();
  await warmUp(equal, platform);
  const runtime = await withoutProxy(platform);
  for (const [name, sql] of Object.entries(equal)) {
    const rounds: Answered[] = [];
    const contenders = {
      bare: () => timed(() => bare.run(sql)),
      product: () => timed(async () => rounds.push(await askProduct(platform, sql))),
      runtime: () => timed(() => askProduct(runtime, sql)),
    };
    const { bare: theirs, ...ms } = await alternate(ROUNDS, contenders);
    results.set(name, { theirs, ...ms, engine: rounds.map(({ engineMs }) => engineMs) });
    phases.set(
      name,
      rounds.map((each) => each.phases),
    );
  }
  printPhases("Where the product's time went: ms, medians; phases that go on side by side count twice", phases);
  return results;
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

/** Milliseconds of each round: of bare DuckDB, and of the product by each {@link SIDES}. */
type Times = { theirs: number[] } & Record<keyof typeof SIDES, number[]>;

const SIDES = {
  product: "As the caller sees it",
  runtime: "Without wrangler's proxy before the Worker",
  engine: "By the engine's clock, without the local servers between caller, Worker and engine",
};

function report(title: string, meanAim: number, results: ReadonlyMap<string, Times>): void {
  printTable(
    `${title}, warm: ms, ${availableParallelism()} threads each, medians of ${ROUNDS} alternating rounds`,
    ["", "bare DuckDB", "the product", "added", "ratio"],
    [...results].map(([name, { theirs, product }]) => [
      name,
      fixed(median(theirs)),
      fixed(median(product)),
      fixed(median(product) - median(theirs)),
      fixed(ratio(product, theirs), 2),
    ]),
  );
  for (const [side, words] of Object.entries(SIDES) as [keyof typeof SIDES, string][]) {
    const { mean, sum } = summary(results, side);
    say(`${words}: geometric mean of the ratios ${besideAim(mean, meanAim)}, of the sums ${besideAim(sum, SUM_AIM)}.`);
  }
  say(`Load of the machine ${machineLoad()}.`);
}

/** The geometric mean of the queries' ratios to bare DuckDB, and the ratio of the sums of their medians. */
function summary(results: ReadonlyMap<string, Times>, side: keyof typeof SIDES): { mean: number; sum: number } {
  const all = [...results.values()];
  const logs = all.map((times) => Math.log(ratio(times[side], times.theirs)));
  const sumOf = (name: keyof Times): number => all.reduce((sum, times) => sum + median(times[name]), 0);
  return { mean: Math.exp(logs.reduce((sum, log) => sum + log, 0) / logs.length), sum: sumOf(side) / sumOf("theirs") };
}
