import { expect, it } from "vitest";
import {
  encodeManifest,
  encodeManifestList,
  factsOfManifest,
  type DataFile,
} from "../../../../src/lake/iceberg/format/manifests.ts";
import { readAvro } from "../../../support/unit/iceberg/read-avro.ts";

const SCHEMA = { "schema-id": 3 };

const dataFile = (begin: number, rest: Partial<DataFile> = {}): DataFile => ({
  ...{ path: `s3://b/t/${begin}.parquet`, bytes: 1_000, rows: 10, begin, statistics: [] },
  ...rest,
});

it("a manifest's files are added by the newest snapshot among theirs, and were there before otherwise", () => {
  const files = { kind: "data" as const, files: [dataFile(1), dataFile(4), dataFile(2)] };
  const { header, rows } = readAvro(encodeManifest(files, SCHEMA));
  expect(header).toMatchObject({ content: "data", "format-version": "2", "schema-id": "3", "partition-spec": "[]" });
  expect(rows.map(({ status, sequence_number: at }) => [status, at])).toEqual([
    [0, 1],
    [1, 4],
    [0, 2],
  ]);
  expect(factsOfManifest(files)).toEqual({
    ...{ kind: "data", added: 4, oldest: 1 },
    ...{ addedFiles: 1, addedRows: 10, existingFiles: 2, existingRows: 20 },
  });
});

it("a bound is there only where both are known exactly", () => {
  const known = { columnId: 1, type: "int64", bytes: 80, values: 10, nulls: 1, min: "-5", max: "300" };
  const statistics = [known, { ...known, columnId: 2, max: null }, { ...known, columnId: 3, type: "float64" }];
  const [row] = readAvro(encodeManifest({ kind: "data", files: [dataFile(1, { statistics })] }, SCHEMA)).rows;
  const long = (value: bigint) => new Uint8Array(new BigInt64Array([value]).buffer);
  expect(row.data_file.lower_bounds).toEqual([{ key: 1, value: long(-5n) }]);
  expect(row.data_file.upper_bounds).toEqual([{ key: 1, value: long(300n) }]);
  expect(row.data_file.null_value_counts.map(({ key }: { key: number }) => key)).toEqual([1, 2, 3]);
});

it("a delete file names its data file, for readers of either form", () => {
  const of = "s3://b/t/ü.parquet";
  const file = { path: "s3://b/t/d.parquet", bytes: 500, rows: 2, begin: 5, of };
  const [row] = readAvro(encodeManifest({ kind: "deletes", files: [file] }, SCHEMA)).rows;
  expect(row.data_file).toMatchObject({ content: 1, record_count: 2, referenced_data_file: of });
  const [bound] = row.data_file.upper_bounds;
  expect([bound.key, new TextDecoder().decode(bound.value)]).toEqual([2_147_483_546, of]);
});

it("a list says of each manifest where it lies, and an empty one says nothing", () => {
  const facts = factsOfManifest({ kind: "data", files: [dataFile(2)] });
  const [row] = readAvro(encodeManifestList([{ path: "s3://b/t/m.avro", bytes: 77, facts }])).rows;
  expect(row).toMatchObject({ manifest_path: "s3://b/t/m.avro", manifest_length: 77, content: 0, sequence_number: 2 });
  expect(readAvro(encodeManifestList([])).rows).toEqual([]);
});

it("equal files make equal bytes", () => {
  const files = { kind: "data" as const, files: Array.from({ length: 2_000 }, (_, i) => dataFile(i + 1)) };
  const once = encodeManifest(files, SCHEMA);
  expect(encodeManifest(files, SCHEMA)).toEqual(once);
  expect(readAvro(once).rows).toHaveLength(2_000);
});
