// Tables of one snapshot brought to this machine, as relations of a catalog in the locked database.

import type { LakeDescription, LakeTable, TablePlan } from "../../../../kernel/lake/lake.ts";
import { Phases } from "../../core/phases.ts";
import type { LakeGrant } from "../../../../kernel/wire/engine.ts";
import type { CatalogClient } from "../catalog/catalog-client.ts";
import type { TableRef } from "../sql/analysis.ts";
import { catalogAt } from "../sql/catalogs.ts";
import { relationsSql, resolveTables } from "../sql/relations.ts";
import { relationOf } from "../sql/restricted-table.ts";
import { withSnapshot, type PastLake } from "../catalog/snapshots.ts";
import type { TableFiles, TableFilesOpener, TableStatement } from "../files/table-files.ts";

export type LakeParts = {
  catalog: CatalogClient;
  files: TableFilesOpener;
  /** The tables that were opened before. */
  kept: { open(order: TablesToOpen): OpenTables | undefined; keep(order: TablesToOpen, open: OpenTables): void };
};

/** The tables that are opened: as a statement reads them, by plans that are made then. */
export type TablesToOpen = Omit<TableStatement, "plans" | "phases"> & {
  description: LakeDescription;
  readsMetadata: boolean;
  phases?: Phases;
};

/** Files that are held in place until released, and the SQL that makes relations of them. */
export type OpenTables = TableFiles & { setup: string[]; tables: readonly LakeTable[] };

export async function openTables(parts: LakeParts, order: TablesToOpen, signal: AbortSignal): Promise<OpenTables> {
  const kept = parts.kept.open(order);
  if (kept) return kept;
  const { grant, description, tables, readsMetadata, options, phases = new Phases() } = order;
  const plans = await phases.time("plan", () => parts.catalog.plan(grant, tables, signal));
  const planned = withoutUnseen(tables, plans);
  const local = await parts.files.open({ ...order, plans: planned, phases }, signal);
  const setup = relationsSql({ description, tables, plans: local.plans, files: local, readsMetadata }, options);
  const open = { ...local, tables, setup };
  // Otherwise files or rows are left out that only this statement does not need.
  if (open.plans.every((plan, i) => plan === planned[i])) parts.kept.keep(order, open);
  return open;
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
