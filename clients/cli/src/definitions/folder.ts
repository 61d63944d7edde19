// A folder of definitions: its files, and beside them what was known of the platform when they were written.

import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { UsageError } from "../exit-codes.ts";
import { definitionOf, type Files } from "./kind.ts";
import type { Known } from "./plan.ts";

/** The team that the folder came from, the names of its integrations, and the versions of what is in it. */
export type FolderState = Readonly<{ team: string; integrations: Readonly<Record<string, string>>; known: Known }>;

export type Folder = Readonly<{ definitions: ReadonlyMap<string, Files>; state: FolderState | undefined }>;

const STATE_FILE = ".fjord";

export async function readFolder(folder: string): Promise<Folder> {
  const paths = await readdir(folder, { recursive: true, withFileTypes: true }).then(
    (entries) => entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name)),
    () => [],
  );
  const definitions = new Map<string, Record<string, string>>();
  for (const file of paths.sort()) {
    const path = relative(folder, file).split(sep).join("/");
    if (path.split("/").some((part) => part.startsWith("."))) continue;
    const known = definitions.get(definitionOf(path)) ?? {};
    definitions.set(definitionOf(path), { ...known, [path]: await readFile(file, "utf8") });
  }
  const state = await readFile(join(folder, STATE_FILE), "utf8").then(
    (text) => JSON.parse(text) as FolderState,
    () => undefined,
  );
  return { definitions, state };
}

export async function writeFiles(folder: string, files: Files): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    const file = resolve(folder, path);
    // Names within a model come from the platform, and lead nowhere else.
    if (!file.startsWith(resolve(folder) + sep)) throw new UsageError(`${path} leads out of ${folder}.`);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}

export async function writeState(folder: string, state: FolderState): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, STATE_FILE), `${JSON.stringify(state, null, 2)}\n`);
}

/** Names the contents of a definition's files. */
export const digestOf = (files: Files): string =>
  createHash("sha256")
    .update(JSON.stringify(Object.entries(files).sort()))
    .digest("hex")
    .slice(0, 16);
