// This benchmark measures a small query's time at the engine, alone, beside others and beside heavy ones, over bare
// DuckDB on the same Parquet files; ten connections by ClickBench's protocol; and what a second engine brings.

import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import type { LakeGrant } from "../../kernel/wire/engine.ts";
import { startEngine, type Engine } from "../../test/support/node/programs/engine.ts";
import { openBareDuckdb, type BareDuckdb } from "./lake/bare-duckdb.ts";
import { reportFairness } from "./concurrency/fairness.ts";
import { reportSeveralEngines } from "./concurrency/several-engines.ts";
import { reportShuffled, SECONDS_DEFAULT } from "./concurrency/shuffled-connections.ts";
import { askEngine, askProduct } from "./lake/ask.ts";
import { fetchLakeFiles, grantLake } from "./lake/files.ts";
import { loadTables } from "./lake/tpc/suite.ts";
import { TPCH } from "./lake/tpc/tpch.ts";
import { QUERIES } from "./lake/tpc/tpch-queries.ts";
import {
  alternate,
  besideAim,
  fixed,
  machineLoad,
  median,
  percentile,
  printTable,
  ratio,
  say,
  timed,
} from "./support/measure.ts";
import { askJson } from "./support/ask.ts";
import { printPhases, type PhaseTimes } from "./support/phases.ts";
import { startPlatform, withoutProxy, type Platform } from "./support/platform.ts";

const ROUNDS = 5;
const ROUND_MS = 3_000;
const CLIENTS = 16;
/** The scale of TPC-H's tables, for the heavy statements. */
const SCALE = 0.5;
const AIM = { overheadMs: 5, addedMs: 8, throughput: 0.6, againMs: 8 };

const SMALL = `SELECT status, channel, count(*) AS orders, avg(shipping_fee) AS fee FROM LAKE.sample.orders
  WHERE order_id > `;

/** One client's statement, from request to the answer's last byte. No two have the same text, so none is kept. */
type Ask = (sql: string) => Promise<unknown>;
let asked = 0;
const nextStatement = (): string => `${SMALL}${-++asked} GROUP BY ALL ORDER BY ALL`;

/** `seconds`: how long the connections of ClickBench's protocol send statements. */
export async function benchConcurrency({ seconds = SECONDS_DEFAULT }: { seconds?: number }): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "fjord-bench-concurrency-"));
  const stops: (() => Promise<unknown> | void)[] = [() => rm(folder, { recursive: true, force: true })];
  try {
    const platform = await startPlatform();
    stops.push(() => platform.stop());
    await TPCH.generate(folder, SCALE);
    await loadTables(platform, folder, TPCH);
    const grant = await grantLake(platform);
    const { files } = await fetchLakeFiles(platform, grant, folder);
    const bare = await openBareDuckdb(files);
    stops.push(() => bare.close());
    const engine = await startEngine({ hostsAllowed: "loopback", platformUrl: platform.url });
    stops.push(() => engine.stop());
    await reportOne(bare, engine, grant, platform);
    await reportMany(bare, engine, grant);
    await reportAgain(bare, engine, grant, platform);
    const sessions = await Promise.all(Array.from({ length: 3 }, () => bare.connect()));
    const [small, ...streams] = sessions.map(
      ({ run }) =>
        (sql: string) =>
          run(sql).then(() => undefined),
    );
    const ask = async (sql: string): Promise<PhaseTimes> => (await askEngine(engine, grant, sql)).phases;
    const contenders = { bare: { small: small!, streams }, engine: { small: ask, streams: [ask, ask] } };
    await reportFairness(contenders, nextStatement);
    await reportShuffled(platform, QUERIES, seconds);
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
  await reportSeveralEngines();
}

