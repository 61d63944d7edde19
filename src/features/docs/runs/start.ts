import type { RunOrder } from "../../../../kernel/wire/sandbox.ts";
import { newId } from "../../../core/ids.ts";
import { DOC_LIMITS } from "../limits.ts";
import type { Needs } from "../../../clients/context.ts";
import { recordAudit } from "../../../platform/db/audit.ts";
import { findAccessDigest } from "../../access/resolve.ts";
import { requireLeft } from "../../quotas/metered.ts";
import { mintSuffix } from "../../teams/keys/key.ts";
import { allowsInternet } from "../../teams/settings/get.ts";
import type { BuildLakes, BuildRun } from "../builds/build.ts";
import { planBuild } from "../builds/plan-build.ts";
import type { Definition } from "../definition/definition.ts";
import type { Doc } from "../doc.ts";
import { withDefaults } from "../filters/with-defaults.ts";
import type { RunPlan } from "./plan/plan-run.ts";
import type { Run } from "./run.ts";
import { insertExecutions, insertRun } from "./store.ts";

export type StartedRun = { run: Run; order: RunOrder };

/** `id` is made by the caller, since an envelope is sent under it before there is a run. */
export type NewRun = {
  id?: string;
  doc: Doc;
  definition: Definition;
  plan: RunPlan;
  cause: Run["cause"];
  hasEnvelope: boolean;
  /** Whether the envelope has data or variables; as `hasEnvelope` where it is not said. */
  hadData?: boolean;
  /** The run whose stages this one takes over. */
  earlier?: BuildRun;
};

/**
 * Records a run and makes its order. The run's key has the starter's rights, lives in the order alone, and dies with
 * the run's row: at its end, or at its deadline. Throws `monthly_quota_exceeded` where the month's runs are used up,
 * and what `planBuild` does where it builds tables.
 */
export async function startRun(
  { scope, db, tokens, openLake }: Needs<"scope" | "db" | "tokens"> & BuildLakes,
  { id = newId(), doc, definition, plan, cause, hasEnvelope, hadData = hasEnvelope, earlier }: NewRun,
): Promise<StartedRun> {
  const { teamId, userId } = scope;
  // An envelope may have taken minutes to arrive.
  const now = new Date();
  await requireLeft(db, { teamId, now }, ["runSeconds"]);
  const at = (ms: number): string => new Date(now.getTime() + ms).toISOString();
  const orders = plan.datasets.map(({ isSelected: _, ranAs: __, ...dataset }) => dataset);
  const datasets = withDefaults(definition, orders, now);
  const build = await planBuild({ scope, db, openLake }, doc, definition, plan);
  const run: Run = {
    id,
    teamId,
    docId: doc.id,
    docName: doc.name,
    docVersion: doc.version,
    cause,
    userId,
    state: "starting",
    error: null,
    leaseUntil: at(DOC_LIMITS.runStartMs),
    deadlineAt: at(DOC_LIMITS.runStartMs + plan.deadlineMs + DOC_LIMITS.runGraceMs),
    cancelRequestedAt: null,
    cancelCode: null,
    createdAt: at(0),
    startedAt: null,
    endedAt: null,
    accessDigest: await findAccessDigest({ scope, db }),
    // Staged files are known by the id that they were made under.
    buildId: earlier?.buildId ?? build?.buildId ?? null,
    lakeId: build?.lakeId ?? null,
    rerunOf: earlier?.id ?? null,
    hadData: hadData || (earlier?.hadData ?? false),
  };
  const { suffix, suffixHash } = await mintSuffix();
  const [token, internet] = await Promise.all([
    tokens.mint({ use: "run", teamId, runId: id, expiresAt: Date.parse(run.deadlineAt) + DOC_LIMITS.runGraceMs }),
    allowsInternet(db, teamId),
  ]);
  await db.batch([
    insertRun(db, run, suffixHash),
    insertExecutions(db, run, plan.datasets, run.createdAt),
    recordAudit(db, { ...scope, now }, "doc_run.start", {
      id,
      after: { doc_id: doc.id, doc_version: doc.version, cause, datasets: plan.datasets.length },
    }),
  ]);
  return {
    run,
    order: {
      runId: id,
      teamId,
      docId: doc.id,
      token,
      apiKey: `${userId}-${suffix}`,
      deadlineMs: plan.deadlineMs,
      hasEnvelope,
      internet,
      datasets,
      ...(build && { publishMs: DOC_LIMITS.publishMsMax }),
    },
  };
}
