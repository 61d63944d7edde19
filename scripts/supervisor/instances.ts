// Which instances run, how many may, and which one gives way to a new one.

import { startChild, type Child, type Exit } from "./child.ts";
import type { Program } from "./programs.ts";

/** The platform's own words when no instance is to be had; `@cloudflare/containers` recognises them. */
export const NO_INSTANCE = "there is no container instance that can be provided to this durable object";

/** A child this old that doesn't answer for its state is not starting, it hangs, and may be stopped for another. */
const HANGS_AFTER_MS = 60_000;
const EXITS_KEPT = 256;

type Instance = { name: string; child: Child; usedAt: number };

export type Instances = ReturnType<typeof createInstances>;

export type InstancesOptions = {
  programs: Readonly<Record<string, Program>>;
  instancesMax: number;
  log: (line: string) => void;
  graceMs?: number | undefined;
};

export function createInstances({ programs, instancesMax, log, graceMs }: InstancesOptions) {
  const running = new Map<string, Instance>();
  const exits = new Map<string, Exit>();
  let turn: Promise<unknown> = Promise.resolve();
  let closed = false;

  /** Starts one after the other, so that two starts never stop two instances for one or overshoot the bound. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = turn.then(work);
    turn = mine.catch(() => undefined);
    return mine;
  };

  const byName = (name: string) => [...running.entries()].filter(([, instance]) => instance.name === name);

  /** Stops the least recently used idle instance of the program when it has as many as it may. */
  async function makeRoom(name: string): Promise<boolean> {
    const candidates = byName(name).sort(([, a], [, b]) => a.usedAt - b.usedAt);
    if (candidates.length < instancesMax) return true;
    for (const [id, instance] of candidates) {
      const busy = await instance.child.isBusy();
      const hangs =
        busy === undefined && Date.now() - Math.max(instance.child.startedAt, instance.usedAt) > HANGS_AFTER_MS;
      if (busy !== false && !hangs) continue;
      log(`[supervisor] stops ${label(name, id)} for another`);
      await instance.child.stop();
      return true;
    }
    return false;
  }

  return {
    has: (name: string) => Object.hasOwn(programs, name),

    /**
     * Answers undefined when every instance is busy. One that runs under this id already is replaced: its secret is not
     * known any more.
     */
    start: (id: string, name: string, environment: Record<string, string>): Promise<Child | undefined> =>
      inTurn(async () => {
        const program = programs[name];
        if (closed || !program) return undefined;
        await running.get(id)?.child.stop();
        if (!(await makeRoom(name))) return undefined;

        const allowed = Object.fromEntries(
          Object.entries(environment).filter(([key]) => program.environment.includes(key)),
        );
        const child = await startChild(program, allowed, (line) => log(`[${label(name, id)}] ${line}`), graceMs);
        running.set(id, { name, child, usedAt: Date.now() });
        void child.exit.then((exit) => {
          if (running.get(id)?.child === child) running.delete(id);
          exits.set(child.boot, exit);
          for (const oldest of exits.keys()) if (exits.size > EXITS_KEPT) exits.delete(oldest);
          log(`[${label(name, id)}] ended with code ${exit.code}`);
        });
        return child;
      }),

    get: (id: string): Child | undefined => running.get(id)?.child,

    /** The exit of one boot, now or when it comes; undefined when this supervisor never knew it. */
    exitOf: (boot: string): Exit | Promise<Exit> | undefined =>
      exits.get(boot) ?? [...running.values()].find(({ child }) => child.boot === boot)?.child.exit,

    touch(id: string): void {
      const instance = running.get(id);
      if (instance) instance.usedAt = Date.now();
    },

    async stopAll(): Promise<void> {
      closed = true;
      await turn;
      await Promise.all([...running.values()].map(({ child }) => child.stop()));
    },

    /** For the last moment of a process, when nothing can be awaited. */
    killAll(): void {
      for (const { child } of running.values()) child.signal(9);
    },
  };
}

const label = (name: string, id: string): string => `${name} ${id.slice(0, 8)}`;
