import { TEAM_LIMITS } from "../limits.ts";
import { Problem } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import { recordAudit } from "../../../platform/db/audit.ts";
import { withinPlan } from "../../quotas/within-plan.ts";
import { countUsers, findUserByEmail, insertUser } from "../store.ts";
import { auditedUser, planUser, requireAuthorityToGive, type NewUser, type User } from "./user.ts";

/** Adds a person to the team; their keys are made apart. An address is used once within a team. */
export async function createUser({ scope, db }: Needs<"scope" | "db">, input: NewUser): Promise<User> {
  requireAuthorityToGive(scope, input.role);
  const taken = () =>
    new Problem("resource_conflict", `A user with the address ${input.email} is in this team already.`);
  if (await findUserByEmail(db, scope.teamId, input.email)) throw taken();
  if ((await countUsers(db, scope.teamId)) >= TEAM_LIMITS.usersPerTeamMax) {
    throw new Problem("business_quota_exceeded", `A team may have at most ${TEAM_LIMITS.usersPerTeamMax} users.`);
  }

  const user = planUser(scope.now, input);
  try {
    await withinPlan({ db, scope }, "users", (guard) =>
      db.batch([
        insertUser(db, scope.teamId, user),
        recordAudit(db, scope, "user.create", { id: user.id, after: auditedUser(user) }),
        guard,
      ]),
    );
  } catch (error) {
    // Where two calls at once have one address, the index lets one through.
    throw (await findUserByEmail(db, scope.teamId, input.email)) ? taken() : error;
  }
  return user;
}
