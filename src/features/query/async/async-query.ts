// The noun: a query whose sender does not wait. Its row says how it stands; its result is an object.

import { z } from "@hono/zod-openapi";
import { ASYNC_QUERY_LIMITS } from "./limits.ts";
import { Problem } from "../../../core/problem.ts";
import type { Scope } from "../../../core/scope.ts";
import type { asyncQueries, KeptProblem } from "../../../platform/db/schema/query-schema.ts";

/** The SQL of one that is held may be long, and is read only where it begins. */
export type AsyncQuery = Omit<typeof asyncQueries.$inferSelect, "heldSql">;
export type StatementEngineName = AsyncQuery["engine"];
export type HeldQuery = AsyncQuery & { heldSql: string };
/** The name of one run of an asynchronous query, and of its result. */
export type QueryName = Pick<AsyncQuery, "teamId" | "id" | "createdAt" | "isRepeated">;

export const RunningQuery = z
  .object({
    success: z.literal(true),
    request_id: z.uuid(),
    status: z.literal("running"),
    created_at: z.iso.datetime(),
    deadline_at: z.iso.datetime().openapi({ description: "When it fails if it has not ended." }),
  })
  .openapi("RunningQuery", { description: "A query that has not ended: ask again at `Location`." });

export const showRunning = ({ id, createdAt, deadlineAt }: AsyncQuery): z.infer<typeof RunningQuery> => ({
  success: true,
  request_id: id,
  status: "running",
  created_at: createdAt,
  deadline_at: deadlineAt,
});

/** Several runs of a repeated query have one id, one after the other; each has a result of its own. */
export const resultKey = ({ teamId, id, createdAt, isRepeated }: QueryName): string =>
  `${teamId}/queries/${id}${isRepeated ? `/${Date.parse(createdAt)}` : ""}`;

export const maySee = ({ userId }: AsyncQuery, scope: Scope): boolean =>
  userId === scope.userId || scope.role === "admin";

/** What its reader is told of a statement that writes is an object; of one that reads it is a list of columns. */
export const isWrite = ({ readerHead }: Pick<AsyncQuery, "readerHead">): boolean =>
  readerHead?.startsWith("{") ?? false;

/** The longer it has run, the later it is worth asking again. */
export function secondsToAskAgain({ createdAt }: AsyncQuery, now: Date): number {
  const ranSeconds = (now.getTime() - Date.parse(createdAt)) / 1_000;
  return Math.min(15, Math.max(1, Math.round(ranSeconds / 10)));
}

/**
 * The next step for a query that has not ended: nothing while it may be about to begin, to ask its engine, or to give
 * it up, past what its engine takes to end it and to say so.
 */
export function nextLook({ createdAt, acceptedAt, deadlineAt }: AsyncQuery, now: Date): "wait" | "ask" | "give up" {
  if (now.getTime() > Date.parse(deadlineAt) + ASYNC_QUERY_LIMITS.graceMs) return "give up";
  const mayBegin = acceptedAt === null && now.getTime() < Date.parse(createdAt) + ASYNC_QUERY_LIMITS.startMs;
  return mayBegin ? "wait" : "ask";
}

/** Whether nobody asks any more what a query wrote: its lake could not say for too long. */
export const isPastSettling = ({ deadlineAt }: AsyncQuery, now: Date): boolean =>
  now.getTime() > Date.parse(deadlineAt) + ASYNC_QUERY_LIMITS.writeSettledMs;

export const keepProblem = ({ code, message, flaws, location, retryAfterSeconds }: Problem): KeptProblem => ({
  code,
  detail: message,
  flaws,
  ...(location ? { location } : {}),
  ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
});

export function problemFrom({ code, detail, flaws, location, retryAfterSeconds }: KeptProblem): Problem {
  const problem = new Problem(code, detail, flaws);
  if (location) problem.location = location;
  if (retryAfterSeconds !== undefined) problem.retryAfterSeconds = retryAfterSeconds;
  return problem;
}
