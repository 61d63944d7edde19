// The engine's way to Cube's compiler: one compile process, started at first need, replaced when it dies, ended when
// nobody has needed it for a while. SQL that it made is kept here: whoever asks again does not ask it.

import { hash } from "node:crypto";
import { Semaphore } from "../../../../program/semaphore.ts";
import { Failure } from "../../../core/failure.ts";
import { LruMap } from "../../../core/lru-map.ts";
import type { CompiledModel, SemanticModel, SqlDialect } from "../../../contract/semantic/model.ts";
import type { SemanticQuery, SemanticSql } from "../../../contract/semantic/query.ts";
import { CompileProcess, ProcessDied } from "./compile-process.ts";
import type { CompileAnswer, CompileOrder } from "./messages.ts";

/** As many as an engine takes statements at all. */
const WAITING_MAX = 64;
/** A compile process that nobody needs gives its memory back. */
const IDLE_MS = 5 * 60_000;
/** Of all that wait for the process, nobody may keep it for longer: most queries take it milliseconds. */
const QUERY_MS = 30_000;
/** Of SQL that is kept, with its values. */
const KEPT_CHARACTERS_MAX = 8_000_000;

export class SemanticCompiler {
  /** The process does one thing at a time. */
  readonly #semaphore = new Semaphore(1, {
    waitingMax: WAITING_MAX,
    refuse: () => new Failure("busy", "As many semantic queries wait as this engine takes; try again shortly."),
  });
  readonly #idleMs: number;
  readonly #queryMs: number;
  /**
   * By all that decides it: the definitions, which are those that whoever asks may see, the dialect, and the query with
   * its zone, its dates resolved. A refusal is not kept.
   */
  readonly #kept: LruMap<SemanticSql>;
  #process: CompileProcess | undefined;
  #idle: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor({ idleMs = IDLE_MS, queryMs = QUERY_MS, keptCharactersMax = KEPT_CHARACTERS_MAX } = {}) {
    this.#idleMs = idleMs;
    this.#queryMs = queryMs;
    this.#kept = new LruMap(keptCharactersMax, (sql) => JSON.stringify(sql).length);
  }

  /** Whether a model compiles, and what it offers. Rejects with a Failure, or with the signal's reason. */
  async compileModel(model: SemanticModel, signal: AbortSignal): Promise<CompiledModel> {
    const answer = await this.#ask({ do: "model", ...named(model) }, signal);
    if (!("model" in answer)) throw unexpected(answer);
    return answer.model;
  }

  /** A query as SQL. Rejects with a Failure where the model has no such query, or with the signal's reason. */
  async compileSemantic(
    { model, dialect, query }: { model: SemanticModel; dialect: SqlDialect; query: SemanticQuery },
    signal: AbortSignal,
  ): Promise<SemanticSql> {
    signal.throwIfAborted();
    const order = { do: "sql" as const, ...named(model), dialect, query };
    const key = digest(JSON.stringify([order.key, dialect, query]));
    const known = this.#kept.get(key);
    if (known) return known;
    const answer = await this.#ask(order, signal);
    if (!("sql" in answer)) throw unexpected(answer);
    this.#kept.set(key, answer.sql);
    return answer.sql;
  }

  /** The process's id while there is one. */
  get pid(): number | undefined {
    return this.#process?.alive ? this.#process.pid : undefined;
  }

  /** Ends the process and starts none any more. */
  stop(): void {
    this.#stopped = true;
    this.#endProcess();
  }

  #endProcess(): void {
    clearTimeout(this.#idle);
    this.#process?.kill();
    this.#process = undefined;
  }

  async #ask(order: CompileOrder, signal: AbortSignal): Promise<CompileAnswer> {
    return this.#semaphore.run(async () => {
      clearTimeout(this.#idle);
      try {
        return await (order.do === "sql" ? this.#askInTime(order, signal) : this.#askProcess(order, signal));
      } finally {
        this.#idle = setTimeout(() => this.#endProcess(), this.#idleMs).unref();
      }
    }, signal);
  }

  async #askInTime(order: CompileOrder, signal: AbortSignal): Promise<CompileAnswer> {
    const tooLong = AbortSignal.timeout(this.#queryMs);
    try {
      return await this.#askProcess(order, AbortSignal.any([signal, tooLong]));
    } catch (error) {
      if (signal.aborted || !tooLong.aborted) throw error;
      throw new Failure(
        "statement_refused",
        `What the query names lies too far apart in the model: its SQL was not made within ${this.#queryMs / 1_000} s.`,
      );
    }
  }

  async #askProcess(order: CompileOrder, signal: AbortSignal): Promise<CompileAnswer> {
    const process = this.#running();
    const isFresh = process.answered === 0;
    try {
      return await process.ask(order, signal);
    } catch (error) {
      // It may have died of what others left in it, or have been on its way out.
      if (!(error instanceof ProcessDied) || isFresh) throw error;
      return this.#running().ask(order, signal);
    }
  }

  #running(): CompileProcess {
    if (this.#stopped) throw new Failure("platform_unavailable", "The engine is being stopped; try again.");
    if (!this.#process?.alive) this.#process = new CompileProcess();
    return this.#process;
  }
}

function unexpected(answer: CompileAnswer): Failure {
  if ("refused" in answer) return new Failure("statement_refused", answer.refused);
  const cause = "broken" in answer ? answer.broken : "another answer than was asked for";
  return new Failure("internal", "The engine met an internal error.", { cause });
}

function named(model: SemanticModel): { key: string; model: string } {
  const text = JSON.stringify(model);
  return { key: digest(text), model: text };
}

const digest = (text: string): string => hash("sha256", text, "base64");