async function reportOne(bare: BareDuckdb, engine: Engine, grant: LakeGrant, platform: Platform): Promise<void> {
  const phases: PhaseTimes[] = [];
  const runtime = await withoutProxy(platform);
  const contenders = {
    bare: () => timed(() => bare.run(nextStatement())),
    engine: () => timed(async () => phases.push((await askEngine(engine, grant, nextStatement())).phases)),
    product: () => timed(() => askProduct(platform, nextStatement())),
    runtime: () => timed(() => askProduct(runtime, nextStatement())),
  };
  await alternate(10, contenders);
  phases.length = 0;
  const ms = await alternate(100, contenders);
  printTable(
    "A small query of a new text, one client: ms, 100 alternating rounds",
    ["", "p50", "p99"],
    [
      latencies("bare DuckDB", ms.bare),
      latencies("the engine", ms.engine),
      latencies("the product", ms.product),
      latencies("the product without wrangler's proxy", ms.runtime),
    ],
  );
  const added = (name: keyof typeof contenders, aim: number): string =>
    besideAim(median(ms[name]) - median(ms.bare), aim);
  say(
    `Added, in ms: the engine ${added("engine", AIM.overheadMs)}, the product ${added("product", AIM.addedMs)}, without ` +
      `wrangler's proxy ${added("runtime", AIM.addedMs)}. Load of the machine ${machineLoad()}.`,
  );
  printPhases("Where the engine's time went: ms, medians", new Map([["small", phases]]));
}

/** One text, again and again, whose result the engine keeps; beside what the way there and back takes by itself. */
async function reportAgain(bare: BareDuckdb, engine: Engine, grant: LakeGrant, platform: Platform): Promise<void> {
  const sql = nextStatement();
  const contenders = {
    bare: () => timed(() => bare.run(sql)),
    engine: () => timed(() => askEngine(engine, grant, sql, { invalidate: false })),
    product: () => timed(() => askProduct(platform, sql, { invalidate: false })),
    me: () => timed(() => askWho(platform)),
  };
  await alternate(10, contenders);
  const ms = await alternate(100, contenders);
  printTable(
    "One text that is asked again, one client: ms, 100 alternating rounds",
    ["", "p50", "p99"],
    [
      latencies("bare DuckDB, which runs it", ms.bare),
      latencies("the engine, which keeps its result", ms.engine),
      latencies("the product", ms.product),
      latencies("the product's GET /v4/me, without a lake", ms.me),
    ],
  );
  const ours = median(ms.product);
  say(
    `${fixed(ours, 2)} ms at the product; aim ${AIM.againMs}: ${ours <= AIM.againMs ? "reached" : "missed"}. Load of ` +
      `the machine ${machineLoad()}.`,
  );
}

const askWho = ({ url, key }: Platform): Promise<unknown> => askJson({ url: `${url}/v4/me`, key });

const latencies = (name: string, ms: number[]): string[] => [
  name,
  fixed(median(ms), 2),
  fixed(percentile(ms, 0.99), 2),
];

async function reportMany(bare: BareDuckdb, engine: Engine, grant: LakeGrant): Promise<void> {
  const sessions = await Promise.all(Array.from({ length: CLIENTS }, () => bare.connect()));
  const contenders = {
    bare: () => throughput(sessions.map(({ run }) => run)),
    engine: () => throughput(sessions.map(() => (sql) => askEngine(engine, grant, sql))),
  };
  await alternate(1, contenders);
  const { bare: theirs, engine: ours } = await alternate(ROUNDS, contenders);
  printTable(
    `The same, ${CLIENTS} clients at once: statements/s, medians of ${ROUNDS} alternating rounds of ` +
      `${ROUND_MS / 1_000} s; ${availableParallelism()} cores for clients and servers together`,
    ["", "statements/s"],
    [
      ["bare DuckDB, a connection a client", fixed(median(theirs))],
      ["the engine", fixed(median(ours))],
    ],
  );
  const reached = ratio(ours, theirs);
  say(
    `${fixed(reached, 2)} of bare DuckDB's; aim ${AIM.throughput}: ` +
      `${reached >= AIM.throughput ? "reached" : "missed"}. Load of the machine ${machineLoad()}.`,
  );
}

/** Statements a second of clients that each ask again as soon as they are answered. */
async function throughput(clients: readonly Ask[]): Promise<number> {
  const startedAt = performance.now();
  const until = startedAt + ROUND_MS;
  let answered = 0;
  await Promise.all(
    clients.map(async (ask) => {
      for (; performance.now() < until; answered++) await ask(nextStatement());
    }),
  );
  return (answered * 1_000) / (performance.now() - startedAt);
}
