// Pull, push and diff know this of a kind of definition. Files are text; ids and versions stay beside them.

import type { Fjord } from "../../../typescript/src/client.ts";

/** Paths below the kind's folder, and what the files hold. */
export type Files = Readonly<Record<string, string>>;

/** A definition as the platform has it. */
export type Definition = Readonly<{ id: string; name: string; version: number; files: Files }>;

export type Written = Readonly<{ id: string; version: number }>;

/** The names that integrations have, so that files of one team fit another. */
export type Names = Readonly<{
  nameOf(integrationId: string): string;
  /** Throws `UsageError` where the team has none of the name. */
  idOf(integrationName: string): string;
  /** The text with the ids of the team's own integrations, where it has another team's. */
  withOwnIds(text: string): string;
}>;

export type Team = Readonly<{ fjord: Fjord; names: Names }>;

export type DefinitionKind = Readonly<{
  /** Files of other endings are no definitions. */
  endings: readonly string[];
  /** Whether a definition is one file, or all files of a folder. */
  place: "file" | "folder";
  /** All that the team has. */
  list(team: Team): Promise<Definition[]>;
  /** The name of the definition that the files are of. */
  nameOf(files: Files): string;
  /** The definition's files, as `list` would write them: equal ones are no change. */
  normalise(team: Team, files: Files): Files;
  create(team: Team, files: Files): Promise<Written>;
  /** Replaces what is at the version; another one is 412. */
  update(team: Team, definition: Definition, files: Files): Promise<Written>;
}>;

/** The group of files that are one definition: a file of its own, or all of a folder. */
export const definitionOf = (path: string): string => path.split("/")[0]!;

export const YAML_ENDINGS = [".yaml", ".yml"] as const;

export const onlyFile = (files: Files): string => Object.values(files)[0]!;

const SLUG_CHARACTERS_MAX = 60;

/** A name as a file has it. Two names may have one slug. */
export const slugOf = (name: string): string =>
  name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, SLUG_CHARACTERS_MAX) || "unnamed";
