// The tokens that containers call back with, that links in mails carry, and that browsers answer: signed claims, good
// for one purpose until an instant. Stateless.

import { fromBase64url, toBase64url } from "../../core/encoding.ts";
import { Problem } from "../../core/problem.ts";

/**
 * Permission to describe, plan and sign one lake as of one snapshot and those before it. `reader` is "everything", or
 * the digest of what its caller may read there. With `writes` the token's statement may begin to write there, too.
 */
export type LakeToken = {
  use: "lake";
  teamId: string;
  lakeId: string;
  snapshotId: number;
  reader: string;
  writes?: WriteClaim;
  /** Its statement reads nothing of the team's drive: who sent it is bound to what one role grants. */
  isDriveClosed?: true;
  expiresAt: number;
};

/** One sending of a statement that may write, in its author's name: `jobId` is the sending's own. */
export type WriteClaim = {
  statementId: string;
  jobId: string;
  author: string;
  /** Whose tables it may write besides; absent of a statement of a user's. */
  actor?: string;
};

/** Permission to read all rows of one lake's catalog as of one snapshot, whoever may read which of its tables. */
export type ExportToken = { use: "export"; teamId: string; lakeId: string; snapshotId: number; expiresAt: number };

/** Permission to upload to and commit on one lake while `fence` is the lease's newest. */
export type JobToken = {
  use: "job";
  teamId: string;
  lakeId: string;
  jobId: string;
  lease: string;
  fence: number;
  expiresAt: number;
};

/** Permission to list and read the team's drive. */
export type DriveToken = { use: "drive"; teamId: string; expiresAt: number };

/** Permission to report on one run of a doc, and to read the team's drive for it. */
export type RunToken = { use: "run"; teamId: string; runId: string; expiresAt: number };

/** Permission to store the result of one asynchronous query, and to say how it ended. */
export type QueryToken = {
  use: "query";
  teamId: string;
  queryId: string;
  /** Which of the runs that have this id one after the other. */
  createdAt: string;
  expiresAt: number;
};

/** Permission to say what one statement took at a team's own cluster, and that it has ended. */
export type ClusterToken = { use: "cluster"; teamId: string; lakeId: string; statementId: string; expiresAt: number };

/** Where one user's reader of one query's result reads on. */
export type PageToken = {
  use: "page";
  teamId: string;
  userId: string;
  queryId: string;
  offset: number;
  expiresAt: number;
};

/** Permission to have one team's programs started. Minted by who starts the deployment itself, as `npm start` does. */
export type WakeToken = { use: "wake"; teamId: string; expiresAt: number };

/** Permission to end the mails of one team to one address, and to have them come again. */
export type UnsubscribeToken = { use: "unsubscribe"; teamId: string; address: string; expiresAt: number };

/**
 * A question that a browser answers within some minutes, once: what its `challenge` is signed with, or what comes back
 * from elsewhere. `userId`: the only one who may answer it; null: whoever signs in by it.
 */
export type ChallengeToken = {
  use: "challenge";
  purpose: ChallengePurpose;
  challenge: string;
  userId: string | null;
  expiresAt: number;
};
export type ChallengePurpose = "passkey_sign_in" | "passkey_registration";

/** A team token opens something of one team. */
export type TeamToken =
  | LakeToken
  | ExportToken
  | JobToken
  | DriveToken
  | RunToken
  | QueryToken
  | ClusterToken
  | PageToken
  | WakeToken
  | UnsubscribeToken;

/**
 * What a browser has begun at a team's identity provider: how the provider's answer is known, and who answers.
 * `userId`: who binds an account of theirs; null: whoever signs in. It is kept in a cookie of that browser.
 */
export type OidcToken = {
  use: "oidc";
  providerId: string;
  issuer: string;
  clientId: string;
  userId: string | null;
  state: string;
  nonce: string;
  verifier: string;
  expiresAt: number;
};

/** What an agent brings to /mcp in the name of the user who has let it. */
export type AgentToken = AgentClaims & { use: "agent" };

