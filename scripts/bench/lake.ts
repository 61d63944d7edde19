// This benchmark measures a lake query's time over bare DuckDB on the same Parquet files, warm and cold, at the engine
// and through the product.

import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import type { LakeGrant } from "../../kernel/wire/engine.ts";
import type { Engine } from "../../test/support/node/programs/engine.ts";
import { askEngine, askProduct, killEngines, startOwnEngine } from "./lake/ask.ts";
import { openBareDuckdb, type BareDuckdb } from "./lake/bare-duckdb.ts";
import { reportColumns } from "./lake/columns.ts";
import { fetchLakeFiles, grantLake, type LakeFile } from "./lake/files.ts";
import { alternate, fixed, machineLoad, median, printTable, say, timed } from "./support/measure.ts";
import { printPhases, type PhaseTimes } from "./support/phases.ts";
import { startPlatform, type Platform } from "./support/platform.ts";

const WARM_ROUNDS = 15;
const COLD_ROUNDS = 3;
const AIM = { factor: 1.15, ms: 10 };

const QUERIES: Record<string, string> = {
  count: "SELECT count(*) AS n FROM LAKE.sample.order_items",
  "group by": `SELECT status, channel, count(*) AS orders, avg(shipping_fee) AS fee FROM LAKE.sample.orders
    GROUP BY ALL ORDER BY ALL`,
  "join of three": `SELECT p.category, sum(i.quantity * i.unit_price - i.discount) AS revenue
    FROM LAKE.sample.order_items AS i
    JOIN LAKE.sample.products AS p USING (product_id) JOIN LAKE.sample.orders AS o USING (order_id)
    WHERE o.status = 'delivered' GROUP BY ALL ORDER BY revenue DESC`,
  "distinct by month": `SELECT date_trunc('month', ordered_at) AS month, count(DISTINCT customer_id) AS customers
    FROM LAKE.sample.orders GROUP BY ALL ORDER BY month`,
  "top ten": "SELECT * FROM LAKE.sample.order_items ORDER BY quantity * unit_price DESC, order_id, line LIMIT 10",
  point: "SELECT * FROM LAKE.sample.order_items WHERE order_id = 123456 ORDER BY line",
};

export async function benchLake(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "fjord-bench-lake-"));
  const stops: (() => Promise<unknown> | void)[] = [() => rm(folder, { recursive: true, force: true })];
  try {
    const platform = await startPlatform();
    stops.push(() => platform.stop());
    const grant = await grantLake(platform);
    const { files, ms: downloadMs } = await fetchLakeFiles(platform, grant, folder);
    const bare = await openBareDuckdb(files);
    stops.push(() => bare.close());
    const engine = await startOwnEngine(platform);
    stops.push(() => engine.stop());
    await checkSameRows(bare, platform);
    await reportWarm(bare, engine, grant, platform);
    await reportCold(files, downloadMs, grant, platform);
    await reportColumns();
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

async function reportWarm(bare: BareDuckdb, engine: Engine, grant: LakeGrant, platform: Platform): Promise<void> {
  const rows: string[][] = [];
  const phases = new Map<string, PhaseTimes[]>();
  let missed = 0;
  for (const [name, sql] of Object.entries(QUERIES)) {
    const rounds: PhaseTimes[] = [];
    const contenders = {
      bare: () => timed(() => bare.run(sql)),
      engine: () => timed(() => askEngine(engine, grant, sql)),
      product: () => timed(async () => rounds.push((await askProduct(platform, sql)).phases)),
    };
    await alternate(2, contenders);
    rounds.length = 0;
    phases.set(name, rounds);
    const results = await alternate(WARM_ROUNDS, contenders);
    const [ours, theirs] = [median(results.engine), median(results.bare)];
    const bound = AIM.factor * theirs + AIM.ms;
    if (ours > bound) missed++;
    rows.push([
      name,
      fixed(theirs),
      fixed(ours),
      fixed(ours - theirs),
      fixed(bound),
      ours > bound ? "missed" : "reached",
      fixed(median(results.product)),
    ]);
  }
  printTable(
    `Lake, warm: ms over the sample, ${availableParallelism()} threads each, medians of ` +
      `${WARM_ROUNDS} alternating rounds`,
    ["", "bare DuckDB", "the engine", "overhead", "aim", "", "the product"],
    rows,
  );
  say(
    `Aim at the engine: at most ${AIM.factor}× plus ${AIM.ms} ms. Missed ${missed} of ${rows.length}. Load ` +
      `of the machine ${machineLoad()}.`,
  );
  printPhases("Where the product's time went: ms, medians", phases);
}

/**
 * Bare DuckDB starts a fresh instance on files that are there; the engine has to fetch them; the product has to start
 * an engine too.
 */
async function reportCold(files: LakeFile[], downloadMs: number, grant: LakeGrant, platform: Platform): Promise<void> {
  const rows: string[][] = [];
  for (const [name, sql] of Object.entries(QUERIES)) {
    const results = await alternate(COLD_ROUNDS, {
      bare: async () => {
        const bare = await openBareDuckdb(files);
        return timed(() => bare.run(sql)).finally(() => bare.close());
      },
      engine: async () => {
        const engine = await startOwnEngine(platform);
        // The query processes are up after this; no file has been fetched yet.
        await askEngine(engine, grant, "SELECT 1 AS one");
        return timed(() => askEngine(engine, grant, sql)).finally(() => engine.stop());
      },
      product: async () => {
        await killEngines(platform);
        return timed(() => askProduct(platform, sql));
      },
    });
    rows.push([
      name,
      ...(["bare", "engine", "product"] as const).map((contender) => fixed(median(results[contender]), 0)),
    ]);
  }
  printTable(
    `Lake, cold: ms of a first query, medians of ${COLD_ROUNDS} alternating rounds`,
    ["", "bare DuckDB, fresh instance", "the engine, empty cache", "the product, engine killed"],
    rows,
  );
  const megabytes = files.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6;
  say(
    `The files of all four tables are ${fixed(megabytes)} MB; fetching them one by one from the S3 endpoint of ` +
      `wrangler dev took ${fixed(downloadMs, 0)} ms.`,
  );
}

/** Speed over other data would mean nothing. */
async function checkSameRows(bare: BareDuckdb, platform: Platform): Promise<void> {
  for (const [name, sql] of Object.entries(QUERIES)) {
    const [theirs, { rows }] = [await bare.run(sql), await askProduct(platform, sql)];
    if (theirs !== rows.length || theirs === 0)
      throw new Error(`"${name}" answers ${rows.length} rows, and bare DuckDB ${theirs}.`);
  }
}
