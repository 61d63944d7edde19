// Programs the benchmarks start and stop.

import { execFile, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import {
  endProcess,
  endWithUs,
  lastComplaints,
  untilReady,
} from "../../../test/support/node/servers/server-process.ts";

export const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

const READY_MS = 30_000;

/** Runs a program to its end and answers what it printed; throws what it complained about. */
export async function runProgram(
  file: string,
  args: string[],
  env: NodeJS.ProcessEnv = {},
  deadlineMs = 300_000,
): Promise<string> {
  const options = { cwd: ROOT, timeout: deadlineMs, maxBuffer: 64 * 1024 * 1024, env: { ...process.env, ...env } };
  return (await promisify(execFile)(file, args, options)).stdout;
}

export type Program = { pid: number; port: number; stop(): Promise<void> };

/** Starts a server and waits until it answers HTTP on `port`. It never outlives this process. */
export async function startServer(
  file: string,
  args: string[],
  port: number,
  env: NodeJS.ProcessEnv = {},
): Promise<Program> {
  const child = spawn(file, args, { cwd: ROOT, stdio: ["ignore", "ignore", "pipe"], env: { ...process.env, ...env } });
  endWithUs(child);
  const complaints = lastComplaints(child);
  const stop = async () => void (await endProcess(child, "SIGTERM"));
  try {
    await untilReady(child, READY_MS, () => fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(2_000) }));
    return { pid: child.pid!, port, stop };
  } catch (error) {
    await stop();
    throw new Error(`${file} did not start:\n${complaints.join("")}`, { cause: error });
  }
}
