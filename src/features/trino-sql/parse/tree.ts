// The syntax tree of what is taken of Trino's SQL. What has no place in it is not understood, and refused.

export type Name = { text: string; isQuoted: boolean; at: number };

export const INTERVAL_UNITS = ["year", "month", "day", "hour", "minute", "second"] as const;
export type IntervalUnit = (typeof INTERVAL_UNITS)[number];

export type Expression = { at: number } & (
  | { kind: "number" | "string"; text: string }
  /** `text`: two digits for each byte. */
  | { kind: "binary"; text: string }
  | { kind: "boolean"; value: boolean }
  | { kind: "null" }
  | { kind: "typed"; type: TypeName; text: string }
  /** `to`: the last unit of an interval of several. */
  | { kind: "interval"; isNegative: boolean; text: string; unit: IntervalUnit; to?: IntervalUnit }
  | { kind: "column"; path: Name[] }
  | { kind: "array"; of: Expression[] }
  | { kind: "subscript"; of: Expression; index: Expression }
  | { kind: "parameter"; index: number }
  /** `isSign`: it stands before the digits of a number, with no parenthesis between. */
  | { kind: "minus"; of: Expression; isSign: boolean }
  | { kind: "plus" | "not"; of: Expression }
  | { kind: "and" | "or"; left: Expression; right: Expression }
  | { kind: "arithmetic"; sign: "+" | "-" | "*" | "/" | "%" | "||"; left: Expression; right: Expression }
  | { kind: "comparison"; sign: "=" | "<>" | "<" | "<=" | ">" | ">="; left: Expression; right: Expression }
  | { kind: "distinct"; isNegated: boolean; left: Expression; right: Expression }
  | { kind: "isNull"; isNegated: boolean; of: Expression }
  | { kind: "between"; isNegated: boolean; of: Expression; low: Expression; high: Expression }
  | { kind: "in"; isNegated: boolean; of: Expression; among: Expression[] | Query }
  | { kind: "like"; isNegated: boolean; of: Expression; pattern: Expression; escape?: Expression }
  | { kind: "case"; operand?: Expression; whens: { when: Expression; then: Expression }[]; otherwise?: Expression }
  | { kind: "cast" | "tryCast"; of: Expression; type: TypeName }
  | { kind: "inZone"; of: Expression; zone: Expression }
  | { kind: "extract"; field: string; of: Expression }
  | {
      kind: "call";
      name: string;
      args: Expression[];
      isStar: boolean;
      isDistinct: boolean;
      /** The order of an aggregate's values, as in `array_agg(x ORDER BY y)`. */
      order: OrderItem[];
      filter?: Expression;
      over?: Window;
    }
  | { kind: "exists" | "scalar"; query: Query }
);

/** `of` are the types within an array or a map, `fields` those of a row. */
export type TypeName = {
  name: string;
  args: number[];
  at: number;
  of?: TypeName[];
  fields?: { name: Name; type: TypeName }[];
};

/** `frame` is as DuckDB writes it, too. */
export type Window = { partition: Expression[]; order: OrderItem[]; frame?: string };

/** What is grouped by: one expression, or sets of them. */
export type Grouping =
  | { kind: "one"; of: Expression }
  | { kind: "sets"; at: number; name: "ROLLUP" | "CUBE" | "GROUPING SETS"; sets: Expression[][] };
export type OrderItem = { of: Expression; isDescending: boolean; areNullsFirst: boolean };

export type Query = {
  at: number;
  ctes: { name: Name; columns: Name[]; query: Query }[];
  body: Body;
  order: OrderItem[];
  offset?: Expression;
  limit?: Expression;
};

export type Body = { at: number } & (
  | Select
  | { kind: "set"; operation: "UNION" | "INTERSECT" | "EXCEPT"; isAll: boolean; left: Body; right: Body }
  | { kind: "values"; rows: Expression[][] }
  | { kind: "table"; name: Name[] }
  | { kind: "nested"; query: Query }
);

export type Select = {
  kind: "select";
  at: number;
  isDistinct: boolean;
  items: SelectItem[];
  from: Relation[];
  where?: Expression;
  groupBy: Grouping[];
  having?: Expression;
};

export type SelectItem =
  | { kind: "all"; at: number; of: Name[] }
  | { kind: "one"; at: number; of: Expression; alias?: Name };

export type Relation = { at: number } & (
  | { kind: "table"; name: Name[]; alias?: Name; columns: Name[] }
  | { kind: "query"; query: Query; alias?: Name; columns: Name[] }
  | { kind: "unnest"; of: Expression[]; hasOrdinality: boolean; alias?: Name; columns: Name[] }
  | {
      kind: "join";
      join: "INNER" | "LEFT" | "RIGHT" | "FULL" | "CROSS";
      left: Relation;
      right: Relation;
      on?: Expression;
      using?: Name[];
    }
);
