// An upload in parts that is under way, here and in the bucket.

import { isUuid } from "../../../core/ids.ts";
import { notFound } from "../../../core/problem.ts";
import type { UploadReason } from "../../../platform/bucket/upload-failure.ts";
import type { Needs } from "../../../clients/context.ts";
import { findUpload, type Upload } from "../store.ts";

/** Throws `resource_not_found` also for one that was completed, cancelled or given up. */
export async function requireUpload({ scope, db }: Needs<"scope" | "db">, id: string): Promise<Upload> {
  const upload = isUuid(id) ? await findUpload(db, scope.teamId, id) : undefined;
  if (!upload || upload.expiresAt <= scope.now.toISOString()) throw noUpload(id);
  return upload;
}

export const noUpload = (id: string) => notFound("The upload", id);

/** The caller's mistakes, by the bucket's reason to refuse the parts. */
export const PART_FLAWS: Readonly<Record<Exclude<UploadReason, "missing">, string>> = {
  part_too_small: "A part other than the last has fewer bytes than a part may have.",
  part_missing: "One of the parts has not been uploaded, or not with this ETag.",
  part_sizes_differ: "The parts other than the last are not of one size.",
};
