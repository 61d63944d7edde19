// An interval has one unit of a closed list, since its text is written into statements as it stands.

import { unsupported } from "../refusal.ts";
import type { Cursor } from "./cursor.ts";
import { INTERVAL_UNITS, type Expression } from "./tree.ts";

/** Reads on behind the word INTERVAL, which is at `at`. */
export function parseInterval(cursor: Cursor, at: number): Expression {
  const isNegative = cursor.accepts("-");
  if (!isNegative) cursor.accepts("+");
  const text = cursor.string();
  const unit = INTERVAL_UNITS.find((each) => cursor.accepts(each.toUpperCase()));
  if (!unit) throw cursor.unexpected("<unit>");
  if (cursor.sees("TO")) throw unsupported("An interval of several units", at);
  return { kind: "interval", at, isNegative, text, unit };
}
