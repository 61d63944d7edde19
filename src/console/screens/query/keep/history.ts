// The runs of the past, as the browser keeps them: the last ones of a user in a team.

import type { TypedValue } from "../../../api/query-link.ts";
import { parameterNames } from "../text/statements.ts";
import type { Run } from "../run/run.ts";

export type PastRun = {
  id: string;
  at: number;
  sql: string;
  integrationId: string | null;
  values: Record<string, TypedValue>;
  state: Run["state"];
  ms: number;
  rows: number;
  bytes: number;
  cache?: string;
  message?: string;
};

const RUNS_MAX = 300;
const SQL_CHARACTERS_MAX = 20_000;

const keyOf = (owner: string): string => `fjord-query-history:${owner}`;

export function readHistory(owner: string): PastRun[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(owner)) ?? "[]");
    return Array.isArray(kept) ? kept.filter((run: PastRun | null) => typeof run?.sql === "string") : [];
  } catch {
    return [];
  }
}

/** Adds a run that has ended. Where the storage is full older runs make room. */
export function remember(owner: string, run: Run): void {
  const { sql, integrationId, values } = run.question;
  if (sql.length > SQL_CHARACTERS_MAX) return;
  const past: PastRun = {
    id: run.id,
    at: run.startedAt,
    sql,
    integrationId,
    values: Object.fromEntries(parameterNames(sql).flatMap((name) => (values[name] ? [[name, values[name]]] : []))),
    state: run.state,
    ms: (run.endedAt ?? run.startedAt) - run.startedAt,
    rows: run.rows,
    bytes: run.bytes,
    ...(run.cache && { cache: run.cache }),
    ...(run.problem && { message: run.problem.message.slice(0, 300) }),
  };
  const others = readHistory(owner).filter(({ id }) => id !== run.id);
  for (let kept = RUNS_MAX; kept >= 1; kept = Math.floor(kept / 2))
    try {
      localStorage.setItem(keyOf(owner), JSON.stringify([past, ...others].slice(0, kept)));
      return;
    } catch {}
}
