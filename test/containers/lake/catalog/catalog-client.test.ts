import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CatalogClient } from "../../../../containers/engine/lake/catalog/catalog-client.ts";
import type { LakeGrant } from "../../../../kernel/wire/engine.ts";
import type { AccessRoles } from "../../../../kernel/access/access.ts";
import { CatalogPlatform } from "../../../support/node/lake/catalog-platform.ts";

const COLUMNS = [{ id: 1, name: "id", type: "int64", nullable: true, children: [] }];
const MINE: AccessRoles = [[{ schema: "main", table: "open", excludes: [], masks: {}, filters: [] }]];

describe("what the catalog said", () => {
  let platform: CatalogPlatform;
  beforeAll(async () => {
    platform = await CatalogPlatform.start();
    for (const name of ["open", "secret"]) {
      platform.commit({ kind: "create_table", schema: "main", name, columns: COLUMNS });
      const file = await platform.write("main", name, COLUMNS, "SELECT range AS id FROM range(3)");
      platform.commit({ kind: "append", schema: "main", name, files: [file] });
    }
  });
  afterAll(() => platform.stop());

  it("to one caller is never told to another", async () => {
    const client = new CatalogClient(platform.url);
    const { signal } = new AbortController();
    const [all, mine] = [{ ...platform.grant(), reader: "everything" }, platform.grantFor(MINE)];
    const { tables } = await client.describe(all, signal);
    expect((await client.plan(all, tables, signal)).map(({ files }) => files.length)).toEqual([1, 1]);
    expect((await client.describe(mine, signal)).tables.map(({ name }) => name)).toEqual(["open"]);
    // A scope gets no files of a table that it was not granted, though another scope's plan of it is remembered.
    expect((await client.plan(mine, tables, signal)).map(({ files }) => files.length)).toEqual([1, 0]);
    const ids = (await client.plan(all, tables, signal)).flatMap(({ files }) => files.map(({ id }) => id));
    expect(Object.keys(await client.sign(mine, ids, signal))).toHaveLength(1);
  });
  it("comes with what a statement on named tables asks next, each time no more than what is new", async () => {
    const client = new CatalogClient(platform.url);
    const { signal } = new AbortController();
    const verbs: string[] = [];
    platform.onRequest = (verb) => void verbs.push(verb);
    const read = async (grant: LakeGrant, sql: string) => {
      verbs.length = 0;
      const { tables } = await client.describe(grant, signal, { sql });
      const plans = await client.plan(grant, tables, signal);
      const ids = plans.flatMap(({ files }) => files.map(({ id }) => id));
      return [Object.keys(await client.sign(grant, ids, signal)).map(Number), verbs.join(" ")];
    };
    const all = () => ({ ...platform.grant(), reader: "everything" });
    const sql = 'SELECT * FROM "Open", secret AS s';
    expect(await read(all(), sql)).toEqual([[0, 1], "describe"]);
    // URLs are given once: who asks again fetches again.
    expect(await read(all(), sql)).toEqual([[0, 1], "sign"]);
    platform.commit({ kind: "create_table", schema: "main", name: "other", columns: COLUMNS });
    expect(await read(all(), "SELECT * FROM open")).toEqual([[0, 1], "describe plan sign"]);
    const file = await platform.write("main", "open", COLUMNS, "SELECT range AS id FROM range(3)");
    platform.commit({ kind: "append", schema: "main", name: "open", files: [file] });
    expect(await read(all(), "SELECT * FROM open")).toEqual([[0, 1, 2], "describe sign"]);
    expect(await read(platform.grantFor(MINE), sql)).toEqual([[0, 2], "describe"]);
  });
});
