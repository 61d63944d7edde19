// A folder on disk as a team's drive: listed and signed as the platform does.

import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { DriveListAnswer, DriveListRequest, DriveSignRequest } from "../../../../kernel/wire/drive.ts";
import { etagOf } from "./fake-bucket.ts";

export function listDrive(folder: string, { cursor, prefix = "", limit = 2 }: DriveListRequest): DriveListAnswer {
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }).sort() : [];
  const files = names
    .filter((path) => path.startsWith(prefix) && path > (cursor ?? "") && statSync(join(folder, path)).isFile())
    .map((path) => ({
      path,
      etag: etagOf(join(folder, path)),
      bytes: statSync(join(folder, path)).size,
      modified: statSync(join(folder, path)).mtime.toISOString(),
    }));
  return {
    root: "gs://bucket/team/drive/",
    files: files.slice(0, limit),
    cursor: files.length > limit ? files[limit - 1]!.path : null,
  };
}

export const signDrive = ({ paths }: DriveSignRequest): Record<string, string> =>
  Object.fromEntries(paths.map((path) => [path, `http://bucket.invalid/bucket/drive/${encodeURIComponent(path)}`]));
