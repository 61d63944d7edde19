// Sends a file to the drive. The state of an upload that breaks off is kept, so that the same command goes on with it.

import { createHash } from "node:crypto";
import { openAsBlob } from "node:fs";
import { readFile, realpath, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { FjordProblem, type Fjord, type UploadState } from "../../../typescript/src/client.ts";
import { resolveProfile, type Context } from "../context.ts";
import { UsageError } from "../exit-codes.ts";
import { parseJson } from "../json.ts";
import { showProgress } from "../output/progress.ts";
import { say } from "../output/terminal.ts";
import { stateFolder, writeOwnFile } from "../settings/profiles.ts";

type Copy = Readonly<{ file: string; path: string }>;

/** Answers the path in the drive. */
export async function sendFile(context: Context, fjord: Fjord, { file, path }: Copy): Promise<string> {
  const stateFile = await stateFileOf(context, { file, path });
  const resume = await readFile(stateFile, "utf8").then(
    (text) => parseJson(text) as UploadState | undefined,
    () => undefined,
  );
  try {
    await send({ fjord, context, file, path, stateFile }, resume);
  } catch (error) {
    // An upload ends after seven days; then the file is sent anew.
    if (!resume || !(error instanceof FjordProblem) || error.status !== 404) throw error;
    await send({ fjord, context, file, path, stateFile });
  }
  // A state that cannot be deleted is that of an upload which the platform has ended.
  await rm(stateFile, { force: true }).catch(() => undefined);
  return path;
}

type Sending = Copy & Readonly<{ fjord: Fjord; context: Context; stateFile: string }>;

async function send({ fjord, context, file, path, stateFile }: Sending, resume?: UploadState): Promise<void> {
  if (resume) say(`Going on after ${resume.etags.length} parts that have arrived.`);
  const progress = showProgress(path);
  let saved = Promise.resolve();
  let isKept = true;
  const save = async (state: UploadState): Promise<void> => {
    if (isKept)
      await writeOwnFile(stateFile, state).catch((error: Error) => {
        isKept = false;
        say(`The upload goes on, but could not be resumed, as its state cannot be kept: ${error.message}`);
      });
  };
  try {
    await fjord.upload(path, await openAsBlob(file), {
      signal: context.signal,
      ...(resume && { resume }),
      onProgress: progress.update,
      onState: (state) => void (saved = saved.then(() => save(state))),
    });
  } finally {
    await saved;
    progress.end();
  }
}

/** A file that has changed since, or goes elsewhere, is another upload. */
async function stateFileOf(context: Context, { file, path }: Copy): Promise<string> {
  const [{ url, key }, place, found] = await Promise.all([resolveProfile(context), realpath(file), stat(file)]);
  if (!found.isFile()) throw new UsageError(`${file} is no file: a copy takes one file.`);
  const { size, mtimeMs } = found;
  const digest = createHash("sha256")
    .update(JSON.stringify([url, key, place, size, mtimeMs, path]))
    .digest("hex");
  return join(stateFolder(), "uploads", `${digest}.json`);
}
