// The noun: how a lake is, as the API shows it.

import { z } from "@hono/zod-openapi";
import { orNull } from "../../../http/answer.ts";
import { MAINTENANCE_KINDS } from "../../../platform/db/schema/work-schema.ts";
import type { LakeFigures, TableFigures } from "../../../../kernel/lake/figures.ts";
import type { TableLeftAlone } from "../../automations/maintenance/find.ts";
import type { Run } from "../../automations/runs/run.ts";
import { stateOf } from "../../automations/runs/wire-mapping.ts";
import { RUN_STATES } from "../../automations/runs/wire-schema.ts";
import type { TeamLake } from "../../integrations/integration.ts";
import { BuiltTableHealth } from "./built-tables.ts";
import { deleteRatioOf, FINDINGS, GRADES, gradeTable, judgeLake, smallShareOf, type SeenObjects } from "./verdict.ts";

const count = z.number().int();
const instant = z.iso.datetime();
const share = z.number().min(0).max(1);

const files = {
  files: count.openapi({ description: "Data files, as of now." }),
  smallFiles: count.openapi({ description: "Those below half of the table's `target_file_size`." }),
  smallFileShare: share,
  deleteFiles: count,
  bytes: count.openapi({ description: "Of data files and delete files." }),
  rows: count.openapi({ description: "As a query counts them." }),
  deletedRows: count.openapi({ description: "In data files still; queries leave them out." }),
  deleteRatio: share.openapi({ description: "Deleted rows among all rows of the files." }),
};

export const LakeTableHealth = z
  .object({ schema: z.string(), name: z.string(), grade: z.enum(GRADES), ...files })
  .openapi("LakeTableHealth");
export type LakeTableHealth = z.infer<typeof LakeTableHealth>;

const Finding = z
  .object({
    code: z.enum(FINDINGS),
    grade: z.enum(GRADES),
    message: z.string().openapi({ description: "What is wrong, and what to do about it." }),
  })
  .openapi("LakeFinding");

const Figures = z
  .object({
    ...files,
    tables: count,
    snapshots: count,
    oldestSnapshotAt: instant,
    scheduled: z
      .object({ files: count, bytes: count, dueFiles: count, oldestAt: instant.nullable() })
      .openapi({ description: "Files that no snapshot reads, kept for the grace before they are deleted." }),
  })
  .openapi("LakeFigures");

const LastMaintenanceDocument = z
  .object({
    maintenanceId: z.uuid(),
    kind: z.enum(MAINTENANCE_KINDS),
    state: z.enum(RUN_STATES),
    endedAt: instant.nullable(),
  })
  .openapi("LastLakeMaintenance");

export const LakeHealth = z
  .object({
    integrationId: z.uuid(),
    teamId: z.uuid(),
    name: z.string(),
    grade: z.enum([...GRADES, "unknown"]).openapi({ description: "The worst of its findings; `good` without any." }),
    findings: z.array(Finding),
    measuredAt: instant
      .nullable()
      .openapi({
        description:
          "When its catalog was asked: now, or by the last round of maintenance or collection. Null where neither was.",
      }),
    figures: orNull(Figures),
    orphans: orNull(
      z
        .object({ objects: count, bytes: count, measuredAt: instant })
        .openapi("LakeOrphans", { description: "What nothing named at the last collection, which deleted it." }),
    ),
    lastMaintenance: orNull(LastMaintenanceDocument).openapi({ description: "The last that ended." }),
    tables: z.array(LakeTableHealth).openapi({ description: "Those with the most small and delete files first." }),
    builtTables: z
      .array(BuiltTableHealth)
      .openapi({
        description: "Of one lake: the tables that its team's docs build. Empty where many lakes are listed.",
      }),
  })
  .openapi("LakeHealth");
export type LakeHealth = z.infer<typeof LakeHealth>;

/** The known facts of a lake; `figures` is null where its catalog has not been asked yet. */
export type KnownLake = {
  lake: TeamLake;
  figures: { value: LakeFigures; at: string } | null;
  objects: SeenObjects;
  /** The last maintenance that ended. */
  ended: Run | undefined;
  /** The tables that none of the last maintenances came to; not looked for where many lakes are listed. */
  leftAlone?: TableLeftAlone[];
  /** The tables that docs build; not looked for there either. */
  builtTables?: BuiltTableHealth[];
};

export function healthOf(
  { lake, figures, objects, ended, leftAlone = [], builtTables = [] }: KnownLake,
  now: Date,
): LakeHealth {
  const lastMaintenance = ended ? lastOf(ended) : null;
  const verdict =
    figures && judgeLake({ figures: figures.value, objects, lastMaintenance, leftAlone, builtTables, now });
  const orphaned = objects && { ...objects.tally.orphaned, measuredAt: objects.at };
  return {
    integrationId: lake.lakeId,
    teamId: lake.teamId,
    name: lake.name,
    grade: verdict?.grade ?? "unknown",
    findings: verdict?.findings ?? [],
    measuredAt: figures?.at ?? null,
    figures: figures && figuresOf(figures.value),
    orphans: orphaned,
    lastMaintenance,
    tables: figures?.value.worst.map((table) => tableOf(table)) ?? [],
    builtTables,
  };
}

const lastOf = (run: Run): z.infer<typeof LastMaintenanceDocument> => ({
  maintenanceId: run.id,
  kind: run.kind!,
  state: stateOf(run),
  endedAt: run.endedAt,
});

const filesOf = (figures: LakeFigures["total"]) => ({
  files: figures.files,
  smallFiles: figures.smallFiles,
  smallFileShare: smallShareOf(figures),
  deleteFiles: figures.deleteFiles,
  bytes: figures.bytes + figures.deleteBytes,
  rows: figures.rows - figures.deletedRows,
  deletedRows: figures.deletedRows,
  deleteRatio: deleteRatioOf(figures),
});

function figuresOf({ tables, total, snapshots, scheduled }: LakeFigures): z.infer<typeof Figures> {
  const { files, bytes, dueFiles, oldestAt } = scheduled;
  return {
    ...filesOf(total),
    tables,
    snapshots: snapshots.count,
    oldestSnapshotAt: snapshots.oldestAt,
    scheduled: { files, bytes, dueFiles, oldestAt },
  };
}

const tableOf = (table: TableFigures): LakeTableHealth => ({
  schema: table.schema,
  name: table.name,
  grade: gradeTable(table),
  ...filesOf(table),
});
