import { newId } from "../../../core/ids.ts";
import { notFound } from "../../../core/problem.ts";
import { scopeIn } from "../../../core/scope.ts";
import type { Needs } from "../../../clients/context.ts";
import { recordAuditIf } from "../../../platform/db/audit.ts";
import { getTeam } from "../get.ts";
import { auditedDomain, domainFrom, mintDomainToken, type NewTeamDomain, type TeamDomain } from "./domain.ts";
import { hasDomainNamed, vouchForDomain } from "./store.ts";

/** An operator vouches that a domain is a team's. */
export async function setTeamDomain(
  { scope, db }: Needs<"scope" | "db">,
  teamId: string,
  { domain }: NewTeamDomain,
): Promise<TeamDomain> {
  await getTeam({ db }, teamId);
  const at = scope.now.toISOString();
  const proof = { provenAt: at, provenBy: "operator" as const };
  const row = { id: newId(scope.now), teamId, domain, token: mintDomainToken(), createdAt: at, ...proof };
  const [set] = await db.batch([
    vouchForDomain(db, row),
    recordAuditIf(db, scopeIn(scope, teamId), {
      action: "team_domain.set",
      subjectId: teamId,
      when: hasDomainNamed(row),
      after: auditedDomain(row),
    }),
  ]);
  if (!set[0]) throw notFound("Team", teamId);
  return domainFrom(set[0]);
}
