// A test of a table is described in words. Pure.

import type { TestResult } from "../../../../kernel/wire/builds.ts";
import type { DatasetTest } from "../definition/builds/tests.ts";

const ERROR_CHARACTERS_MAX = 500;

/** One sentence of a test that failed, for the doc's author; which rows fail it is with the run's tables. */
export function describeFailure({ state, rows, error, index }: TestResult, test: DatasetTest | undefined): string {
  const name = `Test ${index + 1} (${test ? nameOf(test) : "gone"})`;
  if (state === "broken") return `${name} can't be run: ${(error ?? "").slice(0, ERROR_CHARACTERS_MAX)}`;
  return `${name} fails: ${rows === 1 ? "1 row" : `${rows} rows`}.`;
}

export function nameOf(test: DatasetTest): string {
  switch (test.kind) {
    case "not_null":
    case "unique":
      return `${test.kind} ${test.columns.join(", ")}`;
    case "accepted_values":
      return `accepted_values of ${test.column}`;
    case "relationships":
      return `relationships of ${test.column} to ${test.to.table}.${test.to.column}`;
    case "row_count":
      return `row_count${test.min === undefined ? "" : ` from ${test.min}`}${test.max === undefined ? "" : ` to ${test.max}`}`;
    case "sql":
      return "sql";
  }
}
