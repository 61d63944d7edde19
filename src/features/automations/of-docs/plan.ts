// The jobs of a doc as its `automations` say: made, changed and deleted by statements of the doc's own batch.

import type { BatchItem } from "drizzle-orm/batch";
import { newId } from "../../../core/ids.ts";
import { AUTOMATION_LIMITS } from "../limits.ts";
import { Problem } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import { sha256Hex } from "../../../platform/crypto/digest.ts";
import { recordAudit, recordAuditIf } from "../../../platform/db/audit.ts";
import { requireInSql } from "../../../platform/db/require-in-sql.ts";
import { automationKey, type DocAutomation } from "../../docs/definition/automation.ts";
import type { Doc } from "../../docs/doc.ts";
import {
  countDeliveriesLeft,
  deleteDeliveryStatements,
  putDeliveryStatements,
  type EntryDelivery,
} from "../../deliveries/of-entry.ts";
import type { JobsPlan } from "../../docs/jobs-of-doc.ts";
import { cancelRunsOf } from "../cancelling/store.ts";
import { auditedJob, type Job } from "../jobs/job.ts";
import { planJob } from "../jobs/plan-job.ts";
import { countJobs, deleteJobRow, hasJobRow, hasJobVersion, insertJob, updateJobRow } from "../jobs/store.ts";
import type { RunName } from "../../work-model/run.ts";
import { takeOverStatements } from "./delivery-jobs.ts";
import { deliveryOf, isDelivering, newJobOf } from "./entry.ts";
import { changedJobs, unmadeAt } from "./find-changed.ts";
import {
  areEntriesInSql,
  deleteEntry,
  hasEntries,
  insertEntry,
  selectEntries,
  updateEntry,
  type AppliedEntry,
  type EntryRow,
} from "./store.ts";
import { findUndelivered } from "./undelivered.ts";

type Deps = Needs<"scope" | "db" | "wakeUps">;

/** An entry as the doc has it now, beside what was applied of it last. */
type Entry = {
  key: string;
  digest: string;
  wanted: Job;
  /** What the job delivers, where the entry names destinations; but for its id, which is the job's. */
  delivery: EntryDelivery | undefined;
  applied: AppliedEntry | undefined;
};

export async function planDocJobs(ctx: Deps, doc: Doc, automations: readonly DocAutomation[]): Promise<JobsPlan> {
  const { scope, db } = ctx;
  const name = { teamId: scope.teamId, docId: doc.id };
  const applied = await selectEntries(db, name);
  const planned = await Promise.all(
    automations.map((automation, i) => planEntry(ctx, doc, { automation, i, applied, delivers: true })),
  );
  const gone = applied.filter(({ row }) => !planned.some(({ key }) => key === row.entry));
  const roomless = await findRoomless(ctx, planned, gone);
  const entries = await Promise.all(
    planned.map((entry, i) =>
      roomless.includes(i)
        ? planEntry(ctx, doc, { automation: automations[i]!, i, applied, delivers: false })
        : Promise.resolve(entry),
    ),
  );
  const added = entries.filter(isAdded);
  const changes = [
    ...added.flatMap((entry) => additionStatements(ctx, doc, entry)),
    ...entries.flatMap((entry) => keptStatements(ctx, entry)),
    ...gone.flatMap(({ row, job }) => removalStatements(ctx, row, job)),
  ];
  if (changes.length > 0) await requirePermission(ctx, added.length);
  const kept = applied.filter(({ row }) =>
    entries.some(({ key, digest }) => key === row.entry && digest === row.digest),
  );
  return {
    statements: changes.length === 0 ? [] : [requireInSql(db, areEntriesInSql(name, applied)), ...changes],
    added: added.length,
    warnings: [
      ...changedJobs(kept, automations),
      ...roomless.map(unmadeAt),
      ...(await findUndelivered(ctx, automations)),
    ],
    isStale: async () => !(await hasEntries(db, name, applied)),
    finish: async (results) => void (await ctx.wakeUps.sendAll("automation_run", results.flatMap(runsIn))),
  };
}

const UNTOUCHED = { state: "applied", deliveryState: null } as const satisfies Partial<EntryRow>;

type Planning = {
  automation: DocAutomation;
  i: number;
  applied: readonly AppliedEntry[];
  /** False: its job runs the doc alone, whomever it names. */
  delivers: boolean;
};

async function planEntry(ctx: Deps, doc: Doc, { automation, i, applied, delivers }: Planning): Promise<Entry> {
  const key = automationKey(automation, i);
  const delivery = delivers ? deliveryOf(automation, doc) : undefined;
  const wanted = { ...jobOf(ctx, doc, automation), ...(delivery && boundsOf(automation)), docEntry: key };
  // An entry with a delivery is another one than the same entry without.
  const digest = await sha256Hex(JSON.stringify(delivery ? [automation, "delivery"] : automation));
  return { key, digest, wanted, delivery, applied: applied.find(({ row }) => row.entry === key) };
}

const hasDelivery = (applied: AppliedEntry | undefined): boolean => isDelivering(applied?.job);

/** The places of the entries whose delivery would be one more than the team may have, besides those that go. */
async function findRoomless(ctx: Deps, planned: readonly Entry[], gone: readonly AppliedEntry[]): Promise<number[]> {
  const wanted = planned.flatMap(({ delivery, digest, applied }, i) =>
    delivery && digest !== applied?.row.digest && !hasDelivery(applied) ? [i] : [],
  );
  if (wanted.length === 0) return [];
  const freed = [...gone, ...planned.filter(({ delivery }) => !delivery).map(({ applied }) => applied)].filter(
    hasDelivery,
  );
  return wanted.slice(Math.max(0, (await countDeliveriesLeft(ctx)) + freed.length));
}

