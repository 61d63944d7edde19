// A container program's orderly end.

import type { Server } from "node:http";

/** The runtime that stops a container waits longer than this before it kills. */
const STOP_MS = 8_000;
const IDLE_EVERY_MS = 50;

/** On SIGTERM or SIGINT: takes nothing new, ends what runs (`endWork`), waits for the answers under way, and exits. */
export function shutDownOnSignal(server: Server, endWork: () => Promise<unknown>): void {
  let leaving = false;
  const leave = async () => {
    if (leaving) return;
    leaving = true;
    setTimeout(() => process.exit(0), STOP_MS);
    const closed = new Promise((resolve) => server.close(resolve));
    // Connections fall idle as the last answers go out.
    setInterval(() => server.closeIdleConnections(), IDLE_EVERY_MS);
    await Promise.all([closed, endWork()]);
    process.exit(0);
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => void leave());
}
