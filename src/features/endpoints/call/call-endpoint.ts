import { runQuestion } from "../../saved-queries/run.ts";
import type { Life, QueryDeps } from "../../query/run.ts";
import type { Format } from "../../../../kernel/wire/engine.ts";
import { questionOfEndpoint } from "../endpoint.ts";
import type { AdmittedCall } from "./admit.ts";

/** `pointer`: where the values were sent. `ifNoneMatch`: the entity tags of answers that the caller has. */
export type EndpointCall = {
  sent: Readonly<Record<string, unknown>>;
  pointer: string;
  format: Format;
  ifNoneMatch: string[];
  life: Life;
};

/** Asks what is published, as the endpoint's role reads it. 304 where the caller has the answer. */
export async function callEndpoint(
  ctx: QueryDeps,
  { endpoint, fixed }: AdmittedCall,
  { sent, pointer, format, ifNoneMatch, life }: EndpointCall,
): Promise<Response> {
  const answer = await runQuestion(ctx, questionOfEndpoint(endpoint), {
    sent,
    fixed,
    pointer,
    options: { ifNoneMatch },
    writing: { format, numbers: endpoint.numbers },
    life,
  });
  answer.headers.set("vary", "Accept, Authorization");
  return answer;
}

/** The same with the values in the query; of one that is repeated, a list. */
export function getEndpointResult(
  ctx: QueryDeps,
  call: AdmittedCall,
  { queries, ...asked }: Omit<EndpointCall, "sent" | "pointer"> & { queries: Readonly<Record<string, string[]>> },
): Promise<Response> {
  const sent = Object.entries(queries).map(([name, values]) => [name, values.length === 1 ? values[0] : values]);
  return callEndpoint(ctx, call, { sent: Object.fromEntries(sent), pointer: "/query", ...asked });
}

/** The tags of `If-None-Match`; all are compared weakly, as RFC 9110 wants it there. */
export const tagsOf = (header: string | undefined): string[] =>
  (header?.match(/(?:W\/)?"[^"]*"/g) ?? []).slice(0, TAGS_MAX).map((tag) => (tag.startsWith("W/") ? tag : `W/${tag}`));

const TAGS_MAX = 20;
