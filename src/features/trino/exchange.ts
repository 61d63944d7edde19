// An exchange is one statement of one of Trino's clients with its session, and is checked before it runs.

import type { CallContext } from "../../http/call.ts";
import { REQUEST_LIMITS } from "../../http/request/limits.ts";
import { ASYNC_QUERY_LIMITS } from "../query/async/limits.ts";
import { TRINO_LIMITS } from "./limits.ts";
import { Problem } from "../../core/problem.ts";
import { mayRunMore } from "../query/async/start.ts";
import type { Expression } from "../trino-sql/parse/tree.ts";
import { Refusal, tooLong } from "../trino-sql/refusal.ts";
import type { Constants } from "../trino-sql/translate/place.ts";
import type { OpenedCatalog } from "../trino-sql/lake-tables.ts";
import type { Session } from "./session.ts";

/**
 * `text` is what was parsed; `id` is the statement's; `origin` is the address that it came to, without its path.
 * `isPrepared`: a place in the text is none in what was sent.
 */
export type Exchange = {
  ctx: CallContext;
  session: Session;
  text: string;
  id: string;
  origin: string;
  isPrepared: boolean;
};

export function requireValues({ parameters }: { parameters: number }, values: readonly Expression[]): void {
  if (values.length === parameters) return;
  const message = `Incorrect number of parameters: expected ${parameters} but found ${values.length}`;
  throw new Refusal("INVALID_PARAMETER_USAGE", message);
}

export function requireShort(sql: string): void {
  if (sql.length > REQUEST_LIMITS.sqlCharactersMax) throw tooLong();
}

/** Throws where as many queries of the team run as may. */
export async function requireRunnable(ctx: CallContext): Promise<void> {
  if (await mayRunMore(ctx)) return;
  const message = `${ASYNC_QUERY_LIMITS.runningMax} queries of the team run, which is as many as may.`;
  throw new Problem("too_many_requests", message);
}

/** Throws where the statement is too long to be held. One that is held waits for its turn when it begins. */
export function requireHoldable(sql: string): void {
  requireShort(sql);
  if (new TextEncoder().encode(sql).length > TRINO_LIMITS.heldStatementBytesMax) throw tooLong();
}

export const constantsOf = (scope: CallContext["scope"], session: Session, { catalog }: OpenedCatalog): Constants => ({
  now: scope.now,
  timeZone: session.timeZone,
  user: scope.userName,
  catalog: session.catalog ?? catalog,
  schema: session.schema,
});
