// Wrangler's local server never fires Cron Triggers by itself: the launcher does, every minute.

import type { Log } from "./log.ts";

const everyMs = 60_000;
const tickMsMax = 55_000;
const expression = "* * * * *";

/** Ticks until stopped; each tick's answer is a line of the log. */
export function startCron(url: string, log: Log): { stop(): void } {
  const timer = setInterval(() => void tick(url, log), everyMs);
  return { stop: () => clearInterval(timer) };
}

async function tick(url: string, log: Log): Promise<void> {
  const at = new Date();
  const query = new URLSearchParams({ cron: expression, time: String(at.getTime()) });
  const outcome = await fetch(`${url}/cdn-cgi/handler/scheduled?${query}`, {
    signal: AbortSignal.timeout(tickMsMax),
  }).then(
    async (response) => `${response.status} ${await response.text()}`,
    (error: Error) => error.message,
  );
  log.write(`${at.toISOString()} ${outcome.replaceAll("\n", " ")}\n`);
}
