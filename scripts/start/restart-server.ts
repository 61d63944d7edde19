// The server's runtime may die under wrangler, which then neither ends nor starts it again: the port takes requests and
// answers none.

import { setTimeout as pause } from "node:timers/promises";
import { isUp } from "./platform.ts";
import { startServer } from "./server.ts";
import type { DevServer } from "./wrangler.ts";

const LOOK_EVERY_MS = 500;
/**
 * Looks without an answer, once a process of the runtime is gone, until it counts as dead. A change of the code takes
 * about two seconds.
 */
const MISSES_MAX = 4;
const MISS_MS = 1_500;
const RESTARTS_MAX = 5;
const RESTARTS_WITHIN_MS = 600_000;

/**
 * Watches a server that answers, and starts it again when its runtime died. Never resolves; throws an Error for people
 * when the server ends by itself, does not come up again, or dies again and again. A runtime that is merely slow is
 * left alone, and so is one that ends after `ending`.
 */
export async function keepServerRunning(
  url: string,
  start: () => Promise<DevServer>,
  server: DevServer,
  ending: AbortSignal,
): Promise<never> {
  for (const restartedAtMs: number[] = []; ; ) {
    await Promise.race([untilDead(url, server), server.crashed]);
    // Whoever ends the launcher ends the server too.
    if (ending.aborted) return new Promise(() => undefined);
    const nowMs = performance.now();
    if (!mayRestart(restartedAtMs, nowMs)) {
      throw new Error(
        `The platform's runtime has died ${RESTARTS_MAX + 1} times within ` +
          `${RESTARTS_WITHIN_MS / 60_000} minutes, and is not ` +
          `started again. Its log is ${server.log}.`,
      );
    }
    restartedAtMs.push(nowMs);
    console.warn("WARNING: The platform's runtime died. Starting it again …");
    await server.stop();
    server = await startServer(url, start);
    console.warn("The platform answers again.");
  }
}

export const mayRestart = (restartedAtMs: readonly number[], nowMs: number): boolean =>
  restartedAtMs.filter((at) => nowMs - at < RESTARTS_WITHIN_MS).length < RESTARTS_MAX;

async function untilDead(url: string, server: DevServer): Promise<void> {
  let known = await server.runtimes();
  for (;;) {
    await pause(LOOK_EVERY_MS);
    if (known.length > 0 && known.every(isAlive)) continue;
    if (await isMissing(url)) return;
    known = await server.runtimes();
  }
}

async function isMissing(url: string): Promise<boolean> {
  for (let missed = 0; missed < MISSES_MAX; missed++) {
    if (await isUp(`${url}/`, MISS_MS)) return false;
    await pause(LOOK_EVERY_MS);
  }
  return true;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
