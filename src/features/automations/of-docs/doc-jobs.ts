// Docs are handed these verbs of jobs, by which the jobs of their `automations` are planned, paused and resumed.

import type { BatchItem } from "drizzle-orm/batch";
import type { Needs } from "../../../clients/context.ts";
import type { DocJobs } from "../../docs/jobs-of-doc.ts";
import { patchJob } from "../jobs/plan-job.ts";
import { updateJobRow } from "../jobs/store.ts";
import { findChangedJobs } from "./find-changed.ts";
import { planDocJobs } from "./plan.ts";
import { pauseJobsOfDoc, selectPausedJobs } from "./store.ts";

type Deps = Needs<"scope" | "db">;

const pauseStatements = ({ scope, db }: Deps, docId: string) => [
  pauseJobsOfDoc(db, { teamId: scope.teamId, docId }, scope.now),
];

async function resumeStatements({ scope, db }: Deps, docId: string): Promise<BatchItem<"sqlite">[]> {
  const jobs = await selectPausedJobs(db, { teamId: scope.teamId, docId });
  return jobs.map((job) => updateJobRow(db, job, patchJob(job, { enabled: true }, scope)));
}

export const DOC_JOBS: DocJobs = { plan: planDocJobs, findChanged: findChangedJobs, pauseStatements, resumeStatements };
