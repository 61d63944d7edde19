// Runs a semantic statement: each of its queries becomes SQL, which then runs like SQL that is typed.

import { SqlDialect } from "../../../../kernel/semantic/model.ts";
import type { SemanticSql, SemanticStatement } from "../../../../kernel/semantic/query.ts";
import { CacheUse } from "../../core/cache-use.ts";
import { Failure } from "../../core/failure.ts";
import type { AnswerSink } from "../../core/sink.ts";
import { isLakeStatement, type SemanticOrder, type Statement } from "../../core/statement.ts";
import type { Column, Row, RowTaker } from "../../formats/result.ts";
import { RowBudget } from "../../formats/row-budget.ts";
import { createWriter } from "../../formats/writers.ts";
import { readerOf } from "../../lake/catalog/reader-of.ts";
import type { Lake } from "../../lake/read/lake.ts";
import { runRead } from "../../lake/read/run-read.ts";
import { checkedText, RowAnswer } from "../../formats/row-answer.ts";
import { runRows } from "./run-rows.ts";
import type { SemanticCompiler } from "../compile/process/semantic-compiler.ts";
import { CollectedRows, collectedDocument, comparedDocument, createDocumentWriter } from "./document.ts";
import { explainFailure } from "./explain-failure.ts";
import { present, shownColumns, type Presentation } from "./presentation.ts";

/** More than any table has; below what every database takes for a number. */
const NO_LIMIT = Number.MAX_SAFE_INTEGER;
/** The most values that PostgreSQL's protocol can count; no query that people write comes near it. */
const VALUES_MAX = 65_535;

type SemanticParts = { lake: Lake; compiler: SemanticCompiler };

/** One of the statement's queries, compiled. */
type Part = SemanticStatement["queries"][number] & { compiled: SemanticSql; total: number | undefined };

/** Rejects where the answer can't hold the failure: before its first byte, and in formats other than JSON. */
export async function runSemantic(
  order: SemanticOrder,
  parts: SemanticParts,
  signal: AbortSignal,
  answer: AnswerSink,
): Promise<void> {
  const run = new SemanticRun(order, parts, signal);
  const { responseFormat, queries } = order.semantic;
  const isCollected = order.result.format === "json" && (responseFormat === "columnar" || isCompared(queries));
  const isWrittenByLake = order.target.kind === "lake" && order.result.format !== "json" && !isCompared(queries);
  if (isWrittenByLake) await run.streamFromLake(answer);
  else await (isCollected ? run.collect(answer) : run.stream(answer));
}

/** One range alone is compared as well: its answer has the form of those with several. */
const isCompared = (queries: SemanticStatement["queries"]): boolean =>
  queries.some(({ compareDateRange }) => compareDateRange !== undefined);

class SemanticRun {
  readonly #order: SemanticOrder;
  readonly #parts: SemanticParts;
  readonly #signal: AbortSignal;
  readonly #startedAt = performance.now();

  constructor(order: SemanticOrder, parts: SemanticParts, signal: AbortSignal) {
    this.#order = order;
    this.#parts = parts;
    this.#signal = signal;
  }

  /** The rows of one query, written where they are read. */
  async streamFromLake(answer: AnswerSink): Promise<void> {
    const [part] = await this.#compile();
    const { query, compiled } = part!;
    const statement = { ...this.#statementOf(compiled), shown: shownColumns(compiled.columns) };
    if (!isLakeStatement(statement)) throw new Error("The statement is not one on the lake.");
    await this.#explained(query, () => runRead(this.#parts.lake, statement, this.#signal, answer));
    answer.end();
  }

  /** Rows go out as they come, those of several queries one after the other. */
  async stream(answer: AnswerSink): Promise<void> {
    const { result, id, semantic, target, phases, cacheUse } = this.#order;
    const queries = await this.#compile();
    const { total } = queries[0]!;
    const layout = semantic.responseFormat;
    let head = semantic.head;
    const rows = new RowAnswer({
      answer,
      format: result.format,
      statement: { part: "cube_query", target },
      facts: { phases, cacheUse },
      startedAt: this.#startedAt,
      createWriter: (columns) =>
        result.format === "json"
          ? createDocumentWriter({ columns, result, requestId: id, head, layout, total })
          : createWriter({ columns, result, requestId: id }),
    });
    try {
      await this.#runAll(queries, {
        columns: (i, columns, cachedAt) => {
          if (i > 0) return;
          head = { ...semantic.head, ...headAsOf(queries[0]!.head, cachedAt) };
          rows.columns(columns);
        },
        row: (_, row) => rows.row(row),
      });
      await rows.end();
    } catch (error) {
      rows.fail(this.#signal.aborted ? this.#signal.reason : error);
    } finally {
      rows.stop();
    }
  }

