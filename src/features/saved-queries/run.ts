import { z } from "@hono/zod-openapi";
import { LIMITS } from "../../core/limits.ts";
import { notFound } from "../../core/problem.ts";
import { readingOnly } from "../../core/scope.ts";
import { ParameterName } from "../../http/request/parameters.ts";
import { runQuery, type AskedQuery, type Life, type QueryDeps, type Writing } from "../query/run.ts";
import { readDefinition, requireQuery } from "./find.ts";
import { requireAllowed } from "./parameters/allowed-values.ts";
import { resolveParameters } from "./parameters/resolve.ts";
import { fillQuestion, type Question } from "./question.ts";

export const SentParameters = z
  .record(ParameterName, z.unknown())
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
  const query = await requireQuery(ctx, id);
  if (query.archived_at !== null) throw notFound("Query", id);
  const question = await readDefinition(ctx, query);
  return runQuestion(ctx, question, { sent: parameters, pointer: "/parameters", options, writing, life });
}

type QuestionRun = {
  sent: Readonly<Record<string, unknown>>;
  /** Values that the caller may not send. */
  fixed?: Readonly<Record<string, unknown>>;
  /** Where the values were sent. */
  pointer: string;
  options: Pick<AskedQuery, "timeout_ms" | "invalidate" | "ifNoneMatch">;
  writing: Writing;
  life: Life;
};

/** A kept question is asked by many, with the rights of each: it only reads, whatever its caller may write. */
export async function runQuestion(
  ctx: QueryDeps,
  question: Question,
  { options, writing, life, ...values }: QuestionRun,
): Promise<Response> {
  const reading = { ...ctx, scope: readingOnly(ctx.scope) };
  const bound = resolveParameters(question.parameters, values);
  await requireAllowed(reading, question, { bound, pointer: values.pointer, life });
  const asked = fillQuestion(question, bound);
  const hasPlaces = asked.sql !== undefined && Object.keys(question.parameters).length > 0;
  return runQuery(reading, { ...asked, ...options, ...(hasPlaces && { bound }) }, writing, life);
}
