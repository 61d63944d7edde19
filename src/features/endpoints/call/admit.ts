// A call of an endpoint is admitted by its credential, and reads as the endpoint's role. Everything that decides is
// read for each call, so that a right that is taken away is gone everywhere at once.

import { isUuid } from "../../../core/ids.ts";
import { Problem } from "../../../core/problem.ts";
import type { Scope } from "../../../core/scope.ts";
import type { Needs } from "../../../clients/context.ts";
import { sha256Hex } from "../../../platform/crypto/digest.ts";
import { isCovered, type EndpointRow } from "../endpoint.ts";
import { isEndpointKey } from "../keys/key.ts";
import { openSecrets } from "../secret/secrets.ts";
import { findCalled, type CalledEndpoint } from "../store.ts";
import { readEndpointToken } from "./token.ts";

export type Call = { teamId: string; name: string; credential: string | undefined };

/** `fixed`: values that a token binds. */
export type AdmittedCall = { endpoint: EndpointRow; scope: Scope; fixed: Record<string, unknown> };

/**
 * Throws the same 404 for a team or an endpoint that is not there, for a key or a token that is not good here, and for
 * an endpoint that does not answer any more.
 */
export async function admitCall(
  deps: Needs<"db" | "vault">,
  { teamId, name, credential }: Call,
  request: Pick<Scope, "requestId" | "now">,
): Promise<AdmittedCall> {
  if (credential === undefined || !isUuid(teamId)) throw refused();
  const called = await findCalled(deps.db, {
    teamId: teamId.toLowerCase(),
    name,
    keyHash: await sha256Hex(credential),
    at: request.now.toISOString(),
  });
  if (!called?.isRoleThere || !isCovered(called.publisher)) throw refused();
  const holder = await findHolder(deps, called, credential, request.now);
  if (!holder) throw refused();
  return { endpoint: called.endpoint, scope: scopeOf(called, holder.id, request), fixed: holder.fixed };
}

const refused = (): Problem =>
  new Problem("resource_not_found", "There is no such endpoint, or what was sent to open it does not.");

/** `id`: by which its calls are counted. */
type Holder = { id: string; fixed: Record<string, unknown> };

async function findHolder(
  deps: Needs<"vault">,
  { endpoint, key }: CalledEndpoint,
  credential: string,
  now: Date,
): Promise<Holder | undefined> {
  if (isEndpointKey(credential)) return key && { id: key.id, fixed: {} };
  const { id: endpointId, audience } = endpoint;
  const secrets = await openSecrets(deps, endpoint, now);
  const claims = await readEndpointToken(credential, { secrets, endpointId, audience, now });
  // Without the signature, whose last character has several spellings.
  const signed = credential.slice(0, credential.lastIndexOf("."));
  return claims && { id: `token ${(await sha256Hex(signed)).slice(0, 32)}`, fixed: claims.parameters };
}

/** Reads by the endpoint's role alone, and may do nothing but query. */
const scopeOf = (
  { endpoint, team }: CalledEndpoint,
  keyId: string,
  { requestId, now }: Pick<Scope, "requestId" | "now">,
): Scope => ({
  teamId: endpoint.teamId,
  teamName: team.name,
  plan: team.plan,
  userId: endpoint.id,
  userName: endpoint.name,
  email: "",
  keyId,
  role: "member",
  isOperator: false,
  accessRoleId: endpoint.roleId,
  rights: ["query"],
  requestId,
  now,
});
