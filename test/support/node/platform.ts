// The whole platform for a test run: the launcher itself, on a free port, with a state folder of its own.

import { spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";
import { freePort } from "./server-process.ts";

export const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "..");
const startMs = 240_000;
const stopMs = 30_000;

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
  }
}

export default async function setup(project: TestProject) {
  const state = await newState();
  const platform = await startPlatform({ state }).catch(async (error: Error) => {
    await rm(state, { recursive: true, force: true, maxRetries: 5 });
    // What a failed set-up throws is not always shown.
    console.error(error.message);
    throw error;
  });
  const { baseUrl, key, pid } = platform;
  project.provide("platform", { baseUrl, key, state, pid });
  return async () => {
    await platform.stop();
    await rm(state, { recursive: true, force: true, maxRetries: 5 });
  };
}

export const newState = (): Promise<string> => mkdtemp(join(tmpdir(), "fjord-state-"));

/** Starts it as `command` says (the launcher's own program by default) and waits for its two lines. */
export async function startPlatform(options: { state: string; port?: number; command?: string[]; env?: Record<string, string> }): Promise<Platform> {
  const port = options.port ?? (await freePort());
  const [command, ...args] = options.command ?? [process.execPath, join("scripts", "start", "main.ts")];
  const child = spawn(command!, args, {
    cwd: root,
    env: { ...process.env, FJORD_PORT: String(port), FJORD_STATE: options.state, ...options.env },
    // The channel ends the platform when this test run is killed.
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding("utf8").on("data", (text: string) => (output += text));
  const ended = new Promise<number | null>((resolve) => child.on("exit", resolve));

  const address = await new Promise<{ baseUrl: string; key: string }>((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`The platform ${why}. It printed:\n${output}`));
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      fail(`was not ready within ${startMs / 1_000} s`);
    }, startMs);
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
    async stop(signal = "SIGTERM") {
      child.kill(signal);
      const timer = setTimeout(() => child.kill("SIGKILL"), stopMs);
      const code = await ended;
      clearTimeout(timer);
      return code;
    },
  };
}
