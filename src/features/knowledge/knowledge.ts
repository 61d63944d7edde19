// The noun: what a team knows besides its tables, its terms and the questions whose answers are verified. Pure.

import { z } from "@hono/zod-openapi";
import { GlossaryTerm } from "../glossary/term.ts";
import { SavedQueryDetail } from "../saved-queries/saved-query.ts";

export const VerifiedQuery = SavedQueryDetail.pick({
  ...{ id: true, name: true, description: true, questions: true, version: true },
  ...{ sql: true, cube_query: true, integration_id: true, parameters: true },
  ...{ certified_by: true, certified_at: true },
})
  .extend({
    certified_by_name: z.string().nullable(),
    missing: z
      .array(z.string())
      .openapi({
        description:
          "Tables and members that it names and that are not there, as far as its text shows: who verified it has to " +
          "look again. What a connected database has is not looked at.",
      }),
  })
  .openapi("VerifiedQuery");
export type VerifiedQuery = z.infer<typeof VerifiedQuery>;

export const Knowledge = z
  .object({
    terms: z.array(GlossaryTerm),
    verified_queries: z.array(VerifiedQuery),
    cut: z.boolean().openapi({ description: "Whether there are more of either than `limit`." }),
  })
  .openapi("Knowledge");
export type Knowledge = z.infer<typeof Knowledge>;
