// An upload in parts that is under way, here and in the bucket.

import { isUuid } from "../../../core/ids.ts";
import { notFound } from "../../../core/problem.ts";
import type { Needs } from "../../../platform/context.ts";
import { findUpload, type Upload } from "../store.ts";

/** Throws `resource_not_found` also for one that was completed, cancelled or given up. */
export async function requireUpload({ scope, db }: Needs<"scope" | "db">, id: string): Promise<Upload> {
  const upload = isUuid(id) ? await findUpload(db, scope.teamId, id) : undefined;
  if (!upload || upload.expiresAt <= scope.now.toISOString()) throw noUpload(id);
  return upload;
}

export const noUpload = (id: string) => notFound("The upload", id);

export const resume = ({ BUCKET }: Pick<Env, "BUCKET">, { objectKey, storeUploadId }: Upload): R2MultipartUpload =>
  BUCKET.resumeMultipartUpload(objectKey, storeUploadId);

/** R2's own number of a failure, which ends its message. */
export const storeCodeOf = (error: unknown): number | undefined => {
  const [, code] = /\((\d{5,6})\)\s*$/.exec(error instanceof Error ? error.message : "") ?? [];
  return code === undefined ? undefined : Number(code);
};

export const NO_SUCH_UPLOAD = 10024;

/** What the caller has done wrong, by R2's number. */
export const PART_FLAWS: Readonly<Record<number, string>> = {
  10011: "A part other than the last has fewer bytes than a part may have.",
  10025: "One of the parts has not been uploaded, or not with this ETag.",
  10048: "The parts other than the last are not of one size.",
};

/** Drops what was uploaded; that there is nothing any more is as good. */
export async function abortInStore(env: Pick<Env, "BUCKET">, upload: Upload): Promise<void> {
  await resume(env, upload)
    .abort()
    .catch((error: unknown) => {
      if (storeCodeOf(error) !== NO_SUCH_UPLOAD) throw error;
    });
}
