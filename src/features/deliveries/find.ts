import { notFound, Problem } from "../../core/problem.ts";
import type { Needs, OfTeam } from "../../clients/context.ts";
import type { DeliveryRow } from "./delivery.ts";
import { findDeliveryRow } from "./store.ts";

/** Undefined for one that is gone, and for another team's. */
export const findDelivery = ({ scope, db }: Needs<"db"> & OfTeam, id: string): Promise<DeliveryRow | undefined> =>
  findDeliveryRow(db, scope.teamId, id.toLowerCase());

/** Another team's answers exactly as a missing one. */
export async function requireDelivery(ctx: Needs<"db"> & OfTeam, id: string): Promise<DeliveryRow> {
  const delivery = await findDelivery(ctx, id);
  if (!delivery) throw notFound("Delivery", id);
  return delivery;
}

export const changedMeanwhile = (): Problem =>
  new Problem("resource_conflict", "The delivery was changed meanwhile, or has just run; read it again.");
