// Rows of values, whose fields have no names unless they are cast to a type that has.

import { duckTypeOf } from "../../../trino-types.ts";
import type { Function } from "../function.ts";

export const row: Function = {
  counts: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
  make: ({ args, at }) => {
    const fields = args.map(({ type }, i) => ({ name: `f${i}`, type, isNameless: true as const }));
    const values = args.map(({ sql, type }, i) => `f${i} := CAST(${sql} AS ${duckTypeOf(type)})`);
    return { sql: `struct_pack(${values.join(", ")})`, type: { kind: "row", fields }, at };
  },
};
