// The plan of a push or a pull says what it would do, before it does anything. Pure.

import { slugOf, type Definition, type Files } from "./kind.ts";

/** What was there when the folder was last pulled or pushed: by a definition's file, or its folder. */
export type Known = Readonly<Record<string, Readonly<{ id: string; version: number; digest: string }>>>;

/** A definition of the folder: `files` as they are, and as the platform would have them. */
export type Local = Readonly<{ path: string; name: string; files: Files; normal: Files }>;

export type PushStep = Readonly<
  | { action: "create"; local: Local }
  | { action: "update" | "unchanged" | "conflict"; local: Local; remote: Definition }
  | { action: "leave"; remote: Definition }
>;

export type PullStep = Readonly<
  | { action: "write" | "overwrite" | "conflict" | "unchanged"; path: string; remote: Definition }
  | { action: "leave"; path: string }
>;

/** `known` is empty where the folder came from another team: then definitions are found by their names. */
export function planPush(locals: readonly Local[], remotes: readonly Definition[], known: Known): PushStep[] {
  const matched = new Set<string>();
  const steps = locals.map((local): PushStep => {
    const before = known[local.path];
    const remote = remotes.find(({ id }) => id === before?.id) ?? remotes.find(({ name }) => name === local.name);
    if (!remote) return { action: "create", local };
    matched.add(remote.id);
    if (areEqual(local.normal, remote.files)) return { action: "unchanged", local, remote };
    const isStale = before?.id === remote.id && before.version !== remote.version;
    return { action: isStale ? "conflict" : "update", local, remote };
  });
  const others = remotes.filter(({ id }) => !matched.has(id));
  return [...steps, ...others.map((remote): PushStep => ({ action: "leave", remote }))];
}

/** `digestOf` tells what is in the folder at a path now; undefined where nothing is. */
export function planPull(
  remotes: readonly Definition[],
  known: Known,
  folder: {
    paths: readonly string[];
    digestOf(path: string): string | undefined;
    isSame(path: string, remote: Definition): boolean;
  },
): PullStep[] {
  const pathById = new Map(Object.entries(known).map(([path, { id }]) => [id, path]));
  const taken = new Set(pathById.values());
  const steps = remotes.map((remote): PullStep => {
    const path = pathById.get(remote.id) ?? freePath(remote, taken);
    taken.add(path);
    const digest = folder.digestOf(path);
    if (digest === undefined) return { action: "write", path, remote };
    if (folder.isSame(path, remote)) return { action: "unchanged", path, remote };
    return { action: digest === known[path]?.digest ? "overwrite" : "conflict", path, remote };
  });
  const written = new Set(steps.map(({ path }) => path));
  const others = folder.paths.filter((path) => !written.has(path));
  return [...steps, ...others.map((path): PullStep => ({ action: "leave", path }))];
}

/** Two names may have one slug. */
function freePath({ files, name }: Definition, taken: ReadonlySet<string>): string {
  const first = Object.keys(files)[0]!.split("/")[0]!;
  const ending = first.slice(slugOf(name).length);
  for (let count = 1; ; count++) {
    const path = count === 1 ? first : `${slugOf(name)}-${count}${ending}`;
    if (!taken.has(path)) return path;
  }
}

/** Where a file lies within its definition: a file of its own has no place. */
const placeOf = (path: string): string => path.split("/").slice(1).join("/");

export function areEqual(one: Files, other: Files): boolean {
  const byPlace = (files: Files) =>
    JSON.stringify(
      Object.entries(files)
        .map(([path, text]) => [placeOf(path), text])
        .sort(),
    );
  return byPlace(one) === byPlace(other);
}

/** The definition's files under the path of the folder that stands for it. */
export const filesAt = (path: string, { files }: Definition): Files =>
  Object.fromEntries(
    Object.entries(files).map(([file, text]) => [placeOf(file) === "" ? path : `${path}/${placeOf(file)}`, text]),
  );
