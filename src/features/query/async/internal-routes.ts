// An engine's reports about asynchronous statements. They come with a token instead of a key, good for one statement.

import type { Context } from "hono";
import type { z } from "zod";
import {
  AsyncStatementOutcome,
  ResultUploadRequest,
  type ResultUploadAnswer,
} from "../../../../kernel/wire/statements/async-statement.ts";
import { LIMITS } from "../../../core/limits.ts";
import { notFound, Problem } from "../../../core/problem.ts";
import { clientsOf } from "../../../http/app-env.ts";
import { readBearer, readBody } from "../../../http/request/container-call.ts";
import { createRouter, type AppEnv } from "../../../http/router.ts";
import { problemOf } from "../../../platform/engine/failure.ts";
import { resultKey, type AsyncQuery } from "./async-query.ts";
import { endQuery, settle } from "./finish.ts";
import { findQuery } from "./store.ts";

export const queriesInternal = createRouter();

queriesInternal.post("/:queryId/result", async (c) => {
  const query = await readQuery(c);
  const { bytes } = await readBody(c, ResultUploadRequest);
  if (query.endedAt !== null) throw new Problem("auth_invalid_token", "This query has ended.");
  if (bytes > LIMITS.asyncResultBytesMax)
    throw new Problem("body_too_large", `A result may have at most ${LIMITS.asyncResultBytesMax} bytes.`);
  return c.json({ url: clientsOf(c).bucket.signPut(resultKey(query)) } satisfies z.infer<typeof ResultUploadAnswer>);
});

queriesInternal.post("/:queryId/finish", async (c) => {
  const query = await readQuery(c);
  const report = await readBody(c, AsyncStatementOutcome);
  const end =
    report.outcome === "succeeded"
      ? { bytes: report.bytes, readerHead: report.readerHead }
      : await settle(clientsOf(c), query, problemOf(report.failure, query.askedBy, report.location));
  await endQuery(clientsOf(c).db, query, end, new Date());
  return c.body(null, 204);
});

async function readQuery(c: Context<AppEnv>): Promise<AsyncQuery> {
  const { teamId, queryId, createdAt } = await readBearer(c, "query");
  const asked = c.req.param("queryId") ?? "";
  const query = queryId === asked ? await findQuery(clientsOf(c).db, teamId, queryId) : undefined;
  if (query?.createdAt !== createdAt) throw notFound("Query", asked);
  return query;
}
