// A column that a result shows under another name than its own.

import { Failure } from "../core/failure.ts";
import type { ShownColumn } from "../core/statement.ts";
import type { Column } from "./result.ts";

export function columnShown({ name, isTime }: ShownColumn, found: Column): Column {
  if (!isTime) return { ...found, name };
  const { precision, scale, ...rest } = found;
  return { ...rest, name, kind: "timestamp" };
}

/** The failure where a result's columns are not the ones that were to be shown. */
export const otherColumns = (): Failure =>
  new Failure("internal", "The engine met an internal error.", { cause: "a semantic result has other columns" });
