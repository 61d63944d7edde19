import { newId } from "../../core/ids.ts";
import { DRIVE_LIMITS } from "./limits.ts";
import { BUCKET_LIMITS } from "../../platform/bucket/limits.ts";
import { Problem } from "../../core/problem.ts";
import type { Needs } from "../../clients/context.ts";
import { recordAudit } from "../../platform/db/audit.ts";
import { requireLeft } from "../quotas/metered.ts";
import { locationsOf, type NewUploadUrl, type UploadUrl } from "./drive-file.ts";
import { activityStatement } from "./measure/activity-statement.ts";
import { objectKeyOf, type ObjectKey } from "./object-key.ts";
import { requirePath, temporaryPath } from "./path.ts";
import { insertTemporaryFile, upsertLongPath } from "./store.ts";

const DAY_MS = 86_400_000;

/** Leave to write one file by one PUT. What was there under the path is replaced when the PUT has come in whole. */
export async function createUploadUrl(ctx: Needs<"scope" | "db" | "bucket">, asked: NewUploadUrl): Promise<UploadUrl> {
  const { scope, db, bucket } = ctx;
  const { teamId, now } = scope;
  const temporary = asked.temporary === true ? newTemporaryFile(asked, teamId, now) : undefined;
  const path = temporary?.path ?? requirePermanentPath(asked);
  await requireLeft(db, scope, ["driveBytes"]);
  const object = await objectKeyOf(teamId, path);
  const url = bucket.signPut(object.key);
  await db.batch([
    recordAudit(db, scope, "upload_url.create", { id: path, after: { expires_at: temporary?.expiresAt ?? null } }),
    activityStatement(ctx, Date.parse(urlEndsAt(now))),
    ...(temporary ? [insertTemporaryFile(db, temporary)] : []),
    ...promiseStatements(ctx, path, object, now.getTime() + DRIVE_LIMITS.longPathCheckMs),
  ]);
  return {
    upload_url: url,
    ...locationsOf(bucket, teamId, path),
    headers: {},
    expires_at: temporary?.expiresAt ?? null,
    upload_url_expires_at: urlEndsAt(now),
  };
}

/** The statement that keeps a long path while its object may come; none for the others. */
export const promiseStatements = (
  { scope, db }: Needs<"scope" | "db">,
  path: string,
  { key, isLong }: ObjectKey,
  untilMs: number,
) =>
  isLong
    ? [upsertLongPath(db, { objectKey: key, teamId: scope.teamId, path, checkAt: new Date(untilMs).toISOString() })]
    : [];

/** When a URL signed now ends. */
export const urlEndsAt = (now: Date): string =>
  new Date(now.getTime() + BUCKET_LIMITS.signedUrlSeconds * 1_000).toISOString();

function newTemporaryFile({ path, ttl_days: days, filename_hint: hint }: NewUploadUrl, teamId: string, now: Date) {
  if (typeof path === "string")
    throw invalid("/path", "A temporary file's path is picked by the platform: send filename_hint instead.");
  const id = newId(now);
  const expiresAt = new Date(now.getTime() + (days ?? DRIVE_LIMITS.ttlDaysDefault) * DAY_MS).toISOString();
  return { id, teamId, path: temporaryPath(id, hint, now), expiresAt };
}

function requirePermanentPath({ path, ttl_days: days, filename_hint: hint }: NewUploadUrl): string {
  const checked = requirePath(path ?? "");
  if (typeof days === "number")
    throw invalid("/ttl_days", "Only a temporary file has a time to live: send temporary: true.");
  if (typeof hint === "string")
    throw invalid("/filename_hint", "Only a temporary file takes a hint: send temporary: true.");
  return checked;
}

const invalid = (pointer: string, message: string): Problem =>
  new Problem("invalid_request", message, [{ pointer, message }]);
