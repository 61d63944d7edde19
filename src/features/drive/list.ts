import { Problem } from "../../core/problem.ts";
import type { Needs } from "../../clients/context.ts";
import { driveFileOf, type DriveFile } from "./drive-file.ts";
import { decodeCursor, encodeCursor, readDrivePage } from "./list-page.ts";

export type DriveListing = {
  prefix?: string | undefined;
  delimiter?: "/" | undefined;
  cursor?: string | undefined;
  limit: number;
};

/** In the order of the paths' UTF-8 bytes. With a delimiter, what lies deeper shows as the folder it lies in. */
export async function listDriveFiles(
  ctx: Needs<"scope" | "db" | "bucket">,
  asked: DriveListing,
): Promise<{ files: DriveFile[]; folders: string[]; cursor: string | null }> {
  const { teamId } = ctx.scope;
  const { prefix = "", delimiter, cursor, limit } = asked;
  const { files, folders, next } = await readDrivePage(ctx, teamId, {
    prefix,
    delimiter,
    after: positionOf(cursor),
    limit,
  });
  return {
    files: files.map(({ path, object }) => driveFileOf(ctx.bucket, teamId, path, object)),
    folders,
    cursor: next === null ? null : encodeCursor(next),
  };
}

function positionOf(cursor: string | undefined): string | undefined {
  const position = cursor === undefined ? undefined : decodeCursor(cursor);
  if (cursor === undefined || position) return position;
  const message = "Send the cursor of the page before as it was given.";
  throw new Problem("invalid_request", message, [{ pointer: "/query/cursor", message }]);
}
