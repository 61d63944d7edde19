import { abortAllDurableObjects } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { newId } from "../../../../src/core/ids.ts";
import { LAKE_CATALOG_LIMITS } from "../../../../src/lake/format/limits.ts";
import { openLake, openReader } from "../../../../src/lake/lake.ts";
import { createTable, newLake, newWriter, rowsOf } from "../../../support/unit/lake.ts";
import { grantOf, readerOf } from "./reading.ts";

async function newTable() {
  const lake = newLake();
  await (await newWriter(lake)).commit([createTable("main", "t")]);
  return lake;
}

describe("a digest", () => {
  it("whose roles are not known reads nothing", async () => {
    const { catalog } = await newTable();
    const refused = { ok: false, refusal: { code: "precondition_failed" } };
    expect(await catalog.describe(1, "unknown")).toMatchObject(refused);
    expect(await catalog.plan(1, [1], "unknown")).toMatchObject(refused);
    expect(await catalog.pathsOf(1, [0], "unknown")).toMatchObject(refused);
    expect(await catalog.describe(1, "")).toMatchObject(refused);
  });

  it("keeps its first roles, and those of a lake are not another's", async () => {
    const [lake, other] = [await newTable(), await newTable()];
    const { digest, tablesAt } = await readerOf(lake, []);
    await lake.catalog.keepAccess(digest, [[grantOf("*", "*")]]);
    expect(await tablesAt(1)).toEqual({});
    expect(await other.catalog.describe(1, digest)).toMatchObject({ ok: false });
  });

  it("outlives the object's memory, with roles of any size and any letters", async () => {
    const lake = await newTable();
    const many = Array.from({ length: 20_000 }, (_, i) => grantOf("main", `${"🐟".repeat(20)} ${i}`));
    const { digest } = await readerOf(lake, [many, [grantOf("main", "t")]]);
    expect((await rowsOf(lake, "SELECT count(*) AS n FROM fjord_access_roles"))[0]!.n).toBeGreaterThan(2);
    await abortAllDurableObjects();
    expect(await openLake(env, lake.lakeId).describe(1, digest)).toMatchObject({
      ok: true,
      value: { tables: [{ name: "t" }] },
    });
  });

  it("is forgotten when nobody has read by it for a day, and not before", async () => {
    const lake = await newTable();
    const [used, unused] = [await readerOf(lake, [[grantOf("*", "*")]]), await readerOf(lake, [])];
    const later = Date.now() + LAKE_CATALOG_LIMITS.accessKeptMs - 1_000;
    expect(await lake.catalog.openReader(used.digest, later)).toEqual({ snapshotId: 1, isKnown: true });
    await lake.catalog.keepAccess(newId(), [], later + 2_000);
    expect(await lake.catalog.openReader(used.digest)).toMatchObject({ isKnown: true });
    expect(await lake.catalog.openReader(unused.digest)).toMatchObject({ isKnown: false });
    expect(await lake.catalog.describe(1, unused.digest)).toMatchObject({ ok: false });
  });

  it("is dead with its lake", async () => {
    const lake = await newTable();
    const { digest } = await readerOf(lake, [[grantOf("*", "*")]]);
    await lake.catalog.destroy();
    expect(await lake.catalog.describe(0, digest)).toMatchObject({ ok: false });
  });
});

describe("opening a lake for a reader", () => {
  it("asks for roles once for each digest, and never for who reads all", async () => {
    const { catalog } = await newTable();
    const digest = newId();
    const loadRoles = vi.fn(() => Promise.resolve({ digest, roles: [] }));
    expect(await openReader(catalog, { kind: "roles", digest, loadRoles })).toEqual({ snapshotId: 1, reader: digest });
    expect(await openReader(catalog, { kind: "roles", digest, loadRoles })).toEqual({ snapshotId: 1, reader: digest });
    expect(loadRoles).toHaveBeenCalledTimes(1);
    expect(await openReader(catalog, { kind: "all" })).toEqual({ snapshotId: 1, reader: "everything" });
  });

  it("goes by the roles that were read, where they are others by now", async () => {
    const { catalog } = await newTable();
    const [old, digest] = [newId(), newId()];
    const loadRoles = () => Promise.resolve({ digest, roles: [[grantOf("main", "t")]] });
    expect(await openReader(catalog, { kind: "roles", digest: old, loadRoles })).toEqual({
      snapshotId: 1,
      reader: digest,
    });
    expect(await catalog.describe(1, old)).toMatchObject({ ok: false });
    expect(await catalog.describe(1, digest)).toMatchObject({ ok: true, value: { tables: [{ name: "t" }] } });
  });
});
