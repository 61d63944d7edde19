// The ways in which a person may sign in here. Pure.

import { z } from "@hono/zod-openapi";
import type { Needs } from "../../../clients/context.ts";
import { bringsAssertion } from "../cloudflare-access/assertion.ts";
import { takesPasskeys } from "../passkeys/passkey.ts";

export const SignInWays = z
  .object({
    api_key: z.literal(true),
    link: z.boolean().openapi({ description: "Whether mail is set up, so that a link can be asked for." }),
    passkey: z
      .boolean()
      .openapi({
        description:
          "Whether browsers have passkeys here: not where the platform is asked by an address, or by plain http.",
      }),
    access: z
      .boolean()
      .openapi({ description: "Whether this request came through Cloudflare Access, which may sign in by itself." }),
  })
  .openapi("SignInWays");
export type SignInWays = z.infer<typeof SignInWays>;

export const getSignInWays = ({ mail, settings }: Needs<"mail" | "settings">, request: Request): SignInWays => ({
  api_key: true,
  link: mail.kind !== "none",
  passkey: takesPasskeys(new URL(request.url)),
  access: settings.access !== undefined && bringsAssertion(request),
});
