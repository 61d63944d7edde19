// The noun: a link that signs in, once. What it holds is known to its holder alone; we keep its hash.

import { z } from "@hono/zod-openapi";
import { newId } from "../../../core/ids.ts";
import { TEAM_LIMITS } from "../limits.ts";
import { Email } from "../../../http/request/email.ts";
import { mintSuffix } from "../keys/key.ts";
import type { Link } from "./store.ts";

export const MagicLink = z
  .object({
    url: z
      .url()
      .openapi({
        description:
          "Opened, it shows a page; confirmed there, it signs in. It works once. What it holds is behind the `#`, which " +
          "browsers send to nobody.",
      }),
    expires_at: z.iso.datetime(),
    user: z
      .object({ id: z.uuid(), name: z.string(), email: z.string() })
      .openapi({ description: "The team's first admin, as whom it signs in." }),
    mailed: z.boolean().openapi({ description: "Whether the link was sent to that admin by mail." }),
  })
  .openapi("MagicLink");
export type MagicLink = z.infer<typeof MagicLink>;

export const NewMagicLink = z
  .strictObject({
    mail: z.boolean().default(true).openapi({ description: "Whether to mail the link, where mail is set up." }),
  })
  .openapi("NewMagicLink", { example: { mail: false } });
export type NewMagicLink = z.infer<typeof NewMagicLink>;

export const LinkRequest = z
  .strictObject({ email: Email })
  .openapi("LinkRequest", { example: { email: "ada@acme.example" } });
export type LinkRequest = z.infer<typeof LinkRequest>;

export const RequestedLink = z
  .object({ expires_in_seconds: z.int().openapi({ description: "For so long a link works, where one was mailed." }) })
  .openapi("RequestedLink");
export type RequestedLink = z.infer<typeof RequestedLink>;

/** The console's page that a link leads to. */
const SIGN_IN_PATH = "/app/sign-in";

/** Makes a link, and the row that is stored of it. `origin` is where the console is. */
export async function mintLink(
  { teamId, userId, origin }: { teamId: string; userId: string; origin: string },
  now: Date,
): Promise<{ link: Link; url: string }> {
  const { suffix, suffixHash } = await mintSuffix();
  const link = {
    id: newId(now),
    teamId,
    userId,
    tokenHash: suffixHash,
    createdAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + TEAM_LIMITS.magicLinkMs).toISOString(),
    keyId: null,
    sessionId: null,
  };
  return { link, url: `${origin}${SIGN_IN_PATH}#${suffix}` };
}
