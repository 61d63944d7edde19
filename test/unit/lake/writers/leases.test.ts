import { describe, expect, it } from "vitest";
import { newLake } from "../../../support/unit/lake.ts";

describe("a lease", () => {
  const free = async () => newLake().catalog;

  it("has one holder at a time", async () => {
    const catalog = await free();
    expect(await catalog.acquireLease("sync", "one", 1_000, 0)).toEqual({ ok: true, value: { fence: 1 } });
    expect(await catalog.acquireLease("sync", "two", 1_000, 999)).toMatchObject({
      ok: false,
      refusal: { code: "resource_conflict" },
    });
    expect(await catalog.acquireLease("other", "two", 1_000, 999)).toEqual({ ok: true, value: { fence: 1 } });
  });

  it("asked for again by its holder keeps its fence", async () => {
    const catalog = await free();
    await catalog.acquireLease("sync", "one", 1_000, 0);
    expect(await catalog.acquireLease("sync", "one", 1_000, 500)).toEqual({ ok: true, value: { fence: 1 } });
    expect(await catalog.findHeldLease("sync", 1_400)).toMatchObject({ holder: "one" });
  });

  it("passes on under a higher fence once it has run out or was released", async () => {
    const catalog = await free();
    await catalog.acquireLease("sync", "one", 1_000, 0);
    expect(await catalog.acquireLease("sync", "two", 1_000, 1_000)).toEqual({ ok: true, value: { fence: 2 } });
    expect(await catalog.releaseLease("sync", 2)).toBe(true);
    expect(await catalog.acquireLease("sync", "three", 1_000, 1_001)).toEqual({ ok: true, value: { fence: 3 } });
    expect([
      await catalog.isAlive("sync", 1),
      await catalog.isAlive("sync", 2),
      await catalog.isAlive("sync", 3),
    ]).toEqual([false, false, true]);
  });

  it("asked for again by a holder that released it gets a new fence", async () => {
    const catalog = await free();
    await catalog.acquireLease("sync", "one", 1_000, 0);
    await catalog.releaseLease("sync", 1);
    expect(await catalog.acquireLease("sync", "one", 1_000, 1)).toEqual({ ok: true, value: { fence: 2 } });
  });

  it("is renewed by its own fence, and by no other", async () => {
    const catalog = await free();
    await catalog.acquireLease("sync", "one", 1_000, 0);
    expect(await catalog.renewLease("sync", 1, 1_000, 900)).toBe(true);
    expect(await catalog.findHeldLease("sync", 1_800)).toMatchObject({ fence: 1 });
    await catalog.acquireLease("sync", "two", 1_000, 2_000);
    expect(await catalog.renewLease("sync", 1, 1_000, 2_001)).toBe(false);
    expect(await catalog.releaseLease("sync", 1)).toBe(false);
  });

  it("that ran out lives on until somebody takes it, so that a slow heartbeat costs no work", async () => {
    const catalog = await free();
    await catalog.acquireLease("sync", "one", 1_000, 0);
    expect(await catalog.findHeldLease("sync", 5_000)).toBeUndefined();
    expect(await catalog.isAlive("sync", 1)).toBe(true);
    expect(await catalog.renewLease("sync", 1, 1_000, 5_000)).toBe(true);
  });

  it("does not outlive its lake", async () => {
    const catalog = await free();
    await catalog.acquireLease("sync", "one", 1_000);
    await catalog.destroy();
    expect(await catalog.isAlive("sync", 1)).toBe(false);
    expect(await catalog.currentSnapshot()).toEqual({ snapshotId: 0 });
  });
});
