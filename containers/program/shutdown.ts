// A container program's orderly end.

import { setTimeout as delay } from "node:timers/promises";
import type { ProgramServer } from "./server.ts";

/** The runtime that stops a container waits longer than this before it kills. */
const STOP_MS = 8_000;
/** No request is taken to be on its way when none has come for so long. */
const QUIET_MS = 200;
const QUIET_WAIT_MS = 2_000;
const IDLE_EVERY_MS = 50;

/**
 * On SIGTERM or SIGINT: begins nothing new, ends what runs (`endWork`), waits for the answers under way, and exits.
 */
export function shutDownOnSignal(server: ProgramServer, endWork: () => Promise<unknown>): void {
  let leaving = false;
  const leave = async () => {
    if (leaving) return;
    leaving = true;
    setTimeout(() => process.exit(0), STOP_MS);
    server.refuseNew();
    // A connection that closes under a request leaves its sender without knowing what became of that.
    await endWork();
    await untilQuiet(server);
    const closed = new Promise((resolve) => server.close(resolve));
    // Connections fall idle as the last answers go out.
    setInterval(() => server.closeIdleConnections(), IDLE_EVERY_MS);
    await closed;
    process.exit(0);
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => void leave());
}

async function untilQuiet(server: ProgramServer): Promise<void> {
  const lastAt = performance.now() + QUIET_WAIT_MS;
  let quietAt = performance.now() + QUIET_MS;
  server.on("request", () => (quietAt = Math.min(performance.now() + QUIET_MS, lastAt)));
  for (let now = performance.now(); now < quietAt; now = performance.now()) await delay(quietAt - now);
}
