// A semantic query as it was sent, taken apart: of which form it is, not yet whether there are such members.

import { isObject } from "../../../../kernel/text/is-object.ts";
import { RESPONSE_FORMATS, type ResponseFormat } from "../../../../kernel/semantic/query.ts";
import { SEMANTIC_LIMITS } from "../limits.ts";
import type { Path, QueryFlaws } from "./flaws.ts";
import { readFilters, type SentFilter } from "./read-filters.ts";
import { MEMBER, readBoolean, readChoice, readCount, readList, readText, refuseUnknownKeys } from "./read-value.ts";

export type SentTimeDimension = {
  dimension: string;
  granularity?: string;
  dateRange?: string | string[];
  compareDateRange?: (string | string[])[];
};

export type SentOrder = { id: string; desc: boolean };

export type SentQuery = {
  measures: string[];
  dimensions: string[];
  segments: string[];
  timeDimensions: SentTimeDimension[];
  filters: SentFilter[];
  /** Absent: the default one; empty: none. */
  order?: SentOrder[];
  limit?: number;
  offset?: number;
  timezone?: string;
  total: boolean;
  ungrouped: boolean;
  responseFormat: ResponseFormat;
  joinHints: string[][];
};

/** Cube's; what is kept is never older than its tables, so every answer is as fresh as the strictest of them asks. */
const CACHE_MODES = ["stale-if-slow", "stale-while-revalidate", "must-revalidate", "no-cache"] as const;

/** All that a query may say. */
export const QUERY_KEYS = [
  "measures",
  "dimensions",
  "segments",
  "timeDimensions",
  "filters",
  "order",
  "limit",
  "offset",
  "timezone",
  "total",
  "ungrouped",
  "responseFormat",
  "joinHints",
  "cache",
  "cacheMode",
  "renewQuery",
] as const;

const MEMBER_OR_TIME = /^[a-zA-Z0-9_]+\.[a-zA-Z0-9_]+(\.[a-zA-Z0-9_]+)?$/;

const GRANULARITY_CHARACTERS_MAX = 128;

/** Parts with a flaw are left out, for the flaws end it all: see {@link QueryFlaws.throwIfAny}. */
export function readQuery(raw: Record<string, unknown>, flaws: QueryFlaws): SentQuery {
  refuseUnknownKeys(raw, QUERY_KEYS, [], flaws);
  const members = (key: string, pattern = MEMBER): string[] =>
    readList(raw[key], [key], flaws, (value, path) => readText(value, path, flaws, pattern));
  readChoice(raw["cache"], CACHE_MODES, ["cache"], flaws);
  readChoice(raw["cacheMode"], CACHE_MODES, ["cacheMode"], flaws);
  readBoolean(raw["renewQuery"], ["renewQuery"], flaws);
  const order = raw["order"] === undefined ? undefined : readOrder(raw["order"], flaws);
  const limit = readCount(raw["limit"], ["limit"], flaws);
  const offset = readCount(raw["offset"], ["offset"], flaws);
  const timezone = raw["timezone"] === undefined ? undefined : readText(raw["timezone"], ["timezone"], flaws);
  return {
    measures: members("measures"),
    dimensions: members("dimensions", MEMBER_OR_TIME),
    segments: members("segments"),
    timeDimensions: readList(raw["timeDimensions"], ["timeDimensions"], flaws, (value, path) =>
      readTimeDimension(value, path, flaws),
    ),
    filters: readFilters(raw["filters"], flaws),
    ...(order ? { order } : {}),
    ...(limit === undefined ? {} : { limit }),
    ...(offset === undefined ? {} : { offset }),
    ...(timezone === undefined ? {} : { timezone }),
    total: readBoolean(raw["total"], ["total"], flaws) ?? false,
    ungrouped: readBoolean(raw["ungrouped"], ["ungrouped"], flaws) ?? false,
    responseFormat: readChoice(raw["responseFormat"], RESPONSE_FORMATS, ["responseFormat"], flaws) ?? "default",
    joinHints: readList(raw["joinHints"], ["joinHints"], flaws, (hint, path) =>
      readList(hint, path, flaws, (cube, at) => readText(cube, at, flaws)),
    ),
  };
}

