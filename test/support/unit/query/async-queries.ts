// An engine that takes statements nobody waits for, and runs none: a test says how each ends.

import { env } from "cloudflare:workers";
import {
  ROWS_END_HEADER,
  RunningRowsRequest,
  type AnsweredEnd,
  type AsyncStatementOutcome,
  type AsyncStatementRequest,
} from "../../../../kernel/wire/statements/async-statement.ts";
import { ENGINE_FAILURES, type EngineFailureCode } from "../../../../kernel/wire/failures.ts";
import { ENGINE_HEADER, PROTOCOL } from "../../../../kernel/wire/engine-program.ts";
import { resultKey } from "../../../../src/features/query/async/async-query.ts";
import { findQuery } from "../../../../src/features/query/async/store.ts";
import { openClients } from "../../../../src/clients/clients.ts";
import { callWith, post } from "../call-with.ts";
import type { TestTeam } from "../team.ts";

const headers = { [ENGINE_HEADER]: String(PROTOCOL) };

export function patientEngine() {
  const engine = {
    sent: [] as AsyncStatementRequest[],
    running: new Set<string>(),
    /** What it was asked of statements, as `method path`. */
    asked: [] as string[],
    /** It refuses what it is sent. */
    refusal: undefined as EngineFailureCode | undefined,
    /** Called with what it is sent, before it answers; a rejection is a lost connection. An end is for its sender. */
    onSent: async (_: AsyncStatementRequest): Promise<boolean | AnsweredEnd> => false,
    /** What its running statements have of rows, by their ids. */
    rows: new Map<string, { text: string; isWhole: boolean }>(),
  };
  const teams = new Map<string, string>();
  const objectOf = (teamId: string) => ({
    async fetch(...request: ConstructorParameters<typeof Request>) {
      const sent = await new Request(...request).json<AsyncStatementRequest>();
      engine.sent.push(sent);
      const refusal = engine.refusal ?? ("statement" in sent ? undefined : "sql_error");
      if (refusal)
        return Response.json({ code: refusal, message: "As asked." }, { status: ENGINE_FAILURES[refusal], headers });
      teams.set(sent.statement.id, teamId);
      engine.running.add(sent.statement.id);
      const end = await engine.onSent(sent);
      const answer = typeof end === "boolean" ? { hasEnded: end } : { hasEnded: true, end };
      return Response.json(answer, { status: 202, headers });
    },
    async askOfStatement(id: string, method: string, path: string) {
      engine.asked.push(`${method} ${path}`);
      const sender = new URLSearchParams(path.split("?")[1]).get("sender");
      const own = engine.sent.find(({ statement }) => statement.id === id)?.statement.sender;
      const isFound = engine.running.has(id) && teams.get(id) === teamId && (sender === null || sender === own);
      if (isFound && method === "DELETE") engine.running.delete(id);
      if (isFound && method === "GET") return rowsOf(engine.rows.get(id), path);
      return isFound ? new Response(null, { status: 204, headers }) : undefined;
    },
  });
  return Object.assign(engine, { bindings: { ENGINE: { getByName: objectOf } } as never });
}
/** As an engine answers who reads the rows of a statement that runs. */
function rowsOf(rows: { text: string; isWhole: boolean } | undefined, path: string): Response | undefined {
  if (!rows) return undefined;
  const { from, bytes } = RunningRowsRequest.parse(Object.fromEntries(new URLSearchParams(path.split("?")[1])));
  const part = new TextEncoder().encode(rows.text).subarray(from, from + bytes);
  const isEnd = rows.isWhole && from + part.length >= new TextEncoder().encode(rows.text).length;
  if (part.length === 0 && !isEnd) return new Response(null, { status: 204, headers });
  return new Response(part, { headers: { ...headers, [ROWS_END_HEADER]: String(isEnd) } });
}

type PatientEngine = ReturnType<typeof patientEngine>;

/** Sends SQL as a member, who does not wait; answers the whole answer. */
export const sendAsync = (
  engine: PatientEngine,
  key: string,
  { body, prefer = "respond-async", id, accept }: { body: object; prefer?: string; id?: string; accept?: string },
) =>
  callWith(engine.bindings, "POST", "/v1/query", {
    key,
    body: { sql: "select 1", ...body },
    headers: { prefer, ...(id ? { "x-request-id": id } : {}), ...(accept ? { accept } : {}) },
  });

/** What the engine says of a statement's end. `createdAt`: of its run, where that is not the newest. */
export async function reportEnd(
  engine: PatientEngine,
  { id: teamId }: Pick<TestTeam, "id">,
  id: string,
  { createdAt, ...outcome }: AsyncStatementOutcome & { createdAt?: string },
): Promise<number> {
  const run = createdAt ?? (await findQuery(openClients(env).db, teamId, id))?.createdAt ?? "";
  const token = { use: "query" as const, teamId, queryId: id, createdAt: run, expiresAt: Date.now() + 60_000 };
  const { status } = await post(`/queries/${id}/finish`, { token, body: outcome, bindings: engine.bindings });
  engine.running.delete(id);
  return status;
}

/** Puts a result where the engine's URL leads, and reports it. */
export async function storeResult(engine: PatientEngine, team: Pick<TestTeam, "id">, id: string, text: string) {
  const query = await findQuery(openClients(env).db, team.id, id);
  await env.BUCKET.put(resultKey(query!), text);
  return reportEnd(engine, team, id, { outcome: "succeeded", bytes: text.length });
}
