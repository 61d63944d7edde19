import type { Source } from "../../../kernel/wire/source.ts";
import { LIMITS } from "../../core/limits.ts";
import { Problem } from "../../core/problem.ts";
import type { Needs } from "../../clients/context.ts";
import { recordAuditIf } from "../../platform/db/audit.ts";
import { changeCredentials } from "./credentials/change.ts";
import { rememberTls } from "./credentials/source.ts";
import { getIntegration } from "./get.ts";
import {
  auditedIntegration,
  patchIntegration,
  warningsOf,
  type Created,
  type Integration,
  type IntegrationPatch,
} from "./integration.ts";
import { requireFreeName } from "./names.ts";
import { isSource, openSource, sealCredentials } from "./open-source.ts";
import { hasIntegrationVersion, updateIntegrationRow } from "./store.ts";

/** Renames an integration, or moves it to other credentials, which are connected with before they are stored. */
export async function updateIntegration(
  ctx: Needs<"scope" | "db" | "vault" | "openEngine">,
  id: string,
  patch: IntegrationPatch,
): Promise<Created> {
  const before = await getIntegration(ctx, id);
  const isRenamed = patch.name !== undefined && patch.name !== before.name;
  if (isRenamed) await requireFreeName(ctx, patch.name!, before.id);
  const tested = patch.credentials && (await testCredentials(ctx, before, patch.credentials));
  const after = patchIntegration(before, patch.name, tested?.source, ctx.scope.now);
  if (!(await storeIntegration(ctx, before, after, tested?.source))) {
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
  ctx: Needs<"scope" | "db" | "vault" | "openEngine">,
  before: Integration,
  after: Integration,
  source?: Source,
): Promise<boolean> {
  const { scope, db } = ctx;
  const sealed = source && (await sealCredentials(ctx, before.id, source));
  const [updated] = await db.batch([
    updateIntegrationRow(db, scope.teamId, { before, after, sealed }),
    recordAuditIf(db, scope, {
      action: "integration.update",
      subjectId: before.id,
      when: hasIntegrationVersion(scope.teamId, after),
      before: auditedIntegration(before),
      // The password may be all that changed.
      after: { ...auditedIntegration(after), ...(source && { credentials: "replaced" }) },
    }),
  ]);
  return updated.length > 0;
}

/** The stored credentials with the given fields in place, known to connect. */
async function testCredentials(
  ctx: Needs<"scope" | "db" | "vault" | "openEngine">,
  integration: Integration,
  given: Record<string, unknown>,
) {
  if (!isSource(integration)) {
    const message =
      integration.type === "cube"
        ? "A semantic model stays on the integration it was made for. Make another one for another integration."
        : `An integration of type ${integration.type} has no credentials.`;
    throw new Problem("validation_failed", message, [{ pointer: "/credentials", message }]);
  }
  const source = changeCredentials(await openSource(ctx, integration), given);
  const test = { source, deadlineMs: LIMITS.connectionTestMs };
  const report = await ctx.openEngine(ctx.scope.teamId).testConnection(test);
  return { source: rememberTls(source, report.tls), warnings: warningsOf(report) };
}
