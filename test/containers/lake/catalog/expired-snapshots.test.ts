// A statement reads the snapshot that it names whole, or is told where it stands that it has expired: whatever the
// engine has kept of it.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expireSnapshots } from "../../../../src/lake/maintenance/expire.ts";
import { WriteLake } from "../../../support/node/lake/write-lake.ts";

let lake: WriteLake;
beforeAll(async () => void (lake = await WriteLake.open()));
afterAll(() => lake.close());

/** A table of three snapshots, whose middle one has the ids 0 to 4; answers its number. */
async function table(name: string): Promise<number> {
  await lake.ask(`CREATE TABLE ${name} AS SELECT range::INTEGER AS id FROM range(3)`);
  await lake.ask(`INSERT INTO ${name} VALUES (3), (4)`);
  const { snapshotId } = lake.platform;
  await lake.ask(`DELETE FROM ${name} WHERE id < 4`);
  return snapshotId;
}

const failure = (sql: string): Promise<unknown> =>
  lake.ask(sql).then(
    (answer) => Promise.reject(new Error(answer)),
    (error: unknown) => error,
  );

const expire = (snapshotId: number): void =>
  void expireSnapshots(lake.platform.storage, { snapshotIds: [snapshotId] }, Date.now());

/** Expires the snapshot before the next request of this kind is answered. */
function expireBefore(verb: string, snapshotId: number): void {
  lake.platform.onRequest = (asked) => {
    if (asked !== verb) return;
    lake.platform.onRequest = () => undefined;
    expire(snapshotId);
  };
}

describe("a statement on a snapshot that has expired", () => {
  it("is told so at its place, though the engine had read the snapshot before", async () => {
    const at = await table("read");
    const sql = `SELECT 'é', count(*) AS n FROM read AT (VERSION => ${at})`;
    expect(await lake.rows(sql)).toEqual([expect.objectContaining({ n: 5 })]);
    expire(at);
    for (let again = 0; again < 2; again++)
      expect(await failure(sql)).toMatchObject({
        code: "sql_error",
        message: `The lake has no snapshot ${at}, or it has expired.`,
        position: sql.indexOf("AT (") + 1,
      });
  });

  it("is told so though the engine had described the snapshot, and not planned the table", async () => {
    const at = await table("described");
    await lake.ask("CREATE TABLE other AS SELECT 1 AS id");
    await lake.rows(`SELECT * FROM read AT (VERSION => ${at})`);
    expire(at);
    expect(await failure(`SELECT * FROM described AT (VERSION => ${at})`)).toMatchObject({ code: "sql_error" });
  });

  it.each(["describe", "plan"])("is told so where it expires before %s is answered", async (verb) => {
    const at = await table(`late_${verb}`);
    const from = verb === "plan" ? "read" : `late_${verb}`;
    // What is described already is planned next.
    if (verb === "plan") await lake.rows(`SELECT * FROM ${from} AT (VERSION => ${at})`);
    expireBefore(verb, at);
    expect(await failure(`SELECT * FROM late_${verb} AT (VERSION => ${at})`)).toMatchObject({
      code: "sql_error",
      position: expect.any(Number),
    });
  });

  it("is told so where it names an instant, and where it writes", async () => {
    const at = await table("written");
    await lake.rows(`SELECT * FROM written AT (VERSION => ${at})`);
    expire(at);
    expect(await failure(`INSERT INTO written SELECT id FROM written AT (VERSION => ${at})`)).toMatchObject({
      code: "sql_error",
      message: expect.stringContaining("has expired"),
    });
    const sql = "SELECT * FROM written AT (TIMESTAMP => '2001-01-01')";
    expect(await failure(sql)).toMatchObject({ code: "sql_error", position: sql.indexOf("AT (") + 1 });
  });

  it("reads it whole where it had all of it by then", async () => {
    const at = await table("whole");
    const sql = `SELECT count(*) AS n FROM whole AT (VERSION => ${at})`;
    await lake.rows(sql);
    expireBefore("bucket", at);
    expect(await lake.rows(sql)).toEqual([{ n: 5 }]);
    lake.platform.onRequest = () => undefined;
  });
});

describe("a table that an earlier snapshot has not", () => {
  it("is named at its place", async () => {
    const at = await table("young");
    const sql = `SELECT 1 FROM read, nowhere AT (VERSION => ${at})`;
    expect(await failure(sql)).toMatchObject({ code: "sql_error", position: sql.indexOf("nowhere") + 1 });
  });
});
