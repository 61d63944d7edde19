// A column of a result that is answered under another name than it was found by.

import { Failure } from "../core/failure.ts";
import type { ShownColumn } from "../core/statement.ts";
import type { Column } from "./result.ts";

export function columnShown({ name, isTime }: ShownColumn, found: Column): Column {
  if (!isTime) return { ...found, name };
  const { precision, scale, ...rest } = found;
  return { ...rest, name, kind: "timestamp" };
}

/** The result found is not that of which columns were to be shown. */
export const otherColumns = (): Failure =>
  new Failure("internal", "The engine met an internal error.", { cause: "a semantic result has other columns" });
