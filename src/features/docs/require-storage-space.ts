import { DOC_LIMITS } from "./limits.ts";
import { Problem } from "../../core/problem.ts";
import type { Needs } from "../../clients/context.ts";
import type { Source } from "./doc.ts";
import { sumVersionBytes } from "./store.ts";

/** Throws `business_quota_exceeded` where the team's definitions, of all versions, would grow past their bound. */
export async function requireStorageSpace({ scope, db }: Needs<"scope" | "db">, { text }: Source): Promise<void> {
  if (
    (await sumVersionBytes(db, scope.teamId)) + new TextEncoder().encode(text).byteLength <=
    DOC_LIMITS.bytesPerTeamMax
  )
    return;
  throw new Problem(
    "business_quota_exceeded",
    "A team's docs, with the versions that are kept, may have at most " +
      `${DOC_LIMITS.bytesPerTeamMax / 1024 / 1024} MiB together.`,
  );
}
