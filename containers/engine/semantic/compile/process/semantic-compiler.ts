// The engine's way to Cube's compiler. SQL that it made is kept here: whoever asks again does not ask it.

import { hash } from "node:crypto";
import { Failure } from "../../../core/failure.ts";
import { LruMap } from "../../../../../kernel/text/lru-map.ts";
import type { CompiledModel, SemanticModel, SqlDialect } from "../../../../../kernel/semantic/model.ts";
import type { SemanticQuery, SemanticSql } from "../../../../../kernel/semantic/query.ts";
import { CompilePool, type CompileCaller, type CompilePoolOptions } from "./compile-pool.ts";
import type { CompileAnswer, CompileOrder } from "./messages.ts";

/** The longest time for which a query may have a process: most queries take milliseconds. */
const QUERY_MS = 30_000;
/** Characters of the SQL that is kept, with its values. */
const KEPT_CHARACTERS_MAX = 8_000_000;

type CompilerOptions = CompilePoolOptions & { queryMs?: number; keptCharactersMax?: number };

/**
 * `reader`: the rights that the caller has. The time of compiling is reported, and must not reveal what others ask for.
 */
type Caller = CompileCaller & { reader: string };
type SqlRequest = { model: SemanticModel; dialect: SqlDialect; query: SemanticQuery };

export class SemanticCompiler {
  readonly #pool: CompilePool;
  readonly #queryMs: number;
  /**
   * SQL by all that decides it: the reader, the definitions that the reader may see, the dialect, and the query with
   * its zone and resolved dates. Refusals are not kept.
   */
  readonly #kept: LruMap<SemanticSql>;

  constructor({ queryMs = QUERY_MS, keptCharactersMax = KEPT_CHARACTERS_MAX, ...pool }: CompilerOptions = {}) {
    this.#pool = new CompilePool(pool);
    this.#queryMs = queryMs;
    this.#kept = new LruMap(keptCharactersMax, (sql) => JSON.stringify(sql).length);
  }

  /** Compiles a model, for its flaws or its meta. Rejects with a Failure, or with the signal's reason. */
  async compileModel(model: SemanticModel, caller: Caller, signal: AbortSignal): Promise<CompiledModel> {
    const answer = await this.#pool.ask({ do: "model", ...named(model, caller.reader) }, caller, signal);
    if (!("model" in answer)) throw unexpected(answer);
    return answer.model;
  }

  /** A query as SQL. Rejects with a Failure where the model has no such query, or with the signal's reason. */
  async compileSemantic(
    { model, dialect, query }: SqlRequest,
    caller: Caller,
    signal: AbortSignal,
  ): Promise<SemanticSql> {
    signal.throwIfAborted();
    const order = { do: "sql" as const, ...named(model, caller.reader), dialect, query };
    const key = digest(JSON.stringify([order.key, dialect, query]));
    const known = this.#kept.get(key);
    if (known) return known;
    const answer = await this.#askInTime(order, caller, signal);
    if (!("sql" in answer)) throw unexpected(answer);
    this.#kept.set(key, answer.sql);
    return answer.sql;
  }

  /** The ids of the processes that there are. */
  get pids(): number[] {
    return this.#pool.pids;
  }

  /** Ends the processes and starts none any more. */
  stop(): void {
    this.#pool.stop();
  }

  /** The time counts from when a process has the order. */
  async #askInTime(order: CompileOrder, caller: CompileCaller, signal: AbortSignal): Promise<CompileAnswer> {
    const tooLong = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const onWaited = (ms: number): void => {
      timer ??= setTimeout(() => tooLong.abort(), this.#queryMs);
      caller.onWaited?.(ms);
    };
    try {
      return await this.#pool.ask(order, { ...caller, onWaited }, AbortSignal.any([signal, tooLong.signal]));
    } catch (error) {
      if (signal.aborted || !tooLong.signal.aborted) throw error;
      throw new Failure(
        "statement_refused",
        `What the query names lies too far apart in the model: its SQL was not made within ${this.#queryMs / 1_000} s.`,
      );
    } finally {
      clearTimeout(timer);
    }
  }
}

function unexpected(answer: CompileAnswer): Failure {
  if ("refused" in answer) return new Failure("statement_refused", answer.refused);
  const cause = "broken" in answer ? answer.broken : "another answer than was asked for";
  return new Failure("internal", "The engine met an internal error.", { cause });
}

function named(model: SemanticModel, reader: string): { key: string; model: string } {
  const text = JSON.stringify(model);
  return { key: digest(`${reader} ${text}`), model: text };
}

const digest = (text: string): string => hash("sha256", text, "base64");
