// Sandboxes that take orders at once and run them when they are told to. A run says that it begins, and does its work
// once it is told that it is wanted; then it says how it ended. What they say goes past the internal routes, to what
// these do.

import { PROTOCOL, RunOrder, SANDBOX_VERSION_HEADER } from "../../../../kernel/wire/sandbox.ts";
import { DOC_LIMITS } from "../../../../src/features/docs/limits.ts";
import { finishRun } from "../../../../src/features/docs/runs/finish.ts";
import { hasEnded } from "../../../../src/features/docs/runs/run.ts";
import { findRun, renewLease } from "../../../../src/features/docs/runs/store.ts";
import type { Db } from "../../../../src/platform/db/client.ts";
import { reportOf } from "../fake-sandbox.ts";

export class StartSandbox {
  readonly #db: Db;
  #orders: RunOrder[] = [];
  /** Runs whose code has run, and how often. */
  readonly ran = new Map<string, number>();

  readonly bindings = {
    SANDBOX: {
      getByName: () => ({
        fetch: async (_: RequestInfo, { body }: RequestInit) => this.#take(RunOrder.parse(JSON.parse(String(body)))),
        askRunning: async () => undefined,
        probe: async () => true,
      }),
    },
  } as unknown as Pick<Env, "SANDBOX">;

  constructor(db: Db) {
    this.#db = db;
  }

  #take(order: RunOrder): Response {
    this.#orders.push(order);
    return new Response(null, { status: 202, headers: { [SANDBOX_VERSION_HEADER]: String(PROTOCOL) } });
  }

  /** Does what was ordered. */
  async work(): Promise<void> {
    for (let order = this.#orders.pop(); order; order = this.#orders.pop()) await this.#run(order);
  }

  async #run(order: RunOrder): Promise<void> {
    const now = new Date();
    const run = await findRun(this.#db, order.teamId, order.runId);
    if (!run || hasEnded(run) || run.cancelRequestedAt !== null) return;
    await renewLease(this.#db, run, new Date(now.getTime() + DOC_LIMITS.runLeaseMs).toISOString(), now.toISOString());
    this.ran.set(run.id, (this.ran.get(run.id) ?? 0) + 1);
    await finishRun(this.#db, run, reportOf(order), now);
  }
}
