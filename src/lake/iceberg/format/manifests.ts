// Manifests name a table's data files or delete files, and a manifest list the manifests of a snapshot. Pure.

import { encodeAvroFile, type AvroValue } from "./avro.ts";
import { encodeBound } from "./bounds.ts";
import { MANIFEST_ENTRY, MANIFEST_FILE } from "./manifest-schemas.ts";

/** What a manifest names; Iceberg numbers them. */
export const MANIFEST_KINDS = ["data", "deletes"] as const;
export type ManifestKind = (typeof MANIFEST_KINDS)[number];
const CONTENT: Record<ManifestKind, number> = { data: 0, deletes: 1 };

/** A column's statistics in one file. Null is unknown. */
export type FileStatistics = {
  columnId: number;
  type: string;
  bytes: number | null;
  values: number | null;
  nulls: number | null;
  min: string | null;
  max: string | null;
};

/** `path` is the whole address, and `begin` the snapshot that the file came with. */
export type ManifestFile = { path: string; bytes: number; rows: number; begin: number };
export type DataFile = ManifestFile & { statistics: readonly FileStatistics[] };
/** All deleted rows of the data file at the address `of`. */
export type DeleteFile = ManifestFile & { of: string };
export type ManifestFiles = { kind: "data"; files: DataFile[] } | { kind: "deletes"; files: DeleteFile[] };

/** What the manifest list says of a manifest. */
export type ManifestFacts = {
  kind: ManifestKind;
  /** The newest snapshot that a file in it came with, and the oldest. */
  added: number;
  oldest: number;
  addedFiles: number;
  addedRows: number;
  existingFiles: number;
  existingRows: number;
};

/** The value of an entry's status. */
const EXISTING = 0;
const ADDED = 1;

const PARQUET = { file_format: "PARQUET", partition: {} };
/** The column of a delete file that holds data files' addresses: its bounds tell readers which one is meant. */
const DELETE_FILE_PATH = 2_147_483_546;

/** Files are added by the newest snapshot among theirs, and were there before otherwise. There is at least one. */
export function factsOfManifest({ kind, files }: ManifestFiles): ManifestFacts {
  const begins = files.map(({ begin }) => begin);
  const added = Math.max(...begins);
  const [addedFiles, existing] = [files.filter(isAddedBy(added)), files.filter((file) => !isAddedBy(added)(file))];
  return {
    kind,
    added,
    oldest: Math.min(...begins),
    addedFiles: addedFiles.length,
    addedRows: sumRows(addedFiles),
    existingFiles: existing.length,
    existingRows: sumRows(existing),
  };
}

const isAddedBy =
  (snapshotId: number) =>
  ({ begin }: ManifestFile): boolean =>
    begin === snapshotId;

const sumRows = (files: readonly ManifestFile[]): number => files.reduce((sum, { rows }) => sum + rows, 0);

/** `schema` is the table's, as Iceberg's JSON: a manifest carries it along. */
export function encodeManifest(files: ManifestFiles, schema: { "schema-id": number }): Uint8Array {
  const { added } = factsOfManifest(files);
  const entryOf = (file: ManifestFile, dataFile: AvroValue): AvroValue => ({
    status: file.begin === added ? ADDED : EXISTING,
    snapshot_id: file.begin,
    sequence_number: file.begin,
    file_sequence_number: file.begin,
    data_file: dataFile,
  });
  const entries =
    files.kind === "data"
      ? files.files.map((file) => entryOf(file, dataFileOf(file)))
      : files.files.map((file) => entryOf(file, deleteFileOf(file)));
  const header = {
    schema: JSON.stringify(schema),
    "schema-id": String(schema["schema-id"]),
    "partition-spec": "[]",
    "partition-spec-id": "0",
    "format-version": "2",
    content: files.kind,
  };
  return encodeAvroFile(MANIFEST_ENTRY, header, entries);
}

const fileOf = (kind: ManifestKind, { path, rows, bytes }: ManifestFile) => ({
  ...PARQUET,
  content: CONTENT[kind],
  file_path: path,
  record_count: rows,
  file_size_in_bytes: bytes,
});

function dataFileOf(file: DataFile): AvroValue {
  const counts = (of: (statistics: FileStatistics) => number | null) =>
    file.statistics.flatMap((statistics) => {
      const value = of(statistics);
      return value === null ? [] : [{ key: statistics.columnId, value }];
    });
  const bounds = file.statistics.flatMap(({ columnId, type, min, max }) => {
    if (min === null || max === null) return [];
    const [lower, upper] = [encodeBound(type, min), encodeBound(type, max)];
    return lower && upper ? [{ key: columnId, lower, upper }] : [];
  });
  return {
    ...fileOf("data", file),
    column_sizes: counts(({ bytes }) => bytes),
    value_counts: counts(({ values }) => values),
    null_value_counts: counts(({ nulls }) => nulls),
    lower_bounds: bounds.map(({ key, lower }) => ({ key, value: lower })),
    upper_bounds: bounds.map(({ key, upper }) => ({ key, value: upper })),
    sort_order_id: 0,
  };
}

function deleteFileOf(file: DeleteFile): AvroValue {
  const bound = [{ key: DELETE_FILE_PATH, value: new TextEncoder().encode(file.of) }];
  return { ...fileOf("deletes", file), lower_bounds: bound, upper_bounds: bound, referenced_data_file: file.of };
}

/** A manifest where it lies: `path` is the whole address. */
export type StoredManifest = { path: string; bytes: number; facts: ManifestFacts };

export const encodeManifestList = (manifests: readonly StoredManifest[]): Uint8Array =>
  encodeAvroFile(
    MANIFEST_FILE,
    { "format-version": "2" },
    manifests.map(({ path, bytes, facts }) => ({
      manifest_path: path,
      manifest_length: bytes,
      partition_spec_id: 0,
      content: CONTENT[facts.kind],
      sequence_number: facts.added,
      min_sequence_number: facts.oldest,
      added_snapshot_id: facts.added,
      added_files_count: facts.addedFiles,
      existing_files_count: facts.existingFiles,
      deleted_files_count: 0,
      added_rows_count: facts.addedRows,
      existing_rows_count: facts.existingRows,
      deleted_rows_count: 0,
      partitions: [],
    })),
  );
