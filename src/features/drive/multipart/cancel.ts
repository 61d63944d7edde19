import type { Needs } from "../../../clients/context.ts";
import { recordAudit } from "../../../platform/db/audit.ts";
import { requireUpload } from "./upload.ts";
import { deleteUpload } from "../store.ts";

/** Drops the parts that were sent. The bucket goes first: the row is what a second try finds the upload by. */
export async function cancelMultipartUpload(ctx: Needs<"scope" | "db" | "bucket">, id: string): Promise<void> {
  const { scope, db, bucket } = ctx;
  const upload = await requireUpload(ctx, id);
  await bucket.abortUpload(upload);
  await db.batch([
    deleteUpload(db, upload),
    recordAudit(db, scope, "drive_upload.cancel", { id, before: { path: upload.path } }),
  ]);
}
