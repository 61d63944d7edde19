// This benchmark compares Trino's protocol with `/v1/query` at a small statement, and with a real Trino at a million
// rows of the same Parquet files; a statement at the team's own Trino with that cluster asked itself; and it measures
// how long the engine works on after a cancellation.

import { askJson } from "./support/ask.ts";
import { alternate, cpuMs, fixed, machineLoad, median, printTable, ratio, say, timed } from "./support/measure.ts";
import { startPlatform, type Platform } from "./support/platform.ts";
import { begin, cancel, exchange, type TrinoAddress } from "./trino/exchange.ts";
import { startRealTrino, type RealTrino } from "./trino/real-trino.ts";

const ROWS = 1_000_000;
const SMALL_ROUNDS = 60;
const LARGE_ROUNDS = 3;
const CLUSTER_ROUNDS = 20;
const CANCELS = 5;
const AIM = { smallMs: 8, readOfTrino: 0.8, clusterMs: 60, cancelMs: 1_000 };

const SMALL = "SELECT country, count(*) AS n FROM $.sample.customers WHERE customer_id > ";
const LARGE = "SELECT id, name, price, bought_at FROM bench.wide";
const HEAVY = `SELECT sum(${letters((name) => `${name}.n`).join(" + ")}) FROM ${letters(
  (name) => `(VALUES 0, 1, 2, 3, 4, 5, 6, 7, 8, 9) ${name}(n)`,
).join(", ")}`;

/** Eleven tables of ten rows: more than any engine joins while it is waited for. */
function letters(write: (name: string) => string): string[] {
  return [..."abcdefghijk"].map(write);
}

export async function benchTrino(): Promise<void> {
  const platform = await startPlatform();
  try {
    const ours: TrinoAddress = { url: platform.url, key: platform.key, session: { "x-trino-catalog": "lake" } };
    await reportSmall(platform, ours);
    await reportReal(platform, ours);
    await reportCancel(platform, ours);
    say(`The load of the machine is ${machineLoad()}.`);
  } finally {
    await platform.stop();
  }
}

const ask = ({ url, key }: Platform, sql: string, more: object = {}) =>
  askJson<{ data: Record<string, string>[] }>({ url: `${url}/v1/query`, key, body: { sql, ...more } });

let asked = 0;
/** No two statements have one text, so that none is answered from what is kept. */
const small = (catalog: string): string => `${SMALL.replace("$", catalog)}${-++asked} GROUP BY 1 ORDER BY 2 DESC, 1`;

async function reportSmall(platform: Platform, ours: TrinoAddress): Promise<void> {
  const requests: number[] = [];
  const contenders = {
    query: () => timed(() => ask(platform, small("LAKE"))),
    trino: () => timed(async () => requests.push((await exchange(ours, small("lake"))).requests)),
  };
  await alternate(3, contenders);
  const { query, trino } = await alternate(SMALL_ROUNDS, contenders);
  const more = median(trino.map((ms, round) => ms - query[round]!));
  printTable(
    `A small statement, medians of ${SMALL_ROUNDS} alternating rounds`,
    ["", "ms", "requests"],
    [
      ["/v1/query", fixed(median(query)), "1"],
      ["Trino's protocol", fixed(median(trino)), fixed(median(requests), 0)],
    ],
  );
  say(`Aim: at most ${AIM.smallMs} ms more. It is ${fixed(more)} ms more. ${verdict(more <= AIM.smallMs)}`);
}

async function reportReal(platform: Platform, ours: TrinoAddress): Promise<void> {
  await ask(platform, "CREATE SCHEMA LAKE.bench");
  await ask(
    platform,
    "CREATE TABLE LAKE.bench.wide AS SELECT n AS id, 'a name like ' || n % 1000 AS name, " +
      "CAST(n % 100000 / 100 AS DECIMAL(10, 2)) AS price, " +
      `TIMESTAMP '2024-01-01 00:00:00' + to_microseconds(n * 7919) AS bought_at FROM range(${ROWS}) AS rows (n)`,
  );
  const real = await startRealTrino(platform).catch((error: Error) => {
    say(`A real Trino is absent: ${error.message}`);
    return undefined;
  });
  try {
    await reportLarge(ours, real);
    if (real) await reportCluster(platform, real);
  } finally {
    await real?.stop();
  }
}

