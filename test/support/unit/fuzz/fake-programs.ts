// An engine that has answers at once, for requests of which only the Worker's part is of interest.

import { ENGINE_HEADER, PROTOCOL } from "../../../../kernel/wire/engine-program.ts";
import { SQLITE_TYPE } from "../../../../kernel/wire/engine.ts";
import type { Introspection } from "../../../../kernel/wire/source.ts";
import type { CompileModelRequest } from "../../../../kernel/semantic/model.ts";
import { metaOf } from "../semantic/models.ts";
import { sourceTable } from "../call-with.ts";

const SCHEMAS: Introspection["schemas"] = [{ name: "public", tables: [sourceTable("orders")] }];
const headers = { [ENGINE_HEADER]: String(PROTOCOL) };

/** Statements fail as a wrong one does, tests of connections succeed, jobs run for ever. */
export const quickEngine = (): Pick<Env, "ENGINE"> => {
  const jobs = new Map<string, unknown>();
  const answer = (body: unknown, status = 200): Response => Response.json(body, { status, headers });
  const missing = () => answer({ code: "not_found", message: "There is none." }, 404);
  const stub = {
    async fetch(url: string, { body }: { body?: string } = {}): Promise<Response> {
      const { pathname } = new URL(url);
      if (pathname === "/connections/test")
        return answer({ product: "PostgreSQL", version: "18.0", tls: true, canWrite: false });
      if (pathname === "/introspect") return answer({ schemas: SCHEMAS });
      if (pathname === "/jobs") {
        const { id } = JSON.parse(body ?? "{}") as { id: string };
        const status = { id, state: "running", progress: "", error: null, platformAway: false };
        jobs.set(id, status);
        return answer(status, 202);
      }
      if (pathname === "/semantic/models") {
        const { model } = JSON.parse(body ?? "{}") as CompileModelRequest;
        return answer({ flaws: [], meta: metaOf(model) });
      }
      if (pathname === "/semantic/sql")
        return answer({ sql: "SELECT 1", values: [], columns: [], joinPath: [], multiplied: [] });
      if (pathname === "/exports")
        return new Response("SQLite", { headers: { ...headers, "content-type": SQLITE_TYPE, "content-length": "6" } });
      return answer({ code: "sql_error", message: "Parser Error: syntax error" }, 400);
    },
    async askRunning(method: string, path: string): Promise<Response> {
      const id = decodeURIComponent(path.slice("/jobs/".length));
      if (!jobs.has(id)) return missing();
      if (method !== "DELETE") return answer(jobs.get(id));
      jobs.delete(id);
      return new Response(null, { status: 204, headers });
    },
    askOfStatement: async () => undefined,
    probe: async () => true,
  };
  return { ENGINE: { getByName: () => stub } } as unknown as Pick<Env, "ENGINE">;
};
