import { newId } from "../../core/ids.ts";
import { KV_LIMITS } from "./limits.ts";
import { Problem } from "../../core/problem.ts";
import type { Needs } from "../../clients/context.ts";
import type { NewKvVersion } from "./kv-store.ts";
import { recordAuditIf } from "../../platform/db/audit.ts";
import { countKvStores, hasKvVersion, idOfKvStore, insertKvStore, sumOtherBytes, updateKvStore } from "./store.ts";

/**
 * Puts the store's next version in place of the one that was read; 409 where it is no longer that one. Answers the new
 * version's id.
 */
export async function setKvStore(
  { scope, db }: Needs<"scope" | "db">,
  { name, data, existing_version_id: seen }: NewKvVersion,
): Promise<string> {
  const { teamId } = scope;
  const text = JSON.stringify(data);
  const bytes = new TextEncoder().encode(text).byteLength;
  if (bytes > KV_LIMITS.bytesMax)
    throw new Problem("body_too_large", `A store may have at most ${KV_LIMITS.bytesMax} bytes.`);
  const version = { name, data: text, versionId: newId(scope.now) };
  const at = scope.now.toISOString();
  if (seen === null && (await countKvStores(db, teamId)) >= KV_LIMITS.perTeamMax) {
    throw new Problem("business_quota_exceeded", `A team may have at most ${KV_LIMITS.perTeamMax} stores.`);
  }
  if ((await sumOtherBytes(db, teamId, name)) + bytes > KV_LIMITS.bytesPerTeamMax) {
    throw new Problem(
      "business_quota_exceeded",
      `A team's stores may have at most ${KV_LIMITS.bytesPerTeamMax / 1024 / 1024} MiB together.`,
    );
  }
  const [saved] = await db.batch([
    seen === null ? insertKvStore(db, teamId, version, at) : updateKvStore(db, teamId, version, { seen, at }),
    recordAuditIf(db, scope, {
      action: "kv_store.set",
      subjectId: idOfKvStore(teamId, name),
      when: hasKvVersion(teamId, version),
      ...(seen !== null && { before: { version_id: seen } }),
      after: { name, version_id: version.versionId, bytes, keys: Object.keys(data).length },
    }),
  ]);
  if (saved.length === 0)
    throw new Problem("resource_conflict", `The store ${name} was changed meanwhile; read it again.`);
  return version.versionId;
}
