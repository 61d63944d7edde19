// The nouns: a run of a doc, and the execution of each of its datasets. Pure.

import { z } from "@hono/zod-openapi";
import type { DatasetReport, RunReport, RunStatus } from "../../../../kernel/wire/sandbox.ts";
import { Problem } from "../../../core/problem.ts";
import type { Scope } from "../../../core/scope.ts";
import { orNull } from "../../../http/answer.ts";
import { inSnakeCase, NOT_WAITING, waitingFieldsInSnakeCase } from "../../work-model/waiting/waiting.ts";
import { shownBy } from "../../../http/shown-by.ts";
import type { docRuns, executions } from "../../../platform/db/schema/schema.ts";
import { CANCEL_CODES } from "../../../platform/db/schema/work-schema.ts";

const RUN_STATES = ["starting", "running", "succeeded", "failed", "cancelled", "timed_out"] as const;
export type DocRunState = (typeof RUN_STATES)[number];
export const EXECUTION_STATES = ["queued", "running", "succeeded", "failed", "skipped"] as const;
export type ExecutionState = (typeof EXECUTION_STATES)[number];
const RUN_CAUSES = ["webhook", "manual", "schedule"] as const;
export const ENGINES = ["sql", "cube", "python"] as const;

/**
 * A run as its row has it. `accessDigest` is the digest of what its starter might read, in all integrations, as it
 * began; null is everything. `buildId` is the id under which its staged files lie, and `lakeId` the lake that they are
 * for; null of a run that builds no table. `rerunOf` is the run whose stages it takes over. `hadData`: it was given
 * data or variables, or its stages were made with some. Nothing keeps these beyond a run.
 */
export type Run = Omit<typeof docRuns.$inferSelect, "keyHash" | "failedTests">;

/** In place of a run's access digest where its starter's rights had changed by its end: it is nobody's. */
export const CHANGED_ACCESS = "changed";

export type Execution = Omit<typeof executions.$inferSelect, "teamId" | "position" | "updatedAt" | "result"> &
  Pick<DatasetReport, "result">;

/** The webhook's results, as the specification has them. */
export const DatasetResult = z
  .object({
    success: z.boolean(),
    executionId: z.uuid().openapi({ description: "Identifies its log: `/v4/executions/{execution_id}/logs`." }),
    error: z.string().nullable(),
  })
  .openapi("DatasetResult");
export const Results = z.record(z.string(), DatasetResult).openapi("DatasetResults");
export type Results = z.infer<typeof Results>;

export const DocRun = z
  .object({
    id: z.uuid(),
    doc_id: z.uuid(),
    doc_name: z.string(),
    doc_version: z.number().int(),
    cause: z.enum(RUN_CAUSES),
    user_id: z.uuid().openapi({ description: "Whose rights it has." }),
    rerun_of: z.uuid().nullable().openapi({ description: "The run whose staged tables it has taken over." }),
    state: z.enum(RUN_STATES),
    error: z
      .string()
      .nullable()
      .openapi({
        description: "Of the run as a whole; each dataset has its own. Null too where its output is not yours to read.",
      }),
    is_cancelling: z.boolean(),
    ...waitingFieldsInSnakeCase,
    cancel_code: z
      .enum(CANCEL_CODES)
      .nullable()
      .openapi({ description: "Why it was cancelled; null where it was not." }),
    created_at: z.iso.datetime(),
    started_at: z.iso.datetime().nullable(),
    ended_at: z.iso.datetime().nullable(),
    deadline_at: z.iso.datetime().openapi({ description: "Past this it is ended by force." }),
  })
  .openapi("DocRun");
export type DocRun = z.infer<typeof DocRun>;

const ExecutionSummary = z
  .object({
    id: z.uuid(),
    dataset_key: z.string(),
    engine: z.enum(ENGINES),
    state: z.enum(EXECUTION_STATES),
    is_selected: z.boolean(),
    error: z.string().nullable(),
    result_url: z.string().openapi({ description: "The path of the execution, which has its result." }),
  })
  .openapi("ExecutionSummary");

export const DocRunDetail = DocRun.extend({
  executions: z.array(ExecutionSummary),
  results: orNull(Results).openapi({
    description:
      "Of the selected datasets, once the run has ended; for who started it, as long as they may read the same, and " +
      "for admins.",
  }),
}).openapi("DocRunDetail");
export type DocRunDetail = z.infer<typeof DocRunDetail>;

