// The names that a kept question says, out of its text. More may be named than is read, never less. Pure.

import { isObject } from "../../../../kernel/text/is-object.ts";
import type { MemberReads } from "../../semantic/model/members-read.ts";
import { scanFragment } from "../../semantic/model/sql-fragment.ts";
import { KNOWLEDGE_LIMITS } from "../limits.ts";

const MEMBER = /^(\w+\.\w+)(?:\.\w+)?$/;
/** Members of a `cube_query` whose texts are the values of somebody's data, or words of the language. */
const NO_NAMES = new Set("values dateRange compareDateRange granularity timezone operator".split(" "));

/** Members as `cube.member`, and with a star each cube that a hint for joins names. */
export function membersInQuery(query: Record<string, unknown>): Set<string> {
  const names = new Set<string>();
  const add = (text: string): void => {
    const [, member] = MEMBER.exec(text) ?? [];
    if (member !== undefined) names.add(member);
  };
  const walk = (value: unknown): void => {
    if (typeof value === "string") return add(value);
    if (Array.isArray(value)) return value.forEach(walk);
    if (!isObject(value)) return;
    for (const [key, inner] of Object.entries(value)) {
      // An order names members by its keys.
      add(key);
      if (!NO_NAMES.has(key)) walk(inner);
    }
  };
  const { joinHints, ...rest } = query;
  walk(rest);
  if (Array.isArray(joinHints))
    for (const hint of joinHints.flat()) if (typeof hint === "string") names.add(`${hint}.*`);
  return names;
}

/**
 * A text that can be scanned: its parameters are values, so that their names say nothing. Undefined for one that is too
 * long, or has texts in dollar signs.
 */
export function scannable(sql: string): string | undefined {
  if (sql.length > KNOWLEDGE_LIMITS.readCharactersMax || /\$\w*\$/.test(sql)) return undefined;
  return sql.replaceAll(/\$[A-Za-z_]\w*/g, "0").replace(/[;\s]+$/, "");
}

/** What a query reads, for whoever knows which names are hidden. Undefined where it can't be scanned. */
export function readsOfQuery(sql: string): MemberReads | undefined {
  const text = scannable(sql);
  const { fragment } = text === undefined ? {} : scanFragment(text, "query");
  if (text === undefined || !fragment) return undefined;
  const { identifiers, hasStar, textWords } = fragment;
  const named = new Set([...identifiers, ...(hasStar ? ["*"] : [])]);
  return { tables: [], identifiers: named, queries: [text], queryTexts: textWords };
}
