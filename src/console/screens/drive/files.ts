// A file of the drive is told by its name, and read with SQL accordingly. Pure.

import { quoteText } from "../../api/sql-text.ts";

export type PreviewKind = "rows" | "picture" | "none";

/** Pictures by the endings of their names; each is shown as an image and never as a document. */
export const PICTURE_TYPES: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  avif: "image/avif",
  svg: "image/svg+xml",
};

const READERS: Readonly<Record<string, string>> = {
  csv: "read_csv",
  tsv: "read_csv",
  parquet: "read_parquet",
  json: "read_json",
  jsonl: "read_json",
  ndjson: "read_json",
};

/** The ending of the name; one of a compressed file is that of what is in it. */
export const endingOf = (path: string): string =>
  path
    .toLowerCase()
    .replace(/\.(gz|zst)$/, "")
    .split("/")
    .at(-1)!
    .split(".")
    .slice(1)
    .at(-1) ?? "";

export function previewKindOf(path: string): PreviewKind {
  const ending = endingOf(path);
  if (Object.hasOwn(READERS, ending)) return "rows";
  return Object.hasOwn(PICTURE_TYPES, ending) ? "picture" : "none";
}

/** Undefined for a file that SQL does not read. */
export function fileStatement(path: string, location: string, rows: number): string | undefined {
  const reader = READERS[endingOf(path)];
  return reader === undefined ? undefined : `SELECT * FROM ${reader}(${quoteText(location)}) LIMIT ${rows}`;
}

/** Each folder on the way to a prefix, which ends in a slash or is empty. */
export function crumbsOf(prefix: string): { name: string; prefix: string }[] {
  const names = prefix.split("/").filter(Boolean);
  return names.map((name, at) => ({ name, prefix: `${names.slice(0, at + 1).join("/")}/` }));
}
