import { QUESTION_LIMITS } from "../limits.ts";
import { Problem } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import { sumVersionBytes } from "../store.ts";

/** Throws `business_quota_exceeded` where the team's saved queries, of all versions, would grow past their bound. */
export async function requireStorageSpace({ scope, db }: Needs<"scope" | "db">, text: string): Promise<void> {
  const bytes = new TextEncoder().encode(text).byteLength;
  if ((await sumVersionBytes(db, scope.teamId)) + bytes <= QUESTION_LIMITS.savedQueryBytesPerTeamMax) return;
  throw new Problem(
    "business_quota_exceeded",
    "A team's saved queries, with the versions that are kept, may have at most " +
      `${QUESTION_LIMITS.savedQueryBytesPerTeamMax / 1024 / 1024} MiB together.`,
  );
}
