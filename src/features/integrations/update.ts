import { invalidAt, Problem } from "../../core/problem.ts";
import type { Needs } from "../../clients/context.ts";
import { recordAuditIf } from "../../platform/db/audit.ts";
import { changeCredentials, changeSlackCredentials } from "./credentials/change.ts";
import { connectSlack, connectSource, type Connected } from "./connect.ts";
import { getIntegration } from "./get.ts";
import {
  auditedIntegration,
  patchIntegration,
  type Created,
  type Integration,
  type IntegrationPatch,
} from "./integration.ts";
import { requireFreeName } from "./names.ts";
import { isSource, openSource, sealCredentials } from "./open-source.ts";
import { changeTrino } from "./trino/save.ts";
import { openSlackCredentials } from "./slack/open-token.ts";
import { hasIntegrationVersion, updateIntegrationRow } from "./store.ts";

type Deps = Needs<"scope" | "db" | "vault" | "openEngine" | "callSlack">;

/** Renames an integration, or moves it to other credentials, which are connected with before they are stored. */
export async function updateIntegration(ctx: Deps, id: string, patch: IntegrationPatch): Promise<Created> {
  const before = await getIntegration(ctx, id);
  const isRenamed = patch.name !== undefined && patch.name !== before.name;
  if (isRenamed) await requireFreeName(ctx, patch.name!, before.id);
  const tested = await changed(ctx, before, patch);
  const after = patchIntegration(before, patch.name, tested?.details, ctx.scope.now);
  if (!(await storeIntegration(ctx, before, after, tested))) {
    if (isRenamed) await requireFreeName(ctx, patch.name!, before.id);
    throw new Problem(
      "resource_conflict",
      "The integration was changed at the same time. Read it again and repeat what is still wanted.",
    );
  }
  return { integration: after, warnings: tested?.warnings ?? [] };
}

/** False where another change has come in between. */
export async function storeIntegration(
  ctx: Needs<"scope" | "db" | "vault">,
  before: Integration,
  after: Integration,
  changed?: { credentials: object },
): Promise<boolean> {
  const { scope, db } = ctx;
  const sealed = changed && (await sealCredentials(ctx, before.id, changed));
  const [updated] = await db.batch([
    updateIntegrationRow(db, scope.teamId, { before, after, sealed }),
    recordAuditIf(db, scope, {
      action: "integration.update",
      subjectId: before.id,
      when: hasIntegrationVersion(scope.teamId, after),
      before: auditedIntegration(before),
      // The password may be all that changed.
      after: { ...auditedIntegration(after), ...(changed && { credentials: "replaced" }) },
    }),
  ]);
  return updated.length > 0;
}

/** What is kept of it, besides its name, with the patch's fields in place; undefined where that stays as it is. */
async function changed(ctx: Deps, before: Integration, patch: IntegrationPatch): Promise<Connected | undefined> {
  if (before.type === "trino") return patch.credentials || patch.route ? changeTrino(ctx, before, patch) : undefined;
  if (patch.route) throw invalidAt("/route", "Only an integration of type trino has a route.");
  return patch.credentials && testCredentials(ctx, before, patch.credentials);
}

/** The stored credentials with the given fields in place, known to work. */
async function testCredentials(
  ctx: Deps,
  integration: Integration,
  given: Record<string, unknown>,
): Promise<Connected> {
  if (isSource(integration)) return connectSource(ctx, changeCredentials(await openSource(ctx, integration), given));
  if (integration.type === "slack")
    return connectSlack(ctx, changeSlackCredentials(await openSlackCredentials(ctx, integration), given));
  const message =
    integration.type === "cube"
      ? "A semantic model stays on the integration it was made for. Make another one for another integration."
      : `An integration of type ${integration.type} has no credentials.`;
  throw invalidAt("/credentials", message);
}