  /**
   * The document goes out once all rows are there: a layout by columns turns them, and of queries that are compared
   * each has its own.
   */
  async collect(answer: AnswerSink): Promise<void> {
    const { result, id, semantic, phases, cacheUse } = this.#order;
    const queries = await this.#compile();
    const budget = new RowBudget(result);
    const results: CollectedRows[] = [];
    const heads: Record<string, unknown>[] = [];
    await this.#runAll(queries, {
      columns: (i, columns, cachedAt) => {
        const { total } = queries[i]!;
        const head = (heads[i] = headAsOf(queries[i]!.head, cachedAt));
        const layout = semantic.responseFormat;
        results[i] = new CollectedRows({ columns, result, requestId: id, head, layout, total }, budget);
      },
      row: (i, row) => results[i]!.write(row),
    });
    const durationMs = Math.round(performance.now() - this.#startedAt);
    const common = { requestId: id, budget, ending: { durationMs, phases, cachedAt: cacheUse.cachedAt } };
    const document = isCompared(queries)
      ? comparedDocument(results, { ...common, head: semantic.head, total: undefined })
      : collectedDocument(results[0]!, {
          ...common,
          head: { ...semantic.head, ...heads[0] },
          total: queries[0]!.total,
        });
    answer.end(checkedText(document));
  }

  /** Each query as SQL, and how many rows it has where that is asked for. */
  async #compile(): Promise<Part[]> {
    const { semantic, result } = this.#order;
    const parts: Part[] = [];
    for (const query of semantic.queries)
      parts.push({ ...query, compiled: await this.#sqlOf(query.query), total: undefined });
    if (semantic.total && result.format === "json") for (const part of parts) part.total = await this.#countOf(part);
    return parts;
  }

  async #sqlOf(query: Part["query"]): Promise<SemanticSql> {
    const { semantic, target, phases, sender = "" } = this.#order;
    const { data: dialect } = SqlDialect.safeParse(target.kind === "lake" ? "duckdb" : target.source.type);
    if (!dialect) throw new Failure("statement_refused", "Semantic models can't lie on a source of this kind.");
    const onWaited = (ms: number): void => {
      phases.add("wait", ms);
      phases.add("compile", -ms);
    };
    const caller = { sender, reader: readerOfTarget(target), onWaited };
    const compiled = await phases.time("compile", () =>
      this.#parts.compiler.compileSemantic({ model: semantic.model, dialect, query }, caller, this.#signal),
    );
    if (compiled.values.length > VALUES_MAX)
      throw new Failure("statement_refused", `A query may compare with ${VALUES_MAX} values.`);
    // Some databases end a text at a NUL, or can't hold one, and would compare another text.
    if (compiled.values.some((value) => typeof value === "string" && value.includes("\0")))
      throw new Failure("statement_refused", "A value of the query holds a NUL character.");
    return compiled;
  }

  async #countOf({ query }: Part): Promise<number> {
    const { sql, values } = await this.#sqlOf({ ...query, order: [], limit: NO_LIMIT, offset: 0 });
    let total: number | undefined;
    await this.#run(
      { query, sql: `SELECT COUNT(*) AS total FROM (\n${sql}\n) AS counted`, values },
      {
        columns: () => undefined,
        row: ({ bytes, starts, ends }) => {
          total = Number(Buffer.from(bytes.subarray(starts[0], ends[0])).toString());
          return true;
        },
      },
    );
    if (!Number.isSafeInteger(total)) throw new Failure("internal", "The engine met an internal error.");
    return total!;
  }

  async #runAll(
    queries: readonly Part[],
    take: {
      columns(i: number, columns: Column[], cachedAt: Date | undefined): void;
      row(i: number, row: Row): boolean | Promise<boolean>;
    },
  ): Promise<void> {
    const { isBlended } = this.#order.result;
    let wantsMore = true;
    let presentation: Presentation | undefined;
    for (const [i, { query, compiled, compareDateRange }] of queries.entries()) {
      // Queries that are compared have the same columns.
      if (!wantsMore) {
        take.columns(i, presentation!.columns, undefined);
        continue;
      }
      await this.#run(
        { query, ...compiled },
        {
          columns: (columns, cachedAt) => {
            presentation = present(compiled.columns, columns, { compareDateRange, isBlended });
            take.columns(i, presentation.columns, cachedAt);
          },
          row: (row) => {
            const more = wantsMore && take.row(i, presentation!.rowOf(row));
            if (more instanceof Promise) return more.then((wanted) => (wantsMore = wanted));
            return (wantsMore = more);
          },
        },
      );
    }
  }

  async #run(
    { query, ...sql }: Pick<Part, "query"> & Pick<SemanticSql, "sql" | "values">,
    taker: Taker,
  ): Promise<void> {
    const statement = this.#statementOf(sql);
    await this.#explained(query, () =>
      runRows(statement, this.#parts.lake, this.#signal, {
        ...taker,
        columns: (columns) => taker.columns(columns, statement.cacheUse.cachedAt),
        end: () => undefined,
      }),
    );
  }

  #statementOf({ sql, values }: Pick<SemanticSql, "sql" | "values">): Statement {
    const { semantic, ...common } = this.#order;
    const leftMs = common.deadlineMs - (performance.now() - this.#startedAt);
    const deadlineMs = Math.max(1, Math.round(leftMs));
    return {
      ...common,
      sql,
      values,
      isCompiled: true,
      deadlineMs,
      cacheUse: new CacheUse(common.cacheUse),
    } as Statement;
  }

  async #explained(query: Part["query"], work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#signal.throwIfAborted();
      throw explainFailure(error, this.#order.semantic.model, query);
    }
  }
}

/** The reader of a target: equal readers read the same of the same target. */
function readerOfTarget(target: SemanticOrder["target"]): string {
  if (target.kind === "lake") return readerOf(target.lake);
  return target.access === "everything" ? target.access : target.access.digest;
}

/** `cachedAt`: of rows that come from the result cache. */
type Taker = Pick<RowTaker, "row"> & { columns(columns: Column[], cachedAt: Date | undefined): void };

/** The head of an answer, with when its rows were read. */
const headAsOf = (head: Record<string, unknown>, cachedAt: Date | undefined): Record<string, unknown> =>
  cachedAt ? { ...head, lastRefreshTime: cachedAt.toISOString() } : head;
