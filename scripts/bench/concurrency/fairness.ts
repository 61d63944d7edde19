// This benchmark measures how long a small query waits while two streams of TPC-H run: its slowest answers over its
// quiet median. Bare DuckDB, whose statements share their threads, does the same beside it.

import { setTimeout as pause } from "node:timers/promises";
import { alternate, fixed, machineLoad, median, percentile, printTable, say, timed } from "../support/measure.ts";
import { printPhases, type PhaseTimes } from "../support/phases.ts";
import { QUERIES } from "../lake/tpc/tpch-queries.ts";

const STREAMS = 2;
const ROUNDS = 3;
const SMALL_PER_ROUND = 70;
/** Between two small queries, as people ask them. */
const PAUSE_MS = 20;
/** Before the first of them, for the streams to be under way. */
const LEAD_MS = 500;
const AIM = 10;

/** Runs a statement whose text nobody has sent before; answers where its time went, as far as that is known. */
export type Ask = (sql: string) => Promise<PhaseTimes | undefined>;
/** One connection for small queries, and one for each of {@link STREAMS}. */
export type FairnessContender = { small: Ask; streams: readonly Ask[] };

type Beside = { small: number[]; phases: PhaseTimes[]; heavyPerSecond: number };

export async function reportFairness(
  contenders: Record<"bare" | "engine", FairnessContender>,
  nextSmall: () => string,
): Promise<void> {
  const { bare, engine } = contenders;
  const measure = (count: number) => ({
    bare: () => besideStreams({ ...bare, streams: bare.streams.slice(0, count) }, nextSmall),
    engine: () => besideStreams({ ...engine, streams: engine.streams.slice(0, count) }, nextSmall),
  });
  const quiet = await alternate(1, measure(0));
  const beside = await alternate(ROUNDS, measure(STREAMS));
  const figures = (["bare", "engine"] as const).map((name) => {
    const alone = median(quiet[name].flatMap(({ small }) => small));
    const small = beside[name].flatMap((each) => each.small);
    const slowest = percentile(small, 0.99);
    const heavy = median(beside[name].map(({ heavyPerSecond }) => heavyPerSecond));
    return { name, times: slowest / alone, shown: [alone, median(small), slowest, slowest / alone, heavy] };
  });
  printTable(
    `A small query beside ${STREAMS} streams of TPC-H: ms, ${ROUNDS} alternating rounds of ${SMALL_PER_ROUND}`,
    ["", "quiet p50", "beside: p50", "p99", "÷ quiet p50", "TPC-H queries/s"],
    figures.map(({ name, shown }) => [
      name === "bare" ? "bare DuckDB" : "the engine",
      ...shown.map((each) => fixed(each, 2)),
    ]),
  );
  const { times } = figures[1]!;
  say(
    `p99 is ${fixed(times)} times the quiet p50; aim ${AIM}: ${times <= AIM ? "reached" : "missed"}. ` +
      `Load of the machine ${machineLoad()}.`,
  );
  const phases = new Map([
    ["quiet", quiet.engine.flatMap((each) => each.phases)],
    ["beside", beside.engine.flatMap((each) => each.phases)],
  ]);
  printPhases("Where the small query's time went: ms, medians", phases);
}

/** Small queries, one after another, while every stream runs a heavy one after another. */
async function besideStreams({ small, streams }: FairnessContender, nextSmall: () => string): Promise<Beside> {
  const heavy = Object.values(QUERIES);
  let isOver = false;
  let answered = 0;
  const startedAt = performance.now();
  const running = streams.map(async (ask, stream) => {
    for (let i = Math.floor((stream * heavy.length) / STREAMS); !isOver; i++, answered++)
      await ask(`${heavy[i % heavy.length]!}\n-- ${startedAt} ${i}`);
  });
  const beside: Beside = { small: [], phases: [], heavyPerSecond: 0 };
  try {
    await pause(LEAD_MS);
    for (let i = 0; i < SMALL_PER_ROUND; i++) {
      let phases: PhaseTimes | undefined;
      beside.small.push(await timed(async () => (phases = await small(nextSmall()))));
      if (phases) beside.phases.push(phases);
      await pause(PAUSE_MS);
    }
    beside.heavyPerSecond = (answered * 1_000) / (performance.now() - startedAt);
    return beside;
  } finally {
    isOver = true;
    await Promise.all(running);
  }
}
