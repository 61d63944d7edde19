import { and } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { fromBase64url } from "../../../core/encoding.ts";
import { TEAM_LIMITS } from "../limits.ts";
import type { Needs } from "../../../clients/context.ts";
import type { Db } from "../../../platform/db/client.ts";
import { requirePasskeyHost, type PasskeyAnswer, type PasskeyChallenge } from "../passkeys/passkey.ts";
import { findByCredential, isNewUse, notePasskeyUse, type PasskeyRow } from "../passkeys/store.ts";
import { verifySignIn } from "../passkeys/webauthn.ts";
import { mintChallenge, readChallenge, type Challenge } from "./challenge.ts";
import { notSignedIn, type SignInRequest } from "./open-session.ts";
import type { Proof } from "./proof.ts";

const PURPOSE = "passkey_sign_in";

/** What a browser has one of its passkeys sign: which one, the person chooses there. */
export async function createSignInChallenge(
  ctx: Needs<"tokens">,
  { request, now }: Pick<SignInRequest, "request" | "now">,
): Promise<PasskeyChallenge> {
  const { host } = requirePasskeyHost(request);
  const { challenge, token } = await mintChallenge(ctx, { purpose: PURPOSE, userId: null, now });
  const options = { challenge, rpId: host, timeout: TEAM_LIMITS.challengeMs, userVerification: "required" };
  return { token, options };
}

/** Whose passkey has signed. Throws 401 whatever is the matter, and for a challenge that was answered before. */
export async function proveByPasskey(
  ctx: Needs<"db" | "tokens">,
  { token, response }: PasskeyAnswer,
  { request, now }: SignInRequest,
): Promise<Proof> {
  const { host, origin } = requirePasskeyHost(request);
  const challenge = await readChallenge(ctx, token, { purpose: PURPOSE, userId: null, now });
  const passkey = await findByCredential(ctx.db, response.id, host);
  if (!passkey || !isOf(passkey.userId, response.response.userHandle)) throw notSignedIn();
  const { credentialId: id, uses: counter, transports } = passkey;
  const credential = { id, publicKey: fromBase64url(passkey.publicKey)!, counter, transports };
  const uses = await verifySignIn(response, credential, { challenge: challenge.challenge, host, origin });
  if (uses === undefined) throw notSignedIn();
  return {
    method: "passkey",
    teamId: passkey.teamId,
    userId: passkey.userId,
    when: and(challenge.isUnspent, isNewUse(passkey, uses))!,
    spend: () => useStatements(ctx.db, { passkey, uses, challenge, at: now.toISOString() }),
  };
}

type Use = { passkey: PasskeyRow; uses: number; challenge: Challenge; at: string };

const useStatements = (db: Db, { passkey, uses, challenge, at }: Use): BatchItem<"sqlite">[] => [
  notePasskeyUse(db, passkey, uses, at),
  challenge.spendStatement(),
];

/** Authenticators name the user whom the passkey was made for. */
const isOf = (userId: string, handle: string | null | undefined): boolean =>
  handle == null || new TextDecoder().decode(fromBase64url(handle)) === userId;
