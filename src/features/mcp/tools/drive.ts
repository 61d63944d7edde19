// The tool of the team's files.

import { z } from "@hono/zod-openapi";
import { invalidAt } from "../../../core/problem.ts";
import { MCP_LIMITS } from "../limits.ts";
import type { OperationCalls } from "../operation-calls.ts";
import { tool } from "../tool.ts";

const ACTIONS = ["list", "info", "download_url", "upload_url"] as const;
type Action = (typeof ACTIONS)[number];

const needed = (path: string | undefined): string => {
  if (path !== undefined) return path;
  const message = "Name the file's path.";
  throw invalidAt("/path", message);
};

const DO: Record<Action, (calls: OperationCalls, path: string | undefined) => Promise<unknown>> = {
  list: (calls, prefix) =>
    calls.call("listDriveFiles", { query: { prefix, delimiter: "/", limit: MCP_LIMITS.filesMax } }),
  info: (calls, path) => calls.call("getDriveFile", { query: { path: needed(path) } }),
  download_url: (calls, path) => calls.call("createDownloadUrl", { body: { path: needed(path) } }),
  upload_url: (calls, path) => calls.call("createUploadUrl", { body: { path: needed(path) } }),
};

export const driveFile = tool({
  name: "drive_file",
  group: "drive",
  title: "Files of the drive",
  description:
    "list (below a prefix), info, download_url, or upload_url (PUT the bytes). read_csv and read_parquet take info's gcs_path.",
  input: z.strictObject({ action: z.enum(ACTIONS), path: z.string().optional() }),
  operations: ["listDriveFiles"],
  reads: false,
  run: (calls, { action, path }) => DO[action](calls, path),
});
