// The deliveries that docs' `automations` make: statements for the batch that changes the doc, and what a change of a
// delivery is handed of its doc's job. Jobs stand above deliveries.

import type { SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { sql } from "drizzle-orm";
import { recordAuditIf } from "../../platform/db/audit.ts";
import type { Needs } from "../../clients/context.ts";
import { auditedDelivery, NOT_RUN, sourceIdOf, type DeliveryRow } from "./delivery.ts";
import { DELIVERY_LIMITS } from "./limits.ts";
import { countDeliveries, deleteDeliveryOfEntry, isThere, upsertDelivery } from "./store.ts";

export type EntryDelivery = Pick<DeliveryRow, "name" | "source" | "recipients">;
type Statements = BatchItem<"sqlite">[];

export type DeliveryJobs = {
  /**
   * Notes in the batch of a change that a doc's delivery was changed by itself, if `when` is true in SQL. Where it
   * sends something else, or to others, its job becomes the caller's.
   */
  changeStatements(
    ctx: Needs<"scope" | "db">,
    id: string,
    change: { when: SQL; sendsAnew: boolean },
  ): Promise<Statements>;
  /** Deletes the job of a doc's delivery, and the delivery with it; both have the same id. */
  deleteJob(ctx: Needs<"scope" | "db" | "wakeUps">, id: string): Promise<void>;
};

/** How many deliveries the team may make besides those it has. */
export const countDeliveriesLeft = async ({ scope, db }: Needs<"scope" | "db">): Promise<number> =>
  DELIVERY_LIMITS.deliveriesPerTeamMax - (await countDeliveries(db, scope.teamId));

/** Puts an entry's delivery in place of what its job delivered before; undefined: it delivers nothing any more. */
export function putDeliveryStatements(
  ctx: Needs<"scope" | "db">,
  id: string,
  delivery: EntryDelivery | undefined,
): Statements {
  if (!delivery) return deleteDeliveryStatements(ctx, id);
  const { scope, db } = ctx;
  const at = scope.now.toISOString();
  const row: DeliveryRow = {
    id,
    teamId: scope.teamId,
    ...delivery,
    ...{ subject: null, message: null, files: null, condition: null },
    sourceId: sourceIdOf(delivery.source),
    ...NOT_RUN,
    revision: 1,
    createdBy: scope.userId,
    createdAt: at,
    updatedAt: at,
  };
  const [isOld, after] = [isThere(scope.teamId, id), auditedDelivery(row)];
  return [
    // Before the change: after it, there is one in either case.
    recordAuditIf(db, scope, { action: "delivery.create", subjectId: id, when: sql`not ${isOld}`, after }),
    recordAuditIf(db, scope, { action: "delivery.update", subjectId: id, when: isOld, after }),
    upsertDelivery(db, row),
  ];
}

export const deleteDeliveryStatements = ({ scope, db }: Needs<"scope" | "db">, id: string): Statements => [
  // Before the change: after it, there is nothing that was deleted.
  recordAuditIf(db, scope, {
    action: "delivery.delete",
    subjectId: id,
    when: isThere(scope.teamId, id),
    before: { source: "doc" },
  }),
  deleteDeliveryOfEntry(db, scope.teamId, id),
];
