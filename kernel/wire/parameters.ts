// Values that a caller binds to the `$names` of a statement, as the Worker sends them.

import { z } from "zod";
import { PARAMETER_TYPES } from "./parameter-types.ts";

/**
 * `inferred`: a text of which the database may make what its place asks for, as it does of a literal. `values` are
 * canonical text: `true`, `2026-01-31`, `2026-01-31 12:00:00.5`, the same with `+00:00` of an instant. A parameter that
 * is no list has one.
 */
export const BoundParameter = z.strictObject({
  type: z.enum([...PARAMETER_TYPES, "inferred"]),
  isList: z.boolean(),
  values: z.array(z.string().nullable()),
});
export type BoundParameter = z.infer<typeof BoundParameter>;
