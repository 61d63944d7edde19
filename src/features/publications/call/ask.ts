import { chooseFormat } from "../../query/format.ts";
import type { Life } from "../../query/run.ts";
import type { QueryInput, QueryDeps } from "../../query/prepare-query.ts";
import type { Format } from "../../../../kernel/wire/engine-program.ts";
import type { OpenContext } from "../../../http/call.ts";
import type { RunnableQuestion } from "../../saved-queries/question.ts";
import { runQuestion } from "../../saved-queries/run.ts";
import type { AdmittedCall } from "./admit.ts";

/** `pointer`: where the values were sent. */
export type SentValues = { sent: Readonly<Record<string, unknown>>; pointer: string };

/** `ifNoneMatch`: the entity tags of answers that the caller has. */
export type AnswerOptions = { format: Format; ifNoneMatch: string[]; life: Life };

/** `fixed`: values that the caller can't send. */
export type PublishedQuestion = {
  question: RunnableQuestion;
  fixed: Readonly<Record<string, unknown>>;
  options?: Pick<QueryInput, "timeout_ms">;
};

/** Asks what is published, as the role reads it. 304 where the caller has the answer. */
export async function askPublished(
  ctx: QueryDeps,
  { publication }: Pick<AdmittedCall, "publication">,
  { question, fixed, options }: PublishedQuestion,
  { sent, pointer, format, ifNoneMatch, life }: SentValues & AnswerOptions,
): Promise<Response> {
  const answer = await runQuestion(ctx, question, {
    sent,
    fixed,
    pointer,
    options: { ...options, ifNoneMatch },
    writing: { format, numbers: publication.numbers },
    life,
  });
  answer.headers.set("vary", "Accept, Authorization");
  return answer;
}

/** The values that a query of an address has; of a parameter that is repeated, a list. */
export function sentInQuery(request: Request): SentValues {
  const query = new URL(request.url).searchParams;
  const values = [...new Set(query.keys())].map((name) => [name, query.getAll(name)] as const);
  const sent = values.map(([name, all]) => [name, all.length === 1 ? all[0] : all]);
  return { sent: Object.fromEntries(sent), pointer: "/query" };
}

export const answerOptionsOf = ({ request, waitUntil }: OpenContext): AnswerOptions => ({
  format: chooseFormat(request.headers.get("accept") ?? undefined),
  ifNoneMatch: tagsOf(request.headers.get("if-none-match") ?? undefined),
  life: { signal: request.signal, waitUntil, isNamed: request.headers.has("x-request-id") },
});

/** The tags of `If-None-Match`; all are compared weakly, as RFC 9110 wants it there. */
export const tagsOf = (header: string | undefined): string[] =>
  (header?.match(/(?:W\/)?"[^"]*"/g) ?? []).slice(0, TAGS_MAX).map((tag) => (tag.startsWith("W/") ? tag : `W/${tag}`));

const TAGS_MAX = 20;
