// A model's changes that nobody has saved are the files that differ, by path, and null for one that goes. A file that
// was not touched is as the newest version has it, whoever saves in between. Pure.

import type { TextChange } from "../../ui/editor/text-changes.tsx";

export type ModelFile = { path: string; content: string };
export type Changes = Readonly<Record<string, string | null>>;

/** The changes that a draft's text holds; none where it holds something else. */
export function readChanges(text: string | undefined): Changes {
  try {
    const read: unknown = JSON.parse(text ?? "{}");
    if (typeof read !== "object" || read === null) return {};
    return Object.fromEntries(
      Object.entries(read).filter(([, content]) => content === null || typeof content === "string"),
    ) as Changes;
  } catch {
    return {};
  }
}

/** The changes that are some: a file that is as it was saved is none. */
export const differing = (saved: readonly ModelFile[], changes: Changes): Changes => {
  const before = new Map(saved.map(({ path, content }) => [path, content]));
  return Object.fromEntries(
    Object.entries(changes).filter(([path, content]) => content !== (before.get(path) ?? null)),
  );
};

/** The model with its changes, by path. */
export function changedFiles(saved: readonly ModelFile[], changes: Changes): ModelFile[] {
  const others = saved.filter(({ path }) => !Object.hasOwn(changes, path));
  const own = Object.entries(changes).flatMap(([path, content]) => (content === null ? [] : [{ path, content }]));
  return [...others, ...own].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** What they change of the saved files, to be shown. */
export const textChanges = (saved: readonly ModelFile[], changes: Changes): TextChange[] => {
  const before = new Map(saved.map(({ path, content }) => [path, content]));
  return Object.entries(changes).map(([path, content]) => ({
    name: path,
    before: before.get(path),
    after: content ?? undefined,
  }));
};

/** `left`: paths that are there already, which no draft writes over. */
export function withDrafted(
  saved: readonly ModelFile[],
  changes: Changes,
  drafted: readonly ModelFile[],
): { changes: Changes; added: string[]; left: string[] } {
  const there = new Set(changedFiles(saved, changes).map(({ path }) => path));
  const added = drafted.filter(({ path }) => !there.has(path));
  return {
    changes: { ...changes, ...Object.fromEntries(added.map(({ path, content }) => [path, content])) },
    added: added.map(({ path }) => path),
    left: drafted.filter(({ path }) => there.has(path)).map(({ path }) => path),
  };
}

const PATH = /^(?:[A-Za-z0-9_][A-Za-z0-9_.-]*\/)*[A-Za-z0-9_][A-Za-z0-9_.-]*\.ya?ml$/;

/** What is wrong with the path of a new file; undefined for nothing. */
export function flawOfPath(path: string, files: readonly ModelFile[]): string | undefined {
  if (!PATH.test(path)) return "A path has letters, digits, _, - and . between slashes, and ends in .yml.";
  return files.some((file) => file.path === path) ? "There is such a file already." : undefined;
}