export const hasEnded = ({ endedAt }: Pick<Run, "endedAt">): boolean => endedAt !== null;

export type Verdict =
  | { kind: "wait" }
  /** Its sandbox has it still: it was the platform that could not be reached. */
  | { kind: "renew" }
  | { kind: "finish"; report: RunReport }
  | { kind: "fail"; state: Extract<DocRunState, "failed" | "cancelled" | "timed_out">; error: string };

/**
 * Judges a run at an instant. A lease that has run out says that no heartbeat came, not why: while the platform is away
 * none can. The sandbox is therefore asked, and `observed` is its status of the run; undefined where it has none, or
 * can't be asked.
 */
export function judgeRun(
  run: Pick<Run, "deadlineAt" | "leaseUntil" | "cancelRequestedAt">,
  observed: RunStatus | undefined,
  at: string,
): Verdict {
  const tooLong = "The run took longer than it may, and was ended.";
  if (run.deadlineAt < at) return { kind: "fail", state: "timed_out", error: tooLong };
  if (!isSilent(run, at)) return { kind: "wait" };
  if (observed?.report) return { kind: "finish", report: observed.report };
  if (run.cancelRequestedAt !== null) return { kind: "fail", state: "cancelled", error: "The run was cancelled." };
  if (observed) return { kind: "renew" };
  return { kind: "fail", state: "failed", error: "The sandbox stopped while the run went on." };
}

export const isSilent = ({ leaseUntil }: Pick<Run, "leaseUntil">, at: string): boolean => leaseUntil < at;

/** An outcome of the sandbox's is a state of ours. */
export const stateOf = ({ outcome }: Pick<RunReport, "outcome">): DocRunState => outcome;

export const executionState = ({ success, skipped }: Pick<DatasetReport, "success" | "skipped">): ExecutionState =>
  success ? "succeeded" : skipped ? "skipped" : "failed";

/** In place of a dataset's error, for whom the run's output is not. */
const NOT_READABLE = "Why is for who started the run, as long as they may read the same, and for admins.";

/** Only what was asked for; what it needed besides is in the run's executions. */
export const resultsOf = (executions: Execution[], isReadable: boolean): Results =>
  Object.fromEntries(
    executions
      .filter(({ isSelected }) => isSelected)
      .map(({ datasetKey, id, state, error }) => [
        datasetKey,
        {
          success: state === "succeeded",
          executionId: id,
          error: state === "succeeded" ? null : isReadable ? (error ?? "It did not run.") : NOT_READABLE,
        },
      ]),
  );

/** A sandbox takes up what it is ordered; a run whose sandbox says nothing is looked at by the next tick. */
const waitingOfRun = (run: Run) =>
  inSnakeCase(
    hasEnded(run) || run.startedAt !== null
      ? NOT_WAITING
      : { place: 1, waitingFor: { code: "start", message: "Its sandbox has not begun it.", runId: null, until: null } },
  );

/** For whom its output is not, a run has failed without a reason: its error may be a dataset's. */
export const shownRun = (run: Run, isReadable: boolean): DocRun =>
  shownBy(DocRun, run, {
    error: isReadable ? run.error : null,
    is_cancelling: run.cancelRequestedAt !== null && !hasEnded(run),
    ...waitingOfRun(run),
  });

export const shownRunDetail = (run: Run, executions: Execution[], isReadable: boolean): DocRunDetail => ({
  ...shownRun(run, isReadable),
  executions: executions.map((execution) =>
    shownBy(ExecutionSummary, execution, {
      error: isReadable ? execution.error : null,
      result_url: `/v4/executions/${execution.id}`,
    }),
  ),
  results: hasEnded(run) && isReadable ? resultsOf(executions, isReadable) : null,
});

/** Whether the run is the caller's to end: they started it, or are an admin. */
export const isOwnRun = (scope: Pick<Scope, "userId" | "rights">, run: Pick<Run, "userId">): boolean =>
  run.userId === scope.userId || scope.rights.includes("docs:write");

export function requireOwnRun(scope: Pick<Scope, "userId" | "rights">, run: Pick<Run, "userId">): void {
  if (isOwnRun(scope, run)) return;
  throw new Problem(
    "forbidden_insufficient_permissions",
    "This belongs to who started the run, and to the team's admins.",
  );
}
