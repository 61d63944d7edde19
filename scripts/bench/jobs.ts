// This benchmark measures how soon jobs begin: ours, beside those of pg-boss and graphile-worker, which do nothing, or
// start Python as ours do.

import { setTimeout as pause } from "node:timers/promises";
import { availableParallelism } from "node:os";
import { findPython } from "../../containers/sandbox/python/interpreter.ts";
import { startPostgres } from "../../test/support/node/servers/postgres.ts";
import type { Server } from "../../test/support/node/servers/server.ts";
import type { Contender } from "./jobs/contender.ts";
import { openFjord } from "./jobs/fjord.ts";
import { doNothing, openGraphileWorker, openPgBoss, runPython } from "./jobs/peers.ts";
import { alternate, fixed, machineLoad, median, percentile, printTable, ratio, say } from "./support/measure.ts";
import { startPlatform } from "./support/platform.ts";

const ONE_BY_ONE = 20;
/** The pause between two jobs that come by hand: warm processes take the place of those that were used. */
const PAUSE_MS = 1_000;
const BURST = 40;
const BURST_ROUNDS = 2;
const CLIENTS = 8;
const SCHEDULED = 20;
const NOTHING_AT_ONCE = 50;
const AIM = { p50: 250, p99: 1_500 };
const MINUTE_MS = 60_000;

/** As many Python processes at once as a sandbox runs by itself. */
const PYTHON_AT_ONCE = 2 * availableParallelism();

export async function benchJobs(): Promise<void> {
  const stops: (() => Promise<unknown>)[] = [];
  try {
    const postgres = await startPostgres();
    stops.push(() => postgres.stop());
    const contenders = await openContenders(postgres.server, stops);
    await benchOneByOne(contenders);
    await benchBursts(contenders);
    await benchSchedules(contenders);
    say("Their PostgreSQL does not wait for its disk (synchronous_commit off).");
    say("Their jobs run in, or are started by, one process that waits for them; ours cross the API, the database, the");
    say("team's sandbox and a jail, and are recorded with an audit trail, attempts and logs.");
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

async function openContenders(server: Server, stops: (() => Promise<unknown>)[]): Promise<Contender[]> {
  const python = { handler: runPython((await findPython(process.env)).command), atOnce: PYTHON_AT_ONCE };
  const works = [
    { server, handler: doNothing, atOnce: NOTHING_AT_ONCE, handlerName: "no work" },
    { server, ...python, handlerName: "a bare Python process each" },
  ];
  const contenders: Contender[] = [];
  const add = async (opening: Promise<Contender>) => {
    const contender = await opening;
    stops.push(() => contender.stop());
    contenders.push(contender);
  };
  for (const open of [openPgBoss, openGraphileWorker]) for (const work of works) await add(open(work));
  await add(startPlatform().then(openFjord));
  return contenders;
}

/** Each contender under its name, so that `alternate` takes them in turn. */
const each = <Result>(contenders: Contender[], measure: (contender: Contender) => Promise<Result>) =>
  Object.fromEntries(contenders.map((contender) => [contender.name, () => measure(contender)]));

async function benchOneByOne(contenders: Contender[]): Promise<void> {
  await Promise.all(contenders.map((contender) => contender.prepare(["warm", "one"])));
  const startOne = (id: string) => async (contender: Contender) => {
    const since = Date.now();
    await contender.enqueue(id);
    const [began = Number.NaN] = await contender.began([id], since);
    await pause(PAUSE_MS);
    return began - since;
  };
  await alternate(1, each(contenders, startOne("warm")));
  const results = await alternate(ONE_BY_ONE, each(contenders, startOne("one")));
  const ours = results[contenders.at(-1)!.name]!;
  printTable(
    `From asking for a run to the first line of its code: ${ONE_BY_ONE} alternating rounds, one at a time (milliseconds)`,
    ["", "p50", "p99", "ours is"],
    Object.entries(results).map(([name, took]) => [
      name,
      fixed(median(took)),
      fixed(percentile(took, 0.99)),
      `${fixed(ratio(ours, took), 2)}×`,
    ]),
  );
  const [p50, p99] = [median(ours), percentile(ours, 0.99)];
  const isReached = p50 < AIM.p50 && p99 < AIM.p99;
  say(
    `Aim of ours: p50 below ${AIM.p50} ms, p99 below ${AIM.p99} ms: ${isReached ? "reached" : "missed"}. ` +
      `Load of the machine ${machineLoad()}.`,
  );
}

type Burst = { perSecond: number; took: number[] };

async function benchBursts(contenders: Contender[]): Promise<void> {
  const ids = Array.from({ length: BURST }, (_, index) => `burst-${index}`);
  await Promise.all(contenders.map((contender) => contender.prepare(ids)));
  const results = await alternate(
    BURST_ROUNDS,
    each(contenders, (contender) => burst(contender, ids)),
  );
  const rates = (name: string) => results[name]!.map(({ perSecond }) => perSecond);
  const ours = rates(contenders.at(-1)!.name);
  printTable(
    `${BURST} jobs asked for at once by ${CLIENTS} clients, medians of ${BURST_ROUNDS} alternating rounds`,
    ["", "starts/s", "p50 ms", "p99 ms", "starts of ours"],
    Object.entries(results).map(([name, bursts]) => [
      name,
      fixed(median(rates(name))),
      fixed(median(bursts.map(({ took }) => median(took))), 0),
      fixed(median(bursts.map(({ took }) => percentile(took, 0.99))), 0),
      `${fixed(ratio(ours, rates(name)), 3)}×`,
    ]),
  );
}

async function burst(contender: Contender, ids: string[]): Promise<Burst> {
  const since = Date.now();
  const askedAt = new Map<string, number>();
  const waiting = [...ids];
  const client = async () => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
      askedAt.set(id, Date.now());
      await contender.enqueue(id);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  const began = await contender.began(ids, since);
  return {
    perSecond: ids.length / ((Math.max(...began) - since) / 1_000),
    took: ids.map((id, index) => began[index]! - askedAt.get(id)!),
  };
}

/** One after another, each with a minute of its own: so many processes at once would be each other's measure. */
async function benchSchedules(contenders: Contender[]): Promise<void> {
  const ids = Array.from({ length: SCHEDULED }, (_, index) => `scheduled-${index}`);
  const rows: string[][] = [];
  for (const contender of contenders) {
    await contender.prepare(ids);
    const unschedule = await contender.schedule(ids);
    const minute = Math.ceil(Date.now() / MINUTE_MS) * MINUTE_MS;
    const late = (await contender.began(ids, minute)).map((began) => began - minute);
    await unschedule();
    rows.push([contender.name, fixed(median(late), 0), fixed(percentile(late, 0.99), 0)]);
  }
  printTable(
    `${SCHEDULED} jobs scheduled for one minute: from the minute to the first line of their code (milliseconds)`,
    ["", "p50", "p99"],
    rows,
  );
}
