// The noun: a link that signs in as a team's admin, once. What it holds is known to its holder alone; we keep its hash.

import { z } from "@hono/zod-openapi";
import { MintedKey } from "../keys/key.ts";

export const MagicLink = z
  .object({
    url: z.url().openapi({ description: "Opened, it shows a page; confirmed there, it signs in. It works once." }),
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

export const SignedIn = z
  .object({
    team: z.object({ id: z.uuid(), name: z.string() }),
    user: z.object({ id: z.uuid(), name: z.string(), email: z.string() }),
    api_key: MintedKey,
  })
  .openapi("SignedIn");
export type SignedIn = z.infer<typeof SignedIn>;

/** Where the page is that a link leads to. */
export const SIGN_IN_PATH = "/sign-in";
export const SIGN_IN_KEY_NAME = "Sign-in by link";
