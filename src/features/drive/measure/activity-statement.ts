// A drive that is about to change is marked, so that it is measured while it does.

import { DRIVE_LIMITS } from "../limits.ts";
import type { Needs } from "../../../clients/context.ts";
import { upsertActivity } from "./store.ts";

/** A statement of the batch that lets files come until `untilMs`, or has removed one. */
export const activityStatement = ({ scope: { teamId, now }, db }: Needs<"scope" | "db">, untilMs: number) => {
  const dueAt = new Date(now.getTime() + DRIVE_LIMITS.measureEveryMs).toISOString();
  // The measurement that begins after the last activity sees it.
  const activeUntil = new Date(untilMs + DRIVE_LIMITS.measureEveryMs).toISOString();
  return upsertActivity(db, teamId, { dueAt, activeUntil });
};
