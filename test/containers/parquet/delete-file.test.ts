// Delete files as other engines need them, and those that earlier versions wrote.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance, type DuckDBConnection, type DuckDBInstance as Instance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeDeleteFile } from "../../../containers/engine/parquet/delete-file.ts";
import { ROOT } from "../../support/node/lake/catalog-platform.ts";
import { WriteLake } from "../../support/node/lake/write-lake.ts";

const directory = mkdtempSync(join(tmpdir(), "fjord-deletes-"));
const file = join(directory, "deletes.parquet");
const ADDRESS = "s3://fjord/team/lake/lake/main/t/Größe é.parquet";
let instance: Instance;
let duckdb: DuckDBConnection;
beforeAll(async () => {
  instance = await DuckDBInstance.create(":memory:");
  duckdb = await instance.connect();
});
afterAll(() => {
  duckdb.closeSync();
  instance.closeSync();
  rmSync(directory, { recursive: true, force: true });
});

const ask = async (sql: string) => (await duckdb.runAndReadAll(sql)).getRowObjectsJson();
const SCHEMA = [
  {
    name: "file_path",
    type: "BYTE_ARRAY",
    repetition_type: "REQUIRED",
    field_id: "2147483546",
    duckdb_type: "VARCHAR",
  },
  { name: "pos", type: "INT64", repetition_type: "REQUIRED", field_id: "2147483545", duckdb_type: "BIGINT" },
];
const schemaOf = (path: string) =>
  ask(
    `SELECT name, type, repetition_type, field_id, duckdb_type FROM parquet_schema('${path}') WHERE num_children IS NULL`,
  );

describe("a delete file", () => {
  it.each([
    ["one position", "SELECT 7 AS position", "SELECT 7 AS pos"],
    [
      "positions in any order, and large ones",
      "SELECT unnest([5, 9223372036854775807, 0, 3]) AS position",
      "SELECT unnest([0, 3, 5, 9223372036854775807]) AS pos",
    ],
    ["as many as a page takes", "SELECT range AS position FROM range(65536)", "SELECT range AS pos FROM range(65536)"],
    [
      "more than a row group takes",
      "SELECT range * 3 AS position FROM range(1500001)",
      "SELECT range * 3 AS pos FROM range(1500001)",
    ],
  ])(
    "of %s has required columns under Iceberg's ids, the whole address, and its positions in order",
    async (_, positions, expected) => {
      const { bytes, footerBytes, rows } = await writeDeleteFile(duckdb, ADDRESS, positions, file);
      expect(await schemaOf(file)).toEqual(SCHEMA);
      const [reported] = await ask(
        `SELECT count(*)::INTEGER AS rows, (SELECT footer_size::INTEGER FROM parquet_file_metadata('${file}')) AS footer FROM '${file}'`,
      );
      expect([{ rows, footer: footerBytes }, bytes]).toEqual([reported, readFileSync(file).length]);
      expect(
        await ask(
          `SELECT * FROM '${file}' AS a POSITIONAL JOIN (${expected}) AS b WHERE a.pos IS DISTINCT FROM b.pos OR a.file_path IS DISTINCT FROM '${ADDRESS}'`,
        ),
      ).toEqual([]);
      // What lies in the file's statistics keeps no row out.
      expect(
        await ask(
          `SELECT (SELECT count(*) FROM '${file}' WHERE file_path = '${ADDRESS}' AND pos >= (SELECT min(pos) FROM '${file}'))::INTEGER AS n`,
        ),
      ).toEqual([{ n: rows }]);
      expect(
        await ask(
          `SELECT count(*)::INTEGER AS n FROM '${file}' WHERE pos > (SELECT max(pos) FROM '${file}') OR file_path <> '${ADDRESS}'`,
        ),
      ).toEqual([{ n: 0 }]);
    },
  );
});

describe("in a lake", () => {
  it("names the data file as every engine does, and one of an earlier version goes on to hold", async () => {
    const lake = await WriteLake.open();
    try {
      await lake.ask("CREATE TABLE t AS SELECT range AS n FROM range(100)");
      const { platform } = lake;
      const [[id, path] = []] = [
        ...platform.storage.sql
          .exec(
            "SELECT f.data_file_id, s.path || t.path || f.path FROM ducklake_data_file f JOIN ducklake_table t USING (table_id) JOIN ducklake_schema s USING (schema_id)",
          )
          .raw(),
      ] as [number, string][];
      const dataFile = path!;
      const table = { schema: "main", name: "t" };
      platform.commit({
        kind: "delete",
        ...table,
        deletes: [
          { dataFileId: id!, file: await platform.writeDeletes("main", "t", dataFile, "SELECT unnest([0, 50])") },
        ],
      });
      expect(await lake.rows("SELECT count(*) AS rows, min(n) AS least FROM t")).toEqual([{ rows: 98, least: 1 }]);
      expect(await lake.count("DELETE FROM t WHERE n % 10 = 0")).toBe(8);
      expect(await lake.rows("SELECT count(*) AS rows, min(n) AS least FROM t")).toEqual([{ rows: 90, least: 1 }]);
      const [[newest] = []] = [
        ...platform.storage.sql.exec("SELECT path FROM ducklake_delete_file WHERE end_snapshot IS NULL").raw(),
      ] as [string][];
      const written = readdirSync(platform.bucket, { recursive: true })
        .map(String)
        .find((each) => each.endsWith(newest!))!;
      expect(await schemaOf(join(platform.bucket, written))).toEqual(SCHEMA);
      expect(
        await ask(
          `SELECT file_path, list(pos::INTEGER) AS pos FROM '${join(platform.bucket, written)}' GROUP BY file_path`,
        ),
      ).toEqual([{ file_path: ROOT + dataFile, pos: [0, 10, 20, 30, 40, 50, 60, 70, 80, 90] }]);
    } finally {
      await lake.close();
    }
  });
});
