// An engine's reports about asynchronous statements. They come with a token instead of a key, good for one statement.

import type { Context } from "hono";
import type { z } from "zod";
import {
  AsyncStatementOutcome,
  ResultUploadRequest,
  type ResultUploadAnswer,
} from "../../../../kernel/wire/statements/async-statement.ts";
import { ASYNC_QUERY_LIMITS } from "./limits.ts";
import { notFound, Problem } from "../../../core/problem.ts";
import { clientsOf } from "../../../http/app-env.ts";
import { readBearer, readBody } from "../../../http/request/container-call.ts";
import { createRouter, type AppEnv } from "../../../http/router.ts";
import { problemOf } from "../../../platform/engine/failure.ts";
import type { Db } from "../../../platform/db/client.ts";
import { resultKey, type AsyncQuery, type QueryName } from "./async-query.ts";
import { endQuery, settle } from "./finish.ts";
import { findQuery } from "./store.ts";

export const queriesInternal = createRouter();

queriesInternal.post("/:queryId/result", async (c) => {
  const query = await readQuery(c);
  const { bytes } = await readBody(c, ResultUploadRequest);
  if (query.endedAt !== null) throw new Problem("auth_invalid_token", "This query has ended.");
  if (bytes > ASYNC_QUERY_LIMITS.resultBytesMax)
    throw new Problem("body_too_large", `A result may have at most ${ASYNC_QUERY_LIMITS.resultBytesMax} bytes.`);
  return c.json({ url: clientsOf(c).bucket.signPut(resultKey(query)) } satisfies z.infer<typeof ResultUploadAnswer>);
});

queriesInternal.post("/:queryId/finish", async (c) => {
  const query = await readQuery(c);
  const report = await readBody(c, AsyncStatementOutcome);
  const end =
    report.outcome === "succeeded"
      ? { bytes: report.bytes, readerHead: report.readerHead, isFallback: report.isFallback }
      : await settle(clientsOf(c), query, problemOf(report.failure, query.askedBy, report.location));
  await endQuery(clientsOf(c).db, query, end, new Date());
  return c.body(null, 204);
});

async function readQuery(c: Context<AppEnv>): Promise<AsyncQuery> {
  const { teamId, queryId, createdAt } = await readBearer(c, "query");
  const asked = c.req.param("queryId") ?? "";
  const query = queryId === asked ? await awaitQuery(clientsOf(c).db, { teamId, id: queryId, createdAt }) : undefined;
  if (query?.createdAt !== createdAt) throw notFound("Query", asked);
  return query;
}

const PAUSE_MS = 50;

/** The row of a query whose sender waited for its end is written once it goes on, which its engine knows at once. */
async function awaitQuery(
  db: Db,
  { teamId, id, createdAt }: Omit<QueryName, "isRepeated">,
): Promise<AsyncQuery | undefined> {
  const isNew = Date.now() < Date.parse(createdAt) + ASYNC_QUERY_LIMITS.startMs;
  for (let waitedMs = 0; ; waitedMs += PAUSE_MS) {
    const query = await findQuery(db, teamId, id);
    if (query || !isNew || waitedMs >= ASYNC_QUERY_LIMITS.rowMs) return query;
    await scheduler.wait(PAUSE_MS);
  }
}
