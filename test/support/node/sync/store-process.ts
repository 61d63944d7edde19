// The lake's store in a process of its own, so that a sync's CPU and memory are told from the store's.

import { fork } from "node:child_process";
import { once } from "node:events";
import { FakePlatform } from "../lake/fake-platform.ts";
import { endProcess } from "../servers/server-process.ts";

/** CPU in milliseconds, and bytes of objects sent; both since it began. */
export type StoreSpent = { cpuMs: number; bytesRead: number };
/** `host`: where it listens, of a platform's answers only those about objects. */
export type StoreProcess = { host: string; spent(): Promise<StoreSpent>; stop(): Promise<unknown> };

if (process.argv[1] === import.meta.filename && process.send) await serve(process.argv[2]!);

/** Keeps its objects in `directory`, as a {@link FakePlatform} of that directory expects them. */
export async function startStore(directory: string): Promise<StoreProcess> {
  const child = fork(import.meta.filename, [directory]);
  const ended = once(child, "exit").then(([code, signal]) => {
    throw new Error(`The store ended with ${code ?? signal}.`);
  });
  ended.catch(() => undefined);
  const answer = async () => ((await Promise.race([once(child, "message"), ended])) as unknown[])[0];
  const host = (await answer()) as string;
  return {
    host,
    async spent() {
      child.send("spent");
      return (await answer()) as StoreSpent;
    },
    stop: () => endProcess(child, "SIGTERM"),
  };
}

async function serve(directory: string): Promise<void> {
  const store = await new FakePlatform(directory).start();
  process.on("message", () => {
    const { user, system } = process.cpuUsage();
    process.send!({ cpuMs: (user + system) / 1_000, bytesRead: store.bytesRead } satisfies StoreSpent);
  });
  process.once("disconnect", () => process.exit());
  process.send!(store.host);
}
