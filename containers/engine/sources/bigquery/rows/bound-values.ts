// Values bound to a statement, as the service's positional parameters.

import type { BoundValue } from "../../../../../kernel/semantic/query.ts";

type QueryParameter = { parameterType: { type: string }; parameterValue: { value: string | null } };

/** Whole numbers are INT64 where they are exact, others FLOAT64; NULL is a STRING, which the service casts. */
export const queryParameters = (values: readonly BoundValue[]): QueryParameter[] =>
  values.map((value) => ({
    parameterType: { type: typeOf(value) },
    parameterValue: { value: value === null ? null : String(value) },
  }));

function typeOf(value: BoundValue): string {
  if (typeof value === "number") return Number.isSafeInteger(value) ? "INT64" : "FLOAT64";
  return typeof value === "boolean" ? "BOOL" : "STRING";
}
