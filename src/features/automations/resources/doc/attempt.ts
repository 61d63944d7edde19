// An attempt of a doc's job: one run of the doc, ordered and then watched.

import type { DatasetErrorCode } from "../../../../../kernel/wire/sandbox.ts";
import type { Scope } from "../../../../core/scope.ts";
import { isProblem, type Problem } from "../../../../core/problem.ts";
import type { Needs } from "../../../../clients/context.ts";
import { automationRuns } from "../../../../platform/db/schema/work-schema.ts";
import type { BuildLakes } from "../../../docs/builds/build.ts";
import { endRunNow, observeRun, orderRun, type DatasetOutcome, type Observed } from "../../../docs/runs/order-run.ts";
import { isGivenUp, requireClaim } from "../../../work-model/claims.ts";
import { failed } from "../../../work-model/engine-attempt/start.ts";
import type { StepOutcome } from "../../../work-model/kind.ts";
import { findPayload } from "../../jobs/store.ts";
import type { Run } from "../../runs/run.ts";

type Deps = Needs<"db" | "bucket" | "tokens" | "openSandbox"> & BuildLakes;
type Outcome = StepOutcome;

/** With the rights of `scope`, which are the owner's of now. */
export async function startDoc(deps: Deps, run: Run, scope: Scope): Promise<Outcome> {
  try {
    await requireClaim(deps.db, automationRuns, run);
    const payload = await findPayload(deps.db, run);
    const ordered = await orderRun(
      { ...deps, scope },
      {
        id: run.workId!,
        docId: run.resourceId,
        datasetKeys: run.datasetKeys,
        cause: run.cause === "schedule" ? "schedule" : "manual",
        envelope: payload && JSON.stringify(payload),
        runMsMax: run.deadlineAtMs - scope.now.getTime(),
      },
    );
    // A worker that ended this attempt meanwhile found nothing to end.
    if (await isGivenUp(deps.db, automationRuns, run)) await stopDoc(deps, run, new Date());
    if (ordered.kind === "ordered") return { observation: { kind: "started", fence: null } };
    if (ordered.isFull) return { observation: { kind: "no_capacity", error: ordered.error } };
    return failed(ordered.error, true);
  } catch (error) {
    if (!isProblem(error) || error.code === "internal_error") throw error;
    return failed(textOf(error), false);
  }
}

const textOf = ({ message, flaws }: Problem): string =>
  flaws.length === 0 ? message : flaws.map((flaw) => flaw.message).join(" ");

export async function watchDoc(deps: Deps, run: Run, now: Date): Promise<Outcome> {
  const observed = await observeRun(deps, { teamId: run.teamId, id: run.workId! }, now);
  switch (observed.kind) {
    case "goes_on":
      return { observation: { kind: "alive" } };
    case "unbegun":
      return { observation: { kind: "no_capacity", error: "The sandbox did not take up the run." } };
    case "gone":
      return { observation: { kind: "lost", error: "The doc's run is gone." } };
    case "ended":
      return { observation: observationOf(observed.run, observed.failures) };
  }
}

type Ended = Extract<Observed, { kind: "ended" }>["run"];

function observationOf({ state, error, cancelRequestedAt }: Ended, failures: DatasetOutcome[]): Outcome["observation"] {
  if (state === "succeeded") return { kind: "ended", outcome: "succeeded", error: null, retryable: false };
  // Nobody has asked for its end: it is the sandbox that was shut down.
  if (state === "cancelled" && cancelRequestedAt === null)
    return { kind: "lost", error: error ?? "The sandbox stopped the run." };
  if (state === "cancelled")
    return { kind: "ended", outcome: "failed", error: "The doc's run was cancelled by itself.", retryable: false };
  const retryable = !failures.some(({ errorCode }) => errorCode !== null && IS_FINAL[errorCode]);
  return { kind: "ended", outcome: "failed", error: reasonOf(error, failures), retryable };
}

/**
 * The codes of failures after which no other attempt helps. Where a statement may have written, another attempt would
 * write a second time: its statement has another id.
 */
const IS_FINAL: Record<DatasetErrorCode, boolean> = {
  write_outcome_unknown: true,
  lake_write_denied: true,
  tests_failed: true,
  not_published: false,
};

const FAILURES_NAMED_MAX = 10;

/** Names the datasets that failed, with their reasons. */
function reasonOf(error: string | null, failures: DatasetOutcome[]): string {
  const named = failures.slice(0, FAILURES_NAMED_MAX).map(({ key, error: why }) => `${key}: ${why}`);
  if (named.length === 0) return error ?? "The doc's run failed.";
  const more = failures.length > named.length ? ` And ${failures.length - named.length} more.` : "";
  const datasets = failures.length === 1 ? "Dataset" : "Datasets";
  return `${datasets} failed. ${named.join(" ")}${more}`;
}

/** Ends the doc's run; one that had succeeded before has succeeded. */
export async function stopDoc(deps: Deps, run: Run, now: Date): Promise<Outcome> {
  const reason = run.cancelReason ?? "The run of its job took longer than it may.";
  const ended = await endRunNow(
    deps,
    { teamId: run.teamId, id: run.workId! },
    {
      state: run.cancelRequested ? "cancelled" : "timed_out",
      ...{ error: reason, code: run.cancelCode ?? undefined, now },
    },
  );
  if (ended?.state === "succeeded")
    return { observation: { kind: "ended", outcome: "succeeded", error: null, retryable: false } };
  return { observation: { kind: "stopped" } };
}
