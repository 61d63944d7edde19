// A column of a result that is answered under another name than it was found by.

import type { ShownColumn } from "../core/statement.ts";
import type { Column } from "./result.ts";

export function columnShown({ name, isTime }: ShownColumn, found: Column): Column {
  if (!isTime) return { ...found, name };
  const { precision, scale, ...rest } = found;
  return { ...rest, name, kind: "timestamp" };
}
