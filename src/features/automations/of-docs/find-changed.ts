// An entry of a doc's `automations` may say what its job does not do: because somebody changed the job by itself, which
// stays until the entry is another, or because its delivery could not be made.

import type { Flaw } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import { automationKey, type DocAutomation } from "../../docs/definition/automation.ts";
import { DELIVERY_LIMITS } from "../../deliveries/limits.ts";
import { isDelivering, recipientsOf } from "./entry.ts";
import { selectEntries, type AppliedEntry, type EntryRow } from "./store.ts";
import { findUndelivered } from "./undelivered.ts";

export async function findChangedJobs(
  { scope, db }: Needs<"scope" | "db">,
  docId: string,
  automations: readonly DocAutomation[],
): Promise<Flaw[]> {
  if (automations.length === 0) return [];
  const [entries, undelivered] = await Promise.all([
    selectEntries(db, { teamId: scope.teamId, docId }),
    findUndelivered({ scope, db }, automations),
  ]);
  return [...changedJobs(entries, automations), ...unmadeDeliveries(entries, automations), ...undelivered];
}

const NO_ROOM =
  `Its job runs the doc and sends nothing, since the team had ${DELIVERY_LIMITS.deliveriesPerTeamMax} deliveries, ` +
  "which is the most. Delete one, and save the doc with a change.";

/** The entries that name somebody, and whose job delivers nothing. */
const unmadeDeliveries = (entries: readonly AppliedEntry[], automations: readonly DocAutomation[]): Flaw[] =>
  automations.flatMap((automation, i) => {
    const job = entries.find(({ row }) => row.entry === automationKey(automation, i))?.job;
    const isUnmade = job !== undefined && !isDelivering(job) && recipientsOf(automation).length > 0;
    return isUnmade ? [unmadeAt(i)] : [];
  });

export const unmadeAt = (entry: number): Flaw => ({ pointer: `/automations/${entry}/destinations`, message: NO_ROOM });

const STAYS = "and stays so until this entry is another.";
const DONE: Record<EntryRow["state"], ((jobId: string) => string) | null> = {
  applied: null,
  changed: (jobId) => `Its job ${jobId} was changed by itself, ${STAYS}`,
  deleted: (jobId) => `Its job ${jobId} was deleted by itself, and is not made again until this entry is another.`,
};
const DONE_TO_DELIVERY: Record<NonNullable<EntryRow["deliveryState"]>, (id: string) => string> = {
  changed: (id) => `Its delivery ${id} was changed by itself, ${STAYS}`,
};

export const changedJobs = (entries: readonly AppliedEntry[], automations: readonly DocAutomation[]): Flaw[] =>
  automations.flatMap((automation, i) => {
    const found = entries.find(({ row }) => row.entry === automationKey(automation, i));
    return found ? sentencesOf(found).map((message) => ({ pointer: `/automations/${i}`, message })) : [];
  });

/** A delivery has the id of its job, and goes with it. */
function sentencesOf({ row: { state, deliveryState, jobId }, job }: AppliedEntry): string[] {
  const ofDelivery = job && deliveryState !== null ? [DONE_TO_DELIVERY[deliveryState](jobId)] : [];
  return [...(DONE[state] ? [DONE[state](jobId)] : []), ...ofDelivery];
}
