// A saved query as what a delivery sends: it runs as an asynchronous query, whose id is the attempt's.

import { isProblem } from "../../../../core/problem.ts";
import type { Scope } from "../../../../core/scope.ts";
import type { DeliverySource } from "../../../deliveries/delivery.ts";
import { findQueryResult } from "../../../query/async/get.ts";
import { forgetQueryOf } from "../../../query/async/forget.ts";
import { endQueryOf } from "../../../query/cancel.ts";
import { startSavedQuery } from "../../../saved-queries/run.ts";
import { outcomeOfFailure } from "../../../work-model/engine-attempt/start.ts";
import type { Run } from "../../runs/run.ts";
import type { AutomationDeps } from "../kind.ts";
import { requireAccepted } from "./require-accepted.ts";
import type { Reading } from "./reading.ts";

type QuerySource = Extract<DeliverySource, { kind: "query" }>;

const ctxOf = (deps: AutomationDeps, run: Run, owner: Scope) => ({
  ...deps,
  scope: { ...owner, requestId: run.workId! },
});

/** Nobody waits at the other end, and nothing is left to do when a step is over. */
const LIFE = { signal: new AbortController().signal, waitUntil: () => undefined, isNamed: true };

export const READ_QUERY: Reading<QuerySource> = {
  async start(deps, run, { source, owner, saidAt }) {
    const ctx = ctxOf(deps, run, owner);
    try {
      if (!(await wasSent(ctx, run.workId!)))
        await startSavedQuery(ctx, source.query_id, {
          parameters: source.parameters,
          writing: { format: "arrow", numbers: "exact" },
          life: LIFE,
          waiting: { waitMs: 0, waitUntil: LIFE.waitUntil },
          accept: (written) => requireAccepted(ctx, run, { written, saidAt }),
        });
      return { observation: { kind: "started", fence: null } };
    } catch (error) {
      return outcomeOfFailure(error, "query");
    }
  },

  async watch(deps, run, { source, owner }) {
    try {
      const result = await findQueryResult(ctxOf(deps, run, owner), run.workId!);
      if (!result) return { observation: { kind: "alive" } };
      const { key, bytes } = result;
      return { stored: [{ name: "result", bytes, viz: source.viz, at: { key } }], docRunId: null };
    } catch (error) {
      if (isProblem(error) && IS_GONE.includes(error.code))
        return { observation: { kind: "lost", error: error.message } };
      return outcomeOfFailure(error, "query");
    }
  },

  forget: (deps, { teamId, workId }) => forgetQueryOf(deps, { teamId, id: workId! }),

  stop: (deps, { teamId, workId }, now) => endQueryOf(deps, { teamId, id: workId! }, now),
};

/** Its engine, or its row, went away beside it. */
const IS_GONE: readonly string[] = ["engine_unavailable", "resource_not_found"];

/** A step that died before it said so may have sent it. */
const wasSent = (ctx: ReturnType<typeof ctxOf>, id: string): Promise<boolean> =>
  findQueryResult(ctx, id).then(
    () => true,
    (error: unknown) => !(isProblem(error) && error.code === "resource_not_found"),
  );
