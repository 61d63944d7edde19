// SQL from a screen, on the lake or on a connected database. Whole numbers and decimals come as text, so that none of
// their digits is lost.

import { request } from "./client.ts";
import type { components } from "./schema.d.ts";

export type StatementColumn = components["schemas"]["ResultColumn"];
export type StatementRow = Readonly<Record<string, unknown>>;
export type StatementResult = {
  columns: readonly StatementColumn[];
  rows: readonly StatementRow[];
  truncated: boolean;
};

type Statement = { sql: string; integrationId?: string; signal?: AbortSignal };

/** Answers the rows of the statement. Throws `FjordProblem`. */
export const runStatement = ({ sql, integrationId, signal }: Statement): Promise<StatementResult> =>
  askQuery({ sql, ...(integrationId !== undefined && { integration_id: integrationId }) }, signal);

/** Answers the rows of a whole body of `/v1/query`, or of what answers as it does. Throws `FjordProblem`. */
export async function askQuery(body: object, signal?: AbortSignal, path = "/v1/query"): Promise<StatementResult> {
  const response = await request(`${path}?numbers=string`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });
  const answer = (await response.json()) as components["schemas"]["QueryResult"];
  return { columns: answer.types, rows: (answer.data ?? []) as StatementRow[], truncated: answer.truncated };
}

/** The longest that the API takes: whoever waits decides when it is enough. */
export const QUERY_MS_MAX = 15 * 60_000;

export const ARROW = "application/vnd.apache.arrow.stream";

/** `id`: by which it is cancelled; `accept`: the media type of the answer. */
type Query = { id: string; body: object; accept: string; signal: AbortSignal };

/** Answers the rows as they come, with no deadline but the longest. Throws `FjordProblem`. */
export const sendQuery = ({ id, body, accept, signal }: Query): Promise<Response> =>
  request("/v1/query", {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: accept, "X-Request-Id": id },
    body: JSON.stringify({ ...body, timeout_ms: QUERY_MS_MAX }),
    signal,
  });

/** Ends a statement at its source; one that has ended already is as good. */
export const cancelStatement = (id: string): Promise<unknown> =>
  request(`/v1/query/${id}`, { method: "DELETE" }).catch(() => undefined);
