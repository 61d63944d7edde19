// The jobs that a doc's `automations` make. Jobs stand above docs, so a doc is handed what it needs of them: statements
// for the batch that changes the doc.

import type { BatchItem } from "drizzle-orm/batch";
import type { Flaw } from "../../core/problem.ts";
import type { Needs } from "../../clients/context.ts";
import { withinPlan } from "../quotas/within-plan.ts";
import type { DocAutomation } from "./definition/automation.ts";
import type { Doc } from "./doc.ts";

type Statements = BatchItem<"sqlite">[];

/** A change of a doc's jobs that rides in the doc's batch. */
export type JobsPlan = {
  /** They fail, and the batch with them, where somebody has changed the jobs meanwhile. */
  statements: Statements;
  /** How many jobs it adds. */
  added: number;
  /** What was done to jobs by themselves, and stays. */
  warnings: Flaw[];
  /** Whether somebody has changed the jobs since it was made. */
  isStale(): Promise<boolean>;
  /** After the commit, with what the batch's statements returned. */
  finish(results: unknown[]): Promise<void>;
};

export type DocJobs = {
  /**
   * Plans the jobs of a doc as its entries say, owned by whoever saves it. Throws
   * `forbidden_insufficient_permissions` for who may not make jobs, and `business_quota_exceeded`.
   */
  plan(ctx: Needs<"scope" | "db" | "wakeUps">, doc: Doc, automations: readonly DocAutomation[]): Promise<JobsPlan>;
  /** What was done to a doc's jobs by themselves, and stays. */
  findChanged(ctx: Needs<"scope" | "db">, docId: string, automations: readonly DocAutomation[]): Promise<Flaw[]>;
  /** Pauses the doc's jobs as it is archived. */
  pauseStatements(ctx: Needs<"scope" | "db">, docId: string): Statements;
  /** Resumes those that were paused so. */
  resumeStatements(ctx: Needs<"scope" | "db">, docId: string): Promise<Statements>;
};

type Guard = Parameters<Parameters<typeof withinPlan>[2]>[0];

/** Commits a doc with the jobs that it adds, which have to fit into the team's plan; `guards` see to that. */
export const addingJobs = <Result>(
  ctx: Needs<"scope" | "db">,
  { added }: JobsPlan,
  commit: (guards: Guard[]) => Promise<Result>,
): Promise<Result> => (added === 0 ? commit([]) : withinPlan(ctx, "jobs", (guard) => commit([guard])));
