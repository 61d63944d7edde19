// The noun: a secret of the team's, for its scripts. Pure.

import { z } from "@hono/zod-openapi";

export const SECRET_KEY = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/;

export const SecretValue = z
  .strictObject({
    value: z.string().refine((value) => value.isWellFormed(), "Send text: it has half of a surrogate pair."),
  })
  .openapi("SecretValue", { example: { value: "s3cret" } });
export type SecretValue = z.infer<typeof SecretValue>;
