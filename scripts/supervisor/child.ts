// One supervised process: started in a group of its own, logged line by line, never outliving its supervisor.

import { spawn } from "node:child_process";
import { connect, createServer } from "node:net";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Program } from "./programs.ts";

const PARENT_WATCHDOG = fileURLToPath(new URL("parent-watchdog.ts", import.meta.url));
/** An engine takes up to 8 s to end what runs. */
const GRACE_MS = 10_000;
const STATUS_MS = 5_000;
const LISTEN_POLL_MS = 10;

/** A process ended by a signal reports 137; SIGTERM counts as obeyed, 0. */
export type Exit = { code: number };

export type Child = {
  /** Names this start of the program, not the program. */
  boot: string;
  port: number;
  startedAt: number;
  exit: Promise<Exit>;
  /** Settles when its port takes connections, or it has ended, or the time is up; whoever connects then sees which. */
  listening(deadlineMs: number): Promise<void>;
  /** SIGKILL reaches the whole group; other signals the program itself, which is to end its own children. */
  signal(number: number): void;
  /** SIGTERM, and SIGKILL when that took longer than the grace. */
  stop(): Promise<Exit>;
  /** Whether it says it works on something; undefined when it doesn't answer. */
  isBusy(): Promise<boolean | undefined>;
};

export async function startChild(
  program: Program,
  environment: Record<string, string>,
  log: (line: string) => void,
  grace = GRACE_MS,
): Promise<Child> {
  const port = await freePort();
  const { PATH = "", HOME = "", TMPDIR = "/tmp", NODE_COMPILE_CACHE } = process.env;
  const process_ = spawn(process.execPath, ["--import", PARENT_WATCHDOG, program.main], {
    env: {
      PATH,
      HOME,
      TMPDIR,
      LANG: "C.UTF-8",
      ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }),
      ...environment,
      PORT: String(port),
      HOST: "127.0.0.1",
      SUPERVISOR_PID: String(process.pid),
    },
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
  const exit = Promise.withResolvers<Exit>();
  const group = process_.pid;
  process_.stdin.on("error", () => undefined);
  process_.on("error", (error) => {
    log(`did not start: ${error.message}`);
    exit.resolve({ code: 127 });
  });
  process_.on("exit", (code, signal) => {
    // What the program left running goes with it.
    killGroup(group);
    exit.resolve({ code: code ?? (signal === "SIGTERM" ? 0 : 137) });
  });
  for (const stream of [process_.stdout, process_.stderr]) pipeLines(stream, log);

  let hasEnded = false;
  void exit.promise.then(() => (hasEnded = true));
  return {
    boot: crypto.randomUUID(),
    port,
    startedAt: Date.now(),
    exit: exit.promise,
    async listening(deadlineMs) {
      for (const end = Date.now() + deadlineMs; !hasEnded && Date.now() < end && !(await takesConnections(port)); )
        await setTimeout(LISTEN_POLL_MS);
    },
    signal: (number) => void (number === 9 ? killGroup(group) : process_.kill(number)),
    async stop() {
      process_.kill("SIGTERM");
      const timer = globalThis.setTimeout(() => killGroup(group), grace);
      return exit.promise.finally(() => clearTimeout(timer));
    },
    async isBusy() {
      try {
        const answer = await fetch(`http://127.0.0.1:${port}/status`, {
          headers: { authorization: `Bearer ${environment[program.secret] ?? ""}` },
          signal: AbortSignal.timeout(STATUS_MS),
        });
        if (!answer.ok) return undefined;
        const {
          statements = 0,
          requests = 0,
          jobs = 0,
          runs = 0,
        } = (await answer.json()) as { statements?: number; requests?: number; jobs?: number; runs?: number };
        return statements + requests + jobs + runs > 0;
      } catch {
        return undefined;
      }
    },
  };
}

const takesConnections = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });

function killGroup(group: number | undefined): void {
  try {
    if (group !== undefined) process.kill(-group, "SIGKILL");
  } catch {
    // Nobody is left in it.
  }
}

function pipeLines(stream: Readable, log: (line: string) => void): void {
  stream.on("error", () => undefined);
  createInterface({ input: stream }).on("line", log);
}

async function freePort(): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const probe = createServer().on("error", reject);
  probe.listen(0, "127.0.0.1", () => {
    const address = probe.address();
    probe.close(() =>
      address && typeof address === "object" ? resolve(address.port) : reject(new Error("No free port.")),
    );
  });
  return promise;
}
