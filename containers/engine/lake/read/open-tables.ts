// Tables of one snapshot brought to this machine, as relations of a catalog in the locked database.

import type { LakeDescription, LakeTable, TablePlan } from "../../../../kernel/lake/lake.ts";
import type { BoundValue } from "../../../../kernel/semantic/query.ts";
import { Phases } from "../../core/phases.ts";
import type { LakeGrant } from "../../../../kernel/wire/engine.ts";
import type { CatalogClient } from "../catalog/catalog-client.ts";
import type { Analysis, TableRef } from "../sql/analysis.ts";
import { catalogAt } from "../sql/catalogs.ts";
import { relationsSql, resolveTables, type RelationOptions } from "../sql/relations.ts";
import { relationOf } from "../sql/restricted-table.ts";
import { withSnapshot, type PastLake } from "../catalog/snapshots.ts";
import type { TableFiles, TableFilesOpener } from "../files/table-files.ts";

export type LakeParts = {
  catalog: CatalogClient;
  files: TableFilesOpener;
  /** The tables that were opened before. */
  kept: { open(order: TablesToOpen): OpenTables | undefined; keep(order: TablesToOpen, open: OpenTables): void };
};

/**
 * The tables that are opened. Their files come in as far as `analysis` says they are read; without it, whole.
 * `otherRelations`: what makes the statement's other relations, without rows.
 */
export type TablesToOpen = {
  grant: LakeGrant;
  description: LakeDescription;
  tables: readonly LakeTable[];
  readsMetadata: boolean;
  analysis?: Analysis;
  /** Values of the statement's parameters. */
  values?: readonly BoundValue[] | undefined;
  /** The most rows of the answer that are used. */
  rowsMax?: number | undefined;
  options?: RelationOptions;
  otherRelations?: readonly string[];
  phases?: Phases;
};

/** Files that are held in place until released, and the SQL that makes relations of them. */
export type OpenTables = TableFiles & { setup: string[]; tables: readonly LakeTable[] };

export async function openTables(parts: LakeParts, order: TablesToOpen, signal: AbortSignal): Promise<OpenTables> {
  const kept = parts.kept.open(order);
  if (kept) return kept;
  const planned = withoutUnseen(order.tables, await planTables(parts.catalog, order, signal));
  const open = await openPlanned(parts.files, order, planned, signal);
  // Otherwise files or rows are left out that only this statement does not need.
  if (open.plans.every((plan, i) => plan === planned[i])) parts.kept.keep(order, open);
  return open;
}

const planTables = (
  catalog: CatalogClient,
  { grant, tables, phases = new Phases() }: TablesToOpen,
  signal: AbortSignal,
): Promise<TablePlan[]> => phases.time("plan", () => catalog.plan(grant, tables, signal));

async function openPlanned(
  files: TableFilesOpener,
  { phases = new Phases(), ...order }: TablesToOpen,
  plans: readonly TablePlan[],
  signal: AbortSignal,
): Promise<OpenTables> {
  const { grant, description, tables, readsMetadata, analysis, values, rowsMax, options, otherRelations } = order;
  const local = await files.open(
    {
      grant,
      tables,
      plans,
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

/** The files of a table in which the caller sees no row don't matter. */
const withoutUnseen = (tables: readonly LakeTable[], plans: readonly TablePlan[]): TablePlan[] =>
  plans.map((plan, i) => (relationOf(tables[i]!).isEmpty ? { ...plan, files: [] } : plan));

/** The tables that a statement reads as of earlier snapshots, each snapshot in its catalog. */
export async function openPast(
  parts: LakeParts,
  grant: LakeGrant,
  { names, phases = new Phases() }: { names: readonly TableRef[]; phases?: Phases },
  signal: AbortSignal,
): Promise<OpenTables[]> {
  const open: OpenTables[] = [];
  try {
    for (const [at, named] of Map.groupBy(names, ({ travel }) => travel?.at)) {
      if (at === undefined) continue;
      const openAt = ({ grant: past, description }: PastLake): Promise<OpenTables> => {
        const tables = resolveTables(named, description);
        const options = { catalog: catalogAt(at) };
        return openTables(parts, { grant: past, description, tables, readsMetadata: false, options, phases }, signal);
      };
      open.push(await withSnapshot({ ...parts, phases }, { grant, travel: named[0]!.travel! }, signal, openAt));
    }
    return open;
  } catch (error) {
    for (const { release } of open) release();
    throw error;
  }
}
