import { notFound } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import { recordAuditIf } from "../../../platform/db/audit.ts";
import { auditedDomain } from "./domain.ts";
import { deleteDomainRow, findDomain, hasDomain } from "./store.ts";

/** From here on addresses of the domain bind no further accounts; what is bound stays. */
export async function deleteTeamDomain({ scope, db }: Needs<"scope" | "db">, id: string): Promise<void> {
  const domain = await findDomain(db, scope.teamId, id);
  if (!domain) throw notFound("Domain", id);
  await db.batch([
    recordAuditIf(db, scope, {
      action: "team_domain.delete",
      subjectId: id,
      when: hasDomain(domain),
      before: auditedDomain(domain),
    }),
    deleteDomainRow(db, domain),
  ]);
}