async function reportLarge(ours: TrinoAddress, real: RealTrino | undefined): Promise<void> {
  const read = async (to: TrinoAddress) => {
    const ms = await timed(async () => {
      const { rows } = await exchange(to, LARGE);
      if (rows !== ROWS) throw new Error(`${rows} rows were read of ${ROWS}.`);
    });
    return ROWS / ms;
  };
  const contenders: Record<string, () => Promise<number>> = {
    ours: () => read(ours),
    ...(real && { trino: () => read(real.address) }),
  };
  await alternate(1, contenders);
  const results = await alternate(LARGE_ROUNDS, contenders);
  const rowOf = (name: string, ofRounds: number[]) => [name, fixed(median(ofRounds) * 1_000, 0)];
  const rows = [rowOf("Fjord", results["ours"]!)];
  if (results["trino"]) rows.push(rowOf("Trino 476", results["trino"]));
  printTable(`${ROWS.toLocaleString("en-US")} rows of four columns by Trino's protocol`, ["", "rows/s"], rows);
  if (!results["trino"]) return;
  const reached = ratio(results["ours"]!, results["trino"]);
  say(
    `Aim: at least ${AIM.readOfTrino}× of Trino's speed. It is ${fixed(reached, 2)}×. ${verdict(reached >= AIM.readOfTrino)}`,
  );
}

/** One text through the product and at the cluster itself, which the product has as the team's own. */
async function reportCluster(platform: Platform, { address }: RealTrino): Promise<void> {
  const text = (): string => `SELECT count(*), max(name) FROM bench.wide WHERE id > ${++asked}`;
  const contenders = {
    bare: () => timed(() => exchange(address, text())),
    product: () => timed(() => ask(platform, text(), { dialect: "trino", engine: "trino" })),
  };
  await alternate(3, contenders);
  const { bare, product } = await alternate(CLUSTER_ROUNDS, contenders);
  const more = median(product.map((ms, round) => ms - bare[round]!));
  printTable(
    `A statement at the team's own Trino, medians of ${CLUSTER_ROUNDS} alternating rounds`,
    ["", "ms"],
    [
      ["the cluster itself", fixed(median(bare))],
      ['"engine": "trino"', fixed(median(product))],
    ],
  );
  say(`Aim: at most ${AIM.clusterMs} ms more. It is ${fixed(more)} ms more. ${verdict(more <= AIM.clusterMs)}`);
}

/** Statements run in processes of the engine; they are idle once they take less than a tenth of one core. */
async function reportCancel(platform: Platform, ours: TrinoAddress): Promise<void> {
  const used = async (): Promise<number> => {
    const pids = await platform.find("containers/engine");
    const each = await Promise.all(pids.map(cpuMs));
    return each.reduce<number>((sum, ms) => sum + (ms ?? 0), 0);
  };
  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  const times: number[] = [];
  for (let round = 0; round < CANCELS; round++) {
    const { page } = await begin(ours, HEAVY);
    await pause(1_000);
    const cancelledAt = performance.now();
    await cancel(ours, page.nextUri!);
    for (let before = await used(); ; ) {
      await pause(100);
      const now = await used();
      // A process that has ended takes what it used with it.
      if (now - before < 10) break;
      before = now;
    }
    times.push(performance.now() - cancelledAt);
  }
  const ms = median(times);
  say(
    `Aim: the engine is idle ${AIM.cancelMs} ms after a cancellation at most. It is after ${fixed(ms, 0)} ms, of which ` +
      `100 ms are the look itself. ${verdict(ms <= AIM.cancelMs)}`,
  );
}

const verdict = (isReached: boolean): string => (isReached ? "Reached." : "Missed.");
