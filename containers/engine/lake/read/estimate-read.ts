// The catalog and a statement's plan alone tell what the statement will read of its tables: nothing is fetched or run.

import type { LakeColumn, LakeDescription, LakeTable, TablePlan } from "../../../../kernel/lake/lake.ts";
import { PLANNED } from "../../../../kernel/lake/constants.ts";
import { holdsForEveryRow } from "../../../../kernel/lake/row-predicates.ts";
import type { BoundValue } from "../../../../kernel/semantic/query.ts";
import type { LakeGrant, ReadEstimate, ReadFigures } from "../../../../kernel/wire/engine.ts";
import { Phases } from "../../core/phases.ts";
import { withSnapshot, type PastLake } from "../catalog/snapshots.ts";
import { narrowPlan, READ_ALL, type TableRead } from "../pruning/table-reads.ts";
import type { Analysis, TableRef } from "../sql/analysis.ts";
import { resolveTables, type OpenPlan } from "../sql/relations.ts";
import { refusePlansOf, relationOf } from "../sql/restricted-table.ts";
import type { Lake } from "./lake.ts";

/** `values`: those of its parameters; without them it may have none. */
export type EstimatedStatement = { sql: string; values?: readonly BoundValue[]; grant: LakeGrant };

/** Rejects with the gate's Failure where the statement may not run. */
export async function estimateRead(
  lake: Lake,
  { sql, values, grant }: EstimatedStatement,
  signal: AbortSignal,
): Promise<ReadEstimate> {
  const isNumbered = values !== undefined;
  const [analysis, description] = await Promise.all([
    lake.analyse({ grant, sql, values, isNumbered }, signal),
    lake.catalog.describe(grant, signal, { sql }),
  ]);
  const reading = { lake, analysis, values };
  const tables: ReadEstimate["tables"] = [];
  for (const [at, names] of Map.groupBy(analysis.tables, ({ travel }) => travel?.at)) {
    const ofSnapshot = ({ grant: past, description: known }: PastLake) =>
      estimateTables({ ...reading, grant: past, description: known, names, at: at ?? null }, signal);
    const parts = { catalog: lake.catalog, phases: new Phases() };
    tables.push(
      ...(at === undefined
        ? await ofSnapshot({ grant, description })
        : await withSnapshot(parts, { grant, travel: names[0]!.travel! }, signal, ofSnapshot)),
    );
  }
  return { tables, readsDrive: analysis.driveFiles.length > 0, writes: false };
}

type SnapshotReading = {
  lake: Lake;
  analysis: Analysis;
  values: readonly BoundValue[] | undefined;
  grant: LakeGrant;
  description: LakeDescription;
  names: readonly TableRef[];
  at: string | null;
};

/** The tables that a statement reads of one snapshot. */
async function estimateTables(reading: SnapshotReading, signal: AbortSignal): Promise<ReadEstimate["tables"]> {
  const { lake, analysis, values, grant, description, names, at } = reading;
  const tables = resolveTables(names, description);
  if (analysis.explain) refusePlansOf(tables);
  const plans = await lake.catalog.plan(grant, tables, signal);
  // A plan that is measured is run, and a plan alone is made from the files' footers.
  const explain = analysis.explain === "EXPLAIN ANALYZE" ? undefined : analysis.explain;
  const statement = { grant, analysis: { ...analysis, explain }, values, tables, plans, phases: new Phases() };
  // Files of earlier snapshots are brought in whole.
  const reads = at === null ? await lake.files.predictReads(statement, signal) : tables.map(() => READ_ALL);
  return Promise.all(
    tables.map(async (table, i) => ({
      schema: table.schema,
      name: table.name,
      at,
      figures: await figuresOf({ lake, grant, table, plan: plans[i]!, read: reads[i]! }, signal),
    })),
  );
}

type ReadTable = { lake: Lake; grant: LakeGrant; table: LakeTable; plan: TablePlan; read: TableRead };

/** Figures are null for a table of which the reader sees a part, since its files would tell of the rest. */
async function figuresOf(read: ReadTable, signal: AbortSignal): Promise<ReadFigures | null> {
  const { table, plan } = read;
  if (!relationOf(table).isWhole) return null;
  const { files } = narrowPlan(await neededFiles(read, signal), read.read);
  return {
    files: files.length,
    filesTotal: plan.files.length,
    bytes: files.reduce((sum, file) => sum + (file.columnBytes ?? file.bytes) + (file.deletes?.bytes ?? 0), 0),
    bytesTotal: plan.files.reduce((sum, { bytes, deletes }) => sum + bytes + (deletes?.bytes ?? 0), 0),
  };
}

/** The files that may hold a row that matters, with the size of the columns that are read. */
async function neededFiles(
  { lake, grant, table, plan, read: { scans, anyOf } }: ReadTable,
  signal: AbortSignal,
): Promise<OpenPlan & TablePlan> {
  // Footers alone are read where there is no scan, and delete files besides where one reads no column.
  if (scans?.length === 0) return { ...plan, files: [] };
  const columnIds = scans && leafIds(table.columns, new Set(scans.flatMap(({ columns }) => [...columns])));
  if (columnIds?.length === 0) return { ...plan, files: plan.files.map((file) => ({ ...file, columnBytes: 0 })) };
  const isNarrow = columnIds !== undefined && columnIds.length <= PLANNED.columnsMax;
  if (isNarrow) return lake.catalog.planSized(grant, { table, anyOf, columnIds }, signal);
  return holdsForEveryRow(anyOf) ? plan : lake.catalog.prune(grant, { table, plan, anyOf }, signal);
}

/** The columns without children that some of a table's columns come down to. */
const leafIds = (columns: readonly LakeColumn[], wanted: ReadonlySet<number>): number[] =>
  columns.filter(({ id }) => wanted.has(id)).flatMap(leavesOf);

const leavesOf = ({ id, children }: LakeColumn): number[] =>
  children.length === 0 ? [id] : children.flatMap(leavesOf);
