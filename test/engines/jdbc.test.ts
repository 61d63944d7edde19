// Trino's JDBC driver, as it is, against the whole product behind a TLS end: it sends a password by TLS alone.

import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { rowsOf } from "../e2e/client.ts";
import { startTlsEnd, type TlsEnd } from "../support/node/servers/tls-end.ts";
import { COLUMNS, PROBLEMS, TYPED } from "../support/node/engines/jdbc/answers.ts";

const run = promisify(execFile);
const CLIENT = join(import.meta.dirname, "..", "support", "node", "engines", "jdbc", "JdbcClient.java");
const CLIENT_MS = 200_000;

const TABLE = `CREATE TABLE LAKE.jdbc_test.types AS SELECT 1::INTEGER AS i32, (-128)::TINYINT AS i8,
  32767::SMALLINT AS i16, 9223372036854775807::BIGINT AS i64, 1.5::FLOAT AS f32, 'nan'::DOUBLE AS f64,
  12.34::DECIMAL(10,2) AS dec, 12345678901234567890.123456789::DECIMAL(38,9) AS wide, true AS ok, 'é "x"' AS txt,
  '\\x00\\xFF'::BLOB AS bin, '00000000-0000-0000-0000-0000000000ab'::UUID AS id, DATE '2024-02-29' AS day,
  TIME '10:11:12.345678' AS clock, TIMESTAMP '2024-02-29 10:11:12.345678' AS ts,
  TIMESTAMPTZ '2024-02-29 10:11:12.345678+02' AS tz, [1, NULL, 3]::INTEGER[] AS list, {'a': 1, 'b': 'x'} AS parts,
  '{"a": 1}'::JSON AS doc, MAP {'a': 1::BIGINT} AS pairs
  UNION ALL SELECT 2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
    NULL, NULL, NULL`;

let tls: TlsEnd;
/** What each scenario of the client has seen. */
let seen: Record<string, unknown>;
beforeAll(async () => {
  const { baseUrl, key } = inject("platform");
  const { java, jdbc } = inject("clients");
  for (const sql of [
    "CREATE SCHEMA LAKE.jdbc_test",
    TABLE,
    "COMMENT ON TABLE LAKE.jdbc_test.types IS 'One of each'",
    "COMMENT ON COLUMN LAKE.jdbc_test.types.i32 IS 'Its key'",
  ])
    await rowsOf(sql);
  tls = await startTlsEnd(baseUrl);
  const url = `jdbc:trino://127.0.0.1:${tls.port}/lake/jdbc_test`;
  const options = { timeout: CLIENT_MS, maxBuffer: 16 * 1024 * 1024 };
  const { stdout } = await run(
    join(java, "bin", "java"),
    ["-Duser.timezone=UTC", "-cp", jdbc, CLIENT, url, key],
    options,
  );
  const lines = stdout.trim().split("\n");
  seen = Object.fromEntries(lines.map((line) => JSON.parse(line) as [string, unknown]));
});
afterAll(() => tls?.stop());

describe("its metadata", () => {
  type Rows = (string | number | null)[][];
  const of = (call: string): Rows => (seen["metadata"] as Record<string, Rows>)[call]!;

  it("lists catalogs, schemas and tables, by patterns with escaped signs", () => {
    expect(of("getCatalogs")).toEqual([["lake"], ["system"]]);
    expect(of("getSchemas")).toContainEqual(["sample", "lake"]);
    expect(of("getSchemas of")).toEqual([["jdbc_test", "lake"]]);
    expect(of("getTableTypes")).toEqual([["TABLE"], ["VIEW"]]);
    const table = ["lake", "jdbc_test", "types", "TABLE", null, null, null, null, null, null];
    expect(of("getTables")).toEqual([table]);
    expect(of("getTables of any")).toEqual([table]);
  });

  it("describes columns in Trino's figures, with their comments", () => {
    const shown = of("getColumns").map((row) => [row[3], row[4], row[5], row[6], row[8], row[9], row[11], row[15]]);
    expect(shown).toEqual(COLUMNS);
    expect(of("getColumns of").map((row) => row[3])).toEqual(["i32"]);
  });

  it("knows the types by Trino's numbers", () => {
    const types = Object.fromEntries(of("getTypeInfo").map(([name, number, precision]) => [name, [number, precision]]));
    expect(types).toMatchObject({
      bigint: [-5, 19],
      double: [8, 53],
      varbinary: [-3, 2_147_483_647],
      varchar: [2_000, null],
    });
  });

  it.each([
    "getPrimaryKeys",
    "getImportedKeys",
    "getProcedures",
    "getProcedureColumns",
    "getUDTs",
    "getAttributes",
    "getSuperTypes",
    "getSuperTables",
    "getPseudoColumns",
  ])("answers %s, of which a lake has none", (call) => expect(of(call)).toEqual([]));

  it("fails only where the driver itself refuses", () => {
    const refused = Object.entries(seen["metadata"] as Record<string, unknown>).filter(
      ([, rows]) => !Array.isArray(rows),
    );
    expect(Object.fromEntries(refused)).toEqual(PROBLEMS);
  });
});

describe("its statements", () => {
  it("have values of every type, as objects and as texts", () => expect(seen["types"]).toEqual(TYPED));

  it("take values for parameters, and are run again with others", () => {
    const row = [1, "12.34", "2024-02-29 10:11:12.345678", 'é "x"'];
    expect(seen["prepared"]).toEqual([6, 4, [row], []]);
  });

  it("come in pages, and are cut by setMaxRows", () => {
    expect(seen["pages"]).toEqual([100_000, 4_999_950_000]);
    expect(seen["maxRows"]).toEqual([7, 100]);
  });

  it("are cancelled from another thread, and the connection goes on", () =>
    expect(seen["cancelled"]).toEqual([expect.stringMatching(/^Error (executing query|fetching results)/), true, 1]));

  it("write, one by one and in batches, and say how many rows", () =>
    expect(seen["writes"]).toEqual([
      ...[false, 2, [1, 1, 1], 2, 1],
      [
        [1, "ONE", null],
        [2, "TWO", "2024-02-29 10:00:00.0"],
        [3, "it's 3", "2024-01-01 00:00:00.123"],
        [4, null, "2024-01-01 00:00:00.123"],
      ],
    ]));

  it("are refused by Trino's number, at their place", () =>
    expect(seen["refused"]).toEqual([expect.stringContaining("line 2:2: Column 'nothing' cannot be resolved"), 47]));

  it("read within a transaction", () =>
    expect(seen["transaction"]).toEqual([[[2]], [["types"]], "lake", "information_schema"]));
});

it("finds its connection valid, of Trino's version", () => expect(seen["valid"]).toEqual([true, "476"]));

it("is refused with a key that is none", () =>
  expect(seen["stranger"]).toEqual(expect.stringMatching(/^Authentication failed/)));
