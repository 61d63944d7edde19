// The fork server of the moment: made when a worker is first wanted, replaced when it has served its time or is gone.

import { readdir } from "node:fs/promises";
import type { Jail, WorkerPlan } from "../jail/jail.ts";
import type { ForkServerTerm } from "../core/settings.ts";
import { ForkServer } from "./fork-server.ts";
import type { StartedProcess } from "./start-worker.ts";

/** Part of its term after which the next one is started, so that it is ready by then. */
const SUCCESSOR_AT = 0.8;
/** Where none could be started, another is tried after this time. */
const RETRY_MS = 60_000;

type Entry = { server: Promise<ForkServer | null>; workers: number; startedAt: number };

export class ForkServers {
  readonly #jail: Jail;
  readonly #term: ForkServerTerm;
  #current: Entry | undefined;
  #successor: Entry | undefined;
  #stopped = false;
  #failedAt = -RETRY_MS;

  constructor(jail: Jail) {
    this.#jail = jail;
    this.#term = jail.settings.forkServerTerm;
  }

  /**
   * Null where Node has to start the worker: in a jail that begins with a program of its own, with a doc's own version
   * of a package that is imported already, and where no fork server starts.
   */
  async fork(plan: WorkerPlan, resultFile: string): Promise<StartedProcess | null> {
    if (this.#jail.kind !== "landlock" || this.#stopped) return null;
    const modules = await modulesIn(plan.packages);
    const entry = this.#take();
    const server = await entry?.server;
    if (!entry || !server || modules.some((name) => server.modules.has(name))) return null;
    try {
      return await server.fork(plan, resultFile);
    } catch (error) {
      console.error(JSON.stringify({ event: "sandbox.fork_failed", cause: String(error) }));
      if (this.#current === entry) this.#current = undefined;
      server.kill();
      return null;
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all([this.#current, this.#successor].map(async (entry) => (await entry?.server)?.stop()));
  }

  #take(): Entry | undefined {
    if (this.#current && this.#usedPart(this.#current) >= 1) {
      void this.#current.server.then((server) => server?.retire());
      [this.#current, this.#successor] = [this.#successor, undefined];
    }
    this.#current ??= this.#start();
    if (!this.#current) return undefined;
    this.#current.workers++;
    if (this.#usedPart(this.#current) >= SUCCESSOR_AT) this.#successor ??= this.#start();
    return this.#current;
  }

  #start(): Entry | undefined {
    if (this.#stopped || performance.now() - this.#failedAt < RETRY_MS) return undefined;
    const server = ForkServer.start(this.#jail).catch((error: unknown) => {
      console.error(JSON.stringify({ event: "sandbox.fork_server_failed", cause: String(error) }));
      this.#failedAt = performance.now();
      return null;
    });
    const entry = { server, workers: 0, startedAt: performance.now() };
    // One that is gone is replaced when a worker is next wanted.
    void server.then((started) => started?.ended).then(() => this.#forget(entry));
    return entry;
  }

  #usedPart({ workers, startedAt }: Entry): number {
    return Math.max(workers / this.#term.workers, (performance.now() - startedAt) / this.#term.ms);
  }

  #forget(entry: Entry): void {
    if (this.#current === entry) this.#current = undefined;
    if (this.#successor === entry) this.#successor = undefined;
  }
}

/** The names that can be imported from folders of packages, and those of the packages' own files beside them. */
async function modulesIn(folders: string[]): Promise<string[]> {
  const entries = await Promise.all(folders.map((folder) => readdir(folder)));
  return entries.flat().map((entry) => entry.split(".")[0]!);
}
