// The chunks of its tables' files that a statement needs. Pure.

import type { LakeTable, PlannedFile } from "../../../../kernel/lake/lake.ts";
import type { Phases } from "../../core/phases.ts";
import { EVERY_FIELD, type ColumnChunk } from "../../parquet/column-chunks.ts";
import type { FileField } from "../../parquet/footers.ts";
import { fieldsOf, questionsOf, type TableRead } from "../pruning/table-reads.ts";
import type { RowGroupQuestion } from "../pruning/row-groups.ts";
import type { LocalFiles, OpenPlan } from "../sql/relations.ts";
import type { PinnedFiles } from "./pinned-files.ts";

/** A statement's tables while their files come in: what is read of each, and what lies here. */
export type OpenReading = {
  /** The reader whose rights apply; readings of equal readers see the same. */
  reader: string;
  tables: readonly LakeTable[];
  plans: readonly OpenPlan[];
  reads: readonly TableRead[];
  local: LocalFiles;
  pinned: PinnedFiles;
  phases: Phases;
};

/**
 * The parts of a file that a statement reads: the fields of each scan, the row groups that can't matter to the scan,
 * and only rows whose position is below `before`.
 */
export type WantedParts = {
  before: number;
  scans: Array<{ fields: ReadonlySet<number>; unneeded: ReadonlySet<number> }>;
};

/** The wanted parts by file id; files that are read whole are absent. */
export function wantedParts({ plans, reads, local }: OpenReading): Map<number, WantedParts> {
  const shapeOf = (fileId: number): FileField[] => local.shapes.get(local.paths.get(fileId)!)!;
  const wanted = new Map<number, WantedParts>();
  for (const [i, { files }] of plans.entries()) {
    const { scans } = reads[i]!;
    if (!scans) continue;
    // Many files share one shape.
    const shapes = new Set(files.map(({ id }) => shapeOf(id)));
    const fieldsByShape = new Map([...shapes].map((shape) => [shape, scans.map((scan) => fieldsOf(scan, shape))]));
    for (const { id, before = Infinity } of files) {
      const fieldsOfScans = fieldsByShape.get(shapeOf(id))!;
      wanted.set(id, { before, scans: fieldsOfScans.map((fields) => ({ fields, unneeded: new Set() })) });
    }
  }
  return wanted;
}

/** A file without `wanted` is read whole, as delete files are. */
export function wantsChunk(
  wanted: WantedParts | undefined,
  { field, rowGroup, firstRow, isBloom = false }: ColumnChunk,
): boolean {
  if (!wanted || field === EVERY_FIELD) return true;
  if (firstRow >= wanted.before) return false;
  // DuckDB may look at a row group's bloom filter before the statistics of another column rule the group out.
  return wanted.scans.some(({ fields, unneeded }) => fields.has(field) && (isBloom || !unneeded.has(rowGroup)));
}

/** `scan`: the index of the scan, among those of its table, that the question is for. */
export function rowGroupQuestions(
  { tables, reads, local }: OpenReading,
  files: readonly (readonly PlannedFile[])[],
): Array<{ fileIds: number[]; question: RowGroupQuestion; scan: number }> {
  return tables.flatMap((table, i) =>
    (reads[i]!.scans ?? []).flatMap((each, scan) =>
      questionsOf(table, files[i]!, each, local).map(({ ids, question }) => ({ fileIds: ids, question, scan })),
    ),
  );
}
