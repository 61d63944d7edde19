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

const DONE: Record<EntryRow["state"], ((jobId: string) => string) | null> = {
  applied: null,
  changed: (jobId) => `Its job ${jobId} was changed by itself, and stays so until this entry is another.`,
  deleted: (jobId) => `Its job ${jobId} was deleted by itself, and is not made again until this entry is another.`,
};

export const changedJobs = (entries: readonly AppliedEntry[], automations: readonly DocAutomation[]): Flaw[] =>
  automations.flatMap((automation, i) => {
    const found = entries.find(({ row }) => row.entry === automationKey(automation, i));
    const message = found && DONE[found.row.state]?.(found.row.jobId);
    return message === undefined ? [] : [{ pointer: `/automations/${i}`, message }];
  });
