// Statements that nobody waits for: each runs into a file, which is stored as an object, and the platform is told.

import { randomUUID } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { unknown } from "zod";
import { ownFolder } from "../program/leftovers.ts";
import type { ObjectStore } from "../program/object-store.ts";
import {
  ResultUploadAnswer,
  type AsyncStatementAnswer,
  type AsyncStatementOutcome,
  type AsyncStatementRequest,
} from "../../kernel/wire/statements/async-statement.ts";
import { locate, redact, secretsOfTarget } from "../../kernel/wire/failure-text.ts";
import { reportUnused } from "./cluster/report-use.ts";
import { Failure, reasonOf, toFailure } from "./core/failure.ts";
import { answerFacts } from "./core/statement.ts";
import { askPlatform, type PlatformAddress } from "./platform/ask-platform.ts";
import { openObjectStore } from "./platform/object-store.ts";
import { runStatement, type StatementMeans } from "./run-statement.ts";
import type { Statements } from "./statements.ts";
import { ResultFile } from "./result-file.ts";

/** Attempts to report. If all of them fail, the platform finds out by itself, late. */
const REPORT_ATTEMPTS = 8;
const REPORT_MS = 120_000;

export class AsyncStatements {
  readonly #env: PlatformAddress;
  readonly #means: StatementMeans;
  readonly #statements: Statements;
  readonly #store: ObjectStore;
  readonly #folder = ownFolder(tmpdir(), "result");
  readonly #running = new Set<Promise<void>>();

  constructor(env: PlatformAddress, means: StatementMeans, statements: Statements) {
    this.#env = env;
    this.#means = means;
    this.#statements = statements;
    this.#store = openObjectStore(env.s3Dial);
  }

  /**
   * Settles once the statement runs, or has ended within `waitMs`. Rejects like {@link Statements.run} where the
   * statement is not accepted, and then nothing is reported of it.
   */
  async start(request: AsyncStatementRequest): Promise<AsyncStatementAnswer> {
    const { statement, waitMs, leaseMs = statement.deadlineMs } = request;
    const begun = Promise.withResolvers<void>();
    const ended = this.#statements.run(statement.id, { ...statement, leaseMs }, (signal) => {
      begun.resolve();
      return this.#runAndReport(request, signal);
    });
    await Promise.race([begun.promise, ended]);
    this.#running.add(ended);
    void ended.finally(() => this.#running.delete(ended));
    return { hasEnded: await Promise.race([ended.then(() => true), delay(waitMs, false, { ref: false })]) };
  }

  /** Settles when no statement runs. */
  async settle(): Promise<void> {
    await Promise.all(this.#running);
  }

  /** Never rejects. */
  async #runAndReport(request: AsyncStatementRequest, signal: AbortSignal): Promise<void> {
    const { statement } = request;
    let unused = request.fallback;
    const outcome = await this.#outcomeOf(request, signal).catch((error: unknown) => {
      const failure = reasonOf(error, signal);
      const heavier = failure.code === "resources_exceeded" ? fallbackOf(request) : undefined;
      if (!heavier) return failed(request, failure);
      unused = undefined;
      return this.#outcomeOf(heavier, signal).then(
        (end): AsyncStatementOutcome => ({ ...end, isFallback: true }),
        (again: unknown) => failed(heavier, reasonOf(again, signal)),
      );
    });
    if (unused) void reportUnused({ id: statement.id, target: unused.target }, this.#env.platformUrl);
    await this.#ask(request, {
      path: "finish",
      body: outcome,
      answer: unknown(),
      attempts: REPORT_ATTEMPTS,
      signal: AbortSignal.timeout(REPORT_MS),
    }).catch((error: unknown) =>
      console.error(`statement ${statement.id}: its end could not be reported: ${toFailure(error).message}`),
    );
  }

  async #outcomeOf(request: AsyncStatementRequest, signal: AbortSignal) {
    const { bytes, readerHead } = await this.#run(request, signal);
    return { outcome: "succeeded" as const, bytes, ...(readerHead !== undefined && { readerHead }) };
  }

  /** Answers the bytes of the stored result, and the columns of one in Trino's own values. */
  async #run(
    request: AsyncStatementRequest,
    signal: AbortSignal,
  ): Promise<{ bytes: number; readerHead: string | undefined }> {
    await mkdir(this.#folder, { recursive: true });
    const file = await ResultFile.create(join(this.#folder, randomUUID()), request.storedBytesMax);
    const facts = answerFacts();
    try {
      await runStatement(request.statement, { ...this.#means, facts }, signal, file);
      await this.#keep(request, file, signal);
      return { bytes: file.bytes, readerHead: facts.trinoHead?.columns };
    } finally {
      await file.remove();
    }
  }

  async #keep(request: AsyncStatementRequest, { path, bytes }: ResultFile, signal: AbortSignal): Promise<void> {
    try {
      const { url } = await this.#ask(request, { path: "result", body: { bytes }, answer: ResultUploadAnswer, signal });
      await this.#store.upload({ url, file: path, bytes, signal });
    } catch (cause) {
      signal.throwIfAborted();
      throw new Failure("platform_unavailable", "The statement has run, but its result could not be stored.", {
        cause,
      });
    }
  }

  #ask<T>(
    { statement, token }: AsyncStatementRequest,
    { path, ...asked }: Parameters<typeof askPlatform<T>>[1],
  ): Promise<T> {
    const access = { platformUrl: this.#env.platformUrl, token };
    return askPlatform(access, { ...asked, path: `/internal/queries/${encodeURIComponent(statement.id)}/${path}` });
  }
}

/** At the cluster the sender's own text runs. */
function fallbackOf({ fallback, statement, ...request }: AsyncStatementRequest): AsyncStatementRequest | undefined {
  const { isTranslated: _, ...same } = statement;
  return fallback && { ...request, statement: { ...same, ...fallback } };
}

function failed({ statement: { target, sql } }: AsyncStatementRequest, failure: Failure): AsyncStatementOutcome {
  const { position } = failure;
  return {
    outcome: "failed",
    failure: { ...failure.toJSON(), message: redact(failure, secretsOfTarget(target)) },
    ...(position === undefined || sql === undefined ? {} : { location: locate(sql, position) }),
  };
}
