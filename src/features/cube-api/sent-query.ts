// Requests of Cube's clients: a query as JSON in the address, or in the body.

import { z } from "@hono/zod-openapi";
import { CUBE_API_LIMITS } from "./limits.ts";
import { Problem } from "../../core/problem.ts";

const FORM = `Send a query as an object, or a list of up to ${CUBE_API_LIMITS.blendedQueriesMax} of them.`;

const FLAW = { error: FORM };
const OneQuery = z.record(z.string(), z.unknown(), FLAW).openapi("CubeSentQuery");
const Queries = z
  .array(OneQuery, FLAW)
  .min(1, FLAW)
  .max(CUBE_API_LIMITS.blendedQueriesMax, FLAW)
  .openapi("CubeSentQueries");
const Query = z
  .union([OneQuery, Queries], FLAW)
  .openapi({
    description: "A list is of queries whose answers are set beside each other by their time (data blending).",
  });

/** Other fields are ignored, as Cube does: a client's next version may send more. */
const SENT = {
  queryType: z
    .string()
    .optional()
    .openapi({ description: "`multi`: the answer is a list of results. Without it, the one result." }),
  cache: z
    .string()
    .optional()
    .openapi({ description: "One of Cube's modes. What is kept is never older than its tables, whichever is sent." }),
};

/** The query of a GET. */
export const SentInAddress = z.looseObject({
  query: z.string().optional().openapi({ description: "The query as JSON; required." }),
  ...SENT,
});

/** The body of a POST. */
export const SentInBody = z
  .looseObject({ query: Query, ...SENT })
  .openapi("CubeQueryRequest", { example: { query: { measures: ["orders.count"] }, queryType: "multi" } });

/** `isList`: the queries were sent as a list, though it may be of one. */
export type SentQuery = { raws: Record<string, unknown>[]; isList: boolean; isMulti: boolean };

export type Sent = { query?: unknown; queryType?: string | undefined; cache?: string | undefined };

/** `query` may be its JSON text. Throws `invalid_request`, in Cube's words where Cube has some. */
export function readSentQuery({ query, queryType, cache }: Sent): SentQuery {
  if (query === undefined || query === "" || query === "undefined")
    throw new Problem("invalid_request", "Query param is required");
  const { data } = Query.safeParse(typeof query === "string" ? parse(query) : query);
  if (!data) throw new Problem("invalid_request", FORM);
  const raws = [data].flat().map((raw) => (cache === undefined ? raw : { ...raw, cache }));
  return { raws, isList: Array.isArray(data), isMulti: queryType === "multi" };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Problem("invalid_request", `Unable to decode query param as JSON, error: ${(error as Error).message}`);
  }
}

/** Cube's own client names each of its calls by the id of its requests, and counts these: `<call>-span-<n>`. */
const SPAN = /^([\w-]{1,100})-span-\d{1,9}$/;

/** Empty for another client: other programs name each request anew. */
export const callOf = (requestId: string | undefined): string => SPAN.exec(requestId ?? "")?.[1] ?? "";