/** Brought once, for the first tokens: `challenge` is of a verifier that the program keeps, `asker` a digest of it. */
export type AgentCodeToken = AgentClaims & { use: "agent_code"; challenge: string; asker: string };

/** Brought once, for the tokens after those of its generation. */
export type AgentRefreshToken = AgentClaims & { use: "agent_refresh"; generation: number };

type AgentClaims = { teamId: string; userId: string; authorizationId: string; expiresAt: number };

export type Token = TeamToken | ChallengeToken | OidcToken | AgentToken | AgentCodeToken | AgentRefreshToken;

export type Tokens = {
  mint(token: Token): Promise<string>;
  /** Throws `auth_invalid_token` where {@link Tokens.find} finds none. */
  read<Use extends Token["use"]>(
    use: Use | readonly Use[],
    text: string,
    now: Date,
  ): Promise<Extract<Token, { use: Use }>>;
  /** An unexpired token of this use, or of one of these; undefined for anything else. */
  find<Use extends Token["use"]>(
    use: Use | readonly Use[],
    text: string,
    now: Date,
  ): Promise<Extract<Token, { use: Use }> | undefined>;
};

export const openTokens = (env: Pick<Env, "TOKEN_SECRET">): Tokens => ({
  mint: (token) => mintToken(env, token),
  read: (use, text, now) => readToken(env, use, text, now),
  find: (use, text, now) => findToken(env, use, text, now),
});

/** `expiresAt` is in Unix milliseconds. */
export async function mintToken(env: Pick<Env, "TOKEN_SECRET">, token: Token): Promise<string> {
  const claims = toBase64url(encodeText(JSON.stringify(token)));
  const signature = await crypto.subtle.sign("HMAC", await keyOf(env), encodeText(claims));
  return `${claims}.${toBase64url(new Uint8Array(signature))}`;
}

/** Throws `auth_invalid_token` for anything but an unexpired token of this use, or of one of these. */
export async function readToken<Use extends Token["use"]>(
  env: Pick<Env, "TOKEN_SECRET">,
  use: Use | readonly Use[],
  text: string,
  now: Date,
): Promise<Extract<Token, { use: Use }>> {
  const token = await findToken(env, use, text, now);
  if (!token) throw new Problem("auth_invalid_token", TOKEN_REFUSED);
  return token;
}

async function findToken<Use extends Token["use"]>(
  env: Pick<Env, "TOKEN_SECRET">,
  use: Use | readonly Use[],
  text: string,
  now: Date,
): Promise<Extract<Token, { use: Use }> | undefined> {
  const [claims, signature, more] = text.length > CHARACTERS_MAX ? [] : text.split(".");
  const bytes = claims && signature && more === undefined ? fromBase64url(signature) : undefined;
  if (!claims || !bytes) return undefined;
  if (!(await crypto.subtle.verify("HMAC", await keyOf(env), bytes, encodeText(claims)))) return undefined;
  // Signed by us, so of our making: what is left to check is what it is for, and until when.
  const token = JSON.parse(new TextDecoder().decode(fromBase64url(claims))) as Token;
  if (![use].flat().includes(token.use as Use) || token.expiresAt <= now.getTime()) return undefined;
  return token as Extract<Token, { use: Use }>;
}

/** Whatever is the matter with it. */
export const TOKEN_REFUSED = "This token is not valid here, or no longer.";

/** Ours have a few hundred. */
const CHARACTERS_MAX = 4_096;

/** The key of the secret that was used last: a deployment has one. */
let imported: { secret: string; key: CryptoKey } | undefined;

async function keyOf({ TOKEN_SECRET: secret }: Pick<Env, "TOKEN_SECRET">): Promise<CryptoKey> {
  if (imported?.secret === secret) return imported.key;
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", encodeText(secret), algorithm, false, ["sign", "verify"]);
  imported = { secret, key };
  return key;
}

const encodeText = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text) as Uint8Array<ArrayBuffer>;
