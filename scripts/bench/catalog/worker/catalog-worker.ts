// A Worker with nothing but the real catalog object, which counts the rows that each call reads and writes.

import type { LakeChange } from "../../../../kernel/lake/commit.ts";
import { newId } from "../../../../src/core/ids.ts";
import { CatalogObject } from "../../../../src/lake/catalog/catalog-object.ts";
import type { Lake } from "../../../../src/lake/lake.ts";
import { countStorage } from "../../../../test/support/unit/costs/counted-storage.ts";
import type { Append, Call, Called, CountedStatement, IcebergLoad } from "../call.ts";
import { loadIceberg } from "./load-iceberg.ts";
import { filesOf } from "./new-files.ts";

export class CountedCatalog extends CatalogObject {
  readonly #take: () => CountedStatement[];

  constructor(ctx: DurableObjectState<{}>, env: Env) {
    const { storage, take } = countStorage(ctx.storage);
    Object.defineProperty(ctx, "storage", { value: storage });
    super(ctx, env);
    this.#take = take;
  }

  /** What was executed since the last time. */
  takeCounts(): Pick<Called, "statements" | "databaseBytes"> {
    return { statements: this.#take(), databaseBytes: this.ctx.storage.sql.databaseSize };
  }

  appendFiles({ lease, fence, ...append }: Append) {
    const jobId = newId();
    const change: LakeChange = { kind: "append", schema: "main", name: append.table, files: filesOf(append, jobId) };
    const commit = { key: newId(), author: null, message: null, changes: [change] };
    return this.commit({ lease, fence, jobId, commit });
  }
}

type Methods = Record<string, (...given: unknown[]) => Promise<unknown>>;

/** A method of the object, or what the Worker itself does with the object. */
const run = (catalog: DurableObjectStub<CountedCatalog>, { method, given }: Call): Promise<unknown> =>
  method === "loadIceberg"
    ? loadIceberg(catalog as unknown as Lake, given[0] as IcebergLoad)
    : (catalog as unknown as Methods)[method]!(...given);

export default {
  async fetch(request: Request, env: { CATALOG: DurableObjectNamespace<CountedCatalog> }): Promise<Response> {
    if (request.method === "GET") return new Response("ready");
    const call = (await request.json()) as Call;
    const catalog = env.CATALOG.get(env.CATALOG.idFromName("lake"));
    const startedAt = performance.now();
    const called = await run(catalog, call).then(
      (answer) => ({ answer, error: null }),
      (error: unknown) => ({ answer: null, error: String(error) }),
    );
    const ms = performance.now() - startedAt;
    const counts = await catalog.takeCounts();
    const answerBytes = JSON.stringify(called.answer ?? null).length;
    const { ok, refusal } = (called.answer ?? {}) as { ok?: boolean; refusal?: { detail: string } };
    const refused = ok === false ? (refusal?.detail ?? "") : null;
    const answer = call.keepsAnswer ? called.answer : null;
    return Response.json({ ...called, answer, answerBytes, refused, ms, ...counts } satisfies Called);
  },
};
