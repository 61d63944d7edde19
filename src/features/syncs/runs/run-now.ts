import { z } from "@hono/zod-openapi";
import { SYNC_LIMITS } from "../limits.ts";
import { Problem, type Flaw } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import { requireLeft, SYNC_USES } from "../../quotas/metered.ts";
import { requireSync, type Address } from "../find.ts";
import { startRun } from "./start.ts";
import type { Sync } from "../sync.ts";

export const NewSyncRun = z
  .strictObject({
    tables: z
      .array(z.string().min(1).max(520))
      .min(1)
      .max(SYNC_LIMITS.patternsMax)
      .optional()
      .openapi({ description: "Only these source tables of the sync, as `<schema>.<table>`; no stars." }),
    full: z.boolean().default(false).openapi({ description: "Read everything again, whatever earlier runs remember." }),
  })
  .openapi("NewSyncRun", { example: { full: false } });
export type NewSyncRun = z.infer<typeof NewSyncRun>;

/**
 * Starts a run, also of a paused sync, or queues it; answers one that is there where it brings what is asked for.
 * Throws `business_quota_exceeded` where what a sync uses of the plan is used up.
 */
export async function runSync(
  ctx: Needs<"scope" | "db" | "wakeUps">,
  integrationId: string,
  address: Address,
  { tables, full }: NewSyncRun,
): Promise<{ run_id: string; waits_for: string | null }> {
  const sync = await requireSync(ctx, integrationId, address);
  const flaws = (tables ?? []).flatMap((table, index): Flaw[] =>
    isOf(sync, table)
      ? []
      : [{ pointer: `/tables/${index}`, message: `${table} is not among the tables of this sync.` }],
  );
  if (flaws.length > 0) throw new Problem("validation_failed", flaws.map(({ message }) => message).join(" "), flaws);
  await requireLeft(ctx.db, ctx.scope, SYNC_USES);
  const { id, waitsFor } = await startRun(ctx, sync, { cause: "manual", isFull: full, onlyTables: tables ?? null });
  return { run_id: id, waits_for: waitsFor };
}

/** Named, or covered by a star; whether the source has it then is seen on the run. */
const isOf = ({ config }: Sync, table: string): boolean =>
  !table.endsWith(".*") &&
  config.tables.some(
    (pattern) => pattern === table || (pattern.endsWith(".*") && table.startsWith(pattern.slice(0, -1))),
  );
