// The whole platform for a test run: the launcher itself, on a free port, with a state folder of its own.

import { spawn, type ChildProcess } from "node:child_process";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";
import { quickFolder } from "../memory.ts";
import { isRunning, listFamily } from "../programs/processes.ts";
import { startFakeChannels } from "../messages/fake-channels.ts";
import { startFakeIssuer } from "../sign-in/fake-issuer.ts";
import { endProcess, freePort } from "../servers/server-process.ts";

export const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "..", "..");
const START_MS = 240_000;
const STOP_MS = 30_000;

/** What a test needs to know of a running platform. */
export type PlatformAddress = { baseUrl: string; key: string; state: string; pid: number };
export type Platform = PlatformAddress & {
  child: ChildProcess;
  /** All it printed so far. */
  output(): string;
  /** Sends the signal; resolves with the exit code when it is gone. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
};

declare module "vitest" {
  interface ProvidedContext {
    platform: PlatformAddress;
    /** Where that platform's messages go: Slack, Teams and a webhook's receiver. */
    channelsUrl: string;
    /** That platform's identity providers, its resolver of DNS, and the Cloudflare Access in front of it. */
    issuerUrl: string;
    /** The state of that platform when it was new, with its demo team and sample, for platforms of a test's own. */
    seed: string;
  }
}

export default async function setup(project: TestProject) {
  const state = await newState();
  const [channels, issuer] = [await startFakeChannels(), await startFakeIssuer()];
  project.provide("channelsUrl", channels.url);
  project.provide("issuerUrl", issuer.url);
  const env = {
    FJORD_VAR_SYNC_RETRY_SECONDS: "3",
    FJORD_VAR_SANDBOX_MEMORY_MB: "1900",
    FJORD_VAR_SLACK_API_URL: `${channels.url}/slack/api`,
    FJORD_VAR_DNS_URL: `${issuer.url}/dns-query`,
    FJORD_VAR_ACCESS_TEAM_DOMAIN: issuer.url,
    FJORD_VAR_ACCESS_AUD: "fjord-access",
  };
  const platform = await startPlatform({ state, env }).catch(async (error: Error) => {
    await rm(state, { recursive: true, force: true, maxRetries: 5 });
    // What a failed set-up throws is not always shown.
    console.error(error.message);
    throw error;
  });
  const { baseUrl, key, pid } = platform;
  project.provide("platform", { baseUrl, key, state, pid });
  const seed = await standingStill(pid, () => copyState(state));
  project.provide("seed", seed);
  return async () => {
    await platform.stop();
    channels.stop();
    issuer.stop();
    for (const folder of [state, seed]) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
}

/** While the Worker's processes are held, its databases on disk are what they would be after a crash: whole. */
async function standingStill<T>(pid: number, work: () => Promise<T>): Promise<T> {
  const workers = (await listFamily(pid)).filter(isRunning("workerd"));
  for (const worker of workers) process.kill(worker.pid, "SIGSTOP");
  try {
    return await work();
  } finally {
    for (const worker of workers) process.kill(worker.pid, "SIGCONT");
  }
}

export const newState = (): Promise<string> => mkdtemp(join(quickFolder(), "fjord-state-"));

/** A state folder like `state`, which no platform holds. */
export async function copyState(state: string): Promise<string> {
  const copy = await newState();
  await cp(state, copy, {
    recursive: true,
    filter: (path) => !path.endsWith("launcher.pid") && !path.startsWith(join(state, "logs", sep)),
  });
  return copy;
}

/** Starts it as `command` says (the launcher's own program by default) and waits for its two lines. */
export async function startPlatform(options: {
  state: string;
  port?: number;
  command?: string[];
  env?: Record<string, string>;
}): Promise<Platform> {
  const port = options.port ?? (await freePort());
  const [command, ...args] = options.command ?? [process.execPath, join("scripts", "start", "main.ts")];
  const child = spawn(command!, args, {
    cwd: root,
    env: { ...process.env, FJORD_PORT: String(port), FJORD_STATE: options.state, ...options.env },
    // The channel ends the platform when this test run is killed.
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (text: string) => (output += text));

  const address = await new Promise<{ baseUrl: string; key: string }>((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`The platform ${why}. It printed:\n${output}`));
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      fail(`was not ready within ${START_MS / 1_000} s`);
    }, START_MS);
    child.on("error", (error) => fail(`did not start: ${error.message}`));
    child.on("exit", (code) => fail(`ended with ${code}`));
    child.stdout?.on("data", () => {
      const baseUrl = /^Base URL: (\S+)$/m.exec(output)?.[1];
      const key = /^API key: (\S+)$/m.exec(output)?.[1];
      if (!baseUrl || !key) return;
      clearTimeout(timer);
      resolve({ baseUrl, key });
    });
  });
  return {
    ...address,
    state: options.state,
    pid: child.pid!,
    child,
    output: () => output,
    stop: (signal = "SIGTERM") => endProcess(child, signal, STOP_MS),
  };
}
