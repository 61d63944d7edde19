// The development server from its start to its first answer.

import { within } from "../process/group.ts";
import { isUp } from "./platform.ts";
import type { DevServer } from "./wrangler.ts";

const BOOT_MS_MAX = 120_000;
const STARTS_MAX = 2;

/**
 * Starts the server and waits until `url` answers. A server that ends before it ever did is started once more: on a
 * busy machine wrangler's bundler has died at birth, and come up the next time. Throws an Error for people when the
 * server does not come up.
 */
export async function startServer(url: string, start: () => Promise<DevServer>): Promise<DevServer> {
  for (let starts = 1; ; starts++) {
    const server = await start();
    const answered = await Promise.race([
      within(BOOT_MS_MAX, () => isUp(`${url}/`)),
      server.crashed.catch(() => "crashed" as const),
    ]);
    if (answered === true) return server;
    await server.stop();
    if (answered === false)
      throw new Error(`The platform did not answer within ${BOOT_MS_MAX / 1_000} s; its log is ${server.log}.`);
    if (starts === STARTS_MAX) return server.crashed;
    console.warn("  WARNING: The server ended by itself before it answered. Starting it once more …");
  }
}
