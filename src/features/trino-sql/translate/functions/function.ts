// A function: how many values it takes, and the expression that it is for them.

import { unsupported } from "../../refusal.ts";
import type { Expression } from "../../parse/tree.ts";
import type { Place } from "../place.ts";
import type { Typed } from "../typed.ts";

export type Call = Extract<Expression, { kind: "call" }>;
/** Makes a call of a DuckDB aggregate, with all that stands around its values. */
export type Around = (name: string, values: string) => string;
export type CallValues = { args: Typed[]; at: number; place: Place; call: Call };
export type Function = { counts: readonly number[]; make: (given: CallValues) => Typed };

/** A number that the statement has in its words. */
export function wholeOf({ constant, at }: Typed, what: string): number {
  if (constant === undefined || !/^-?\d{1,9}$/.test(constant)) throw unsupported(`${what} that is computed`, at);
  return Number(constant);
}
