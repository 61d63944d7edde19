// Values of a semantic query, each of the one form that it may have, with flaws in the words of Cube's validation.

import { likeNames } from "../../../../kernel/text/like-names.ts";
import { SEMANTIC_LIMITS } from "../limits.ts";
import type { Path, QueryFlaws } from "./flaws.ts";

export const MEMBER = /^[a-zA-Z0-9_]+\.[a-zA-Z0-9_]+$/;

export function refuseUnknownKeys(
  value: Record<string, unknown>,
  known: readonly string[],
  path: Path,
  flaws: QueryFlaws,
): void {
  for (const key of Object.keys(value))
    if (!known.includes(key)) flaws.addForm([...path, key], `is not allowed${meantKey(key, known)}`);
}

/** Keys by the names that other semantic layers, and SQL, have for them. */
const KEYS_ELSEWHERE: Record<string, string> = {
  ...{ metric: "measures", metrics: "measures", aggregates: "measures", select: "measures", fields: "dimensions" },
  ...{ groupby: "dimensions", columns: "dimensions", by: "dimensions", attributes: "dimensions" },
  ...{ where: "filters", having: "filters", conditions: "filters", orderby: "order", sort: "order", sortby: "order" },
  ...{ top: "limit", rows: "limit", skip: "offset", tz: "timezone", time: "timeDimensions", dates: "timeDimensions" },
  ...{ field: "member", column: "member", name: "member", measure: "member", op: "operator", condition: "operator" },
  ...{ value: "values", val: "values", grain: "granularity", interval: "granularity", period: "dateRange" },
  ...{ range: "dateRange", between: "dateRange", daterange: "dateRange" },
};

/** `. Write "dimensions".`, of the keys that are known there, or nothing. */
function meantKey(key: string, known: readonly string[]): string {
  const elsewhere = KEYS_ELSEWHERE[key.toLowerCase().replaceAll(/[^a-z]/g, "")];
  const [meant] =
    elsewhere !== undefined && known.includes(elsewhere) ? [elsewhere] : likeNames(key, known, (one) => [one]);
  return meant === undefined ? "" : `. Write "${meant}".`;
}

/** Absent is empty. Items that have a flaw are left out. */
export function readList<Item>(
  value: unknown,
  path: Path,
  flaws: QueryFlaws,
  readItem: (item: unknown, path: Path) => Item | undefined,
): Item[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    flaws.addForm(path, "must be an array");
    return [];
  }
  const { membersMax: itemsMax } = SEMANTIC_LIMITS;
  if (value.length > itemsMax) {
    flaws.addForm(path, `must contain less than or equal to ${itemsMax} items`);
    return [];
  }
  return value.flatMap((item: unknown, index) => {
    const read = readItem(item, [...path, index]);
    return read === undefined ? [] : [read];
  });
}

export function readText(value: unknown, path: Path, flaws: QueryFlaws, pattern?: RegExp): string | undefined {
  if (value === undefined) return flaws.addForm(path, "is required");
  if (typeof value !== "string") return flaws.addForm(path, "must be a string");
  if (value === "") return flaws.addForm(path, "is not allowed to be empty");
  if (pattern && !pattern.test(value)) {
    const shown = value.slice(0, SHOWN_MAX);
    const words = `with value ${JSON.stringify(shown)} fails to match the required pattern: ${pattern}`;
    return flaws.addName(path, shown, words);
  }
  return value;
}

const SHOWN_MAX = 100;

export function readBoolean(value: unknown, path: Path, flaws: QueryFlaws): boolean | undefined {
  if (value === undefined || typeof value === "boolean") return value;
  return flaws.addForm(path, "must be a boolean");
}

/** A whole number from 0 up. */
export function readCount(value: unknown, path: Path, flaws: QueryFlaws): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== "number") return flaws.addForm(path, "must be a number");
  if (!Number.isInteger(value)) return flaws.addForm(path, "must be an integer");
  if (value < 0) return flaws.addForm(path, "must be greater than or equal to 0");
  return Number.isSafeInteger(value) ? value : flaws.addForm(path, "must be a safe number");
}

export function readChoice<Choice extends string>(
  value: unknown,
  choices: readonly Choice[],
  path: Path,
  flaws: QueryFlaws,
): Choice | undefined {
  if (value === undefined) return undefined;
  const choice = choices.find((one) => one === value);
  return choice ?? flaws.addForm(path, `must be one of [${choices.join(", ")}]`);
}
