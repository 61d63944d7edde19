import { scopeIn } from "../../core/scope.ts";
import { notFound } from "../../core/problem.ts";
import type { Needs } from "../../clients/context.ts";
import { recordAuditIf } from "../../platform/db/audit.ts";
import { getTeam } from "./get.ts";
import { forgetCallers } from "./keys/find-caller.ts";
import { hasTeam, teamOf, updateTeamRow } from "./store-teams.ts";
import type { Team, TeamPatch } from "./team.ts";

/** Changes what is sent of any team's name, domain and plan; for operators. */
export async function updateTeam({ scope, db }: Needs<"scope" | "db">, id: string, patch: TeamPatch): Promise<Team> {
  const { name, domain, plan } = await getTeam({ db }, id);
  const before = { name, domain, plan };
  const [changed] = await db.batch([
    updateTeamRow(db, id, patch, scope.now.toISOString()),
    recordAuditIf(db, scopeIn(scope, id), {
      action: "team.update",
      subjectId: id,
      when: hasTeam(id),
      before,
      after: { ...before, ...patch },
    }),
  ]);
  const row = changed[0];
  if (!row) throw notFound("Team", id);
  // The team's name is among what is kept of who calls.
  forgetCallers(({ teamId }) => teamId === id);
  return teamOf(row);
}
