// The requests to the gate's thread, and its answers.

import type { EngineFailure } from "../../../../../kernel/wire/engine.ts";
import type { BoundStatement } from "../access/bound-statement.ts";
import type { StatementText } from "./check-statement.ts";
import type { Replacement, RewrittenStatement } from "../access/rewrite-statement.ts";

export type GateRequest = StatementText &
  (
    | { kind: "check" }
    /** Checks a statement, and that a caller bound by data-access roles may send it. */
    | { kind: "read" }
    | { kind: "rewrite"; replacements: Replacement[] }
  );

export type GateAnswer = {
  checked?: true;
  statement?: BoundStatement;
  rewritten?: RewrittenStatement;
  failure?: EngineFailure;
  /** The parser could not hold the statement. */
  isTooComplex?: boolean;
};
