import { newId } from "../../../core/ids.ts";
import { DRIVE_LIMITS } from "../limits.ts";
import type { Needs } from "../../../clients/context.ts";
import { recordAudit } from "../../../platform/db/audit.ts";
import { requireLeft } from "../../quotas/metered.ts";
import { promiseStatements } from "../create-upload-url.ts";
import { locationsOf, type MultipartUpload } from "../drive-file.ts";
import { objectKeyOf } from "../object-key.ts";
import { requirePath } from "../path.ts";
import { insertUpload, type Upload } from "../store.ts";

/** Begins an upload in parts. One the bucket has begun and D1 does not know is given up by the bucket itself. */
export async function createMultipartUpload(
  ctx: Needs<"scope" | "db" | "bucket">,
  asked: string,
): Promise<MultipartUpload> {
  const { scope, db, bucket } = ctx;
  const { teamId, now } = scope;
  const path = requirePath(asked);
  await requireLeft(db, scope, ["driveBytes"]);
  const object = await objectKeyOf(teamId, path);
  const storeUploadId = await bucket.createUpload(object.key);
  const endsAtMs = now.getTime() + DRIVE_LIMITS.uploadMs;
  const expiresAt = new Date(endsAtMs).toISOString();
  const upload: Upload = {
    id: newId(now),
    teamId,
    path,
    objectKey: object.key,
    storeUploadId,
    createdAt: now.toISOString(),
    expiresAt,
  };
  await db.batch([
    insertUpload(db, upload),
    recordAudit(db, scope, "drive_upload.create", { id: upload.id, after: { path, expires_at: expiresAt } }),
    ...promiseStatements(ctx, path, object, endsAtMs + DRIVE_LIMITS.longPathCheckMs),
  ]);
  return {
    upload_id: upload.id,
    path,
    ...locationsOf(bucket, teamId, path),
    part_bytes_min: DRIVE_LIMITS.partBytesMin,
    part_bytes_max: DRIVE_LIMITS.putBytesMax,
    parts_max: DRIVE_LIMITS.partsMax,
    expires_at: expiresAt,
  };
}
