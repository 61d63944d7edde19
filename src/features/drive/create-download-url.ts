import type { Needs } from "../../clients/context.ts";
import { urlEndsAt } from "./create-upload-url.ts";
import type { DriveFile } from "./drive-file.ts";
import { getDriveFile } from "./get.ts";
import { objectKeyOf } from "./object-key.ts";

export type DownloadUrl = { download_url: string; download_url_expires_at: string; file: DriveFile };

/** Leave to read one file by GET, with ranges. */
export async function createDownloadUrl(ctx: Needs<"scope" | "bucket">, path: string): Promise<DownloadUrl> {
  const { scope, bucket } = ctx;
  const file = await getDriveFile(ctx, path);
  const { key } = await objectKeyOf(scope.teamId, path);
  return { download_url: bucket.signGet(key), download_url_expires_at: urlEndsAt(scope.now), file };
}
