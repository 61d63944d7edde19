// A statement as the engine carries it: how its result is to be written is one value.

import type { EarlierPhases } from "../../../kernel/wire/phases.ts";
import type { BoundValue, SemanticStatement } from "../../../kernel/semantic/query.ts";
import type { ResultOptions, StatementRequest } from "../../../kernel/wire/engine.ts";
import { CacheUse } from "./cache-use.ts";
import { Phases } from "./phases.ts";

/** A column under another name. `index`: the statement's own column. `isTime`: shown to the millisecond. */
export type ShownColumn = { name: string; index: number; isTime: boolean };

type Common = Omit<StatementRequest, keyof ResultOptions | "target" | "sql" | "semantic" | "parameters"> & {
  sql: string;
  /** Values of the parameters, in their order; absent where the statement may have none. */
  values?: readonly BoundValue[];
  /** The places of the values are `$1` and so on on the lake, where they are a `?` each in what was compiled. */
  isNumbered?: true;
  /** Whether the SQL was compiled from a semantic query. */
  isCompiled?: true;
  /** The columns that the result shows, where they are not the statement's own. */
  shown?: readonly ShownColumn[];
  result: ResultOptions;
} & AnswerFacts;

/** Facts about how a statement's answer came about. */
export type AnswerFacts = {
  phases: Phases;
  cacheUse: CacheUse;
  /** The columns of a result in Trino's own values, as Trino's protocol has them, once they are known. */
  trinoHead?: { columns?: string };
};

export const answerFacts = (earlier?: EarlierPhases): AnswerFacts => ({
  phases: new Phases(earlier),
  cacheUse: new CacheUse(),
  trinoHead: {},
});

type TargetOf<Kind extends StatementRequest["target"]["kind"]> = Extract<StatementRequest["target"], { kind: Kind }>;
export type SourceStatement = Common & { target: TargetOf<"source"> };
export type LakeStatement = Common & { target: TargetOf<"lake"> };
export type ClusterStatement = Common & { target: TargetOf<"cluster"> };
export type Statement = SourceStatement | LakeStatement;

export const statementOf = (
  request: Omit<StatementRequest, "semantic" | "parameters"> & Pick<Common, "sql" | "values" | "isNumbered">,
  facts = answerFacts(),
): Statement | ClusterStatement => ({ ...withResult(request), ...facts }) as Statement | ClusterStatement;

/** The request with its members about the result gathered in one. */
function withResult<Request extends ResultOptions>(request: Request) {
  const { format, numbers, rowsMax, bytesMax, isWhole, isBlended, isLists, ...rest } = request;
  return { ...rest, result: { format, numbers, rowsMax, bytesMax, isWhole, isBlended, isLists } };
}

/** A statement whose SQL is still to be compiled from its queries. */
export type SemanticOrder = Omit<Common, "sql" | "values"> &
  Pick<Statement, "target"> & { semantic: SemanticStatement };

export const semanticOrderOf = (
  request: Omit<StatementRequest, "sql" | "semantic" | "parameters"> & { semantic: SemanticStatement },
  facts = answerFacts(),
): SemanticOrder => ({ ...withResult(request), ...facts }) as SemanticOrder;

export const isLakeStatement = (statement: Statement | ClusterStatement): statement is LakeStatement =>
  statement.target.kind === "lake";

export const isClusterStatement = (statement: Statement | ClusterStatement): statement is ClusterStatement =>
  statement.target.kind === "cluster";
