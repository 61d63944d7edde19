// The team's mail domains, whose addresses its identity provider may vouch for.

import { z } from "@hono/zod-openapi";
import { enveloped, nothing, pageOf } from "../../../http/answer.ts";
import { pageParameters } from "../../../http/request/query-params.ts";
import { createRouter } from "../../../http/router.ts";
import { createTeamDomain } from "./create.ts";
import { deleteTeamDomain } from "./delete.ts";
import { NewTeamDomain, TeamDomain } from "./domain.ts";
import { selectDomains } from "./store.ts";
import { verifyTeamDomain } from "./verify.ts";

export const domains = createRouter(["Identity providers", "Extensions"]);

const DomainPath = z.object({ domain_id: z.string() });

domains.operation("listTeamDomains", "GET /team/domains", {
  permission: "team:manage",
  summary: "List the team's mail domains",
  description: "By name, each with the DNS record that proves it.",
  query: z.strictObject(pageParameters({ limitMax: 250, limitDefault: 100 })),
  answer: enveloped("A page of domains", pageOf("TeamDomainPage", TeamDomain)),
  run: ({ scope, db }, { query }) => selectDomains(db, scope.teamId, query),
});

domains.operation("createTeamDomain", "POST /team/domains", {
  permission: "team:manage",
  audit: "team_domain.create",
  summary: "Name a mail domain of the team",
  description: "It counts once it is proven: add the DNS record of the answer, and verify it.",
  body: NewTeamDomain,
  answer: enveloped("The domain, with the record that proves it", TeamDomain, 201),
  fails: ["resource_conflict"],
  run: (ctx, { body }) => createTeamDomain(ctx, body),
});

domains.operation("verifyTeamDomain", "POST /team/domains/{domain_id}/verify", {
  permission: "team:manage",
  audit: "team_domain.verify",
  summary: "Look for the DNS record of a domain",
  description: "409 where it is not there, 503 where DNS gives no answer.",
  params: DomainPath,
  answer: enveloped("The domain, which is proven", TeamDomain),
  fails: ["resource_conflict", "source_unavailable"],
  run: (ctx, { params }) => verifyTeamDomain(ctx, params.domain_id),
});

domains.operation("deleteTeamDomain", "DELETE /team/domains/{domain_id}", {
  permission: "team:manage",
  audit: "team_domain.delete",
  summary: "Give up a mail domain",
  description: "Its addresses bind no further accounts of the identity provider; those that are bound stay.",
  params: DomainPath,
  answer: nothing("Given up"),
  run: (ctx, { params }) => deleteTeamDomain(ctx, params.domain_id),
});
