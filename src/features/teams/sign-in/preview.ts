import { z } from "@hono/zod-openapi";
import type { Needs } from "../../../clients/context.ts";
import { requireSameOrigin } from "../../../http/sessions/same-origin.ts";
import { findPerson } from "../store-callers.ts";
import { proveByKey } from "./by-key.ts";
import { requireLiveLink } from "./by-link.ts";
import { notSignedIn } from "./open-session.ts";
import type { SignInCredential } from "./proof.ts";
import { requireSignInTry } from "./tries/require-try.ts";

export const SignInPreview = z
  .object({
    user: z.object({ id: z.uuid(), name: z.string(), email: z.string() }),
    team: z.object({ id: z.uuid(), name: z.string() }),
  })
  .openapi("SignInPreview");
export type SignInPreview = z.infer<typeof SignInPreview>;

/**
 * Whom a key or a link would sign in, which it still does afterwards. Throws what signing in would, in the same words,
 * and counts as a try of it.
 */
export async function previewSignIn(
  ctx: Needs<"db">,
  sent: SignInCredential,
  asking: { request: Request; now: Date },
): Promise<SignInPreview> {
  requireSameOrigin(asking.request);
  await requireSignInTry(ctx, asking);
  const { now } = asking;
  const { teamId, userId } = await ("api_key" in sent
    ? proveByKey(ctx, sent.api_key, now)
    : requireLiveLink(ctx, sent.link, now.toISOString()));
  const person = await findPerson(ctx.db, teamId, userId);
  if (!person) throw notSignedIn();
  return {
    user: { id: person.userId, name: person.userName, email: person.email },
    team: { id: person.teamId, name: person.teamName },
  };
}
