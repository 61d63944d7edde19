import { and } from "drizzle-orm";
import { newId } from "../../../core/ids.ts";
import { invalidAt, type Problem } from "../../../core/problem.ts";
import { toBase64url } from "../../../core/encoding.ts";
import { TEAM_LIMITS } from "../limits.ts";
import type { Needs } from "../../../clients/context.ts";
import { recordAuditIf } from "../../../platform/db/audit.ts";
import { requireOwnSession } from "../sessions/own-session.ts";
import { mintChallenge, readChallenge } from "../sign-in/challenge.ts";
import { auditedPasskey, requirePasskeyHost, type NewPasskey, type Passkey, type PasskeyChallenge } from "./passkey.ts";
import { hasPasskey, insertPasskey, passkeyOf, selectCredentials, type PasskeyRow } from "./store.ts";
import { ALGORITHMS, verifyRegistration } from "./webauthn.ts";

type Deps = Needs<"scope" | "db" | "tokens">;
const PURPOSE = "passkey_registration";
const { passkeysPerUserMax: passkeysMax } = TEAM_LIMITS;

/** What the browser of a person who is signed in makes a passkey of. */
export async function createPasskeyChallenge(ctx: Deps, request: Request): Promise<PasskeyChallenge> {
  const { scope, db } = ctx;
  await requireOwnSession(ctx);
  const { host } = requirePasskeyHost(request);
  const { userId, teamId, email, userName, teamName, now } = scope;
  const known = await selectCredentials(db, teamId, userId, host);
  const { challenge, token } = await mintChallenge(ctx, { purpose: PURPOSE, userId, now });
  const options = {
    rp: { id: host, name: "Fjord" },
    user: { id: toBase64url(new TextEncoder().encode(userId)), name: `${email} (${teamName})`, displayName: userName },
    challenge,
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: "public-key", alg })),
    timeout: TEAM_LIMITS.challengeMs,
    attestation: "none",
    authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
    excludeCredentials: known.map((credential) => ({ type: "public-key", ...credential })),
  };
  return { token, options };
}

/** Keeps the public half of what a person's browser has made. Throws 422 for an answer that proves nothing. */
export async function createPasskey(
  ctx: Deps,
  { name, token, response }: NewPasskey,
  request: Request,
): Promise<Passkey> {
  const { scope, db } = ctx;
  const isOwn = await requireOwnSession(ctx);
  const { host, origin } = requirePasskeyHost(request);
  const { userId, teamId, now } = scope;
  const challenge = await readChallenge(ctx, token, { purpose: PURPOSE, userId, now });
  const credential = await verifyRegistration(response, { challenge: challenge.challenge, host, origin });
  if (!credential) throw refused("What the browser has sent is no new passkey for this.");
  const passkey: PasskeyRow = {
    id: newId(now),
    teamId,
    userId,
    name,
    credentialId: credential.id,
    publicKey: toBase64url(credential.publicKey),
    uses: credential.counter,
    transports: response.response.transports,
    host,
    createdAt: now.toISOString(),
    usedAt: null,
  };
  const [inserted] = await db.batch([
    insertPasskey(db, passkey, { when: and(challenge.isUnspent, isOwn)!, passkeysMax }),
    recordAuditIf(db, scope, {
      action: "passkey.create",
      subjectId: passkey.id,
      when: hasPasskey(passkey),
      after: auditedPasskey(userId, passkey),
    }),
    challenge.spendStatement(),
  ]);
  if (inserted.length === 0)
    throw refused(`This passkey is known already, or there are ${passkeysMax} of you, which is as many as may be.`);
  return passkeyOf(passkey);
}

const refused = (message: string): Problem => invalidAt("/response", message);
