import { and } from "drizzle-orm";
import { newId } from "../../../core/ids.ts";
import { invalidAt, Problem } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import { recordAuditIf } from "../../../platform/db/audit.ts";
import { getIdentityProvider } from "../identity-provider/get.ts";
import { isSameProvider } from "../identity-provider/store.ts";
import { requireOwnSession } from "../sessions/own-session.ts";
import { beginOidc, endOidc } from "../sign-in/oidc-flow.ts";
import { auditedIdentity, identityFrom, type Identity, type IdentityRow, type OidcStart } from "./identity.ts";
import { consentToIdentity, findBySubject, hasIdentity, insertIdentity } from "./store.ts";

type Deps = Needs<"scope" | "db" | "tokens" | "vault" | "fetchPublic" | "settings">;

/** Sends the browser of a person who is signed in to the team's provider, to bind their account there. */
export async function beginIdentity(ctx: Deps, request: Request): Promise<{ value: OidcStart; cookie: string }> {
  await requireOwnSession(ctx);
  const provider = await getIdentityProvider(ctx);
  const { userId, now } = ctx.scope;
  return beginOidc(ctx, provider, { request, now, userId });
}

/**
 * Binds the account that the person has signed in to at the provider. Throws 422 for what is no answer of the
 * provider's to them, and 409 where the account is somebody else's, or they have another.
 */
export async function createIdentity(ctx: Deps, parameters: string, request: Request): Promise<Identity> {
  const isOwn = await requireOwnSession(ctx);
  const { scope, db } = ctx;
  const { teamId, userId, now } = scope;
  const ended = await endOidc(ctx, { request, now, userId, parameters });
  if (!ended || ended.provider.teamId !== teamId) throw refused();
  const { account, provider } = ended;
  const known = await findBySubject(db, teamId, account);
  if (known && known.userId !== userId) throw taken();
  const at = now.toISOString();
  const { issuer, subject } = account;
  const row: IdentityRow = known
    ? { ...known, consentedAt: at }
    : { id: newId(now), teamId, userId, issuer, subject, createdAt: at, usedAt: null, consentedAt: at };
  const when = and(ended.isUnspent, isSameProvider(provider), isOwn)!;
  const [inserted, consented] = await db.batch([
    insertIdentity(db, row, when),
    consentToIdentity(db, row, { at, when }),
    recordAuditIf(db, scope, {
      action: "identity.create",
      subjectId: row.id,
      when: and(when, hasIdentity(row))!,
      after: auditedIdentity(row),
    }),
    ended.spendStatement(),
  ]);
  if (inserted.length === 0 && consented.length === 0) throw taken();
  return identityFrom(row);
}

const refused = (): Problem => {
  const message = "This is no answer of the provider's to you, or came too late. Begin again.";
  return invalidAt("/parameters", message);
};

const taken = (): Problem =>
  new Problem(
    "resource_conflict",
    "That account is bound to somebody else, or another one to you: unbind that first, and begin again.",
  );
