import { Problem } from "../../core/problem.ts";
import type { Scope } from "../../core/scope.ts";
import { boundsOf, type Held } from "../../core/teams/plans.ts";
import type { Needs } from "../../clients/context.ts";
import { countHeld, planGuard } from "./store.ts";

type Guard = ReturnType<typeof planGuard>;
type Deps = Needs<"db"> & { scope: Pick<Scope, "teamId" | "plan" | "now"> };

/**
 * Commits what adds to what the team holds, with a statement that keeps it within the plan as the last of its batch.
 * Throws `business_quota_exceeded` where the plan is full; nothing is committed then.
 */
export async function withinPlan<T>({ db, scope }: Deps, what: Held, commit: (guard: Guard) => Promise<T>): Promise<T> {
  const { teamId, plan } = scope;
  const at = scope.now.toISOString();
  try {
    return await commit(planGuard(db, teamId, what, at));
  } catch (error) {
    const limit = boundsOf(plan).held[what];
    const { [what]: used } = await countHeld(db, teamId, at);
    if (limit === null || used < limit) throw error;
    throw quotaExceeded({ what, limit, used, resetsAt: null }, plan, scope.now);
  }
}

/** `resetsAt`: when use begins anew; null for what is held. */
export type Quota = { what: string; limit: number; used: number; resetsAt: string | null };

/** Names of metered use that messages spell in other words. */
const WORDS: Record<string, string> = {
  saved_queries: "saved queries",
  runSeconds: "seconds of runs",
  rowsSynced: "rows synced",
  driveBytes: "bytes in the drive",
  lakeBytes: "bytes in lakes",
};

export function quotaExceeded(quota: Quota, plan: string, now: Date): Problem {
  const { what, limit, used, resetsAt } = quota;
  const until = resetsAt === null ? "" : ` until ${resetsAt}`;
  const problem = new Problem(
    resetsAt === null ? "business_quota_exceeded" : "monthly_quota_exceeded",
    `The plan ${plan} allows ${limit} ${WORDS[what] ?? what}${until}; ${used} are used.`,
  );
  problem.quota = quota;
  if (resetsAt !== null) problem.retryAfterSeconds = Math.ceil((Date.parse(resetsAt) - now.getTime()) / 1_000);
  return problem;
}
