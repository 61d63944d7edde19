// Metered use over a month, and space in use, beside the plan's bounds. The use is read where work begins that uses
// more, and not reserved for it: work under way goes on to its end.

import type { Problem } from "../../core/problem.ts";
import { boundsOf, monthEndsAt, monthOf, USED, type Metered, type TeamPlan } from "../../core/teams/plans.ts";
import type { Db } from "../../platform/db/client.ts";
import { selectMetered, type MeteredUse } from "./store.ts";
import { refuseBeyond } from "./announce.ts";

/** The metered use of a sync's run. */
export const SYNC_USES = ["runSeconds", "rowsSynced", "lakeBytes"] as const satisfies Metered[];

type Of = { teamId: string; now: Date };

export const findUse = (db: Db, { teamId, now }: Of): Promise<MeteredUse | undefined> =>
  selectMetered(db, teamId, monthOf(now));

/** The first of these that is used up, by the plan that the team has in this moment. */
export async function findExceeded(db: Db, of: Of, whats: readonly Metered[]): Promise<Problem | undefined> {
  const use = await findUse(db, of);
  if (!use) return undefined;
  for (const what of whats) {
    const limit = limitOf(use.plan, what);
    const resetsAt = isMonthly(what) ? monthEndsAt(of.now) : null;
    if (limit !== null && use[what] >= limit)
      return refuseBeyond(db, { what, limit, used: use[what], resetsAt }, { ...of, plan: use.plan });
  }
  return undefined;
}

/**
 * Throws `monthly_quota_exceeded` where one of these is used up, and `business_quota_exceeded` where what takes up room
 * is full.
 */
export async function requireLeft(db: Db, of: Of, whats: readonly Metered[]): Promise<void> {
  const exceeded = await findExceeded(db, of, whats);
  if (exceeded) throw exceeded;
}

const isMonthly = (what: Metered): what is (typeof USED)[number] => (USED as readonly string[]).includes(what);

const limitOf = (plan: TeamPlan, what: Metered): number | null =>
  isMonthly(what) ? boundsOf(plan).monthly[what] : boundsOf(plan).stored[what];
