// An engine that does of a statement what a test says, by the grant that it was sent with, and answers as a test says.

import { env } from "cloudflare:workers";
import { ENGINE_FAILURES, type EngineFailureCode } from "../../../../kernel/wire/failures.ts";
import { ENGINE_HEADER, PROTOCOL } from "../../../../kernel/wire/engine-program.ts";
import type { EngineFailure, StatementRequest } from "../../../../kernel/wire/engine.ts";
import { WriterAnswer } from "../../../../kernel/lake/writer.ts";
import { app } from "../../../../src/app.ts";
import { unavailable } from "../../../../src/platform/container/unavailable.ts";
import type { StatementEnd } from "../../../../src/lake/commit/statements.ts";

const headers = { [ENGINE_HEADER]: String(PROTOCOL) };

/** How the engine's object answers a statement: not at all, with a failure of the engine's, or well. */
export type Ending = "lost" | EngineFailureCode | EngineFailure | "answered";

async function ask(path: string, token: string, body: object): Promise<Response> {
  const raw = JSON.stringify(body);
  return app.request(
    `https://fjord.test/internal${path}`,
    {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "content-length": String(raw.length),
        authorization: `Bearer ${token}`,
      },
      body: raw,
    },
    env,
  );
}

/** A statement's permission, as the platform gives it to an engine; undefined where it is refused. */
export async function beginWriting({ target }: StatementRequest, table?: { schema: string; name: string }) {
  if (target.kind !== "lake") throw new Error("The statement may not write.");
  const answer = await ask(`/lakes/${target.lake.lakeId}/writers`, target.lake.token, {
    adds: false,
    ...(table && { table }),
  });
  if (!answer.ok) return undefined;
  const leave = WriterAnswer.parse(await answer.json());
  /** Makes a schema; answers the status. */
  const commit = async (schema: string): Promise<number> => {
    const { key, author, snapshotId: baseSnapshotId } = leave;
    const changes = [{ kind: "create_schema", schema }];
    const body = { key, author, message: "CREATE SCHEMA", actor: "user", baseSnapshotId, changes };
    return (await ask(`/jobs/${leave.jobId}/commit`, leave.token, body)).status;
  };
  return { commit };
}

export function writingEngine(work: (statement: StatementRequest) => Promise<Ending>) {
  const engine = {
    async fetch(...request: ConstructorParameters<typeof Request>) {
      const sent = await new Request(...request).json<StatementRequest | { statement: StatementRequest }>();
      const ending = await work("statement" in sent ? sent.statement : sent);
      if (ending === "lost") return unavailable("lost", "It was killed.");
      if (ending !== "answered") {
        const failure = typeof ending === "string" ? { code: ending, message: "As asked." } : ending;
        return Response.json(failure, { status: ENGINE_FAILURES[failure.code], headers });
      }
      return Response.json({ hasEnded: false }, { status: 202, headers });
    },
    askOfStatement: async () => undefined,
  };
  return { ENGINE: { getByName: () => engine } } as unknown as Pick<Env, "ENGINE">;
}

/** Catalogs that answer all as they do, but for how a statement ended. */
export const catalogEnding = (endStatement: (sent: { key: string }) => Promise<StatementEnd>) => ({
  CATALOG: {
    idFromName: (name: string) => env.CATALOG.idFromName(name),
    get: (id: DurableObjectId) =>
      new Proxy(env.CATALOG.get(id), {
        get: (stub, name) =>
          name === "endStatement"
            ? endStatement
            : (...args: unknown[]) =>
                (stub as unknown as Record<typeof name, (...args: unknown[]) => unknown>)[name]!(...args),
      }),
  } as unknown as Env["CATALOG"],
});
