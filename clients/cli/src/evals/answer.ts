// A model's answer to a question: a semantic query or SQL, and the members that it names. Pure.

import { isMap } from "../json.ts";

export type SemanticAnswer = Readonly<{ query: Record<string, unknown>; sql?: undefined }>;
export type SqlAnswer = Readonly<{ sql: string; query?: undefined }>;
export type Answer = (SemanticAnswer | SqlAnswer) & { readonly integration_id?: string };

const KEYS = ["query", "sql", "integration_id"];

/** Throws an `Error` that says what is wrong with it. */
export function readAnswer(value: unknown): Answer {
  if (!isMap(value)) throw new Error("An answer is an object with query or sql.");
  const unknown = Object.keys(value).find((key) => !KEYS.includes(key));
  if (unknown !== undefined) throw new Error(`An answer has ${KEYS.join(", ")}, and no ${unknown}.`);
  const { query, sql, integration_id: id } = value;
  if ((query === undefined) === (sql === undefined)) throw new Error("An answer has either query or sql.");
  if (query !== undefined && !isMap(query)) throw new Error("query has to be an object.");
  if (sql !== undefined && typeof sql !== "string") throw new Error("sql has to be a text.");
  if (id !== undefined && typeof id !== "string") throw new Error("integration_id has to be a text.");
  return value as Answer;
}

/** `selected` are those whose values the rows show; `named` those besides that it filters or orders by. */
export function membersOf(query: Record<string, unknown>): { selected: Set<string>; named: Set<string> } {
  const selected = new Set<string>();
  const named = new Set<string>();
  const add = (to: Set<string>, value: unknown): void => {
    const [, member] = typeof value === "string" ? (/^(\w+\.\w+)(?:\.\w+)?$/.exec(value) ?? []) : [];
    if (member !== undefined) to.add(member);
  };
  const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
  for (const key of ["measures", "dimensions"]) for (const each of listOf(query[key])) add(selected, each);
  for (const each of listOf(query["timeDimensions"]))
    if (isMap(each)) add(each["granularity"] === undefined ? named : selected, each["dimension"]);
  for (const each of listOf(query["segments"])) add(named, each);
  addFiltered(query["filters"], (member) => add(named, member), 0);
  for (const member of selected) named.add(member);
  return { selected, named };
}

const DEPTH_MAX = 100;

function addFiltered(filters: unknown, add: (member: unknown) => void, depth: number): void {
  if (!Array.isArray(filters) || depth > DEPTH_MAX) return;
  for (const filter of filters) {
    if (!isMap(filter)) continue;
    add(filter["member"] ?? filter["dimension"]);
    addFiltered(filter["and"], add, depth + 1);
    addFiltered(filter["or"], add, depth + 1);
  }
}
