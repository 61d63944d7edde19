import { and, sql, type SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { newId } from "../../../core/ids.ts";
import { notFound, Problem } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import { requireCookies } from "../../../http/sessions/cookie.ts";
import { recordAuditIf, type AuditScope } from "../../../platform/db/audit.ts";
import type { Db } from "../../../platform/db/client.ts";
import { domainOf } from "../domains/domain.ts";
import { isProvenDomain } from "../domains/store.ts";
import type { ProviderRow } from "../identity-provider/provider.ts";
import { findProvider, isSameProvider } from "../identity-provider/store.ts";
import { auditedIdentity, type IdentityRow, type OidcAnswer, type OidcStart } from "../identities/identity.ts";
import {
  findBySubject,
  hasIdentity,
  insertIdentity,
  isPlainMember,
  isUnbound,
  noteIdentityUse,
} from "../identities/store.ts";
import { hasSession, type SessionRow } from "../sessions/store.ts";
import { findUserByEmail } from "../store.ts";
import { beginOidc, endOidc, type OidcReturn } from "./oidc-flow.ts";
import { notSignedIn, type SignInRequest } from "./open-session.ts";
import type { Proof } from "./proof.ts";
import { requireSignInTry } from "./tries/require-try.ts";

type Deps = Needs<"db" | "tokens" | "vault" | "fetchPublic" | "settings">;

/** Sends a browser to sign in at a provider. Throws 404 for none, and 503 for one that does not answer. */
export async function beginSignInByOidc(
  ctx: Deps,
  providerId: string,
  { request, now }: Pick<SignInRequest, "request" | "now">,
): Promise<{ value: OidcStart; cookie: string }> {
  requireCookies(request);
  await requireSignInTry(ctx, { request, now });
  const provider = await findProvider(ctx.db, providerId);
  if (!provider) throw notFound("Identity provider", providerId);
  return beginOidc(ctx, provider, { request, now, userId: null });
}

/**
 * Whom an account at a provider signs in: its user, or the member whose address of a proven domain the provider has
 * verified. Throws 401 for what is no answer of the provider's to this browser, and 403 for an account of nobody.
 */
export async function proveByOidc(
  ctx: Deps,
  { parameters }: OidcAnswer,
  { request, now }: SignInRequest,
): Promise<Proof> {
  const ended = await endOidc(ctx, { request, now, userId: null, parameters });
  if (!ended) throw notSignedIn();
  const { account, provider } = ended;
  const known = await findBySubject(ctx.db, provider.teamId, account);
  const identity = known ?? (await newIdentity(ctx, ended, now));
  const isAllowed = known ? mayUse(known) : mayBind(identity, account.email!);
  const still = and(ended.isUnspent, isSameProvider(provider))!;
  // What the commit asks for is asked beforehand, to say why.
  if (!(await isTrue(ctx.db, isAllowed))) throw unbound(provider);
  return {
    method: "oidc",
    teamId: provider.teamId,
    userId: identity.userId,
    when: and(still, isAllowed)!,
    spend: (session, audit) => useStatements(ctx.db, { ended, identity, isNew: !known, session, audit }),
  };
}

/** The account of the member who has the address, which is not bound yet. */
async function newIdentity({ db }: Deps, { account, provider }: OidcReturn, now: Date): Promise<IdentityRow> {
  const user = account.email === null ? undefined : await findUserByEmail(db, provider.teamId, account.email);
  if (!user) throw unbound(provider);
  const { issuer, subject } = account;
  const at = now.toISOString();
  const bound = { id: newId(now), teamId: provider.teamId, userId: user.id, issuer, subject };
  return { ...bound, createdAt: at, usedAt: at, consentedAt: null };
}

/** True in SQL while the account's user has bound it, or is one whom an address may bind. */
const mayUse = (identity: IdentityRow): SQL =>
  identity.consentedAt === null ? and(hasIdentity(identity), isPlainMember(identity))! : hasIdentity(identity);

const mayBind = (identity: IdentityRow, email: string): SQL =>
  and(isUnbound(identity), isPlainMember(identity), isProvenDomain(identity.teamId, domainOf(email)))!;

const isTrue = async (db: Db, condition: SQL): Promise<boolean> =>
  (await db.get<{ found: number }>(sql`select ${condition} as found`)).found === 1;

type Use = { ended: OidcReturn; identity: IdentityRow; isNew: boolean; session: SessionRow; audit: AuditScope };

const useStatements = (db: Db, { ended, identity, isNew, session, audit }: Use): BatchItem<"sqlite">[] => [
  ...(isNew ? bindStatements(db, { identity, session, audit }) : [noteIdentityUse(db, identity, session.createdAt)]),
  ended.spendStatement(),
];

const bindStatements = (
  db: Db,
  { identity, session, audit }: Pick<Use, "identity" | "session" | "audit">,
): BatchItem<"sqlite">[] => [
  insertIdentity(db, identity, hasSession(session)),
  recordAuditIf(db, audit, {
    action: "identity.create",
    subjectId: identity.id,
    when: hasIdentity(identity),
    after: auditedIdentity(identity),
  }),
];

const unbound = ({ name }: ProviderRow): Problem =>
  new Problem(
    "forbidden_insufficient_permissions",
    `Your account at ${name} is bound to nobody here yet. Sign in another way, by a link or a key, and bind it there.`,
  );
