// A page of a team's drive: what the bucket lists, and in between the files whose paths no key can hold.

import { fromBase64url, toBase64url } from "../../core/encoding.ts";
import { DRIVE_LIMITS } from "./limits.ts";
import type { StoredObject } from "../../platform/bucket/bucket.ts";
import type { Needs } from "../../clients/context.ts";
import { comparePaths } from "./path.ts";
import { driveKeyPrefix } from "./object-key.ts";
import { selectLongPaths } from "./store.ts";

/** `after`: a position in the order of paths; what comes behind it is listed. */
export type Listing = { prefix: string; delimiter: "/" | undefined; after: string | undefined; limit: number };
export type ListedFile = { path: string; object: StoredObject };
/** A file, or a folder, whose name ends in the delimiter. */
type Entry = { name: string; file?: ListedFile };
export type DrivePage = { files: ListedFile[]; folders: string[]; next: string | null };

/** Behind everything in a folder: no path has this character. */
const LAST_CHARACTER = "\u{10FFFF}";

export async function readDrivePage(
  deps: Needs<"db" | "bucket">,
  teamId: string,
  listing: Listing,
): Promise<DrivePage> {
  const [plain, long] = await Promise.all([listObjects(deps, teamId, listing), listLongPaths(deps, teamId, listing)]);
  // Where two lists go on, only paths before both ends are complete.
  const ends = [plain.end, long.end].flatMap((end) => (end === undefined ? [] : [end])).sort(comparePaths);
  const end = ends[0];
  const entries = merged([...plain.entries, ...long.entries]).filter(
    ({ name }) => end === undefined || comparePaths(name, end) <= 0,
  );
  const page = entries.slice(0, listing.limit);
  const last = page.at(-1);
  const reached = last === undefined ? [] : [positionOf(last)];
  const isCut = entries.length > page.length;
  const next = isCut ? reached[0]! : end === undefined ? null : [...reached, end].sort(comparePaths).at(-1)!;
  return {
    files: page.flatMap(({ file }) => (file ? [file] : [])),
    folders: page.flatMap(({ name, file }) => (file ? [] : [name])),
    next,
  };
}

/** Where to go on behind this entry. */
const positionOf = ({ name, file }: Entry): string => (file ? name : name + LAST_CHARACTER);

/** `end`: how far the entries are complete, where there are more. */
type Part = { entries: Entry[]; end: string | undefined };

async function listObjects(
  { bucket }: Needs<"bucket">,
  teamId: string,
  { prefix, delimiter, after, limit }: Listing,
): Promise<Part> {
  const root = driveKeyPrefix(teamId);
  const listed = await bucket.list({
    prefix: root + prefix,
    limit,
    delimiter,
    after: after === undefined ? undefined : root + after,
  });
  const pathOf = (key: string): string => key.slice(root.length);
  const entries: Entry[] = [
    ...listed.objects.map((object) => ({ name: pathOf(object.key), file: { path: pathOf(object.key), object } })),
    ...listed.folders.map((folder) => ({ name: pathOf(folder) })),
  ];
  if (listed.isComplete) return { entries, end: undefined };
  const last = merged(entries).at(-1);
  if (!last) throw new Error("The bucket's list goes on without an entry to go on from.");
  return { entries, end: positionOf(last) };
}

async function listLongPaths(
  { db, bucket }: Needs<"db" | "bucket">,
  teamId: string,
  { prefix, delimiter, after }: Listing,
): Promise<Part> {
  const rows = await selectLongPaths(db, teamId, { prefix, after, rowsMax: DRIVE_LIMITS.longPathsPerPageMax });
  const found = await Promise.all(
    rows.map(async ({ objectKey, path }) => ({ path, object: await bucket.find(objectKey) })),
  );
  const entries = found.flatMap(({ path, object }): Entry[] => {
    if (!object) return [];
    const at = delimiter === undefined ? -1 : path.indexOf(delimiter, prefix.length);
    return [at < 0 ? { name: path, file: { path, object } } : { name: path.slice(0, at + 1) }];
  });
  return { entries, end: rows.length < DRIVE_LIMITS.longPathsPerPageMax ? undefined : rows.at(-1)!.path };
}

/** In order, each folder once. */
function merged(entries: Entry[]): Entry[] {
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  return [...byName.values()].sort((one, other) => comparePaths(one.name, other.name));
}

/** The cursor by which callers ask for the next page. */
export const encodeCursor = (path: string): string => toBase64url(new TextEncoder().encode(path));

/** Undefined for what {@link encodeCursor} did not make. */
export function decodeCursor(cursor: string): string | undefined {
  const bytes = fromBase64url(cursor);
  try {
    return bytes && new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
