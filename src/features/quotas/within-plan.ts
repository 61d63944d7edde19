import type { Scope } from "../../core/scope.ts";
import { boundsOf, type Held } from "../../core/teams/plans.ts";
import type { Needs } from "../../clients/context.ts";
import { refuseBeyond } from "./announce.ts";
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
    throw await refuseBeyond(db, { what, limit, used, resetsAt: null }, { teamId, plan, now: scope.now });
  }
}
