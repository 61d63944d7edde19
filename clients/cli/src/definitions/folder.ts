// A folder of definitions: its files, and beside them what was known of the platform when they were written.

import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { UsageError } from "../exit-codes.ts";
import { parseJson } from "../json.ts";
import { definitionOf, type DefinitionKind, type Files } from "./kind.ts";
import type { Known } from "./plan.ts";

/** The team that the folder came from, the names of its integrations, and the versions of what is in it. */
export type FolderState = Readonly<{ team: string; integrations: Readonly<Record<string, string>>; known: Known }>;

export type Folder = Readonly<{ definitions: ReadonlyMap<string, Files>; state: FolderState | undefined }>;

type Form = Pick<DefinitionKind, "endings" | "place">;

const STATE_FILE = ".fjord";

/** Throws `UsageError` for a folder that is not there, unless it `mayBeNew`, and for files that are no definitions. */
export async function readFolder(folder: string, { endings, place }: Form, mayBeNew: boolean): Promise<Folder> {
  const found = await stat(folder).catch(() => undefined);
  if (found ? !found.isDirectory() : !mayBeNew) throw new UsageError(`There is no folder ${folder}.`);
  const entries = found ? await readdir(folder, { recursive: true, withFileTypes: true }) : [];
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const definitions = new Map<string, Record<string, string>>();
  for (const file of paths.sort()) {
    const path = relative(folder, file).split(sep).join("/");
    if (path.split("/").some((part) => part.startsWith("."))) continue;
    if (!endings.some((ending) => path.endsWith(ending))) continue;
    if (place === "file" && path.includes("/"))
      throw new UsageError(`${path} lies in a folder of its own: put it in ${folder} itself.`);
    const known = definitions.get(definitionOf(path)) ?? {};
    definitions.set(definitionOf(path), { ...known, [path]: await readFile(file, "utf8") });
  }
  return { definitions, state: found && (await readState(join(folder, STATE_FILE))) };
}

async function readState(file: string): Promise<FolderState | undefined> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    return undefined;
  });
  if (text === undefined) return undefined;
  const state = parseJson(text) as FolderState | null | undefined;
  if (typeof state?.team !== "string" || !state.known || !state.integrations)
    throw new UsageError(`${file} is broken: restore it, or delete it and pull anew.`);
  return state;
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
