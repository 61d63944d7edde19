// A value that the type chosen for its column can't hold.

import { Failure } from "../core/failure.ts";
import type { ReadAs } from "./source-table.ts";

/** The table can be read again, from the same snapshot, with the column read as `readAs`. */
export class TypeMismatch extends Failure {
  /** As the source spells it. */
  readonly column: string;
  readonly readAs: ReadAs;

  constructor(column: string, what: string, type: string, readAs: ReadAs) {
    super(
      "sql_error",
      `Column ${column} holds ${what}, which ${type} can't hold. It can be read as ${readAs} instead.`,
    );
    this.column = column;
    this.readAs = readAs;
  }
}
