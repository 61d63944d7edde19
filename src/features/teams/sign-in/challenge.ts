// A challenge is a question that a browser answers once. It is signed, and not stored before it was answered well, so
// that callers without a key write nothing.

import type { SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { toBase64url } from "../../../core/encoding.ts";
import { Problem } from "../../../core/problem.ts";
import { TEAM_LIMITS } from "../limits.ts";
import type { Needs } from "../../../clients/context.ts";
import { sha256Hex } from "../../../platform/crypto/digest.ts";
import { TOKEN_REFUSED, type ChallengePurpose } from "../../../platform/crypto/token.ts";
import { insertSpent, isUnspent } from "./store-challenges.ts";

const BYTES = 32;

/** `challenge` is what is to be signed; `token` comes back with the answer. */
export type MintedChallenge = { challenge: string; token: string };

type Terms = { purpose: ChallengePurpose; userId: string | null; now: Date };

export async function mintChallenge(
  { tokens }: Needs<"tokens">,
  { purpose, userId, now }: Terms,
): Promise<MintedChallenge> {
  const challenge = toBase64url(crypto.getRandomValues(new Uint8Array(BYTES)));
  const expiresAt = now.getTime() + TEAM_LIMITS.challengeMs;
  return { challenge, token: await tokens.mint({ use: "challenge", purpose, challenge, userId, expiresAt }) };
}

/** `isUnspent` is true in SQL until the statement has run. */
export type Challenge = { challenge: string; isUnspent: SQL; spendStatement(): BatchItem<"sqlite"> };

/** Throws 401 for a token that is not of this purpose and user, or has ended. */
export async function readChallenge(
  { db, tokens }: Needs<"db" | "tokens">,
  token: string,
  { purpose, userId, now }: Terms,
): Promise<Challenge> {
  const read = await tokens.read("challenge", token, now);
  if (read.purpose !== purpose || read.userId !== userId) throw new Problem("auth_invalid_token", TOKEN_REFUSED);
  const hash = await sha256Hex(read.challenge);
  const spent = { challengeHash: hash, expiresAt: new Date(read.expiresAt).toISOString() };
  return { challenge: read.challenge, isUnspent: isUnspent(hash), spendStatement: () => insertSpent(db, spent) };
}
