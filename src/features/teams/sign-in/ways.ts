// The ways in which a person may sign in here. Pure.

import { z } from "@hono/zod-openapi";
import type { Needs } from "../../../clients/context.ts";
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
  })
  .openapi("SignInWays");
export type SignInWays = z.infer<typeof SignInWays>;

export const getSignInWays = ({ mail }: Needs<"mail">, request: Request): SignInWays => ({
  api_key: true,
  link: mail.kind !== "none",
  passkey: takesPasskeys(new URL(request.url)),
});
