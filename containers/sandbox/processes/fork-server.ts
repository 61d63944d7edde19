// One fork server as the sandbox sees it: a Python process that has imported everything and forks workers.

import { spawn, type ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { z } from "zod";
import { forkedPlanFor, forkServerFor, type Jail, type WorkerPlan } from "../jail/jail.ts";
import { killLater, type StartedProcess } from "./start-worker.ts";

/** Time for starting Python and importing everything, on a busy machine. */
const START_MS = 60_000;
/** Time from a request to the worker's first sign of life. */
const FORK_MS = 20_000;
const COMPLAINT_CHARACTERS_MAX = 2_000;
const PID_CHARACTERS_MAX = 12;
/** The names of some hundred modules. */
const READY_CHARACTERS_MAX = 1024 * 1024;

export class ForkServer {
  readonly #jail: Jail;
  readonly #path: string;
  readonly #process: ChildProcess;
  /** Settles when it is gone. Its workers go on without it. */
  readonly ended: Promise<void>;
  /** Modules that are imported already; a worker that needs them from elsewhere can't be forked. */
  modules: ReadonlySet<string> = new Set();
  #complaints = "";

  private constructor(jail: Jail) {
    this.#jail = jail;
    this.#path = join(jail.settings.directory, "forks", randomUUID().slice(0, 8));
    const { file, args, env } = forkServerFor(jail, this.#path);
    const server = spawn(file, args, { cwd: "/", env, stdio: ["pipe", "pipe", "pipe"] });
    server.stdin.on("error", () => undefined);
    server.stderr.on(
      "data",
      (chunk: Buffer) => void (this.#complaints = (this.#complaints + chunk).slice(-COMPLAINT_CHARACTERS_MAX)),
    );
    const ended = new Promise<void>((resolve) => server.once("close", () => resolve()).once("error", () => resolve()));
    this.ended = ended.then(() => rm(this.#path, { force: true }));
    this.#process = server;
  }

  /** Rejects with what it complained of where it can't fork. */
  static async start(jail: Jail): Promise<ForkServer> {
    const server = new ForkServer(jail);
    const timer = setTimeout(() => server.kill(), START_MS);
    try {
      const ready = await firstLine(server.#process.stdout!, READY_CHARACTERS_MAX);
      if (ready === null) throw new Error(`A fork server did not start. ${server.#complaints}`);
      server.modules = new Set(z.array(z.string()).parse(JSON.parse(ready)));
      return server;
    } catch (error) {
      server.kill();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Forks a worker. Rejects where there is none: the fork server is then of no use any more. */
  async fork(plan: WorkerPlan, resultFile: string): Promise<StartedProcess> {
    // Node connects at once, so that another worker's connections don't come between these.
    const [control, stdout, stderr, life] = [
      this.#connect(plan, "control"),
      this.#connect(plan, "stdout"),
      this.#connect(plan, "stderr"),
      this.#connect(plan, "life"),
    ];
    control.write(`${JSON.stringify({ ...forkedPlanFor(this.#jail, plan), resultFile })}\n`);
    const closed = Promise.all([stdout, stderr, life].map(closeOf)).then(() => undefined);
    const timer = setTimeout(() => life.destroy(), FORK_MS);
    const pid = Number(await firstLine(life, PID_CHARACTERS_MAX));
    clearTimeout(timer);
    if (!(pid > 1)) {
      for (const socket of [control, stdout, stderr, life]) socket.destroy();
      throw new Error(`No worker was forked. ${this.#complaints}`);
    }
    return {
      pid,
      stdout,
      stderr,
      control,
      closed,
      stop: () => {
        life.end();
        // The subreaper alone has the other end, so that the id is no other process's while that is open.
        killLater(closed, () => life.closed || process.kill(pid, "SIGKILL"));
      },
    };
  }

  #connect({ id }: WorkerPlan, role: string): Socket {
    const socket = connect(this.#path);
    socket.on("error", () => undefined);
    socket.write(`${id}${role}`);
    return socket;
  }

  /** It forks no more, and ends when its workers have ended. */
  retire(): void {
    this.#process.stdin!.end();
  }

  /** Its workers go on without it. */
  kill(): void {
    this.#process.kill("SIGKILL");
  }

  /** Ends it; its workers have ended before. */
  async stop(): Promise<void> {
    this.retire();
    killLater(this.ended, () => this.kill());
    await this.ended;
  }
}

const closeOf = (socket: Socket): Promise<void> => new Promise((resolve) => socket.once("close", () => resolve()));

/** The first line of a stream, which goes on; null where the stream ends before it, or the line is too long. */
function firstLine(stream: Readable, charactersMax: number): Promise<string | null> {
  return new Promise((resolve) => {
    let said = "";
    const settle = (line: string | null) => {
      stream.off("data", read).off("close", fail).resume();
      resolve(line);
    };
    const fail = () => settle(null);
    const read = (chunk: Buffer) => {
      said += chunk.toString();
      const end = said.indexOf("\n");
      if (end >= 0) settle(said.slice(0, end));
      else if (said.length > charactersMax) settle(null);
    };
    stream.on("data", read).once("close", fail);
  });
}
