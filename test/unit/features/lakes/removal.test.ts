import { env as bindings } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { BUCKET_LIMITS } from "../../../../src/platform/bucket/limits.ts";
import { LAKE_LIMITS } from "../../../../src/features/lakes/limits.ts";
import { openDb } from "../../../../src/platform/db/client.ts";
import { lakeRemovals } from "../../../../src/platform/db/schema/schema.ts";
import { lakePrefix } from "../../../../src/lake/lake.ts";
import { removeLakeStatements } from "../../../../src/features/lakes/remove-lake.ts";
import { removeLakeObjects } from "../../../../src/features/lakes/remove-objects.ts";
import { sweepLakeRemovals } from "../../../../src/features/lakes/sweep-removals.ts";
import { createTable, newLake, newWriter, type TestLake } from "../../../support/unit/lake.ts";
import { openClients } from "../../../../src/clients/clients.ts";

const now = new Date("2100-01-01T00:00:00Z");
const later = (ms: number) => new Date(now.getTime() + ms);
const urlsEnd = BUCKET_LIMITS.signedUrlSeconds * 1_000;

/** The Worker's own bindings, but for a queue that remembers what was sent. */
let sent: unknown[] = [];
const env = {
  ...(bindings as Env),
  CLEANUP_WAKE_UPS: {
    send: async (body: unknown) => void sent.push(body),
    sendBatch: async (messages: { body: unknown }[]) => void sent.push(...messages.map(({ body }) => body)),
  },
} as unknown as Env;
const db = openDb(env.DB);

const wakeUpOf = ({ teamId, lakeId }: TestLake) => ({ kind: "lake_removal", version: 1, teamId, id: lakeId });
const remove = async (lake: TestLake, at = now) => void (await db.batch([...removeLakeStatements(db, lake, at)]));
const countObjects = async (lake: TestLake) =>
  (await env.BUCKET.list({ prefix: lakePrefix(lake.teamId, lake.lakeId) })).objects.length;
const put = (lake: TestLake, name: string) =>
  env.BUCKET.put(`${lakePrefix(lake.teamId, lake.lakeId)}main/t/${name}`, "x");

beforeEach(async () => {
  sent = [];
  await db.delete(lakeRemovals);
});

describe("removeLakeObjects", () => {
  it("deletes the lake's objects and catalog and no other's, and forgets the removal once no URL can add to them", async () => {
    const [lake, other] = [newLake(), newLake()];
    const writer = await newWriter(lake);
    await writer.commit([createTable("main", "t")]);
    await Promise.all([...Array(5).keys()].map((index) => put(lake, `${index}.parquet`)));
    await put(other, "0.parquet");
    await remove(lake);

    expect(await removeLakeObjects(openClients(env), wakeUpOf(lake), now)).toBe("waiting");
    expect([await countObjects(lake), await countObjects(other)]).toEqual([0, 1]);
    expect(await lake.catalog.currentSnapshot()).toEqual({ snapshotId: 0 });
    expect(await writer.commit([createTable("main", "t")])).toMatchObject({
      ok: false,
      refusal: { code: "resource_conflict" },
    });

    // A job that was under way put one more, by a URL it had.
    await put(lake, "late.parquet");
    expect(await sweepLakeRemovals(openClients(env), later(urlsEnd - 1))).toEqual({ lakeRemovalsWoken: 0 });
    expect(await sweepLakeRemovals(openClients(env), later(urlsEnd))).toEqual({ lakeRemovalsWoken: 1 });
    expect(await removeLakeObjects(openClients(env), wakeUpOf(lake), later(urlsEnd))).toBe("done");
    expect(await countObjects(lake)).toBe(0);
    expect(await db.select().from(lakeRemovals)).toEqual([]);
  });

  it("that is woken up twice, or for a lake that is not being removed, harms nothing", async () => {
    const [lake, kept] = [newLake(), newLake()];
    await (await newWriter(kept)).commit([createTable("main", "t")]);
    await put(kept, "0.parquet");
    await remove(lake, later(-urlsEnd));
    expect(await removeLakeObjects(openClients(env), wakeUpOf(lake), now)).toBe("done");
    expect(await removeLakeObjects(openClients(env), wakeUpOf(lake), now)).toBe("gone");
    expect(await removeLakeObjects(openClients(env), wakeUpOf(kept), now)).toBe("gone");
    // The right lake under the wrong team is no removal either.
    await remove(lake);
    expect(await removeLakeObjects(openClients(env), { ...wakeUpOf(lake), teamId: kept.teamId }, now)).toBe("gone");
    expect(await countObjects(kept)).toBe(1);
    expect(await kept.catalog.currentSnapshot()).toEqual({ snapshotId: 1 });
  });

  it("stops at its bound and wakes itself up again", async () => {
    const lake = newLake();
    await remove(lake);
    let left = (LAKE_LIMITS.removalStepsMax + 1) * 2;
    // Two objects a page: what counts is how many pages a call takes.
    const BUCKET = {
      list: async () => ({
        objects: Array.from({ length: Math.min(2, left) }, (_, index) => ({ key: String(index) })),
      }),
      delete: async (keys: string[]) => void (left -= keys.length),
    } as unknown as R2Bucket;
    expect(await removeLakeObjects(openClients({ ...env, BUCKET }), wakeUpOf(lake), now)).toBe("deleting");
    expect({ left, sent }).toEqual({ left: 2, sent: [wakeUpOf(lake)] });
    expect(await removeLakeObjects(openClients({ ...env, BUCKET }), wakeUpOf(lake), now)).toBe("waiting");
  });
});

describe("sweepLakeRemovals", () => {
  it("wakes up a removal whose message was lost, once until it is due again", async () => {
    const lake = newLake();
    await remove(lake);
    const [first, second] = await Promise.all([
      sweepLakeRemovals(openClients(env), now),
      sweepLakeRemovals(openClients(env), now),
    ]);
    expect(first.lakeRemovalsWoken + second.lakeRemovalsWoken).toBe(1);
    expect(sent).toEqual([wakeUpOf(lake)]);
    expect(await sweepLakeRemovals(openClients(env), later(LAKE_LIMITS.removalRetryMs))).toEqual({
      lakeRemovalsWoken: 1,
    });
  });

  it("takes no more than its bound, the longest due first", async () => {
    const lakes = Array.from({ length: LAKE_LIMITS.removalsPerSweepMax + 1 }, newLake);
    for (const [index, lake] of lakes.entries()) await remove(lake, later(-index));
    expect(await sweepLakeRemovals(openClients(env), now)).toEqual({
      lakeRemovalsWoken: LAKE_LIMITS.removalsPerSweepMax,
    });
    expect(sent).not.toContainEqual(wakeUpOf(lakes[0]!));
    expect(await sweepLakeRemovals(openClients(env), now)).toEqual({ lakeRemovalsWoken: 1 });
  });
});
