// A cube of a semantic model for who looks for words: what its members are called and mean, and nothing for charts.

import { z } from "@hono/zod-openapi";

const Member = z
  .object({
    name: z.string(),
    title: z.string().optional(),
    description: z.string().optional(),
    type: z.string().optional(),
  })
  .transform(({ name, title, description, type }) => ({
    name,
    ...(type !== undefined && { type }),
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
  }));

const Cube = z.object({
  name: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
  measures: z.array(Member),
  dimensions: z.array(Member),
  segments: z.array(Member),
});
export type ModelCube = z.output<typeof Cube>;

/** Reads an entry in the form of Cube's `/v1/meta`. */
export const showCube = (entry: unknown): ModelCube => Cube.parse(entry);
