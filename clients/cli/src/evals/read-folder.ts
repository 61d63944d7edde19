// The evals of a folder's files, or of one file.

import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { UsageError } from "../exit-codes.ts";
import { readEvals, type EvalFlaw, type ReadEvals } from "./eval.ts";

const FILES_MAX = 1_000;
const FILE_BYTES_MAX = 1024 * 1024;
const EVALS_MAX = 1_000;

/** Throws `UsageError` where there is nothing to read, or more than is ever read. */
export async function readEvalFolder(path: string): Promise<ReadEvals> {
  const files = await listFiles(path);
  if (files.length === 0) throw new UsageError(`There is no eval in ${path}: it has no file *.yml or *.yaml.`);
  if (files.length > FILES_MAX) throw new UsageError(`${path} has more than ${FILES_MAX} files.`);
  const read: ReadEvals[] = [];
  for (const file of files) {
    if ((await stat(file)).size > FILE_BYTES_MAX)
      throw new UsageError(`${file} has more than ${FILE_BYTES_MAX} bytes.`);
    read.push(readEvals(file, await readFile(file, "utf8")));
  }
  const evals = read.flatMap((each) => each.evals);
  if (evals.length > EVALS_MAX) throw new UsageError(`${path} has more than ${EVALS_MAX} evals.`);
  return { evals, flaws: [...read.flatMap((each) => each.flaws), ...repeated(evals)] };
}

async function listFiles(path: string): Promise<string[]> {
  const found = await stat(path).catch(() => undefined);
  if (!found) throw new UsageError(`${path} is not there.`);
  if (found.isFile()) return [path];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && /\.ya?ml$/.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
}

/** Recorded answers are found by their question. */
function repeated(evals: ReadEvals["evals"]): EvalFlaw[] {
  const first = new Map<string, string>();
  return evals.flatMap(({ question, place }): EvalFlaw[] => {
    const before = first.get(question);
    if (before !== undefined) return [{ place, message: `The question is that of ${before}.` }];
    first.set(question, place);
    return [];
  });
}
