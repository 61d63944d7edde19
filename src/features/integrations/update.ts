import { SSL_MODES } from "../../../containers/engine/contract/source.ts";
import { LIMITS } from "../../core/limits.ts";
import { Problem } from "../../core/problem.ts";
import type { Needs } from "../../platform/context.ts";
import { recordAuditIf } from "../../platform/db/audit.ts";
import { DatabaseCredentials, rememberTls } from "./credentials.ts";
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
import { isSource, openCredentials, sealCredentials, sourceOf } from "./open-source.ts";
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
  const after = patchIntegration(before, patch.name, tested?.credentials, ctx.scope.now);
  if (!(await storeIntegration(ctx, before, after, tested?.credentials))) {
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
  credentials?: DatabaseCredentials,
): Promise<boolean> {
  const { scope, db } = ctx;
  const sealed = credentials && (await sealCredentials(ctx, before.id, credentials));
  const [updated] = await db.batch([
    updateIntegrationRow(db, scope.teamId, { before, after, sealed }),
    recordAuditIf(db, scope, {
      action: "integration.update",
      subjectId: before.id,
      when: hasIntegrationVersion(scope.teamId, after),
      before: auditedIntegration(before),
      // The password may be all that changed.
      after: { ...auditedIntegration(after), ...(credentials && { credentials: "replaced" }) },
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
  const stored = await openCredentials(ctx, integration.id);
  const credentials = mergeCredentials(stored, given);
  refuseToCarryPassword(stored, credentials, given);
  const test = { source: sourceOf(integration.type, credentials), deadlineMs: LIMITS.connectionTestMs };
  const report = await ctx.openEngine(ctx.scope.teamId).testConnection(test);
  return { credentials: rememberTls(credentials, report.tls), warnings: warningsOf(report) };
}

/**
 * A stored password goes to the server it was given for, and to no other: whoever runs that one could read it there.
 * Nor does it go there with less protection than it had: whoever stands in between could.
 */
function refuseToCarryPassword(
  stored: DatabaseCredentials,
  merged: DatabaseCredentials,
  given: Record<string, unknown>,
): void {
  if ("password" in given) return;
  const change = changeOfServer(stored, merged) ?? weakeningOf(stored, merged);
  if (change === undefined) return;
  const message = `Send the password again when ${change}.`;
  throw new Problem("validation_failed", message, [{ pointer: "/credentials/password", message }]);
}

const changeOfServer = (stored: DatabaseCredentials, merged: DatabaseCredentials): string | undefined =>
  merged.host === stored.host && merged.port === stored.port ? undefined : "the host or the port changes";

/** What protects the password less than before, in words. */
function weakeningOf(stored: DatabaseCredentials, merged: DatabaseCredentials): string | undefined {
  const [before, after] = [stored, merged].map(({ sslmode = "prefer" }) => SSL_MODES.indexOf(sslmode)) as [
    number,
    number,
  ];
  if (after < before) return "sslmode becomes a weaker one";
  // A mode that does not verify has no certificates to change.
  if (before >= SSL_MODES.indexOf("verify-ca") && merged.sslrootcert !== stored.sslrootcert)
    return "sslrootcert changes";
  if (merged.allow_cleartext_password && !stored.allow_cleartext_password)
    return "allow_cleartext_password is turned on";
  return undefined;
}

/** `null` takes a field back. */
function mergeCredentials(stored: DatabaseCredentials, given: Record<string, unknown>): DatabaseCredentials {
  const fields = Object.entries({ ...stored, ...given }).filter(([, value]) => value !== null);
  const merged = DatabaseCredentials.safeParse(Object.fromEntries(fields));
  if (merged.success) return merged.data;
  const flaws = merged.error.issues.flatMap((issue) =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((key) => ({ pointer: `/credentials/${key}`, message: "This field is not known here." }))
      : [{ pointer: `/credentials/${issue.path.join("/")}`, message: issue.message }],
  );
  throw new Problem("validation_failed", "One or more credentials are not valid.", flaws);
}
