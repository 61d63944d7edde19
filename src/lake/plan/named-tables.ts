// A statement that names some tables is told two things at once: what there is at a snapshot, and the plans of those
// tables.

import type { DescribeRequest, LakeDescription, TablePlan } from "../../../kernel/lake/lake.ts";
import { FORESEEN } from "../../../kernel/lake/constants.ts";
import { foldName } from "../../../kernel/text/fold-name.ts";
import type { Reader } from "../access/readers.ts";
import { accept, type Answer } from "../../core/answer.ts";
import { describeCatalog } from "./describe.ts";
import { planTables } from "./plan.ts";

/** Names that may be tables' names, and the plans of tables that the asker has. */
export type NamedTables = Pick<DescribeRequest, "names" | "known">;

export type DescribedTables = LakeDescription & { plans: TablePlan[] };

/** Tables of many files have no plan: whoever reads one asks again. */
export function describeNamed(
  sql: SqlStorage,
  snapshotId: number,
  { names = [], known = [], reader }: NamedTables & { reader: Reader },
): Answer<DescribedTables> {
  const described = describeCatalog(sql, snapshotId, reader);
  if (!described.ok) return described;
  const named = new Set(names.map(foldName));
  const versions = new Map(known.map(({ tableId, version }) => [tableId, version]));
  const unknown = described.value.tables.filter(
    ({ tableId, name, version }) => named.has(foldName(name)) && versions.get(tableId) !== version,
  );
  const plans: TablePlan[] = [];
  let filesMax: number = FORESEEN.filesMax;
  for (const { tableId } of unknown.slice(0, FORESEEN.tablesMax)) {
    const planned = planTables(sql, snapshotId, { tableIds: [tableId], reader, filesMax });
    if (!planned.ok) continue;
    filesMax -= planned.value.reduce((sum, { files }) => sum + files.length, 0);
    plans.push(...planned.value);
  }
  return accept({ ...described.value, plans });
}
