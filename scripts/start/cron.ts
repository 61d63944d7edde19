// Wrangler's local server never fires Cron Triggers by itself: the launcher does, at every whole minute, as Cloudflare
// does.

import type { Log } from "./log.ts";

const MINUTE_MS = 60_000;
/** Timers may fire a little early, and what is due at a minute is not due before it. */
const AFTER_MINUTE_MS = 20;
const TICK_MS_MAX = 55_000;
const EXPRESSION = "* * * * *";

/** Ticks until stopped; each tick's answer is a line of the log. */
export function startCron(url: string, log: Log): { stop(): void } {
  let timer: NodeJS.Timeout;
  const wait = () => {
    timer = setTimeout(
      () => {
        void tick(url, log);
        wait();
      },
      MINUTE_MS + AFTER_MINUTE_MS - (Date.now() % MINUTE_MS),
    );
  };
  wait();
  return { stop: () => clearTimeout(timer) };
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
