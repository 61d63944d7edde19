// A Python dataset may read tables through inputs that build no table. No stage says which, so they are found in the
// inputs' texts.

import { escapePattern } from "../../../../../kernel/text/escape-pattern.ts";
import { foldName } from "../../../../../kernel/text/fold-name.ts";
import { isSureToWrite } from "../../../../../kernel/text/write-verbs.ts";
import type { TableRead } from "../../../../../kernel/wire/builds.ts";
import type { Needs } from "../../../../clients/context.ts";
import { valueOf } from "../../../../core/answer.ts";
import type { Definition } from "../../definition/definition.ts";
import { isBuilt, type BuildRun, type BuiltDataset } from "../build.ts";

/** The clocks of the platform and of a lake's catalog differ. */
const CLOCK_SLACK_MS = 1_000;

/** What is read there follows from more than the tables that the text names. */
const METADATA = /information_schema|duckdb_|pragma|\b(show|describe)\b/i;

/**
 * The tables that the texts of the inputs name, with their versions from before the run; null where the text does not
 * tell what is read. A table is named wherever its name is a word of the text: rather one too many than one missed. A
 * table that the run's beginning did not see has a version that is none.
 */
export async function readsOfInputs(
  { openLake }: Needs<"openLake">,
  { lakeId, createdAt }: BuildRun,
  definition: Definition,
  dataset: BuiltDataset,
): Promise<TableRead[] | null> {
  const texts = textsOf(definition, dataset, lakeId);
  if (texts === null) return null;
  if (texts.length === 0) return [];
  const lake = openLake(lakeId);
  const at = new Date(Date.parse(createdAt) - CLOCK_SLACK_MS).toISOString();
  const before = await lake.findSnapshot({ at });
  if (before === null) return null;
  const { snapshotId } = await lake.currentSnapshot();
  const [then, now] = await Promise.all(
    [before, snapshotId].map(async (id) => valueOf(await lake.describe(id, "everything")).tables),
  );
  const folded = texts.map(foldName);
  const isNamed = ({ name }: { name: string }): boolean => {
    const words = wordsOf(foldName(name));
    return folded.some((text) => words.test(text));
  };
  const known = new Set(then!.map(({ tableId }) => tableId));
  return [
    ...then!.filter(isNamed).map(({ schema, name, version }) => ({ schema, name, version })),
    ...now!
      .filter((table) => isNamed(table) && !known.has(table.tableId))
      .map(({ schema, name }) => ({ schema, name, version: "" })),
  ];
}

/** Finds a name as it is, or as it is quoted. */
function wordsOf(name: string): RegExp {
  const quoted = name.replaceAll('"', '""');
  return new RegExp(`(?<![a-z0-9_])(?:${escapePattern(name)}|${escapePattern(quoted)})(?![a-z0-9_])`);
}

/**
 * The SQL of the inputs on the lake, however far; null where one reads what has no versions. A statement that writes
 * is no read, and a rerun must not repeat it for another's sake.
 */
function textsOf({ datasets }: Definition, dataset: BuiltDataset, lakeId: string): string[] | null {
  const seen = new Set<string>();
  const texts: string[] = [];
  const refs = [...refsOf(dataset)];
  for (let ref = refs.pop(); ref !== undefined; ref = refs.pop()) {
    const input = datasets[ref];
    if (!input || seen.has(ref) || isBuilt(input)) continue;
    seen.add(ref);
    if (input.engine === "python") refs.push(...refsOf(input));
    else if (input.engine === "cube" || (input.integrationId ?? lakeId) !== lakeId) return null;
    else if (METADATA.test(input.sql)) return null;
    else if (!isSureToWrite(input.sql)) texts.push(input.sql);
  }
  return texts;
}

const refsOf = (dataset: Definition["datasets"][string]): string[] =>
  dataset.engine === "python" ? (dataset.inputs ?? []).map(({ ref }) => ref) : [];
