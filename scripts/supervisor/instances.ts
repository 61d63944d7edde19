// The supervisor's instances are bounded in number, and one is stopped for a new one.

import { Semaphore } from "../../containers/program/semaphore.ts";
import { startChild, type Child, type Exit } from "./child.ts";
import type { Program } from "./programs.ts";

/** The platform's own words when no instance is to be had; `@cloudflare/containers` recognises them. */
export const NO_INSTANCE = "there is no container instance that can be provided to this durable object";

/** A child this old that doesn't answer for its state is not starting, it hangs, and may be stopped for another. */
const HANGS_AFTER_MS = 60_000;
const EXITS_KEPT = 256;

type Instance = { name: string; child: Child; usedAt: number };

export type InstancesOptions = {
  programs: Readonly<Record<string, Program>>;
  /** The most instances of each program. */
  instancesMax: number;
  log: (line: string) => void;
  graceMs?: number | undefined;
};

export class Instances {
  readonly #options: InstancesOptions;
  readonly #running = new Map<string, Instance>();
  readonly #exits = new Map<string, Exit>();
  /** One start after the other, so that two never stop two instances for one or overshoot the bound. */
  readonly #starts = new Semaphore(1);
  #isClosed = false;

  constructor(options: InstancesOptions) {
    this.#options = options;
  }

  has(name: string): boolean {
    return Object.hasOwn(this.#options.programs, name);
  }

  /**
   * Answers undefined when every instance is busy. One that runs under this id already is replaced: its secret is not
   * known any more.
   */
  start(id: string, name: string, environment: Record<string, string>): Promise<Child | undefined> {
    return this.#starts.run(async () => {
      const program = this.#options.programs[name];
      if (this.#isClosed || !program) return undefined;
      await this.#running.get(id)?.child.stop();
      if (!(await this.#freeInstance(name))) return undefined;
      const child = await this.#startChild(program, label(name, id), environment);
      this.#running.set(id, { name, child, usedAt: Date.now() });
      void child.exit.then((exit) => {
        this.#keepExit(id, child, exit);
        this.#options.log(`[${label(name, id)}] ended with code ${exit.code}`);
      });
      return child;
    });
  }

  get(id: string): Child | undefined {
    return this.#running.get(id)?.child;
  }

  /** The exit of one boot, now or when it comes; undefined when this supervisor never knew it. */
  exitOf(boot: string): Exit | Promise<Exit> | undefined {
    return this.#exits.get(boot) ?? [...this.#running.values()].find(({ child }) => child.boot === boot)?.child.exit;
  }

  touch(id: string): void {
    const instance = this.#running.get(id);
    if (instance) instance.usedAt = Date.now();
  }

  async stopAll(): Promise<void> {
    this.#isClosed = true;
    await this.#starts.run(async () => undefined);
    await Promise.all([...this.#running.values()].map(({ child }) => child.stop()));
  }

  /** For the last moment of a process, when nothing can be awaited. */
  readonly killAll = (): void => {
    for (const { child } of this.#running.values()) child.signal(9);
  };

  /** Stops the least recently used idle instance of the program when it has as many as it may; false without one. */
  async #freeInstance(name: string): Promise<boolean> {
    const { instancesMax, log } = this.#options;
    const ofProgram = [...this.#running.entries()].filter(([, instance]) => instance.name === name);
    if (ofProgram.length < instancesMax) return true;
    for (const [id, instance] of ofProgram.sort(([, a], [, b]) => a.usedAt - b.usedAt)) {
      if (!(await mayBeStopped(instance))) continue;
      log(`[supervisor] stops ${label(name, id)} for another`);
      await instance.child.stop();
      return true;
    }
    return false;
  }

  /** The child gets what its program may be told of the environment, and nothing else. */
  #startChild(program: Program, title: string, environment: Record<string, string>): Promise<Child> {
    const { log, graceMs } = this.#options;
    const allowed = Object.fromEntries(
      Object.entries(environment).filter(([key]) => program.environment.includes(key)),
    );
    return startChild(program, allowed, (line) => log(`[${title}] ${line}`), graceMs);
  }

  #keepExit(id: string, child: Child, exit: Exit): void {
    const instance = this.#running.get(id);
    if (instance?.child === child) this.#running.delete(id);
    this.#exits.set(child.boot, exit);
    for (const oldest of this.#exits.keys()) if (this.#exits.size > EXITS_KEPT) this.#exits.delete(oldest);
  }
}

/** Whether it is idle, or hangs. */
async function mayBeStopped({ child, usedAt }: Instance): Promise<boolean> {
  const isBusy = await child.isBusy();
  if (isBusy !== undefined) return !isBusy;
  return Date.now() - Math.max(child.startedAt, usedAt) > HANGS_AFTER_MS;
}

const label = (name: string, id: string): string => `${name} ${id.slice(0, 8)}`;
