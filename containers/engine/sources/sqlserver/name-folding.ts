// A SQL Server database compares names by its collation, to which case and accents may be nothing.

import type { NameFolding } from "../../../../kernel/text/name-folding.ts";
import type { FetchRows } from "../row-collector.ts";

/** Every database has a schema of this name. */
const QUERY = `SELECT (SELECT COUNT(*) FROM sys.schemas WHERE name = N'SYS') AS capitals,
  (SELECT COUNT(*) FROM sys.schemas WHERE name = N'sÿs') AS accents`;

const foldNothing = (name: string): string => name;
const foldCase = (name: string): string => name.toUpperCase().toLowerCase();
export const foldAccents = (name: string): string => foldCase(name.normalize("NFKD").replace(/\p{M}/gu, ""));

/** Names are one to the database where these are equal. */
export async function nameFolding(fetchRows: FetchRows): Promise<(name: string) => string> {
  const [[capitals, accents] = []] = await fetchRows(QUERY, "nn");
  return accents !== "0" ? foldAccents : capitals !== "0" ? foldCase : foldNothing;
}

/** The folding of names that somebody typed, which are told apart by their accents all the same. */
export const typedNameFolding = async (fetchRows: FetchRows): Promise<NameFolding> =>
  (await nameFolding(fetchRows)) === foldNothing ? "exact" : "any";
