// A run of a doc for somebody who does not wait for its end: ordered, watched, and ended by short calls, each of which
// may come again after a death in the middle.

import { Problem } from "../../../core/problem.ts";
import type { Scope } from "../../../core/scope.ts";
import type { Needs } from "../../../clients/context.ts";
import type { CancelCode } from "../../../platform/db/schema/work-schema.ts";
import { settleIfLost } from "./conduct.ts";
import { endUnlessPublished, type EndDeps } from "../builds/end-run.ts";
import { readSource, requireLiveDoc } from "../find.ts";
import { chooseAny, planRun } from "./plan/plan-run.ts";
import { hasEnded, isSilent, type Execution, type Run } from "./run.ts";
import { startRun } from "./start.ts";
import { findRun, selectExecutions, withdrawRun } from "./store.ts";

type Deps = EndDeps & Needs<"openSandbox">;
type RunName = { teamId: string; id: string };

export type Order = {
  /** The run's, made by the caller: it is known by that before there is a run. */
  id: string;
  docId: string;
  /** Null: all. */
  datasetKeys: string[] | null;
  cause: Run["cause"];
  /** JSON of what its code finds where it finds a webhook's data and variables; null: nothing. */
  envelope: string | null;
  /** The longest that the run may take, beside its datasets' own work. */
  runMsMax: number;
};

export type Ordered =
  | { kind: "ordered" }
  /** Nothing runs and nothing will, and there is no run: `isFull` says that there was no room for it. */
  | { kind: "refused"; isFull: boolean; error: string };

/**
 * Starts a run with the rights of `scope`'s user, and answers once a sandbox has its order, or may have it. The order
 * is sent once: its code may do things that count. A run that was recorded by somebody who died before he said that he
 * sent it is withdrawn, unless it has begun: an order that is under way then does nothing.
 * Throws the Problem of a doc that is gone or lacks a dataset.
 */
export async function orderRun(
  deps: Deps & Needs<"tokens"> & { scope: Scope },
  { id, docId, datasetKeys, cause, envelope, runMsMax }: Order,
): Promise<Ordered> {
  const { scope, db, openSandbox } = deps;
  const name = { teamId: scope.teamId, id };
  if (await findRun(db, scope.teamId, id)) {
    const error = "It is not known whether the sandbox had been asked.";
    return (await withdrawUnbegun(deps, name)) ? { kind: "refused", isFull: true, error } : { kind: "ordered" };
  }
  const doc = await requireLiveDoc(deps, docId);
  const { definition } = await readSource(deps, doc);
  const plan = planRun(definition, chooseAny(definition, datasetKeys ?? undefined));
  const deadlineMs = Math.min(plan.deadlineMs, Math.max(1, runMsMax));
  const hasEnvelope = envelope !== null;
  const unsent = hasEnvelope ? await sendEnvelope(deps, id, envelope) : undefined;
  if (unsent) return unsent;
  const { order } = await startRun(deps, { id, doc, definition, plan: { ...plan, deadlineMs }, cause, hasEnvelope });
  try {
    await openSandbox(scope.teamId).start(order);
    return { kind: "ordered" };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    // Whether a sandbox that gave no answer has it shows by its first heartbeat.
    if ("reason" in error && error.reason !== "full" && error.reason !== "start") return { kind: "ordered" };
    if (!(await withdrawUnbegun(deps, name))) return { kind: "ordered" };
    return { kind: "refused", isFull: !("reason" in error) || error.reason === "full", error: error.message };
  }
}

/** Before there is a run: an envelope without one is forgotten, and nothing runs by it. */
async function sendEnvelope(
  { scope, openSandbox }: Needs<"scope" | "openSandbox">,
  runId: string,
  envelope: string,
): Promise<Ordered | undefined> {
  try {
    await openSandbox(scope.teamId).putEnvelope(runId, new Blob([envelope]).stream());
    return undefined;
  } catch (error) {
    // A step that died before the order had sent it already.
    if (error instanceof Problem && error.code === "resource_conflict") return undefined;
    if (!(error instanceof Problem) || error.code !== "sandbox_unavailable") throw error;
    return { kind: "refused", isFull: !("reason" in error) || error.reason === "full", error: error.message };
  }
}

/** A run that has not begun is taken back: it never was, and its order, if it comes, is refused. */
const withdrawUnbegun = async ({ db }: Deps, run: RunName): Promise<boolean> =>
  (await db.batch(withdrawRun(db, run)))[1].length > 0;

export type DatasetOutcome = { key: string; error: string; errorCode: Execution["errorCode"] };

export type Observed =
  /** Its order never reached a sandbox, and never will any more. */
  | { kind: "unbegun" }
  | { kind: "goes_on" }
  /** `failures`: of its datasets those that failed themselves, in the order of the run. */
  | { kind: "ended"; run: Run; failures: DatasetOutcome[] }
  | { kind: "gone" };

/** How a run is that was ordered. One whose sandbox is lost ends here. */
export async function observeRun(deps: Deps, name: RunName, now: Date): Promise<Observed> {
  const run = await findRun(deps.db, name.teamId, name.id);
  if (!run) return { kind: "gone" };
  if (!hasEnded(run)) {
    const isUnbegun = run.startedAt === null && isSilent(run, now.toISOString());
    if (isUnbegun && (await withdrawUnbegun(deps, run))) return { kind: "unbegun" };
    if ((await settleIfLost(deps, run, now)) !== "ended") return { kind: "goes_on" };
  }
  const ended = (await findRun(deps.db, name.teamId, name.id)) ?? run;
  // The sweep ends what begins too late; its order is refused from then on.
  if (ended.state === "failed" && ended.startedAt === null) return { kind: "unbegun" };
  const failures = (await selectExecutions(deps.db, ended))
    .filter(({ state }) => state === "failed")
    .map(({ datasetKey, error, errorCode }) => ({ key: datasetKey, error: error ?? "It failed.", errorCode }));
  return { kind: "ended", run: ended, failures };
}

/**
 * Ends a run, whatever it is at: with its row its key dies, and its sandbox kills what runs. Answers how it has ended,
 * which may have been before; undefined where there is none.
 */
export async function endRunNow(
  deps: Deps,
  name: RunName,
  end: { state: "cancelled" | "timed_out"; error: string; code?: CancelCode | undefined; now: Date },
): Promise<Run | undefined> {
  const { db, openSandbox } = deps;
  const run = await findRun(db, name.teamId, name.id);
  if (!run || hasEnded(run)) return run;
  await endUnlessPublished(deps, run, end, end.now);
  await openSandbox(run.teamId)
    .cancelRun(run.id)
    .catch(() => false);
  return findRun(db, name.teamId, name.id);
}
