// How operations declare the headers they read and answer with. For the document alone: handlers read and set them
// themselves.

import { z } from "@hono/zod-openapi";

/** Spread into a route: request headers by name, each with what it is for. */
export const requestHeaders = (headers: Record<string, string>) => ({
  parameters: Object.entries(headers).map(([name, description]) => ({
    in: "header" as const,
    name,
    required: false,
    description,
    schema: { type: "string" as const },
  })),
});

/** The same answer, which also carries these headers. */
export const withHeaders = <Answer extends object>(headers: Record<string, string>, answer: Answer) => ({
  ...answer,
  headers: z.object(
    Object.fromEntries(
      Object.entries(headers).map(([name, description]) => [name, z.string().optional().openapi({ description })]),
    ),
  ),
});
