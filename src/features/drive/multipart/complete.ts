import { Problem } from "../../../core/problem.ts";
import { UploadFailure } from "../../../platform/bucket/upload-failure.ts";
import type { Needs } from "../../../clients/context.ts";
import { recordAudit } from "../../../platform/db/audit.ts";
import { driveFileOf, type DriveFile, type UploadedParts } from "../drive-file.ts";
import { activityStatement } from "../measure/activity-statement.ts";
import { noUpload, PART_FLAWS, requireUpload } from "./upload.ts";
import { deleteUpload } from "../store.ts";

/**
 * Makes the parts one file, which appears whole. An upload whose answer was lost is not found any more: its file is
 * there.
 */
export async function completeMultipartUpload(
  ctx: Needs<"scope" | "db" | "bucket">,
  id: string,
  { parts }: UploadedParts,
): Promise<DriveFile> {
  const { scope, db, bucket } = ctx;
  const upload = await requireUpload(ctx, id);
  refuseRepeats(parts);
  const ordered = parts
    .map(({ part_number: partNumber, etag }) => ({ partNumber, etag: etag.replace(/^"(.*)"$/, "$1") }))
    .sort((one, other) => one.partNumber - other.partNumber);
  const object = await bucket.completeUpload(upload, ordered).catch((error: unknown) => {
    if (!(error instanceof UploadFailure)) throw error;
    if (error.reason === "missing") throw noUpload(id);
    const message = PART_FLAWS[error.reason];
    throw new Problem("invalid_request", message, [{ pointer: "/parts", message }], { cause: error });
  });
  await db.batch([
    deleteUpload(db, upload),
    activityStatement(ctx, scope.now.getTime()),
    recordAudit(db, scope, "drive_upload.complete", { id, after: { path: upload.path, bytes: object.size } }),
  ]);
  return driveFileOf(bucket, scope.teamId, upload.path, object);
}

function refuseRepeats(parts: UploadedParts["parts"]): void {
  const seen = new Set<number>();
  parts.forEach(({ part_number: number }, index) => {
    const message = "Each part is named once.";
    if (seen.has(number))
      throw new Problem("invalid_request", message, [{ pointer: `/parts/${index}/part_number`, message }]);
    seen.add(number);
  });
}
