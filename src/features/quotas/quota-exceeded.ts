// The refusal of what is beyond a plan's bound. Pure.

import { Problem } from "../../core/problem.ts";

/** `resetsAt`: when use begins anew; null for what is held. */
export type Quota = { what: string; limit: number; used: number; resetsAt: string | null };

/** Names of metered use that messages spell in other words. */
const WORDS: Record<string, string> = {
  saved_queries: "saved queries",
  runSeconds: "seconds of runs",
  rowsSynced: "rows synced",
  driveBytes: "bytes in the drive",
  lakeBytes: "bytes in lakes",
};

export function quotaExceeded(quota: Quota, plan: string, now: Date): Problem {
  const { what, limit, used, resetsAt } = quota;
  const until = resetsAt === null ? "" : ` until ${resetsAt}`;
  const problem = new Problem(
    resetsAt === null ? "business_quota_exceeded" : "monthly_quota_exceeded",
    `The plan ${plan} allows ${limit} ${WORDS[what] ?? what}${until}; ${used} are used.`,
  );
  problem.quota = quota;
  if (resetsAt !== null) problem.retryAfterSeconds = Math.ceil((Date.parse(resetsAt) - now.getTime()) / 1_000);
  return problem;
}
