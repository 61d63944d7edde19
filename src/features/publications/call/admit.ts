// A call of a publication is admitted by its credential, and reads as the publication's role. Everything that decides
// is read for each call, so that a right that is taken away is gone everywhere at once.

import { isUuid } from "../../../core/ids.ts";
import { Problem } from "../../../core/problem.ts";
import type { Scope } from "../../../core/scope.ts";
import type { Needs } from "../../../clients/context.ts";
import { sha256Hex } from "../../../platform/crypto/digest.ts";
import { isCovered, KIND_WORDS, type PublicationKind, type PublicationRow } from "../publication.ts";
import { openSecrets } from "../secret/secrets.ts";
import { findCalled, type CalledPublication } from "../store.ts";
import { readToken, type TokenClaims } from "./token.ts";

export type Call = { kind: PublicationKind; teamId: string; name: string; credential: string | undefined };

/** `fixed`: values that a token binds to parameters, and to filters. */
export type AdmittedCall = { publication: PublicationRow; scope: Scope; fixed: TokenClaims };

/**
 * Throws the same 404 for a team or a publication that is not there, for a key or a token that is not good here, and
 * for what does not answer any more.
 */
export async function admitCall(
  deps: Needs<"db" | "vault">,
  { kind, teamId, name, credential }: Call,
  request: Pick<Scope, "requestId" | "now">,
): Promise<AdmittedCall> {
  if (credential === undefined || !isUuid(teamId)) throw refused(kind);
  const called = await findCalled(deps.db, {
    kind,
    teamId: teamId.toLowerCase(),
    name,
    keyHash: await sha256Hex(credential),
    at: request.now.toISOString(),
  });
  if (!called?.isRoleThere || !called.isSubjectOpen || !isCovered(called.publisher)) throw refused(kind);
  const holder = await findHolder(deps, called, credential, request.now);
  if (!holder) throw refused(kind);
  return { publication: called.publication, scope: scopeOf(called, holder.id, request), fixed: holder.fixed };
}

const refused = (kind: PublicationKind): Problem =>
  new Problem("resource_not_found", `There is no such ${KIND_WORDS[kind].noun}, or what was sent to open it does not.`);

/** `id`: by which its calls are counted. */
type Holder = { id: string; fixed: TokenClaims };

async function findHolder(
  deps: Needs<"vault">,
  { publication, key }: CalledPublication,
  credential: string,
  now: Date,
): Promise<Holder | undefined> {
  if (key) return { id: key.id, fixed: { parameters: {}, filters: {} } };
  const { id: publicationId, audience } = publication;
  const secrets = await openSecrets(deps, publication, now);
  const claims = await readToken(credential, { secrets, publicationId, audience, now });
  // Without the signature, whose last character has several spellings.
  const signed = credential.slice(0, credential.lastIndexOf("."));
  return claims && { id: `token ${(await sha256Hex(signed)).slice(0, 32)}`, fixed: claims };
}

/** Reads by the publication's role alone, and may do nothing but query. */
const scopeOf = (
  { publication, team }: CalledPublication,
  keyId: string,
  { requestId, now }: Pick<Scope, "requestId" | "now">,
): Scope => ({
  teamId: publication.teamId,
  teamName: team.name,
  plan: team.plan,
  userId: publication.id,
  userName: publication.name,
  email: "",
  keyId,
  role: "member",
  isOperator: false,
  accessRoleId: publication.roleId,
  rights: ["query"],
  requestId,
  now,
});
