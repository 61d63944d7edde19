// The 22 queries of TPC-H through `/v1/query`, beside bare DuckDB on the same Parquet files.

import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { alternate, fixed, machineLoad, median, printTable, ratio, say, timed } from "../../support/measure.ts";
import { printPhases, type PhaseTimes } from "../../support/phases.ts";
import { startPlatform, type Platform } from "../../support/platform.ts";
import { askProduct } from "../ask.ts";
import { openBareDuckdb, type BareDuckdb } from "../bare-duckdb.ts";
import { fetchLakeFiles, grantLake } from "../files.ts";
import { generateTables, loadTables } from "./data.ts";
import { QUERIES } from "./queries.ts";

const SCALES = [0.5, 1];
const ROUNDS = 3;
/** The engine brings in the rest of files that as many statements have read in part, while none fetches. */
const WARM_ROUNDS = 3;
const COMPLETED_MS = 5_000;
const AIM = { mean: 1.2, sum: 1.1 };

export async function benchTpch({ scale }: { scale?: number }): Promise<void> {
  for (const each of scale === undefined ? SCALES : [scale]) await benchScale(each);
}

async function benchScale(scale: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "fjord-bench-tpch-"));
  const stops: (() => Promise<unknown> | void)[] = [() => rm(folder, { recursive: true, force: true })];
  try {
    await generateTables(folder, scale);
    const platform = await startPlatform();
    stops.push(() => platform.stop());
    await loadTables(platform, folder);
    const { files } = await fetchLakeFiles(platform, await grantLake(platform), join(folder, "lake"));
    const bare = await openBareDuckdb(files);
    stops.push(() => bare.close());
    await compare(scale, bare, platform);
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

async function compare(scale: number, bare: BareDuckdb, platform: Platform): Promise<void> {
  const results = new Map<string, Record<"bare" | "product", number[]>>();
  const phases = new Map<string, PhaseTimes[]>();
  await warmUp(bare, platform);
  for (const [name, sql] of Object.entries(QUERIES)) {
    const rounds: PhaseTimes[] = [];
    const contenders = {
      bare: () => timed(() => bare.run(sql)),
      product: () => timed(async () => rounds.push((await askProduct(platform, sql)).phases)),
    };
    results.set(name, await alternate(ROUNDS, contenders));
    phases.set(name, rounds);
  }
  report(scale, results);
  printPhases("Where the product's time went: ms, medians; phases that go on side by side count twice", phases);
}

/** Until neither has anything left to bring in. */
async function warmUp(bare: BareDuckdb, platform: Platform): Promise<void> {
  for (let i = 0; i < WARM_ROUNDS; i++)
    for (const name of Object.keys(QUERIES)) await checkSameCount(name, bare, platform);
  await new Promise((resolve) => setTimeout(resolve, COMPLETED_MS));
}

/** Speed over other data would mean nothing. */
async function checkSameCount(name: string, bare: BareDuckdb, platform: Platform): Promise<void> {
  const [theirs, { rowCount }] = [await bare.run(QUERIES[name]!), await askProduct(platform, QUERIES[name]!)];
  if (theirs !== rowCount) throw new Error(`${name} answers ${rowCount} rows, and bare DuckDB ${theirs}.`);
}

function report(scale: number, results: ReadonlyMap<string, Record<"bare" | "product", number[]>>): void {
  const medians = [...results].map(([name, { bare, product }]) => ({
    name,
    theirs: median(bare),
    ours: median(product),
    ratio: ratio(product, bare),
  }));
  printTable(
    `TPC-H, scale ${scale}, warm: ms, ${availableParallelism()} threads each, medians of ${ROUNDS} alternating rounds`,
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
