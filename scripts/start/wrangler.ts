// Wrangler as the launcher uses it: the development server, with its noise in a log file.

import { join } from "node:path";
import { spawnGroup, type Group } from "../process/group.ts";
import { openLog } from "./log.ts";
import type { Settings } from "./settings.ts";
import type { State } from "./state.ts";

const script = join("node_modules", "wrangler", "bin", "wrangler.js");
const TAIL_LINES_MAX = 30;
const LINES_MAX = 200;

/** No calls home, no update checks, no global files: two installations never meet. */
export const wranglerEnvironment = (folder: string): NodeJS.ProcessEnv => ({
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_SEND_ERROR_REPORTS: "false",
  WRANGLER_HIDE_BANNER: "true",
  WRANGLER_WRITE_LOGS: "false",
  WRANGLER_REGISTRY_PATH: join(folder, "registry"),
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  X_LOCAL_OBSERVABILITY: "false",
  X_LOCAL_EXPLORER: "false",
  NO_COLOR: "1",
  FORCE_COLOR: "0",
});

/** The folder that the development server keeps its databases and objects in. */
export const dataIn = (state: State) => join(state.folder, "data");

export type DevServer = {
  /** The path of its log. */
  log: string;
  stop: Group["stop"];
  /** The ids of the runtime's processes, which wrangler starts anew when the code changes, and not when they die. */
  runtimes(): Promise<number[]>;
  /** Rejects, with the end of the log, when the server ends and nobody has stopped it. */
  crashed: Promise<never>;
};

/** Starts `wrangler dev` with these variables and secrets; ready when the URL answers, which the caller waits for. */
export async function startDevServer(
  settings: Settings,
  state: State,
  variables: Record<string, string>,
): Promise<DevServer> {
  const file = Object.entries(variables).map(([name, value]) => `${name}="${value}"\n`);
  await state.write("dev.vars", file.join(""));
  const log = await openLog(state.logs, "wrangler");
  const tail: string[] = [];
  const args = [
    "dev",
    "--ip",
    "127.0.0.1",
    "--port",
    String(settings.port),
    "--inspector-port",
    "0",
    "--persist-to",
    dataIn(state),
    "--env-file",
    join(state.folder, "dev.vars"),
    `--enable-containers=${settings.containers}`,
    "--show-interactive-dev-session=false",
  ];
  const group = spawnGroup(script, args, wranglerEnvironment(state.folder), (text) => {
    log.write(text);
    tail.push(...text.split("\n").filter((line) => line.trim()));
    tail.splice(0, tail.length - LINES_MAX);
  });
  let stopping = false;
  const crashed = group.ended.then((code) => {
    if (stopping) return new Promise<never>(() => undefined);
    throw new Error(
      `${tail.slice(-TAIL_LINES_MAX).join("\n")}\n\nThe server ended by itself (${code}); its log is ${log.path}.`,
    );
  });
  crashed.catch(() => undefined);
  const stop = async () => {
    stopping = true;
    await group.stop();
    log.close();
  };
  return { log: log.path, stop, runtimes: () => group.running("workerd"), crashed };
}
