// SQL as a request brings it.

import { z } from "@hono/zod-openapi";
import { REQUEST_LIMITS } from "./limits.ts";

/** Half of a surrogate pair, which no encoding of a database can hold, would be asked for as another character. */
export const SqlText = z
  .string()
  .min(1)
  .max(REQUEST_LIMITS.sqlCharactersMax)
  .refine((sql) => sql.isWellFormed(), "It has half of a surrogate pair, which is no character.");
