// A row, or a value of it, that is larger than a reader of results takes.

import { Failure } from "./failure.ts";

/** A class of its own lets a sync, which takes smaller rows than a result, say it in its own words. */
export class RowTooLarge extends Failure {
  constructor(bytesMax: number, what: "row" | "value" = "row") {
    super("resources_exceeded", `A ${what} of the result is larger than ${bytesMax / 1024 / 1024} MiB.`);
  }
}
