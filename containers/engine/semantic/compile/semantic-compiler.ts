// The engine's way to Cube's compiler: one compile process, started at first need, replaced when it dies, ended when
// nobody has needed it for a while.

import { createHash } from "node:crypto";
import { Semaphore } from "../../../program/semaphore.ts";
import { Failure } from "../../core/failure.ts";
import { CompiledModel, type SemanticModel, type SqlDialect } from "../../contract/semantic/model.ts";
import { SemanticSql, type SemanticQuery } from "../../contract/semantic/query.ts";
import { CompileProcess } from "./compile-process.ts";
import type { CompileAnswer, CompileOrder } from "./messages.ts";

const WAITING_MAX = 64;
/** A compile process that nobody needs gives its memory back. */
const IDLE_MS = 5 * 60_000;

export class SemanticCompiler {
  /** The process does one thing at a time. */
  readonly #turns = new Semaphore(1, {
    waitingMax: WAITING_MAX,
    refuse: () => new Failure("busy", "As many semantic queries wait as this engine takes; try again shortly."),
  });
  #process: CompileProcess | undefined;
  #idle: NodeJS.Timeout | undefined;

  /** Whether a model compiles, and what it offers. Rejects with a Failure, or with the signal's reason. */
  async compileModel(model: SemanticModel, signal: AbortSignal): Promise<CompiledModel> {
    const answer = await this.#ask({ do: "model", ...named(model) }, signal);
    return CompiledModel.parse("model" in answer ? answer.model : undefined);
  }

  /** A query as SQL. Rejects with a Failure where the model has no such query, or with the signal's reason. */
  async compileSemantic(
    { model, dialect, query }: { model: SemanticModel; dialect: SqlDialect; query: SemanticQuery },
    signal: AbortSignal,
  ): Promise<SemanticSql> {
    const answer = await this.#ask({ do: "sql", ...named(model), dialect, query }, signal);
    return SemanticSql.parse("sql" in answer ? answer.sql : undefined);
  }

  /** The process's id while there is one. */
  get pid(): number | undefined {
    return this.#process?.alive ? this.#process.pid : undefined;
  }

  stop(): void {
    clearTimeout(this.#idle);
    this.#process?.kill();
    this.#process = undefined;
  }

  async #ask(order: CompileOrder, signal: AbortSignal): Promise<CompileAnswer> {
    const answer = await this.#turns.run(() => this.#running().ask(order, signal), signal);
    if ("refused" in answer) throw new Failure("statement_refused", answer.refused);
    if ("broken" in answer)
      throw new Failure("internal", "The engine met an internal error.", { cause: answer.broken });
    return answer;
  }

  #running(): CompileProcess {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.stop(), IDLE_MS).unref();
    if (!this.#process?.alive) this.#process = new CompileProcess();
    return this.#process;
  }
}

function named(model: SemanticModel): { key: string; model: string } {
  const text = JSON.stringify(model);
  return { key: createHash("sha256").update(text).digest("base64"), model: text };
}
