// ClickBench's run of many clients: each connection sends all statements in an order of its own, again and again, for a
// set time. A refusal for now (429) is sent again when the answer says, and counts as waiting; every other answer that
// is no result is an error.

import { setTimeout as pause } from "node:timers/promises";
import { Agent, request } from "node:http";
import { fixed, machineLoad, median, percentile, printTable, say } from "../support/measure.ts";
import type { Platform } from "../support/platform.ts";

const CONNECTIONS = 10;
export const SECONDS_DEFAULT = 120;
/** A statement that is answered nothing within this time is an error. */
const ANSWER_MS = 120_000;
const RETRY_SECONDS_MAX = 60;
const TOO_MANY = 429;
const ERRORS_SHOWN = 5;

type Statements = Readonly<Record<string, string>>;
type Answer = { status: number; retryAfterSeconds: number; text: string };
type Run = { platform: Platform; statements: Statements; tally: Tally; isOver: () => boolean };
type Tally = { answered: number; ms: number[]; refusals: number; waitedMs: number; errors: string[] };

export async function reportShuffled(platform: Platform, statements: Statements, seconds: number): Promise<void> {
  const tally: Tally = { answered: 0, ms: [], refusals: 0, waitedMs: 0, errors: [] };
  const startedAt = performance.now();
  const run: Run = { platform, statements, tally, isOver: () => performance.now() - startedAt >= seconds * 1_000 };
  await Promise.all(Array.from({ length: CONNECTIONS }, (_, i) => runConnection(run, i + 1)));
  const elapsedMs = performance.now() - startedAt;
  const sent = tally.answered + tally.errors.length;
  printTable(
    `${CONNECTIONS} connections, ${Object.keys(statements).length} statements, each connection in orders of its own, ` +
      `for ${seconds} s through /v1/query, where none is kept`,
    ["answered", "statements/s", "p50 ms", "p99 ms", "429s", "waited s", "errors"],
    [
      [
        String(tally.answered),
        fixed((tally.answered * 1_000) / elapsedMs, 2),
        fixed(median(tally.ms)),
        fixed(percentile(tally.ms, 0.99)),
        String(tally.refusals),
        fixed(tally.waitedMs / 1_000),
        String(tally.errors.length),
      ],
    ],
  );
  for (const error of tally.errors.slice(0, ERRORS_SHOWN)) say(error);
  say(
    `${fixed((tally.errors.length / sent) * 100, 2)} % of ${sent} are errors; aim 0: ` +
      `${tally.errors.length === 0 ? "reached" : "missed"}. Load of the machine ${machineLoad()}.`,
  );
}

async function runConnection({ platform, statements, tally, isOver }: Run, seed: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const random = randomOf(seed);
  try {
    while (!isOver())
      for (const [name, sql] of shuffled(Object.entries(statements), random)) {
        if (isOver()) break;
        await answerOne(() => send(platform, agent, sql), name, tally);
      }
  } finally {
    agent.destroy();
  }
}

/** Sends a statement until it is not refused for now. Its time is all of that. */
async function answerOne(ask: () => Promise<Answer>, name: string, tally: Tally): Promise<void> {
  const startedAt = performance.now();
  try {
    for (;;) {
      const { status, retryAfterSeconds, text } = await ask();
      if (status === TOO_MANY) {
        tally.refusals++;
        const waitMs = Math.min(retryAfterSeconds, RETRY_SECONDS_MAX) * 1_000;
        tally.waitedMs += waitMs;
        await pause(waitMs);
        continue;
      }
      if (status !== 200 || !(JSON.parse(text) as { success: boolean }).success) throw new Error(`${status}: ${text}`);
      tally.answered++;
      tally.ms.push(performance.now() - startedAt);
      return;
    }
  } catch (error) {
    tally.errors.push(`${name}: ${String(error).slice(0, 500)}`);
  }
}

function send({ url, key }: Platform, agent: Agent, sql: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json", accept: "application/json" };
    const signal = AbortSignal.timeout(ANSWER_MS);
    const sent = request(`${url}/v1/query`, { method: "POST", headers, agent, signal }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => void chunks.push(chunk));
      answer.on("aborted", () => reject(new Error("The answer broke off."))).on("error", reject);
      answer.on("end", () =>
        resolve({
          status: answer.statusCode ?? 0,
          retryAfterSeconds: Number(answer.headers["retry-after"] ?? 1),
          text: Buffer.concat(chunks).toString(),
        }),
      );
    });
    // A kept result would measure nothing.
    sent.on("error", reject).end(JSON.stringify({ sql, invalidate: true }));
  });
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const order = [...items];
  for (let i = order.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [order[i], order[j]] = [order[j]!, order[i]!];
  }
  return order;
}

/** Numbers from 0 to 1, the same in each run (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
