// The work of a thread that `ParserGate` starts: it holds PostgreSQL's parser and checks what it is sent.

import { parentPort } from "node:worker_threads";
import { toFailure } from "../../../core/failure.ts";
import { readBoundStatement } from "../access/bound-statement.ts";
import { rewriteStatement } from "../access/rewrite-statement.ts";
import { checkStatement, loadParser, TooComplex } from "./check-statement.ts";
import type { GateAnswer, GateRequest } from "./gate-request.ts";
import type { GateRules } from "./gate-rules.ts";

/** Answers requests from now on, by `rules`. */
export async function serveGate(rules: GateRules): Promise<void> {
  const port = parentPort;
  if (!port) throw new Error("A gate serves in a worker thread.");
  await loadParser();
  port.on("message", (request: GateRequest) => {
    try {
      port.postMessage(answer(request, rules));
    } catch (error) {
      // A statement that overflows this thread's stack is too deep, like one that overflows the parser's.
      const failure = error instanceof RangeError ? new TooComplex() : toFailure(error);
      port.postMessage({ failure: failure.toJSON(), isTooComplex: failure instanceof TooComplex } satisfies GateAnswer);
    }
  });
  // The first message says that the parser is loaded.
  port.postMessage({ checked: true } satisfies GateAnswer);
}

function answer(request: GateRequest, rules: GateRules): GateAnswer {
  switch (request.kind) {
    case "check":
      checkStatement(request.sql, rules, request.parameters);
      return { checked: true };
    case "read": {
      const { references, columns, notations, rangeNames, uses } = readBoundStatement(request, rules);
      return { statement: { references, columns, notations, rangeNames, uses } };
    }
    case "rewrite":
      return { rewritten: rewriteStatement(request, request.replacements, rules) };
  }
}
