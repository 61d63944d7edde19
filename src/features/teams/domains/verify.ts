import { notFound, Problem } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import { recordAuditIf } from "../../../platform/db/audit.ts";
import { auditedDomain, domainFrom, recordOf, type TeamDomain } from "./domain.ts";
import { findDomain, hasDomain, proveDomainRow } from "./store.ts";

/** Looks for the domain's DNS record. Throws 409 where it is not there, and 503 where no resolver answers. */
export async function verifyTeamDomain(
  { scope, db, findTexts }: Needs<"scope" | "db" | "findTexts">,
  id: string,
): Promise<TeamDomain> {
  const { teamId, now } = scope;
  const domain = await findDomain(db, teamId, id);
  if (!domain) throw notFound("Domain", id);
  const { name, value } = recordOf(domain);
  const texts = await findTexts(name);
  if (texts === undefined)
    throw new Problem("source_unavailable", "DNS gives no answer at the moment; try again in a minute.");
  if (!texts.some((text) => text.trim() === value))
    throw new Problem(
      "resource_conflict",
      `${name} has no TXT record ${value}. Records that were added just now may take a while to be seen.`,
    );
  const [proven] = await db.batch([
    proveDomainRow(db, domain, now.toISOString()),
    recordAuditIf(db, scope, {
      action: "team_domain.verify",
      subjectId: id,
      when: hasDomain(domain),
      after: auditedDomain({ ...domain, provenBy: "dns" }),
    }),
  ]);
  if (!proven[0]) throw notFound("Domain", id);
  return domainFrom(proven[0]);
}
