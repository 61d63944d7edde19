import { notFound } from "../../../core/problem.ts";
import type { Page, PageOf } from "../../../core/page.ts";
import type { Needs } from "../../../clients/context.ts";
import { findAttempt, listAttempts } from "../../work-model/attempts.ts";
import { requireRun } from "../runs/find.ts";
import { mayReadOutput, withoutReason } from "./read-output.ts";
import type { Run } from "../runs/run.ts";
import { attemptOf } from "../runs/wire-mapping.ts";
import type { AutomationAttempt } from "../runs/wire-schema.ts";

/** A page of a run's attempts. */
export async function listAutomationAttempts(
  ctx: Needs<"scope" | "db">,
  { jobId, runId }: { jobId: string; runId: string },
  asked: Page & { ascending: boolean },
): Promise<PageOf<AutomationAttempt>> {
  const { run } = await requireRun(ctx, jobId, runId);
  const { items, ...page } = await listAttempts(ctx, run, asked);
  const shown = items.map((attempt) => attemptOf(run, attempt));
  return { ...page, items: (await mayReadOutput(ctx, run)) ? shown : shown.map(withoutReason) };
}

/** The number of an attempt that the run has made; what is no number names none. */
export async function requireAttempt(ctx: Needs<"db">, run: Run, id: string): Promise<number> {
  const attempt = /^[1-9]\d{0,8}$/.test(id) ? await findAttempt(ctx, run, Number(id)) : undefined;
  if (!attempt) throw notFound("Attempt", id);
  return attempt.attempt;
}
