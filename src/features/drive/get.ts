import { notFound } from "../../core/problem.ts";
import type { Needs } from "../../clients/context.ts";
import { driveFileOf, type DriveFile } from "./drive-file.ts";
import { objectKeyOf } from "./object-key.ts";
import { requirePath } from "./path.ts";

export async function getDriveFile(
  { scope: { teamId }, bucket }: Needs<"scope" | "bucket">,
  path: string,
  pointer?: string,
): Promise<DriveFile> {
  const { key } = await objectKeyOf(teamId, requirePath(path, pointer));
  const object = await bucket.find(key);
  if (!object) throw notFound("The file", path);
  return driveFileOf(bucket, teamId, path, object);
}
