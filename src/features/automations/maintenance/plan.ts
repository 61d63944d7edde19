// A maintenance's plan as the API shows it, in the catalog's words.

import { z } from "@hono/zod-openapi";
import { orNull } from "../../../http/answer.ts";

const count = z.number().int();

const Compaction = z
  .object({
    groups: count.openapi({ description: "Of files that become one, or a few." }),
    files: count,
    bytes: count,
    rows: count,
    deletedRows: count,
    filesAfter: count.openapi({ description: "An estimate, as `bytesAfter`." }),
    bytesAfter: count,
  })
  .openapi("PlannedCompaction");
const CompactionPlan = z
  .object({
    tables: count,
    total: Compaction,
    worst: z
      .array(Compaction.extend({ schema: z.string(), name: z.string() }).openapi("PlannedTableCompaction"))
      .openapi({ description: "The tables with the most to write." }),
    leftAlone: z.array(z.object({ schema: z.string(), name: z.string(), reason: z.string() })),
  })
  .openapi("CompactionPlan");

export const MaintenancePlan = z
  .object({
    merge: CompactionPlan,
    rewrite: orNull(CompactionPlan),
    expire: orNull(z.object({ snapshots: count, files: count, bytes: count }).openapi("PlannedExpiry")),
    delete: z.object({ files: count, bytes: count }),
  })
  .openapi("MaintenancePlan", {
    description:
      "What would be done now, told from the catalog alone; null is what this kind does not do. Besides, orphans are " +
      "collected, which only the bucket knows, and a full one makes the statistics of every table exact.",
  });
