// The statements of previews: keys by which pages follow each other, and files of the drive.

import { describe, expect, it } from "vitest";
import { likelyKey, previewStatement } from "../../../../src/console/screens/catalog/table/keyset.ts";
import { crumbsOf, endingOf, fileStatement } from "../../../../src/console/screens/drive/files.ts";

const column = (name: string, max: string, more = {}) => ({
  name,
  type: "BIGINT",
  nullable: false,
  statistics: { min: "1", max },
  ...more,
});

describe("a table's key", () => {
  it("is never a column with fewer values than the table has rows, nor one that may be NULL", () => {
    expect(likelyKey([column("kind", "7"), column("id", "100", { nullable: true })], 100)).toBeUndefined();
    expect(likelyKey([column("kind", "7"), column("order_id", "9007199254740993")], 100)?.name).toBe("order_id");
  });

  it("goes on behind the last row that was shown, at the snapshot that is asked for", () => {
    const page = {
      schema: "s",
      table: 'a"b',
      snapshotId: 3,
      key: { name: "id", type: "BIGINT" },
      after: "9007199254740993",
      rows: 2,
    };
    expect(previewStatement(page)).toBe(
      `SELECT * FROM LAKE."s"."a""b" AT (VERSION => 3) WHERE "id" > CAST('9007199254740993' AS BIGINT) ORDER BY "id" LIMIT 2`,
    );
  });
});

describe("a drive's file", () => {
  it("is read by what its name ends in, compressed or not, with quotes in its path kept", () => {
    expect(fileStatement("a/o'c.CSV.gz", "gs://fjord/t/drive/a/o'c.CSV.gz", 5)).toBe(
      "SELECT * FROM read_csv('gs://fjord/t/drive/a/o''c.CSV.gz') LIMIT 5",
    );
    expect(fileStatement("a.csv/readme", "gs://x", 5)).toBeUndefined();
    expect(endingOf(".csv")).toBe("csv");
  });

  it("lies in folders that each have their own address", () => {
    expect(crumbsOf("a/b c/")).toEqual([
      { name: "a", prefix: "a/" },
      { name: "b c", prefix: "a/b c/" },
    ]);
  });
});
