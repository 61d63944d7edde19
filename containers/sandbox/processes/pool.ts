// The workers of a sandbox: a few warm ones that wait for an order, a bound on those that work, each used once.

import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { Semaphore } from "../../program/semaphore.ts";
import { WorkerProcess } from "./worker-process.ts";
import { ForkServers } from "./fork-servers.ts";
import { spawnWorker, type StartWorker } from "./start-worker.ts";
import type { Jail } from "../jail/jail.ts";

export class WorkerPool {
  readonly #jail: Jail;
  readonly #free: number[];
  readonly #warm: { worker: WorkerProcess; slot: number }[] = [];
  readonly #permits: Semaphore;
  readonly #forkServers: ForkServers;
  /** Workers that have a slot, or are about to. */
  #working = 0;
  #filling = false;
  #stopped = false;

  constructor(jail: Jail) {
    this.#jail = jail;
    const { workersMax, warmWorkers } = jail.settings;
    this.#permits = new Semaphore(workersMax);
    this.#forkServers = new ForkServers(jail);
    this.#free = Array.from({ length: workersMax + warmWorkers }, (_, slot) => slot);
  }

  /** Starts the warm workers. */
  fill(): void {
    void this.#refill();
  }

  /**
   * Runs one piece of work with a worker process of its own, once one is free. A doc's own packages need a worker that
   * is started for them. Rejects with the signal's reason.
   */
  use<T>(packages: string[], signal: AbortSignal, work: (worker: WorkerProcess) => Promise<T>): Promise<T> {
    return this.#permits.run(() => this.#use(packages, work), signal);
  }

  async #use<T>(packages: string[], work: (worker: WorkerProcess) => Promise<T>): Promise<T> {
    this.#working++;
    try {
      const { worker, slot } = packages.length > 0 ? await this.#start(packages) : await this.#take();
      void this.#refill();
      try {
        await worker.ready;
        return await work(worker);
      } finally {
        await worker.dispose();
        this.#free.push(slot);
      }
    } finally {
      this.#working--;
      void this.#refill();
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#discard(...this.#warm.splice(0));
    await this.#forkServers.stop();
  }

  readonly #startWorker: StartWorker = async (jail, plan, resultFile) =>
    (await this.#forkServers.fork(plan, resultFile)) ?? spawnWorker(jail, plan, resultFile);

  async #take(): Promise<{ worker: WorkerProcess; slot: number }> {
    for (let next = this.#warm.shift(); next; next = this.#warm.shift()) {
      if (next.worker.isAlive && next.worker.drive.isCurrent()) return next;
      await this.#discard(next);
    }
    return this.#start([]);
  }

  async #start(packages: string[]): Promise<{ worker: WorkerProcess; slot: number }> {
    const slot = this.#free.pop();
    if (slot === undefined) throw new Error("There is no slot for another worker.");
    const { settings, firstUid, drive: shared } = this.#jail;
    const id = crypto.randomUUID();
    const directory = join(settings.directory, "workers", id);
    const uid = firstUid === null ? null : firstUid + slot;
    const drive = shared.place();
    const [inputsDirectory, scratchDirectory] = [join(directory, "in"), join(directory, "scratch")];
    const token = randomBytes(16).toString("hex");
    const plan = { id, uid, drive, inputsDirectory, scratchDirectory, packages, token };
    try {
      return { worker: await WorkerProcess.start(this.#jail, plan, this.#startWorker), slot };
    } catch (error) {
      drive.close();
      this.#free.push(slot);
      throw error;
    }
  }

  async #discard(...workers: { worker: WorkerProcess; slot: number }[]): Promise<void> {
    for (const { worker, slot } of workers) {
      await worker.dispose();
      this.#free.push(slot);
    }
  }

  /** One at a time: a worker that is not forked takes a core for half a second. */
  async #refill(): Promise<void> {
    if (this.#filling) return;
    this.#filling = true;
    try {
      while (
        !this.#stopped &&
        this.#warm.length < this.#jail.settings.warmWorkers &&
        this.#free.length > this.#jail.settings.workersMax - this.#working
      ) {
        const next = await this.#start([]);
        // A caller that comes meanwhile gets this worker, sooner than another one that would start beside it.
        this.#warm.push(next);
        if (
          await next.worker.ready.then(
            () => true,
            () => false,
          )
        )
          continue;
        const at = this.#warm.indexOf(next);
        if (at >= 0) await this.#discard(...this.#warm.splice(at, 1));
        // One that can't start is not tried again until somebody wants it, who then hears why.
        return;
      }
    } catch (error) {
      console.error(JSON.stringify({ event: "sandbox.warm_worker_failed", cause: String(error) }));
    } finally {
      this.#filling = false;
    }
  }
}
