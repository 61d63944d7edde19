import { newId } from "../../../core/ids.ts";
import { Problem } from "../../../core/problem.ts";
import { TEAM_LIMITS } from "../limits.ts";
import type { Needs } from "../../../clients/context.ts";
import { recordAuditIf } from "../../../platform/db/audit.ts";
import { auditedDomain, domainFrom, mintDomainToken, type NewTeamDomain, type TeamDomain } from "./domain.ts";
import { hasDomain, insertDomain } from "./store.ts";

/** Names a domain of the team's, which proves nothing yet. Throws 409 for one that it has named, or one too many. */
export async function createTeamDomain(
  { scope, db }: Needs<"scope" | "db">,
  { domain }: NewTeamDomain,
): Promise<TeamDomain> {
  const { teamId, now } = scope;
  const created = { id: newId(now), teamId, domain, token: mintDomainToken(), createdAt: now.toISOString() };
  const row = { ...created, provenAt: null, provenBy: null };
  const [inserted] = await db.batch([
    insertDomain(db, row, TEAM_LIMITS.domainsPerTeamMax),
    recordAuditIf(db, scope, {
      action: "team_domain.create",
      subjectId: row.id,
      when: hasDomain(row),
      after: auditedDomain(row),
    }),
  ]);
  if (inserted.length > 0) return domainFrom(row);
  throw new Problem(
    "resource_conflict",
    `The team has this domain already, or ${TEAM_LIMITS.domainsPerTeamMax} of them, which is as many as may be.`,
  );
}
