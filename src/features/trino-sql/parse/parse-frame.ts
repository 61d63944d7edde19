// A window's frame, as DuckDB writes it, too: rows by their number, or all from or to an end.

import { unsupported } from "../refusal.ts";
import type { Cursor } from "./cursor.ts";

export function parseFrame(cursor: Cursor): string | undefined {
  if (cursor.sees(")")) return undefined;
  const unit = cursor.accepts("ROWS") ? "ROWS" : cursor.accepts("RANGE") ? "RANGE" : undefined;
  if (!unit) throw unsupported("This form of a window", cursor.token.at);
  const bound = (): string => {
    const { at, text, kind } = cursor.token;
    if (cursor.accepts("CURRENT", "ROW")) return "CURRENT ROW";
    const isCount = kind === "number" && /^\d{1,9}$/.test(text) && unit === "ROWS";
    if (!isCount && !cursor.sees("UNBOUNDED")) throw unsupported("This bound of a window", at);
    cursor.take();
    const direction = cursor.accepts("PRECEDING") ? "PRECEDING" : "FOLLOWING";
    if (direction === "FOLLOWING") cursor.expect("FOLLOWING");
    return `${text.toUpperCase()} ${direction}`;
  };
  if (!cursor.accepts("BETWEEN")) return `${unit} BETWEEN ${bound()} AND CURRENT ROW`;
  const from = bound();
  cursor.expect("AND");
  return `${unit} BETWEEN ${from} AND ${bound()}`;
}
