// One statement from target to answer: SQL on a source or the lake, or a semantic query, which becomes SQL on either.

import { Failure, toFailure } from "./core/failure.ts";
import type { AnswerSink } from "./core/sink.ts";
import { answerFacts, isLakeStatement, semanticOrderOf, statementOf, type AnswerFacts } from "./core/statement.ts";
import type { StatementRequest } from "./contract/protocol.ts";
import type { Lake } from "./lake/read/lake.ts";
import { runLakeStatement } from "./lake/run-statement.ts";
import type { SemanticCompiler } from "./semantic/compile/process/semantic-compiler.ts";

/** What statements run with. */
export type StatementMeans = { lake: Lake; compiler: SemanticCompiler };

/**
 * Answers a statement. Rejects with the Failure to answer with as long as nothing was sent; later failures are written
 * into the answer (JSON) or break it off (the rest). Settles when the last byte is out.
 */
export async function runStatement(
  { semantic, sql = "", ...request }: StatementRequest,
  { lake, compiler, facts = answerFacts() }: StatementMeans & { facts?: AnswerFacts },
  signal: AbortSignal,
  answer: AnswerSink,
): Promise<void> {
  const statement = semantic
    ? semanticOrderOf({ ...request, semantic }, facts)
    : statementOf({ ...request, sql }, facts);
  try {
    // Statements on the lake are what an engine is started for; what the others take is loaded by the first of them.
    if ("semantic" in statement) {
      const { runSemantic } = await import("./semantic/run/run-semantic.ts");
      await runSemantic(statement, { lake, compiler }, signal, answer);
    } else if (isLakeStatement(statement)) {
      await runLakeStatement(statement, lake, signal, answer);
      answer.end();
    } else {
      const { runSourceStatement } = await import("./sources/run-statement.ts");
      await runSourceStatement(statement, signal, answer);
    }
  } catch (error) {
    if (answer.started) answer.break();
    throw reasonOf(error, signal);
  }
  await answer.ended(signal);
}

/** When a statement was aborted, that is why it failed, whatever the abort broke. What it caused may say more of it. */
function reasonOf(error: unknown, signal: AbortSignal): Failure {
  const isMore = error instanceof Failure && error.cause === signal.reason;
  return toFailure(signal.aborted && !isMore ? signal.reason : error);
}
