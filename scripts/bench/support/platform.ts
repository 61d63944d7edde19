// The whole platform as `npm start` runs it, with a state folder and a port of its own.

import { rm } from "node:fs/promises";
import { newState, startPlatform as start } from "../../../test/support/node/platform/platform.ts";
import { isRunning, listFamily } from "../../../test/support/node/programs/processes.ts";
import { findRuntime } from "./runtime-socket.ts";

export type Platform = {
  /** The launcher's. */
  pid: number;
  url: string;
  /** The demo team's admin. */
  key: string;
  state: string;
  /** Every process under the launcher whose command line holds `part`. */
  find(part: string): Promise<number[]>;
  stop(): Promise<void>;
};

/** Where the Worker's runtime answers itself, without wrangler's proxy before it. */
export const withoutProxy = async ({ find, url, key }: Platform): Promise<Pick<Platform, "url" | "key">> => ({
  url: await findRuntime(await find("workerd serve"), url),
  key,
});

/** `env`: settings of the launcher's besides. */
export async function startPlatform(env: Record<string, string> = {}): Promise<Platform> {
  const state = await newState();
  const removeState = () => rm(state, { recursive: true, force: true, maxRetries: 5 });
  try {
    const platform = await start({ state, env });
    return {
      pid: platform.pid,
      url: platform.baseUrl,
      key: platform.key,
      state,
      find: async (part) => (await listFamily(platform.pid)).filter(isRunning(part)).map(({ pid }) => pid),
      async stop() {
        await platform.stop();
        await removeState();
      },
    };
  } catch (error) {
    await removeState();
    throw error;
  }
}
