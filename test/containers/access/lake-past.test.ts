// Roles and a lake's past: what a role hides stays hidden under the names it had, and after it was dropped. On the real
// catalog.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LakeGrant } from "../../../kernel/wire/engine.ts";
import { aGrant } from "../../support/node/access/a-grant.ts";
import { WriteLake } from "../../support/node/lake/write-lake.ts";

let lake: WriteLake;
/** Snapshots by what had just been done. */
const at: Record<string, number> = {};

const HISTORY: Record<string, string> = {
  made: `CREATE TABLE people AS SELECT range AS id, CASE WHEN range < 3 THEN 'north' ELSE 'south' END AS zone,
    'ssn ' || range AS ssn, 'phone ' || range AS phone, range * 10 AS pay FROM range(6)`,
  otherMade: "CREATE TABLE secrets AS SELECT 'top secret' AS word",
  columnRenamed: "ALTER TABLE people RENAME COLUMN ssn TO tax_no",
  filterRenamed: "ALTER TABLE people RENAME COLUMN zone TO region",
  rowsMoved: "UPDATE people SET region = 'north' WHERE id = 5",
  tableRenamed: "ALTER TABLE people RENAME TO staff",
  columnDropped: "ALTER TABLE staff DROP COLUMN phone",
  columnTaken: "ALTER TABLE staff ADD COLUMN ssn VARCHAR",
  otherDropped: "DROP TABLE secrets",
  payDropped: "ALTER TABLE staff DROP COLUMN pay",
};

const ROLES = [
  aGrant("staff", {
    schema: "main",
    excludes: ["tax_no", "phone"],
    masks: { pay: 0 },
    filters: [{ member: "region", operator: "equals", values: ["north"] }],
  }),
  aGrant("replaced", { schema: "main" }),
];
let member: LakeGrant;

beforeAll(async () => {
  lake = await WriteLake.open();
  for (const [name, sql] of Object.entries(HISTORY)) {
    await lake.ask(sql);
    at[name] = lake.platform.snapshotId;
  }
  member = lake.platform.grantFor([ROLES]);
}, 60_000);
afterAll(() => lake.close());

const rows = async (sql: string): Promise<unknown> =>
  (JSON.parse(await lake.ask(sql, { grant: member })) as { data: unknown }).data;
const failure = async (sql: string) => lake.failure(sql, { grant: member });

describe("a member who sees a part of a lake, in its past", () => {
  it("sees of the present what its names say", async () => {
    expect(await rows("SELECT * FROM staff ORDER BY id")).toEqual([
      { id: 0, region: "north", ssn: null },
      { id: 1, region: "north", ssn: null },
      { id: 2, region: "north", ssn: null },
      { id: 5, region: "north", ssn: null },
    ]);
  });

  it.each([
    ["made", "people", "zone"],
    ["columnRenamed", "people", "zone"],
    ["filterRenamed", "people", "region"],
  ])("sees of %s neither hidden rows nor hidden columns, by whatever names", async (when, table, zone) => {
    const past = `${table} AT (VERSION => ${at[when]})`;
    expect(await rows(`SELECT * FROM ${past} ORDER BY id`)).toEqual([0, 1, 2].map((id) => ({ id, [zone]: "north" })));
    for (const hidden of ["ssn", "tax_no", "phone", "pay"])
      expect((await failure(`SELECT ${hidden} FROM ${past}`)).message).toMatch(
        new RegExp(`^Binder Error: Referenced column "${hidden}" not found`),
      );
    expect((await failure(`EXPLAIN SELECT * FROM ${past}`)).code).toBe("statement_refused");
  });

  it("sees the rows of each snapshot by the values that they had in it", async () => {
    const [before, after] = [at.filterRenamed, at.rowsMoved];
    expect(
      await rows(
        `SELECT (SELECT list(id ORDER BY id) FROM people AT (VERSION => ${before})) AS a,
          (SELECT list(id ORDER BY id) FROM people AT (VERSION => ${after})) AS b`,
      ),
    ).toEqual([{ a: [0, 1, 2], b: [0, 1, 2, 5] }]);
  });

  it("sees a column that took a hidden one's old name", async () => {
    expect(await rows(`SELECT count(*) AS n, count(ssn) AS s FROM staff AT (VERSION => ${at.columnTaken})`)).toEqual([
      { n: 4, s: 0 },
    ]);
  });

  it("finds no table that it may not read, dropped or not, as where there never was one", async () => {
    const never = (await failure(`SELECT * FROM nosuch AT (VERSION => ${at.otherMade})`)).message;
    for (const when of ["otherMade", "columnTaken", "otherDropped"]) {
      const { message } = await failure(`SELECT * FROM secrets AT (VERSION => ${at[when]})`);
      expect(message.replaceAll("secrets", "nosuch")).toBe(never);
    }
  });

  it("sees of a table that was replaced no column that its name has no more, though it was read before", async () => {
    await lake.ask("CREATE TABLE replaced AS SELECT 1 AS id, '123' AS ssn");
    const past = `replaced AT (VERSION => ${lake.platform.snapshotId})`;
    const ask = async (sql: string) =>
      (JSON.parse(await lake.ask(sql, { grant: lake.platform.grantFor([ROLES]) })) as { data: unknown }).data;
    expect(await ask("SELECT ssn FROM replaced")).toEqual([{ ssn: "123" }]);
    expect(await ask(`SELECT ssn FROM ${past}`)).toEqual([{ ssn: "123" }]);
    await lake.ask("CREATE OR REPLACE TABLE replaced AS SELECT 2 AS id");
    expect(await ask(`SELECT * FROM ${past}`)).toEqual([{ id: 1 }]);
    expect(await ask("SELECT * FROM replaced")).toEqual([{ id: 2 }]);
    const refused = await lake.failure(`SELECT ssn FROM ${past}`, { grant: lake.platform.grantFor([ROLES]) });
    expect(refused.message).toMatch(/^Binder Error: Referenced column "ssn" not found/);
  });

  it("writes nothing, lest a part be taken for the whole", async () => {
    const before = lake.platform.snapshotId;
    const writer = lake.platform.writerGrant("w1", member);
    for (const sql of ["INSERT INTO staff VALUES (9, 'north', NULL, NULL)", "DELETE FROM staff", "DROP TABLE staff"])
      expect(await lake.failure(sql, { grant: writer })).toMatchObject({
        code: "statement_refused",
        message: "Who sees a part of the lake can't write to it.",
      });
    expect(lake.platform.snapshotId).toBe(before);
  });
});