function readTimeDimension(value: unknown, path: Path, flaws: QueryFlaws): SentTimeDimension | undefined {
  if (!isObject(value))
    return flaws.addForm(path, `must be of type object: {"dimension": "cube.time", "granularity": "month"}`);
  refuseUnknownKeys(value, ["dimension", "granularity", "dateRange", "compareDateRange"], path, flaws);
  const dimension = readText(value["dimension"], [...path, "dimension"], flaws, MEMBER);
  const { granularity: given = null, dateRange: range = null, compareDateRange: compared = null } = value;
  const granularity = given === null ? undefined : readText(given, [...path, "granularity"], flaws);
  if (granularity && granularity.length > GRANULARITY_CHARACTERS_MAX)
    flaws.addForm([...path, "granularity"], `length must be less than or equal to ${GRANULARITY_CHARACTERS_MAX}`);
  if (range !== null && compared !== null)
    flaws.addForm(path, "contains a conflict between optional exclusive peers [dateRange, compareDateRange]");
  const dateRange = range === null ? undefined : readRange(range, [...path, "dateRange"], flaws);
  const compareDateRange =
    compared === null ? undefined : readComparedRanges(compared, [...path, "compareDateRange"], flaws);
  if (dimension === undefined) return undefined;
  return {
    dimension,
    ...(granularity === undefined ? {} : { granularity }),
    ...(dateRange === undefined ? {} : { dateRange }),
    ...(compareDateRange === undefined ? {} : { compareDateRange }),
  };
}

function readRange(value: unknown, path: Path, flaws: QueryFlaws): string | string[] | undefined {
  if (typeof value === "string") return value;
  if (!Array.isArray(value)) return flaws.addForm(path, "must be one of [array, string]");
  if (value.length < 1 || value.length > 2) return flaws.addForm(path, "must contain one date or two");
  return readList(value, path, flaws, (date, at) => readText(date, at, flaws));
}

function readComparedRanges(value: unknown, path: Path, flaws: QueryFlaws): (string | string[])[] | undefined {
  if (!Array.isArray(value)) return flaws.addForm(path, "must be an array");
  if (value.length < 1 || value.length > SEMANTIC_LIMITS.comparedRangesMax)
    return flaws.addForm(path, `must contain 1 to ${SEMANTIC_LIMITS.comparedRangesMax} ranges`);
  return readList(value, path, flaws, (range, at) => readRange(range, at, flaws));
}

/** `{member: "asc"}` or `[["member", "asc"]]`. */
function readOrder(value: unknown, flaws: QueryFlaws): SentOrder[] | undefined {
  const readOne = (id: unknown, direction: unknown, path: Path): SentOrder | undefined => {
    const name = readText(id, path, flaws, MEMBER_OR_TIME);
    const known = readChoice(direction, ["asc", "desc"], path, flaws);
    if (direction === undefined) flaws.addForm(path, "must be one of [asc, desc]");
    return name === undefined || known === undefined ? undefined : { id: name, desc: known === "desc" };
  };
  if (isObject(value)) {
    const entries = Object.entries(value);
    if (entries.length > SEMANTIC_LIMITS.membersMax)
      return flaws.addForm(["order"], `must have less than or equal to ${SEMANTIC_LIMITS.membersMax} keys`);
    return entries.flatMap(([id, direction]) => readOne(id, direction, ["order", id]) ?? []);
  }
  if (!Array.isArray(value)) return flaws.addForm(["order"], "must be one of [object, array]");
  return readList(value, ["order"], flaws, (pair, path) =>
    Array.isArray(pair) && pair.length === 2
      ? readOne(pair[0], pair[1], path)
      : flaws.addForm(path, "must be a pair of a member and asc or desc"),
  );
}
