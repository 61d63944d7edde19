// What was done to a doc's jobs by themselves, which stays until their entries are others.

import type { Flaw } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import { automationKey, type DocAutomation } from "../../docs/definition/automation.ts";
import { selectEntries, type AppliedEntry, type EntryRow } from "./store.ts";

export async function findChangedJobs(
  { scope, db }: Needs<"scope" | "db">,
  docId: string,
  automations: readonly DocAutomation[],
): Promise<Flaw[]> {
  if (automations.length === 0) return [];
  return changedJobs(await selectEntries(db, { teamId: scope.teamId, docId }), automations);
}

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
