// A worker process is started in two ways, by Node or by a fork server; both give the pool the same handle to it.

import { spawn } from "node:child_process";
import { open } from "node:fs/promises";
import type { Duplex, Readable } from "node:stream";
import { commandFor, type Jail, type WorkerPlan } from "../jail/jail.ts";

/** Time from the request to end to the kill: the bound for a subreaper that hangs. */
const KILL_MS = 10_000;

/** The processes of one worker. */
export type StartedProcess = {
  /** The root of its process tree. */
  pid: number;
  stdout: Readable;
  stderr: Readable;
  /** Its descriptor 3. */
  control: Duplex;
  /** Settles when no process is left and the output was read. */
  closed: Promise<void>;
  /** Ends all its processes. */
  stop(): void;
};

export type StartWorker = (jail: Jail, plan: WorkerPlan, resultFile: string) => Promise<StartedProcess>;

/** Node starts the worker's program, which is alone in its memory and imports everything for itself. */
export async function spawnWorker(jail: Jail, plan: WorkerPlan, resultFile: string): Promise<StartedProcess> {
  const { file, args, env, stop } = commandFor(jail, plan);
  const result = await open(resultFile, "r+");
  try {
    const child = spawn(file, args, { cwd: "/", env, stdio: ["ignore", "pipe", "pipe", "pipe", result.fd] });
    const closed = new Promise<void>((resolve) => {
      child.once("close", () => resolve()).once("error", () => resolve());
    });
    const control = child.stdio[3] as Duplex;
    control.on("error", () => undefined);
    return {
      pid: child.pid!,
      stdout: child.stdout!,
      stderr: child.stderr!,
      control,
      closed,
      stop: () => {
        child.kill(stop);
        if (stop !== "SIGKILL") killLater(closed, () => child.kill("SIGKILL"));
      },
    };
  } finally {
    await result.close();
  }
}

/** Kills processes that did not end when they were asked to. */
export function killLater(closed: Promise<void>, kill: () => void): void {
  const timer = setTimeout(kill, KILL_MS);
  timer.unref();
  void closed.then(() => clearTimeout(timer));
}
