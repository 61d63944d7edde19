// The fake goes wrong on demand.

import type { ServerError } from "./tds/tokens.ts";

/** A fault of the next logins, until it is taken back. */
export type LoginFault =
  | { kind: "silent" }
  | { kind: "close" }
  | { kind: "garbage"; bytes: Buffer }
  | { kind: "endless" }
  | { kind: "refuse"; errors: readonly ServerError[] }
  /** Sends the client to another host and port. */
  | { kind: "route"; host: string; port: number }
  /** Goes on after the login with an answer to nothing. */
  | { kind: "unasked" };

/** A fault of the answer to a statement that matches `when`, or to any; rows before it are sent as they are. */
export type AnswerFault = { when?: RegExp } & (
  | { kind: "close"; afterRows: number }
  | { kind: "reset"; afterRows: number }
  | { kind: "stall"; afterRows: number }
  /** An error instead of the rest. */
  | { kind: "error"; afterRows: number; error: ServerError }
  /** The bytes of the rows from `fromRow` on, once more. */
  | { kind: "repeat"; fromRow: number }
  /** Leaves a row out. */
  | { kind: "drop"; row: number }
  /** Bytes in the middle of the rows are missing. */
  | { kind: "cut"; afterRows: number; bytes: number }
  /** Other bytes instead of a row. */
  | { kind: "bytes"; afterRows: number; bytes: Buffer }
  /** The last token, or the end of the message, is missing: another answer's may stand for it. */
  | { kind: "no done" }
  | { kind: "no end" }
  /** More after the end. */
  | { kind: "more"; bytes: Buffer }
  | { kind: "second result" }
  /** Goes on as if no attention had come. */
  | { kind: "deaf" }
);
