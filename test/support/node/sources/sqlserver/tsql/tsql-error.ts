// An error as SQL Server has it.

import type { ServerError } from "../tds/tokens.ts";

export class TsqlError extends Error implements ServerError {
  readonly number: number;
  readonly state: number;
  readonly severity: number;
  readonly line: number;

  constructor({ number, message, state = 1, severity = 16, line = 1 }: ServerError) {
    super(message);
    this.number = number;
    this.state = state;
    this.severity = severity;
    this.line = line;
  }
}
