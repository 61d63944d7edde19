// The worker thread that `ask-thread.ts` starts: it holds PostgreSQL's parser and checks what it is sent.

import { parentPort } from "node:worker_threads";
import { toFailure, type Failure } from "../../../core/failure.ts";
import { readBoundStatement } from "../access/bound-statement.ts";
import { rewriteStatement } from "../access/rewrite-statement.ts";
import { checkPostgresStatement, loadParser, refused, TOO_COMPLEX } from "./check-statement.ts";
import type { GateAnswer, GateRequest } from "./gate-request.ts";

const port = parentPort;
if (!port) throw new Error("This file is a worker thread.");
await loadParser();

function answer(request: GateRequest): GateAnswer {
  switch (request.kind) {
    case "check":
      checkPostgresStatement(request.sql, request.parameters);
      return { checked: true };
    case "read": {
      const { references, columns, notations, rangeNames } = readBoundStatement(request.sql, request.parameters);
      return { statement: { references, columns, notations, rangeNames } };
    }
    case "rewrite":
      return { rewritten: rewriteStatement(request, request.replacements) };
  }
}

/** What overflows this thread's stack is too deep, like what overflows the parser's. */
const failureOf = (error: unknown): Failure => (error instanceof RangeError ? refused(TOO_COMPLEX) : toFailure(error));

port.on("message", (request: GateRequest) => {
  try {
    port.postMessage(answer(request));
  } catch (error) {
    port.postMessage({ failure: failureOf(error).toJSON() } satisfies GateAnswer);
  }
});
// The first message says that the parser is loaded.
port.postMessage({ checked: true } satisfies GateAnswer);
