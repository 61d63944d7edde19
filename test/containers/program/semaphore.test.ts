// How many do the same at once: the bound, the queue before it, and what leaves that queue.

import { describe, expect, it } from "vitest";
import { KeyedMutex, Semaphore } from "../../../containers/program/semaphore.ts";

const reason = new Error("given up");
/** Lets every promise that can settle do so. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Work that ends when the test says so, and which of it has begun. */
function work(semaphore: Semaphore) {
  const begun: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<void>>();
  return {
    begun,
    start: (name: string, signal?: AbortSignal, alone = false) => {
      const end = Promise.withResolvers<void>();
      ends.set(name, end);
      const begin = async () => {
        begun.push(name);
        await end.promise;
        return name;
      };
      return alone ? semaphore.runAlone(begin, signal) : semaphore.run(begin, signal);
    },
    end: async (name: string) => {
      ends.get(name)!.resolve();
      await settle();
    },
  };
}

describe("a semaphore", () => {
  it("lets no more run than it has permits, and the others in the order they came", async () => {
    const { begun, start, end } = work(new Semaphore(2));
    const all = ["a", "b", "c", "d"].map((name) => start(name));
    await settle();
    expect(begun).toEqual(["a", "b"]);
    await end("b");
    expect(begun).toEqual(["a", "b", "c"]);
    await Promise.all(["a", "c", "d"].map(end));
    expect(await Promise.all(all)).toEqual(["a", "b", "c", "d"]);
    expect(begun).toEqual(["a", "b", "c", "d"]);
  });

  it("lets whoever is aborted while waiting go at once, with the signal's reason, and the next moves up", async () => {
    const { begun, start, end } = work(new Semaphore(1));
    const controller = new AbortController();
    const first = start("first");
    const aborted = start("aborted", controller.signal);
    const next = start("next");
    controller.abort(reason);
    await expect(aborted).rejects.toBe(reason);
    await end("first");
    expect(begun).toEqual(["first", "next"]);
    await end("next");
    await Promise.all([first, next]);
  });

  it("keeps the permit of aborted work until that has ended", async () => {
    const { begun, start, end } = work(new Semaphore(1));
    const controller = new AbortController();
    const first = start("first", controller.signal);
    const next = start("next");
    await settle();
    controller.abort(reason);
    await settle();
    expect(begun).toEqual(["first"]);
    await end("first");
    expect(begun).toEqual(["first", "next"]);
    await end("next");
    await Promise.all([first, next]);
  });

  it("begins nothing under a signal that is aborted before its turn or at that very moment", async () => {
    const semaphore = new Semaphore(1);
    await expect(semaphore.run(() => Promise.resolve(), AbortSignal.abort(reason))).rejects.toBe(reason);
    const controller = new AbortController();
    const release = await semaphore.acquire();
    const granted = semaphore.acquire(controller.signal);
    release();
    controller.abort(reason);
    await expect(granted).rejects.toBe(reason);
    await semaphore.run(() => Promise.resolve());
  });

  it("refuses whoever comes when the line is full, and takes the next once someone has left it", async () => {
    const refusal = new Error("busy");
    const semaphore = new Semaphore(1, { waitingMax: 1, refuse: () => refusal });
    const controller = new AbortController();
    const release = await semaphore.acquire();
    const waiting = semaphore.acquire(controller.signal);
    await expect(semaphore.acquire()).rejects.toBe(refusal);
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    const other = semaphore.acquire();
    release();
    (await other)();
  });

  it("counts a permit that is given back twice once", async () => {
    const semaphore = new Semaphore(1, { waitingMax: 0 });
    const release = await semaphore.acquire();
    release();
    release();
    const held = await semaphore.acquire();
    await expect(semaphore.acquire()).rejects.toThrow();
    held();
  });

  it("gives the permit of failed work to the next", async () => {
    const semaphore = new Semaphore(1);
    const failed = semaphore.run(() => Promise.reject(reason));
    const next = semaphore.run(() => Promise.resolve("done"));
    await expect(failed).rejects.toBe(reason);
    expect(await next).toBe("done");
  });

  it("runs work alone when all have ended, and nobody overtakes it", async () => {
    const { begun, start, end } = work(new Semaphore(2));
    const all = [start("a"), start("b"), start("alone", undefined, true), start("c")];
    await settle();
    await end("a");
    expect(begun).toEqual(["a", "b"]);
    await end("b");
    expect(begun).toEqual(["a", "b", "alone"]);
    await end("alone");
    expect(begun).toEqual(["a", "b", "alone", "c"]);
    await end("c");
    await Promise.all(all);
  });

  it("lets those behind go on when whoever wanted to be alone gives up", async () => {
    const { begun, start, end } = work(new Semaphore(2));
    const controller = new AbortController();
    const first = start("first");
    const alone = start("alone", controller.signal, true);
    const next = start("next");
    await settle();
    expect(begun).toEqual(["first"]);
    controller.abort(reason);
    await expect(alone).rejects.toBe(reason);
    await settle();
    expect(begun).toEqual(["first", "next"]);
    await Promise.all([end("first"), end("next"), first, next]);
  });
});

describe("a keyed mutex", () => {
  it("runs one at a time of each key, whatever runs of others", async () => {
    const mutex = new KeyedMutex();
    const { promise, resolve } = Promise.withResolvers<void>();
    const begun: string[] = [];
    const first = mutex.run("a", () => {
      begun.push("a1");
      return promise;
    });
    const second = mutex.run("a", () => Promise.resolve(void begun.push("a2")));
    await mutex.run("b", () => Promise.resolve(void begun.push("b")));
    expect(begun).toEqual(["a1", "b"]);
    resolve();
    await Promise.all([first, second]);
    expect(begun).toEqual(["a1", "b", "a2"]);
  });
});
