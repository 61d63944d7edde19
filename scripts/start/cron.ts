// Wrangler's local server never fires Cron Triggers by itself: the launcher does, every minute.

import type { Log } from "./log.ts";

const EVERY_MS = 60_000;
const TICK_MS_MAX = 55_000;
const EXPRESSION = "* * * * *";

/** Ticks until stopped; each tick's answer is a line of the log. */
export function startCron(url: string, log: Log): { stop(): void } {
  const timer = setInterval(() => void tick(url, log), EVERY_MS);
  return { stop: () => clearInterval(timer) };
}

async function tick(url: string, log: Log): Promise<void> {
  const at = new Date();
  const query = new URLSearchParams({ cron: EXPRESSION, time: String(at.getTime()) });
  const outcome = await fetch(`${url}/cdn-cgi/handler/scheduled?${query}`, {
    signal: AbortSignal.timeout(TICK_MS_MAX),
  }).then(
    async (response) => `${response.status} ${await response.text()}`,
    (error: Error) => error.message,
  );
  log.write(`${at.toISOString()} ${outcome.replaceAll("\n", " ")}\n`);
}
