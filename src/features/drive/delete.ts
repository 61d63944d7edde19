import { DRIVE_LIMITS } from "./limits.ts";
import type { Needs } from "../../clients/context.ts";
import { recordAudit } from "../../platform/db/audit.ts";
import { promiseStatements } from "./create-upload-url.ts";
import { getDriveFile } from "./get.ts";
import { activityStatement } from "./measure/activity-statement.ts";
import { objectKeyOf } from "./object-key.ts";

/**
 * Any member may: who can upload can replace a file by an empty one as well. A URL signed before may bring it back for
 * an hour.
 */
export async function deleteDriveFile(ctx: Needs<"scope" | "db" | "bucket">, path: string): Promise<void> {
  const { scope, db, bucket } = ctx;
  const file = await getDriveFile(ctx, path, "/query/path");
  const object = await objectKeyOf(scope.teamId, path);
  await bucket.delete([object.key]);
  // A long path is forgotten only once no URL can write under it any more.
  await db.batch([
    recordAudit(db, scope, "drive_file.delete", { id: path, before: { bytes: file.bytes } }),
    activityStatement(ctx, scope.now.getTime()),
    ...promiseStatements(ctx, path, object, scope.now.getTime() + DRIVE_LIMITS.longPathCheckMs),
  ]);
}
