// Containers' requests about a team's drive: lists of its files, and URLs to read them. The token says whose drive it
// is.

import type { Context } from "hono";
import {
  DRIVE_FILES_PER_PAGE_MAX,
  DriveListRequest,
  DriveSignRequest,
  type DriveListAnswer,
  type DriveSignAnswer,
} from "../../../kernel/wire/drive.ts";
import { invalidAt, Problem } from "../../core/problem.ts";
import { readBearer, readBody } from "../../http/request/container-call.ts";
import { createRouter } from "../../http/router.ts";
import { driveRoot } from "./drive-file.ts";
import { decodeCursor, encodeCursor, readDrivePage } from "./list-page.ts";
import { objectKeyOf } from "./object-key.ts";
import { requirePath } from "./path.ts";
import { clientsOf, type AppEnv } from "../../http/app-env.ts";

export const driveInternal = createRouter();

/** A statement on a lake, and a run of a doc, read their team's drive as well. */
const USES = ["drive", "lake", "run"] as const;

driveInternal.post("/list", async (c) => {
  const { teamId } = await readDriveToken(c);
  const { cursor, prefix = "", delimiter, limit = DRIVE_FILES_PER_PAGE_MAX } = await readBody(c, DriveListRequest);
  const after = cursor === null ? undefined : (decodeCursor(cursor) ?? refuseCursor());
  const { files, folders, next } = await readDrivePage(clientsOf(c), teamId, { prefix, delimiter, after, limit });
  return c.json({
    root: driveRoot(clientsOf(c).bucket.name, teamId),
    files: files.map(({ path, object: { etag, size, uploaded } }) => ({
      path,
      etag,
      bytes: size,
      modified: uploaded.toISOString(),
    })),
    ...(delimiter ? { folders } : {}),
    cursor: next === null ? null : encodeCursor(next),
  } satisfies DriveListAnswer);
});

driveInternal.post("/sign", async (c) => {
  const { teamId } = await readDriveToken(c);
  const { paths } = await readBody(c, DriveSignRequest);
  // Checked as callers' paths are: what a URL would fold together must never be signed.
  const signed = paths.map(async (path, index) => [
    path,
    clientsOf(c).bucket.signGet((await objectKeyOf(teamId, requirePath(path, `/paths/${index}`))).key),
  ]);
  return c.json({ urls: Object.fromEntries(await Promise.all(signed)) } satisfies DriveSignAnswer);
});

async function readDriveToken(c: Context<AppEnv>): Promise<{ teamId: string }> {
  const token = await readBearer(c, USES);
  if ("isDriveClosed" in token && token.isDriveClosed)
    throw new Problem("forbidden_insufficient_permissions", "A published endpoint reads nothing of the drive.");
  return token;
}

function refuseCursor(): never {
  throw invalidAt("/cursor", "This is no cursor.", "Send the cursor of the page before as it was given.");
}