function jobOf({ scope }: Deps, doc: Doc, automation: DocAutomation): Job {
  const { teamId, userId: ownerId, now } = scope;
  return planJob(newJobOf(automation, doc), { teamId, ownerId, now, nameDefault: doc.name });
}

/** A job that was deleted by itself is made again once its entry is another. */
const isAdded = ({ applied, digest }: Entry): boolean => !applied || (!applied.job && applied.row.digest !== digest);

/** A job becomes the job of whoever saves its doc, unless it or its delivery was changed by itself. */
const isChanged = ({ applied, digest }: Entry, saverId: string): boolean =>
  applied?.job !== undefined &&
  (applied.row.digest !== digest || (isUntouched(applied.row) && applied.job.ownerId !== saverId));

/**
 * A job that delivers becomes the job of whoever saves its doc even where it was changed by itself: what a doc's text
 * reads goes to its recipients with the rights of whoever wrote it.
 */
const isTakenOver = ({ applied }: Entry, saverId: string): boolean =>
  hasDelivery(applied) && applied!.job!.ownerId !== saverId;

const isUntouched = ({ state, deliveryState }: EntryRow): boolean => state === "applied" && deliveryState === null;

/** A delivery's run has another time and other attempts than a doc's, where its entry names none. */
const boundsOf = ({ retry, timeoutSeconds }: DocAutomation): Pick<Job, "attemptsMax" | "timeoutSeconds"> => ({
  attemptsMax: retry?.attempts ?? AUTOMATION_LIMITS.attemptsDefault.delivery,
  timeoutSeconds: timeoutSeconds ?? AUTOMATION_LIMITS.timeoutSecondsDefault.delivery,
});

/** A job that delivers runs the delivery that has its own id. */
const delivering = (job: Job, delivery: EntryDelivery | undefined): Job =>
  delivery ? { ...job, resourceType: "delivery", resourceId: job.id, datasetKeys: null } : job;

function additionStatements(ctx: Deps, doc: Doc, { key, digest, wanted, delivery, applied }: Entry) {
  const { scope, db } = ctx;
  const job = delivering(wanted, delivery);
  const row: EntryRow = {
    ...{ id: applied?.row.id ?? newId(), teamId: scope.teamId, docId: doc.id, entry: key },
    ...{ digest, jobId: wanted.id, ...UNTOUCHED },
  };
  return [
    insertJob(db, job),
    recordAudit(db, scope, "automation_job.create", { id: job.id, after: auditedJob(job) }),
    ...putDeliveryStatements(ctx, job.id, delivery),
    ...(applied ? deleteDeliveryStatements(ctx, applied.row.jobId) : []),
    applied ? updateEntry(db, row) : insertEntry(db, row),
  ];
}

/** The statements for an entry that the doc had before. */
function keptStatements(ctx: Deps, entry: Entry): BatchItem<"sqlite">[] {
  const { userId } = ctx.scope;
  if (isChanged(entry, userId)) return changeStatements(ctx, entry);
  return isTakenOver(entry, userId) ? takeOverStatements(ctx, entry.applied!.job!) : [];
}

function changeStatements(ctx: Deps, { digest, wanted, delivery, applied }: Entry) {
  const { scope, db } = ctx;
  const before = applied!.job!;
  const { id, createdAt } = before;
  const job = delivering({ ...wanted, id, createdAt, revision: before.revision + 1 }, delivery);
  return [
    recordAuditIf(db, scope, {
      action: "automation_job.update",
      subjectId: id,
      when: hasJobVersion(before),
      before: auditedJob(before),
      after: auditedJob(job),
    }),
    updateJobRow(db, before, job),
    ...putDeliveryStatements(ctx, id, delivery),
    updateEntry(db, { ...applied!.row, digest, ...UNTOUCHED }),
  ];
}

function removalStatements(ctx: Deps, row: EntryRow, job: Job | undefined) {
  const { scope, db } = ctx;
  const { teamId, userName, now } = scope;
  const reason = `The entry of its doc's automations was taken away by ${userName}.`;
  const ended = job
    ? [
        recordAuditIf(db, scope, {
          action: "automation_job.delete",
          subjectId: job.id,
          when: hasJobRow(job),
          before: auditedJob(job),
        }),
        cancelRunsOf(db, teamId, { of: { jobId: job.id }, at: now.toISOString(), code: "job_deleted", reason }),
        deleteJobRow(db, job),
      ]
    : [];
  return [...ended, ...deleteDeliveryStatements(ctx, row.jobId), deleteEntry(db, row)];
}

async function requirePermission({ scope, db }: Deps, added: number): Promise<void> {
  if (!scope.rights.includes("jobs:write"))
    throw new Problem("forbidden_insufficient_permissions", "A doc's automations need the right jobs:write.");
  if (added > 0 && (await countJobs(db, scope.teamId)) + added > AUTOMATION_LIMITS.jobsPerTeamMax)
    throw new Problem("business_quota_exceeded", `A team may have at most ${AUTOMATION_LIMITS.jobsPerTeamMax} jobs.`);
}

/** The runs that a statement has cancelled, if it was such a statement. */
const runsIn = (result: unknown): RunName[] =>
  Array.isArray(result)
    ? result.filter((row): row is RunName => typeof row === "object" && row !== null && "teamId" in row)
    : [];
