// A query whose values are encoded for Trino's clients, with each row as one JSON list, as the engine writes it.

import type { encodeQuery } from "../../../../src/features/trino-sql/translate/encode.ts";

export const asLists = ({ sql, columns }: ReturnType<typeof encodeQuery>): string =>
  `SELECT json_array(${columns.map((_, i) => `q.c${i}`).join(", ")}) AS r FROM (${sql}) AS q`;
