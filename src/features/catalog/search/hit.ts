// The noun: something that a search of the catalog has found, on the wire.

import { z } from "@hono/zod-openapi";

export const HIT_KINDS = ["table", "member", "saved_query", "doc", "term"] as const;
export type HitKind = (typeof HIT_KINDS)[number];

export const CatalogHit = z
  .object({
    kind: z
      .enum(HIT_KINDS)
      .openapi({
        description:
          "A table of a lake, a member of a semantic model, a saved query, a doc, or a term of the glossary.",
      }),
    name: z.string().openapi({ description: "`schema.table`, `cube.member`, or the name that people gave it." }),
    title: z.string().nullable().openapi({ description: "How a model titles its member." }),
    description: z
      .string()
      .nullable()
      .openapi({ description: "Its description, a table's comment, or a term's definition." }),
    id: z.uuid().nullable().openapi({ description: "Of a saved query, a doc or a term." }),
    integration_id: z.uuid().nullable().openapi({ description: "The lake or the semantic model that it lies in." }),
    columns: z.array(z.string()).openapi({ description: "A table's columns in which a word of the question is." }),
    certified: z.boolean().openapi({ description: "Whether an admin vouches for the saved query." }),
    score: z.number().openapi({ description: "Compares hits of one answer; nothing else can be read from it." }),
  })
  .openapi("CatalogHit");
export type CatalogHit = z.infer<typeof CatalogHit>;
