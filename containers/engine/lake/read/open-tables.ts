// Tables of one snapshot brought to this machine, as relations of a catalog in the locked database.

import type { LakeDescription, LakeTable, TablePlan } from "../../contract/lake.ts";
import type { BoundValue } from "../../contract/semantic/query.ts";
import { Phases } from "../../core/phases.ts";
import type { LakeGrant } from "../../contract/protocol.ts";
import type { CatalogClient } from "../catalog/catalog-client.ts";
import type { Analysis, TableRef } from "../sql/analysis.ts";
import { catalogAt } from "../sql/catalogs.ts";
import { relationsSql, resolveTables, type RelationOptions } from "../sql/relations.ts";
import { restrictionOf } from "../sql/restricted-table.ts";
import { snapshotOf } from "../catalog/snapshots.ts";
import type { TableFiles, TableFilesOpener } from "../files/table-files.ts";

export type LakeParts = { catalog: CatalogClient; files: TableFilesOpener };

/**
 * Which tables are opened, and how. Their files come in as far as `analysis` says they are read; without it, whole.
 * `otherRelations`: what makes the statement's other relations, without rows.
 */
export type TablesToOpen = {
  grant: LakeGrant;
  description: LakeDescription;
  tables: readonly LakeTable[];
  readsMetadata: boolean;
  analysis?: Analysis;
  /** What is bound to the statement. */
  values?: readonly BoundValue[] | undefined;
  /** So many rows of the answer are of use. */
  rowsMax?: number | undefined;
  options?: RelationOptions;
  otherRelations?: readonly string[];
  phases?: Phases;
};

/** Files that are held in place until released, and the SQL that makes relations of them. */
export type OpenTables = TableFiles & { setup: string[]; tables: readonly LakeTable[] };

export async function openTables(
  { catalog, files }: LakeParts,
  {
    grant,
    description,
    tables,
    readsMetadata,
    analysis,
    values,
    rowsMax,
    options,
    otherRelations,
    phases = new Phases(),
  }: TablesToOpen,
  signal: AbortSignal,
): Promise<OpenTables> {
  const planned = withoutUnseen(tables, await phases.time("plan", () => catalog.plan(grant, tables, signal)));
  const local = await files.open(
    {
      grant,
      tables,
      plans: planned,
      phases,
      ...(analysis && { analysis, values, rowsMax }),
      ...(options && { options }),
      ...(otherRelations && { otherRelations }),
    },
    signal,
  );
  const setup = relationsSql({ description, tables, plans: local.plans, files: local, readsMetadata }, options);
  return { ...local, tables, setup };
}

/** Of a table without a row for its caller no file matters. */
const withoutUnseen = (tables: readonly LakeTable[], plans: readonly TablePlan[]): TablePlan[] =>
  plans.map((plan, i) => (restrictionOf(tables[i]!)?.isEmpty ? { ...plan, files: [] } : plan));

/** The tables that a statement reads as of earlier snapshots, each snapshot in its catalog. */
export async function openPast(
  parts: LakeParts,
  grant: LakeGrant,
  { names, phases = new Phases() }: { names: readonly TableRef[]; phases?: Phases },
  signal: AbortSignal,
): Promise<OpenTables[]> {
  const open: OpenTables[] = [];
  try {
    for (const [at, named] of Map.groupBy(names, (name) => name.at)) {
      if (at === undefined) continue;
      const { grant: past, description } = await snapshotOf(parts.catalog, grant, at, signal);
      open.push(
        await openTables(
          parts,
          {
            grant: past,
            description,
            tables: resolveTables(named, description),
            readsMetadata: false,
            options: { catalog: catalogAt(at) },
            phases,
          },
          signal,
        ),
      );
    }
    return open;
  } catch (error) {
    for (const { release } of open) release();
    throw error;
  }
}
