// The noun: a person's session in a browser. What its cookie holds is known to the browser alone; we keep its hash.

import { z } from "@hono/zod-openapi";
import { oneLine } from "../../../core/text/one-line.ts";
import { toBase64url } from "../../../core/encoding.ts";
import { TEAM_LIMITS } from "../limits.ts";
import { sha256Hex } from "../../../platform/crypto/digest.ts";
import type { AuditFacts } from "../../../platform/db/audit-facts.ts";
import { SIGN_IN_METHODS } from "../../../platform/db/schema/team-schema.ts";
import { Me } from "../me.ts";

export const SignInMethod = z.enum(SIGN_IN_METHODS);
export type SignInMethod = z.infer<typeof SignInMethod>;

export const Session = z
  .object({
    id: z.uuid(),
    method: SignInMethod.openapi({ description: "How its user signed in." }),
    user_agent: z.string().nullable().openapi({ description: "What the browser calls itself, shortened." }),
    key_id: z
      .uuid()
      .nullable()
      .openapi({ description: "The key that it was made by, whose scopes it has and with which it ends." }),
    created_at: z.iso.datetime(),
    used_at: z.iso.datetime().openapi({ description: "Its last use, to about an hour." }),
    expires_at: z.iso
      .datetime()
      .openapi({ description: "When it is over at the latest; seven days without a use end it before." }),
    is_current: z.boolean().openapi({ description: "Whether this request came in it." }),
  })
  .openapi("Session");
export type Session = z.infer<typeof Session>;

export const SignedIn = Me.extend({ kind: z.literal("signed_in"), session: Session }).openapi("SignedIn", {
  description: "Who signed in, as `GET /v4/me` says it, and the session.",
});
export type SignedIn = z.infer<typeof SignedIn>;

export const TeamChoice = z
  .object({
    kind: z.literal("choose_team"),
    teams: z.array(z.object({ id: z.uuid(), name: z.string() }).openapi("ChosenTeam")),
  })
  .openapi("TeamChoice", {
    description:
      "Nobody is signed in yet: users of several teams have the address, and the next try names one of them.",
  });
export type TeamChoice = z.infer<typeof TeamChoice>;

export const SignInAnswer = z.discriminatedUnion("kind", [SignedIn, TeamChoice]).openapi("SignInAnswer");
export type SignInAnswer = z.infer<typeof SignInAnswer>;

const TOKEN_BYTES = 32;

/** What a new session's cookie holds, and what is stored of it. */
export async function mintSessionToken(): Promise<{ token: string; tokenHash: string }> {
  const token = toBase64url(crypto.getRandomValues(new Uint8Array(TOKEN_BYTES)));
  return { token, tokenHash: await sha256Hex(token) };
}

/** The end of a session that begins now: the platform's bound, or its key's end. */
export function sessionEndOf(now: Date, keyExpiresAt: string | null): string {
  const end = new Date(now.getTime() + TEAM_LIMITS.sessionMs).toISOString();
  return keyExpiresAt !== null && keyExpiresAt < end ? keyExpiresAt : end;
}

/** A session whose last use was before this instant is over. */
export const idleSince = (now: Date): string => new Date(now.getTime() - TEAM_LIMITS.sessionIdleMs).toISOString();

/** The start of what a browser calls itself; null where it does not. */
export const userAgentOf = ({ headers }: Pick<Request, "headers">): string | null =>
  oneLine(headers.get("user-agent") ?? "", TEAM_LIMITS.userAgentCharactersMax) || null;

/** The audit log's facts of a session. */
export const auditedSession = (
  userId: string,
  { method, key_id, user_agent, expires_at }: Omit<Session, "id" | "created_at" | "used_at" | "is_current">,
): AuditFacts => ({ user_id: userId, method, key_id, user_agent, expires_at });
