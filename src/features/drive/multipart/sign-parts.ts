import type { Needs } from "../../../clients/context.ts";
import { urlEndsAt } from "../create-upload-url.ts";
import type { PartUrls } from "../drive-file.ts";
import { requireUpload } from "./upload.ts";

/** A PUT URL for each part, in the order asked for. Asking again is harmless, and so is sending a part again. */
export async function signUploadParts(
  ctx: Needs<"scope" | "db" | "bucket">,
  id: string,
  partNumbers: readonly number[],
): Promise<PartUrls> {
  const { objectKey, storeUploadId } = await requireUpload(ctx, id);
  const parts = partNumbers.map((number) => ({
    part_number: number,
    upload_url: ctx.bucket.signPart({ objectKey, storeUploadId }, number),
  }));
  return { parts, headers: {}, upload_url_expires_at: urlEndsAt(ctx.scope.now) };
}
