// The types of parameters' values, apart from their schema: the console lists them, and loads no checker for that.

/** `timestamp` is a local time without a zone, `timestamptz` an instant, `number` a double. */
export const PARAMETER_TYPES = [
  "text",
  "integer",
  "decimal",
  "number",
  "boolean",
  "date",
  "timestamp",
  "timestamptz",
] as const;
export type ParameterType = (typeof PARAMETER_TYPES)[number];
