import { newId } from "../../core/ids.ts";
import { Problem } from "../../core/problem.ts";
import type { Needs } from "../../clients/context.ts";
import { recordAudit } from "../../platform/db/audit.ts";
import { checkDelivery } from "./check/check-delivery.ts";
import {
  auditedDelivery,
  NOT_RUN,
  shownDelivery,
  sourceIdOf,
  type Delivery,
  type DeliveryRow,
  type NewDelivery,
} from "./delivery.ts";
import { DELIVERY_LIMITS } from "./limits.ts";
import { countDeliveries, insertDelivery } from "./store.ts";

/** A new delivery. It goes out when a job runs it. Names need not differ. */
export async function createDelivery(ctx: Needs<"scope" | "db">, input: NewDelivery): Promise<Delivery> {
  const { scope, db } = ctx;
  const { teamId, userId, now } = scope;
  await checkDelivery(ctx, input);
  if ((await countDeliveries(db, teamId)) >= DELIVERY_LIMITS.deliveriesPerTeamMax)
    throw new Problem(
      "business_quota_exceeded",
      `A team may have at most ${DELIVERY_LIMITS.deliveriesPerTeamMax} deliveries.`,
    );
  const { to: recipients, ...rest } = input;
  const at = now.toISOString();
  const row: DeliveryRow = {
    id: newId(now),
    teamId,
    ...rest,
    sourceId: sourceIdOf(input.source),
    recipients,
    ...NOT_RUN,
    revision: 1,
    createdBy: userId,
    createdAt: at,
    updatedAt: at,
  };
  await db.batch([
    insertDelivery(db, row),
    recordAudit(db, scope, "delivery.create", { id: row.id, after: auditedDelivery(row) }),
  ]);
  return shownDelivery(row);
}
