// The ways in which a person may sign in here. Pure.

import { z } from "@hono/zod-openapi";
import type { Needs } from "../../../clients/context.ts";

export const SignInWays = z
  .object({
    api_key: z.literal(true),
    link: z.boolean().openapi({ description: "Whether mail is set up, so that a link can be asked for." }),
  })
  .openapi("SignInWays");
export type SignInWays = z.infer<typeof SignInWays>;

export const getSignInWays = ({ mail }: Needs<"mail">): SignInWays => ({ api_key: true, link: mail.kind !== "none" });
