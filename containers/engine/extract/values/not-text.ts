// The failure of a column whose text is not UTF-8, which the lake can't hold.

import { Failure } from "../../core/failure.ts";

export const notText = (column: string): Failure =>
  new Failure(
    "sql_error",
    `Column ${column} holds text that is not UTF-8, so it can't be read without loss. Correct it at the source.`,
  );
