// What stands between a statement and the rows that roles hide from its caller, on a real MariaDB: the query of a
// filtered table is done before anything of the statement is looked at.

import type { Connection } from "mysql2/promise";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import type { AccessRoles } from "../../../../kernel/access/access.ts";
import { runAsCaller } from "../../../support/node/access/mysql-caller.ts";
import { connectMariadb } from "../../../support/node/sources/sources.ts";

const server = inject("mariadb");
const db = `fence_${process.pid}`;
const whole = { schema: db, table: "rows", excludes: [], masks: {}, filters: [] };
const EVEN: AccessRoles = [[{ ...whole, filters: [{ member: "kind", operator: "contains", values: ["EVEN"] }] }]];
/** Overflows on rows that are hidden, and on no other. */
const THROWS = "EXP(IF(kind = 'even', 1, 1000)) > 0";

let root: Connection;

beforeAll(async () => {
  root = await connectMariadb(server);
  await root.query(`CREATE DATABASE ${db}; USE ${db};
    CREATE TABLE \`rows\` (id INT PRIMARY KEY, kind VARCHAR(9), secret INT, KEY (kind));
    INSERT INTO \`rows\` SELECT seq, IF(seq % 2, 'odd', 'even'), seq FROM seq_1_to_2000; ANALYZE TABLE \`rows\``);
});

afterAll(async () => {
  await root?.query(`DROP DATABASE IF EXISTS ${db}`);
  await root?.end();
});

const ROADS = [
  `SELECT COUNT(*) FROM \`rows\` WHERE ${THROWS}`,
  `SELECT COUNT(*) FROM \`rows\` WHERE id = 1001 AND ${THROWS}`,
  `SELECT COUNT(*) FROM \`rows\` WHERE id BETWEEN 3 AND 3 AND ${THROWS}`,
  `SELECT COUNT(*) FROM (SELECT * FROM \`rows\`) d WHERE ${THROWS}`,
  `WITH d AS (SELECT * FROM \`rows\`) SELECT COUNT(*) FROM d WHERE ${THROWS}`,
  `SELECT kind, COUNT(*) FROM \`rows\` GROUP BY kind HAVING ${THROWS}`,
  `SELECT COUNT(*) FROM (SELECT kind, COUNT(*) AS n FROM \`rows\` GROUP BY kind) d WHERE ${THROWS}`,
  `SELECT COUNT(*) FROM (SELECT kind, RANK() OVER (PARTITION BY kind ORDER BY id) AS r FROM \`rows\`) d WHERE ${THROWS}`,
  `SELECT COUNT(*) FROM (SELECT kind FROM \`rows\` UNION SELECT kind FROM \`rows\`) d WHERE ${THROWS}`,
  `SELECT COUNT(*) FROM (SELECT DISTINCT kind FROM \`rows\`) d WHERE ${THROWS}`,
  `SELECT COUNT(*) FROM \`rows\` a JOIN \`rows\` b ON b.id = a.id AND EXP(IF(b.kind = 'even', 1, 1000)) > 0`,
  `SELECT COUNT(*) FROM (SELECT 1 AS id) a LEFT JOIN \`rows\` b ON b.id = a.id AND EXP(IF(b.kind = 'odd', 1000, 1)) > 0`,
  `SELECT COUNT(*) FROM (SELECT 2 AS id) a WHERE id IN (SELECT id FROM \`rows\` WHERE ${THROWS})`,
  `SELECT COUNT(*) FROM (SELECT 2 AS id) a WHERE EXISTS (SELECT 1 FROM \`rows\` WHERE ${THROWS})`,
  `SELECT (SELECT MAX(EXP(IF(kind = 'even', 1, 1000))) FROM \`rows\`) > 0`,
  `SELECT MAX(EXP(IF(kind = 'even', 1, 1000))) > 0 FROM \`rows\``,
  `SELECT id FROM \`rows\` ORDER BY EXP(IF(kind = 'even', 1, 1000)), id LIMIT 1`,
];

describe("the fence around a filtered table of MySQL", () => {
  it.each(ROADS)("keeps hidden rows from %s", async (sql) => {
    expect(await runAsCaller(server, db, sql, EVEN)).toEqual(expect.objectContaining({ rows: expect.any(Array) }));
  });

  it("is what keeps them: unfenced, the server looks at rows that a condition rules out", async () => {
    const queryOf = (fence: string) =>
      `WITH r AS (SELECT * FROM \`rows\` WHERE CAST(CONVERT(kind USING utf8mb4) AS BINARY) = 'even' ${fence})
       SELECT COUNT(*) FROM r WHERE ${THROWS}`;
    await expect(root.query(queryOf(""))).rejects.toThrow(/out of range/);
    await expect(root.query(queryOf("LIMIT 9223372036854775807"))).resolves.toBeDefined();
  });

  it("is a table of its own in the server's plan, to which nothing is pushed", async () => {
    const [rows] = await root.query(`EXPLAIN FORMAT=JSON
      WITH r AS (SELECT * FROM \`rows\` WHERE kind = 'even' LIMIT 9223372036854775807)
      SELECT COUNT(*) FROM r WHERE id = 7 AND secret > 5 AND kind = 'odd'`);
    const { query_block: outer } = JSON.parse((rows as string[][])[0]![0]!);
    const derived = outer.nested_loop[0].table;
    const inner = derived.materialized.query_block.nested_loop[0].table;
    expect(derived.attached_condition).toMatch(/id.*secret.*kind/);
    expect(`${inner.attached_condition} ${inner.index_condition}`).not.toMatch(/secret|odd|\bid\b/);
  });
});
