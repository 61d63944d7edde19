import { z } from "@hono/zod-openapi";
import { LIMITS } from "../../core/limits.ts";
import { notFound } from "../../core/problem.ts";
import type { Needs } from "../../clients/context.ts";
import { readingOnly } from "../../core/scope.ts";
import { byParameterName } from "../../http/request/parameters.ts";
import type { AsyncQuery } from "../query/async/async-query.ts";
import type { Waiting } from "../query/async/start.ts";
import { runQuery, runQueryAsync, type Life } from "../query/run.ts";
import type { QueryInput, QueryDeps, Writing } from "../query/prepare-query.ts";
import { readNewest, requireQuery, type Written } from "./find.ts";
import { requireAllowed } from "./parameters/allowed-values.ts";
import { resolveParameters } from "./parameters/resolve.ts";
import { fillQuestion, type RunnableQuestion } from "./question.ts";

export const SentParameters = byParameterName(z.unknown())
  .default({})
  .openapi({ type: "object", description: "Values by name, each of JSON and of its parameter's declared type." });

export const SavedQueryRun = z
  .strictObject({
    parameters: SentParameters,
    timeout_ms: z
      .number()
      .int()
      .min(1)
      .max(LIMITS.queryDeadlineMsMax)
      .optional()
      .openapi({ description: `From receipt to the last byte; ${LIMITS.queryDeadlineMsDefault} when absent.` }),
    invalidate: z.boolean().optional().openapi({ description: "True: it runs, whatever is kept of its result." }),
  })
  .openapi("SavedQueryRun", { example: { parameters: { status: "shipped" } } });
export type SavedQueryRun = z.infer<typeof SavedQueryRun>;

/** Runs the newest version with the rights of whoever asks, and answers the engine's Response, streaming. */
export async function runSavedQuery(
  ctx: QueryDeps,
  id: string,
  { run: { parameters, ...options }, writing, life }: { run: SavedQueryRun; writing: Writing; life: Life },
): Promise<Response> {
  const { definition: question } = await readLiveQuestion(ctx, id);
  return runQuestion(ctx, question, { sent: parameters, pointer: "/parameters", options, writing, life });
}

/**
 * Starts a saved query for somebody who asks later how it went. The query's id is the request's. `accept` throws the
 * Problem of a version that is not to run.
 */
export async function startSavedQuery(
  ctx: QueryDeps,
  id: string,
  {
    parameters,
    writing,
    life,
    waiting,
    accept,
  }: Pick<SavedQueryRun, "parameters"> & {
    writing: Writing;
    life: Life;
    waiting: Waiting;
    accept: (written: Written) => Promise<void>;
  },
): Promise<AsyncQuery> {
  const { definition: question, written } = await readLiveQuestion(ctx, id);
  await accept(written);
  const { reading, asked } = await askQuestion(ctx, question, { sent: parameters, pointer: "/parameters", life });
  return runQueryAsync(reading, asked, writing, waiting);
}

/**
 * Throws the Problem that keeps a saved query from being run with these values, as far as they are known by themselves.
 */
export async function checkSavedRun(
  ctx: Needs<"scope" | "db">,
  id: string,
  { sent, pointer }: Pick<Values, "sent" | "pointer">,
): Promise<void> {
  const { definition: question } = await readLiveQuestion(ctx, id);
  resolveParameters(question.parameters, { sent, pointer });
}

/** The newest version of a saved query that is not archived. */
async function readLiveQuestion(ctx: Needs<"scope" | "db">, id: string) {
  const query = await requireQuery(ctx, id);
  if (query.archived_at !== null) throw notFound("Query", id);
  return readNewest(ctx, query);
}

type Values = {
  sent: Readonly<Record<string, unknown>>;
  /** Values that the caller may not send. */
  fixed?: Readonly<Record<string, unknown>>;
  /** Where the values were sent. */
  pointer: string;
  life: Life;
};
type QuestionRun = Values & {
  options: Pick<QueryInput, "timeout_ms" | "invalidate" | "ifNoneMatch">;
  writing: Writing;
};

export async function runQuestion(
  ctx: QueryDeps,
  question: RunnableQuestion,
  { options, writing, ...values }: QuestionRun,
): Promise<Response> {
  const { reading, asked } = await askQuestion(ctx, question, values);
  return runQuery(reading, { ...asked, ...options }, writing, values.life);
}

/**
 * A kept question with its values, and the rights with which it is asked: it is asked by many, and only reads, whatever
 * its caller may write.
 */
async function askQuestion(
  ctx: QueryDeps,
  question: RunnableQuestion,
  { life, ...values }: Values,
): Promise<{ reading: QueryDeps; asked: QueryInput }> {
  const reading = { ...ctx, scope: readingOnly(ctx.scope) };
  const bound = resolveParameters(question.parameters, values);
  await requireAllowed(reading, question, { bound, pointer: values.pointer, life });
  const asked = fillQuestion(question, bound);
  const hasPlaces = asked.sql !== undefined && Object.keys(question.parameters).length > 0;
  return { reading, asked: { ...asked, ...(hasPlaces && { bound }) } };
}
