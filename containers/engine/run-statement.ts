// One statement from target to answer: SQL on a source or the lake, or a semantic query, which becomes SQL on either.

import { Failure, reasonOf } from "./core/failure.ts";
import type { AnswerSink } from "./core/sink.ts";
import {
  answerFacts,
  isClusterStatement,
  isLakeStatement,
  semanticOrderOf,
  statementOf,
  type AnswerFacts,
} from "./core/statement.ts";
import type { ReadEstimate, EstimateRequest, StatementRequest } from "../../kernel/wire/engine.ts";
import { MAY_CHARGE } from "../../kernel/wire/source.ts";
import type { BoundStatement } from "./parameters/bind-parameters.ts";
import type { Lake } from "./lake/read/lake.ts";
import { estimateLakeStatement, runLakeStatement } from "./lake/run-statement.ts";
import type { SemanticCompiler } from "./semantic/compile/process/semantic-compiler.ts";

/** The dependencies that statements run with. */
export type StatementMeans = { lake: Lake; compiler: SemanticCompiler };

/**
 * Answers a statement. Rejects with the Failure to answer with as long as nothing was sent; later failures are written
 * into the answer (JSON) or break it off (the rest). Settles when the last byte is out.
 */
export async function runStatement(
  { semantic, sql = "", parameters, ...request }: StatementRequest,
  { lake, compiler, facts = answerFacts() }: StatementMeans & { facts?: AnswerFacts },
  signal: AbortSignal,
  answer: AnswerSink,
): Promise<void> {
  let bound: BoundStatement | undefined;
  try {
    bound = parameters && (await bind({ sql, parameters, target: request.target }));
    const statement = semantic
      ? semanticOrderOf({ ...request, semantic, ifNoneMatch: undefined }, facts)
      : statementOf(
          { ...request, sql: bound?.sql ?? sql, ...(bound && { values: bound.values, isNumbered: true }) },
          facts,
        );
    // Statements on the lake are what an engine is started for; what the others take is loaded by the first of them.
    if ("semantic" in statement) {
      const { runSemantic } = await import("./semantic/run/run-semantic.ts");
      await runSemantic(statement, { lake, compiler }, signal, answer);
    } else if (isLakeStatement(statement)) {
      await runLakeStatement(statement, lake, signal, answer);
      answer.end();
    } else if (isClusterStatement(statement)) {
      const { runClusterStatement } = await import("./cluster/run-statement.ts");
      await runClusterStatement(statement, lake.env.platformUrl, signal, answer);
    } else {
      const { runSourceStatement } = await import("./sources/run-statement.ts");
      await runSourceStatement(statement, signal, answer);
    }
  } catch (error) {
    if (answer.started) answer.break();
    const met = reasonOf(bound ? bound.rewriteError(error) : error, signal);
    const failure = mayReadAgain(request.target, semantic) ? met.ofRead() : met;
    throw request.isTranslated ? failure.reworded(failure.message, undefined) : failure;
  }
  await answer.ended(signal);
}

/**
 * Whether a statement is sure to only read, and costs nothing elsewhere. One in the lake's SQL says itself that it
 * reads; one of a cluster has been reported, and what it had pinned was given back by that.
 */
function mayReadAgain(target: StatementRequest["target"], semantic: StatementRequest["semantic"]): boolean {
  switch (target.kind) {
    case "source":
      return !MAY_CHARGE[target.source.type];
    case "lake":
      return semantic !== undefined;
    case "cluster":
      return false;
  }
}

/** Says what a statement will read, without running it. Rejects with the Failure that running it would begin with. */
export async function estimateStatement(
  { sql, parameters, lake: grant }: EstimateRequest,
  lake: Lake,
  signal: AbortSignal,
): Promise<ReadEstimate> {
  let bound: BoundStatement | undefined;
  try {
    bound = parameters && (await bind({ sql, parameters, target: { kind: "lake", lake: grant } }));
    const { sql: numbered, values } = bound ?? { sql };
    return await estimateLakeStatement(lake, { sql: numbered, ...(values && { values }), grant }, signal);
  } catch (error) {
    throw reasonOf(bound ? bound.rewriteError(error) : error, signal);
  }
}

/** Most statements have no parameters: what binds them is loaded by the first that has. */
async function bind({
  sql,
  parameters,
  target,
}: {
  target: StatementRequest["target"];
  sql: string;
  parameters: NonNullable<StatementRequest["parameters"]>;
}): Promise<BoundStatement> {
  const { bindParameters } = await import("./parameters/bind-parameters.ts");
  if (target.kind === "cluster") throw new Failure("bad_request", "A statement for a cluster has no parameters.");
  return bindParameters(sql, parameters, target.kind === "lake" ? "lake" : target.source.type);
}
