// A statement's keys are short texts that it has in common with others like it: none of its words leave the Worker for
// its placing. Pure.

import { hashOf } from "../../../../kernel/text/hash.ts";
import { isSureToRead } from "../../../../kernel/text/write-verbs.ts";
import type { StatementRequest } from "../../../../kernel/wire/engine.ts";

/**
 * `text`: equal for statements of one text on one target. `work`: equal for statements that wait for one another, as
 * their results are the same. `tables`: those that the statement seems to read.
 */
export type StatementKeys = { text: string; work: string; tables: string[] };

/** More of them say little about which files are read. */
const TABLES_MAX = 8;
const NAME = String.raw`(?:"[^"]{1,200}"|[\p{L}_][\p{L}\p{N}_$]{0,199})`;
const READ_TABLE = new RegExp(String.raw`\b(?:from|join)\s+(${NAME}(?:\s{0,9}\.\s{0,9}${NAME}){0,2})`, "giu");

/** Whether a statement may run on any engine of its team: it can't write, or will be refused. */
export function isRead({ sql, semantic, target }: Pick<StatementRequest, "sql" | "semantic" | "target">): boolean {
  if (semantic !== undefined || target.kind !== "lake") return true;
  return target.lake.isReadOnly === true || isSureToRead(sql ?? "");
}

export function keysOf(statement: StatementRequest): StatementKeys {
  const { id, sql, semantic, target, parameters, invalidate } = statement;
  const asked = sql ?? JSON.stringify(semantic?.queries);
  const [place, reader] = placeOf(target, id);
  const text = `${place} ${hashOf(asked)}`;
  // Each statement that asks for a new result runs.
  const asOf = invalidate === true ? id : "";
  const work = `${text} ${hashOf(JSON.stringify([parameters, reader, asOf]))}`;
  return { text, work, tables: tablesOf(statement).map((name) => `${place} ${hashOf(name)}`) };
}

function placeOf(target: StatementRequest["target"], id: string): [place: string, reader: string] {
  switch (target.kind) {
    case "lake":
      return [target.lake.lakeId, target.lake.reader ?? id];
    case "source":
      return [target.source.type, id];
    case "cluster":
      return ["trino", id];
  }
}

/** By their last two names, which are a schema's and the table's; of a semantic query, the cubes that it reaches. */
function tablesOf({ sql, semantic, target }: StatementRequest): string[] {
  if (target.kind !== "lake") return [];
  const named =
    sql === undefined
      ? [...(semantic?.model.cubes ?? [])].map(({ name }) => `cube ${name}`)
      : [...sql.matchAll(READ_TABLE)].map(([, path]) => lastNames(path!));
  return [...new Set(named)].slice(0, TABLES_MAX);
}

const lastNames = (path: string): string =>
  (path.match(new RegExp(NAME, "gu")) ?? [])
    .slice(-2)
    .map((name) => name.replaceAll('"', "").toLowerCase())
    .join(".");
