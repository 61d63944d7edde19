import type { Needs } from "../../../platform/context.ts";
import { recordAudit } from "../../../platform/db/audit.ts";
import { abortInStore, requireUpload } from "./upload.ts";
import { deleteUpload } from "../store.ts";

/** Drops the parts that were sent. The bucket goes first: the row is what a second try finds the upload by. */
export async function cancelMultipartUpload(ctx: Needs<"scope" | "db" | "env">, id: string): Promise<void> {
  const { scope, db, env } = ctx;
  const upload = await requireUpload(ctx, id);
  await abortInStore(env, upload);
  await db.batch([deleteUpload(db, upload), recordAudit(db, scope, "drive_upload.cancel", id)]);
}
