import { notFound, Problem } from "../../core/problem.ts";
import type { Needs, OfTeam } from "../../clients/context.ts";
import type { DeliveryRow } from "./delivery.ts";
import { findDelivery } from "./store.ts";

/** Another team's answers exactly as a missing one. */
export async function requireDelivery({ scope, db }: Needs<"db"> & OfTeam, id: string): Promise<DeliveryRow> {
  const delivery = await findDelivery(db, scope.teamId, id.toLowerCase());
  if (!delivery) throw notFound("Delivery", id);
  return delivery;
}

export const changedMeanwhile = (): Problem =>
  new Problem("resource_conflict", "The delivery was changed meanwhile, or has just run; read it again.");
